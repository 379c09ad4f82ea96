package transfer_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
)

// liar is a server of one object that changes, with ranges, whose answers go
// wrong at random: it is honest about which bytes are of which version, unless
// it says nothing about it, and about nothing else.
type liar struct {
	mu       sync.Mutex
	rng      *rand.Rand
	versions [][]byte
	calm     bool // no more misbehaviour
	restless bool // it changes with every other request
	deaf     bool // it never looks at If-Range
	flips    bool // bytes go wrong on the way; only a digest can tell
	lies     []string
}

func newLiar(seed uint64) *liar {
	l := &liar{rng: rand.New(rand.NewPCG(seed, 23)), restless: seed%3 == 0, deaf: seed%2 == 0, flips: seed%4 == 1}
	l.change()
	return l
}

// change makes another version, of another size in some cases.
func (l *liar) change() {
	size := 200_000
	if l.rng.IntN(3) == 0 {
		size += l.rng.IntN(400_000)
	}
	v := make([]byte, size)
	for i := range v {
		v[i] = byte(l.rng.Uint32())
	}
	l.versions = append(l.versions, v)
}

func (l *liar) tag(version int) string { return fmt.Sprintf(`"v%d"`, version) }

// lie chooses what goes wrong with an answer; empty is nothing.
func (l *liar) lie() string {
	if l.restless && !l.calm && l.rng.IntN(2) == 0 {
		l.change()
	}
	if l.calm || l.rng.IntN(3) > 0 {
		return ""
	}
	all := []string{"cut", "cut", "reset", "stall", "200 for a part", "If-Range ignored", "range ignored", "shifted", "short", "416", "503",
		"no tag", "weak tag", "total unknown", "total wrong", "coded", "no length", "change", "change", "no range header", "multipart"}
	if l.flips {
		all = append(all, "flipped", "flipped", "flipped")
	}
	lie := all[l.rng.IntN(len(all))]
	l.lies = append(l.lies, lie)
	return lie
}

func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	lie := l.lie()
	if lie == "change" {
		l.change()
	}
	version := len(l.versions) - 1
	object := l.versions[version]
	cutAt := l.rng.IntN(len(object))
	l.mu.Unlock()

	h := w.Header()
	h.Set("Accept-Ranges", "bytes")
	switch lie {
	case "no tag":
	case "weak tag":
		h.Set("ETag", "W/"+l.tag(version))
	default:
		h.Set("ETag", l.tag(version))
	}
	first, last, part := parseRange(r.Header.Get("Range"), len(object))
	if given := r.Header.Get("If-Range"); part && given != "" && given != l.tag(version) && lie != "If-Range ignored" && !l.deaf {
		part = false
	}
	if !part || lie == "range ignored" || lie == "200 for a part" {
		first, last, part = 0, len(object)-1, false
	}
	switch lie {
	case "416":
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", len(object)))
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return
	case "503":
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case "short":
		if part {
			last = first + (last-first)/2
		}
	case "shifted":
		if part && last < len(object)-1 {
			first, last = first+1, last+1
		}
	}
	body := object[first : last+1]
	status := http.StatusOK
	if part {
		status = http.StatusPartialContent
		total := strconv.Itoa(len(object))
		switch lie {
		case "total unknown":
			total = "*"
		case "total wrong":
			total = strconv.Itoa(len(object) + 1)
		case "coded":
			h.Set("Content-Encoding", "gzip")
		}
		switch lie {
		case "no range header":
		case "multipart":
			h.Set("Content-Type", "multipart/byteranges; boundary=x")
		default:
			h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%s", first, last, total))
		}
	}
	if lie != "no length" {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(status)
	if lie == "flipped" {
		body = bytes.Clone(body)
		body[cutAt%len(body)]++
	}
	if lie != "cut" && lie != "reset" && lie != "stall" {
		w.Write(body)
		return
	}
	w.Write(body[:cutAt%len(body)])
	w.(http.Flusher).Flush()
	if lie == "stall" {
		select {
		case <-r.Context().Done():
		case <-time.After(10 * liarBudget):
		}
	}
	panic(http.ErrAbortHandler)
}

const liarBudget = slowness * 150 * time.Millisecond

// parseRange reads "bytes=first-last" against an object of so many bytes.
func parseRange(value string, size int) (first, last int, ok bool) {
	a, b, ok := strings.Cut(strings.TrimPrefix(value, "bytes="), "-")
	if !ok {
		return 0, 0, false
	}
	first, err := strconv.Atoi(a)
	if err != nil || first >= size {
		return 0, 0, false
	}
	last = size - 1
	if n, err := strconv.Atoi(b); err == nil && n < last {
		last = n
	}
	return first, last, last >= first
}

// TestDownloadFromLiars downloads from servers of the worst kind, again and
// again: the file is never anything but one whole version, and in the end,
// when the server behaves, it is there.
func TestDownloadFromLiars(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() || slowness > 1 {
		seeds = 15
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	turns := make(chan struct{}, 8)
	for seed := range seeds {
		wg.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { downloadFromLiar(t, seed, filepath.Join(dir, fmt.Sprint(seed))) })
		})
	}
	wg.Wait()
}

func downloadFromLiar(t *testing.T, seed uint64, path string) {
	l := newLiar(seed)
	server := httptest.NewUnstartedServer(l)
	server.Config.ErrorLog = nil
	server.Start()
	defer server.Close()
	client := &transfer.Client{Budget: transfer.Budget{Duration: liarBudget}, Retry: transfer.Retry{Base: time.Millisecond}}
	defer client.CloseIdleConnections()
	choose := rand.New(rand.NewPCG(seed, 29))
	segments := []int{0, 1, 2, 8}[choose.IntN(4)]
	previous := []byte("what was there before")
	if choose.IntN(2) == 0 {
		if err := os.WriteFile(path, previous, 0o666); err != nil {
			t.Fatal(err)
		}
	} else {
		previous = nil
	}
	// The last tries find a server that behaves; the first of them should do,
	// on a machine that has the time.
	const tries, calmTries = 16, 5
	var last error
	for try := range tries {
		calm := try >= tries-calmTries
		l.mu.Lock()
		l.calm = calm
		l.mu.Unlock()
		req := transfer.Request{URL: server.URL + "/object"}
		digest := choose.IntN(3) == 0 || l.flips
		l.mu.Lock()
		version := l.versions[len(l.versions)-1]
		l.mu.Unlock()
		if digest {
			req.Digest = fmt.Sprintf("sha256:%x", sha256.Sum256(version))
		}
		resume := choose.IntN(4) > 0
		res, err := client.Download(t.Context(), req, transfer.File{Path: path, Resume: resume, Segments: segments})
		got, readErr := os.ReadFile(path)
		if last = err; err != nil {
			if !errors.Is(readErr, os.ErrNotExist) && !bytes.Equal(got, previous) || previous != nil && readErr != nil {
				t.Fatalf("after %v the file has %d bytes that are not what was there before (lies: %q)", err, len(got), l.lies)
			}
			continue
		}
		if !l.isVersion(got) || digest && !bytes.Equal(got, version) {
			t.Fatalf("the file of %d bytes is no version of the object, after %+v (lies: %q)", len(got), res, l.lies)
		}
		if left, _ := filepath.Glob(path + ".*"); resume && len(left) > 0 {
			t.Fatalf("the download is complete and left %q", left)
		}
		if res.BytesReceived < int64(len(got))-res.ResumedFrom {
			t.Errorf("the result tells of %d bytes received and %d there, for %d", res.BytesReceived, res.ResumedFrom, len(got))
		}
		if previous = got; calm {
			break
		}
	}
	if !l.isVersion(previous) || !bytes.Equal(previous, l.versions[len(l.versions)-1]) {
		t.Errorf("from a server that behaves at last the file did not come: %v (lies: %q)", last, l.lies)
	}
}

func (l *liar) isVersion(b []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range l.versions {
		if bytes.Equal(b, v) {
			return true
		}
	}
	return false
}
