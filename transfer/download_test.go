package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// object is a server of one object with ranges, that can change and lie.
type object struct {
	mu       sync.Mutex
	body     []byte
	etag     string
	modified string // Last-Modified, served an hour later
	noRanges bool
	cut      int  // close after so many body bytes; 0 does not
	hang     bool // hang there instead
	alter    func(header map[string]string, body []byte) []byte
	status   int // instead of 206
	always   bool
}

func (o *object) set(f func(*object)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f(o)
}

func (o *object) script(c *serverConn, r *http.Request) {
	o.mu.Lock()
	body, cut, hang := o.body, o.cut, o.hang
	header := map[string]string{"Connection": "close"}
	if o.etag != "" {
		header["ETag"] = o.etag
	}
	if o.modified != "" {
		at, _ := http.ParseTime(o.modified)
		header["Last-Modified"] = o.modified
		header["Date"] = at.Add(time.Hour).Format(http.TimeFormat)
	}
	status, total := 200, len(body)
	if !o.noRanges {
		header["Accept-Ranges"] = "bytes"
		current := r.Header.Get("If-Range") == o.etag || r.Header.Get("If-Range") == o.modified || o.always
		var from, to int
		n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
		if n > 0 && current {
			if n == 1 || to >= total {
				to = total - 1
			}
			if from >= total {
				status = 416
				header["Content-Range"] = fmt.Sprintf("bytes */%d", total)
				body = nil
			} else {
				status = 206
				header["Content-Range"] = fmt.Sprintf("bytes %d-%d/%d", from, to, total)
				body = body[from : to+1]
			}
		}
	}
	if r.Header.Get("Range") != "" && o.status != 0 {
		status = o.status
	}
	header["Content-Length"] = fmt.Sprint(len(body))
	if o.alter != nil {
		body = o.alter(header, body)
	}
	o.mu.Unlock()
	c.send("HTTP/1.1 %d X\r\n", status)
	for k, v := range header {
		c.send("%s: %s\r\n", k, v)
	}
	c.send("\r\n")
	if cut > 0 && cut < len(body) {
		c.Write(body[:cut])
		if hang {
			c.hang()
		}
		return
	}
	c.Write(body)
}

func randomBytes(seed uint64, n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed)})
	r.Read(b)
	return b
}

func sha256Of(b []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(b)) }

func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestDownload(t *testing.T) {
	body := randomBytes(1, 1<<20)
	for _, segments := range []int{0, 1, 2, 8, 100} {
		t.Run(fmt.Sprint(segments), inBubble(func(t *testing.T) {
			o := &object{body: body, etag: `"v1"`}
			s := servePipe(t, o.script)
			dir := t.TempDir()
			path := filepath.Join(dir, "bundle.zip")
			c := s.client(t, testBudget)
			var progress int64
			c.Observer = func(e Event) {
				if e.Kind == EventProgress {
					progress += int64(e.Bytes)
				}
			}
			res, err := c.Download(context.Background(), Request{URL: s.URL, Digest: sha256Of(body)}, File{Path: path, Segments: segments})
			if err != nil {
				t.Fatal(err)
			}
			got, _ := os.ReadFile(path)
			want := max(1, min(segments, len(body)/minSegmentWanted))
			if !bytes.Equal(got, body) || res.Segments != want || len(s.requests()) != want {
				t.Errorf("%d bytes, equal %v, %d segments and %d requests, want %d", len(got), bytes.Equal(got, body), res.Segments, len(s.requests()), want)
			}
			if res.BytesReceived != int64(len(body)) || res.BytesDeclared != int64(len(body)) || progress != int64(len(body)) || res.Digest != sha256Of(body) {
				t.Errorf("result %+v, progress %d", res, progress)
			}
			if names := filesIn(t, dir); len(names) != 1 {
				t.Errorf("left behind: %v", names)
			}
		}))
	}
}

// TestResume lets a first transfer fail in the middle, changes the server, and
// asks again: the file must be the server's present object or not be there.
func TestResume(t *testing.T) {
	v1, v2 := randomBytes(1, 300_000), randomBytes(2, 300_000)
	longer := append(bytes.Clone(v1), "and more"...)
	const cut = 200_000
	const modified = "Tue, 01 Sep 2026 08:00:00 GMT"
	header := func(name, value string) func(*object) {
		return func(o *object) {
			o.alter = func(h map[string]string, b []byte) []byte { h[name] = value; return b }
		}
	}
	tests := []struct {
		name     string
		etag     string
		modified string
		second   func(*object)
		digest   []byte
		want     []byte // nil: no file may be there
		resumed  bool
		requests int // of the second transfer
	}{
		{name: "unchanged", etag: `"1"`, want: v1, resumed: true, requests: 1},
		{name: "unchanged, with digest", etag: `"1"`, digest: v1, want: v1, resumed: true, requests: 1},
		{name: "unchanged, by date", modified: modified, want: v1, resumed: true, requests: 1},
		{name: "weak tag", etag: `W/"1"`, want: v1, requests: 1},
		{name: "no validator", want: v1, requests: 1},
		{name: "changed", etag: `"1"`, second: func(o *object) { o.body, o.etag = v2, `"2"` }, want: v2, requests: 1},
		{name: "changed, by date", modified: modified, second: func(o *object) { o.body, o.modified = v2, "Tue, 01 Sep 2026 09:00:00 GMT" }, want: v2, requests: 1},
		{name: "changed, If-Range ignored", etag: `"1"`, second: func(o *object) { o.body, o.etag, o.always = v2, `"2"`, true }, want: v2, requests: 2},
		{name: "changed, tag kept", etag: `"1"`, second: func(o *object) { o.body = v2 }, want: v2, requests: 2},
		{name: "changed, tag gone, If-Range ignored", etag: `"1"`, second: func(o *object) { o.body, o.etag, o.always = v2, "", true }, want: v2, requests: 2},
		{name: "changed, date kept, now with a tag", modified: modified, second: func(o *object) { o.body, o.etag = v2, `"2"` }, want: v2, requests: 2},
		{name: "grown, tag kept", etag: `"1"`, second: func(o *object) { o.body = longer }, want: longer, requests: 2},
		{name: "shrunk below what is there", etag: `"1"`, second: func(o *object) { o.body = v1[:1000]; o.always = true }, want: v1[:1000], requests: 2},
		{name: "ranges gone", etag: `"1"`, second: func(o *object) { o.noRanges = true }, want: v1, requests: 1},
		{name: "wrong range", etag: `"1"`, second: header("Content-Range", "bytes 0-99999/300000"), want: v1, requests: 2},
		{name: "absurd range", etag: `"1"`, second: header("Content-Range", "bytes 9-3/2"), want: v1, requests: 2},
		{name: "range to nowhere", etag: `"1"`, second: header("Content-Range", "bytes */300000"), want: v1, requests: 2},
		{name: "206 for another status", etag: `"1"`, second: func(o *object) { o.status = 416 }, want: v1, requests: 2},
		{name: "part under a coding", etag: `"1"`, second: header("Content-Encoding", "gzip"), digest: v1, requests: 2},
		{name: "bytes after the overlap differ, digest known", etag: `"1"`, second: func(o *object) {
			o.body = append(bytes.Clone(v1[:cut+10]), v2[cut+10:]...)
		}, digest: v1, requests: 2},
		{name: "cut again", etag: `"1"`, second: func(o *object) { o.cut = 10_000 }, requests: 1, resumed: true},
	}
	for _, tt := range tests {
		for _, hang := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", tt.name, hang), inBubble(func(t *testing.T) {
				o := &object{body: v1, etag: tt.etag, modified: tt.modified, cut: cut, hang: hang}
				s := servePipe(t, o.script)
				dir := t.TempDir()
				path := filepath.Join(dir, "bundle.zip")
				c := s.client(t, testBudget)
				req, file := Request{URL: s.URL}, File{Path: path, Resume: true}
				if tt.digest != nil {
					req.Digest = sha256Of(tt.digest)
				}
				res, err := c.Download(context.Background(), req, file)
				if hang && !errors.Is(err, ErrBodyStalled) || !hang && KindOf(err) != KindTruncated || res.BytesReceived != cut {
					t.Fatalf("first transfer: %v, %d bytes", err, res.BytesReceived)
				}
				if _, err := os.Stat(path); err == nil {
					t.Fatal("the file is there after a failure")
				}
				o.set(func(o *object) { o.cut, o.hang = 0, false })
				if tt.second != nil {
					o.set(tt.second)
				}
				before := len(s.requests())
				res, err = c.Download(context.Background(), req, file)
				if n := len(s.requests()) - before; n != tt.requests {
					t.Errorf("%d requests, want %d", n, tt.requests)
				}
				if (res.ResumedFrom > 0) != tt.resumed {
					t.Errorf("resumed from %d, want resumed = %v", res.ResumedFrom, tt.resumed)
				}
				got, _ := os.ReadFile(path)
				if tt.want == nil {
					if err == nil || got != nil {
						t.Errorf("error = %v, and a file of %d bytes is there", err, len(got))
					}
					return
				}
				if err != nil || !bytes.Equal(got, tt.want) {
					t.Fatalf("error = %v, %d bytes, right %v", err, len(got), bytes.Equal(got, tt.want))
				}
				if tt.resumed && res.ResumedFrom+res.BytesReceived != int64(len(tt.want)) {
					t.Errorf("resumed from %d, received %d of %d", res.ResumedFrom, res.BytesReceived, len(tt.want))
				}
				if names := filesIn(t, dir); len(names) != 1 {
					t.Errorf("left behind: %v", names)
				}
			}))
		}
	}
}

// TestSegmentsOfAChangingObject changes the object between the first request
// and the others.
func TestSegmentsOfAChangingObject(t *testing.T) {
	v1, v2 := randomBytes(1, 1<<20), randomBytes(2, 1<<20)
	for name, change := range map[string]func(*object, *http.Request){
		"tag":                       func(o *object, _ *http.Request) { o.body, o.etag = v2, `"2"` },
		"tag, If-Range ignored":     func(o *object, _ *http.Request) { o.body, o.etag, o.always = v2, `"2"`, true },
		"refuses ranges after all":  func(o *object, _ *http.Request) { o.body, o.status = v2, 416 },
		"size, validators ignored":  func(o *object, _ *http.Request) { o.body = v2[:900_000] },
		"cannot be: another length": func(o *object, r *http.Request) { o.body, o.etag, o.noRanges = v2, `"2"`, true },
	} {
		t.Run(name, inBubble(func(t *testing.T) {
			o := &object{body: v1, etag: `"1"`}
			s := servePipe(t, func(c *serverConn, r *http.Request) {
				if c.n > 1 {
					o.set(func(o *object) { change(o, r) })
				}
				o.script(c, r)
			})
			path := filepath.Join(t.TempDir(), "f")
			res, err := s.client(t, testBudget).Download(context.Background(), Request{URL: s.URL}, File{Path: path, Segments: 4})
			got, _ := os.ReadFile(path)
			var want []byte
			o.set(func(o *object) { want = o.body })
			if err != nil || !bytes.Equal(got, want) || res.Segments != 1 {
				t.Errorf("error = %v, %d bytes, right %v", err, len(got), bytes.Equal(got, want))
			}
		}))
	}
}

// TestServerOfOneAtATime serves the first request and turns others away while
// it does, which is no reason to fail.
func TestServerOfOneAtATime(t *testing.T) {
	for name, away := range map[string]string{"429": "HTTP/1.1 429 Busy\r\nRetry-After: 3600\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "403": "HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "closed": ""} {
		t.Run(name, inBubble(func(t *testing.T) {
			body := randomBytes(1, 1<<20)
			var serving atomic.Int32
			s := servePipe(t, func(c *serverConn, r *http.Request) {
				if !serving.CompareAndSwap(0, 1) {
					c.send("%s", away)
					return
				}
				defer serving.Store(0)
				if c.n == 1 {
					c.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\nContent-Length: %d\r\nConnection: close\r\n\r\n", len(body))
					c.Write(body[:100_000])
					time.Sleep(time.Second)
					c.Write(body[100_000:])
					return
				}
				(&object{body: body, etag: `"1"`}).script(c, r)
			})
			path := filepath.Join(t.TempDir(), "f")
			res, err := s.client(t, testBudget).Download(context.Background(), Request{URL: s.URL, Digest: sha256Of(body)}, File{Path: path, Segments: 4})
			got, _ := os.ReadFile(path)
			if err != nil || !bytes.Equal(got, body) || res.ResumedFrom != 0 {
				t.Errorf("error = %v, %d bytes, right %v, resumed from %d", err, len(got), bytes.Equal(got, body), res.ResumedFrom)
			}
			if res.BytesReceived != int64(len(body)) {
				t.Errorf("%d bytes came for %d", res.BytesReceived, len(body))
			}
		}))
	}
}

// TestSegmentsShareSlots must not wait for a slot that it holds itself.
func TestSegmentsShareSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := randomBytes(1, 1<<20)
		s := servePipe(t, (&object{body: body, etag: `"1"`}).script)
		c := s.client(t, testBudget)
		slot := make(oneSlot, 1)
		c.Slots = slot
		path := filepath.Join(t.TempDir(), "f")
		_, err := c.Download(context.Background(), Request{URL: s.URL}, File{Path: path, Segments: 4})
		got, _ := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, body) || len(slot) != 0 {
			t.Errorf("error = %v, right %v, %d slots held", err, bytes.Equal(got, body), len(slot))
		}
	})
}

// TestSegmentStallIsTheTransfers lets one segment of four go silent.
func TestSegmentStallIsTheTransfers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := randomBytes(1, 1<<20)
		o := &object{body: body, etag: `"1"`}
		s := servePipe(t, func(c *serverConn, r *http.Request) {
			if strings.HasPrefix(r.Header.Get("Range"), "bytes=524") {
				o2 := &object{body: body, etag: `"1"`, cut: 1000, hang: true}
				o2.script(c, r)
				return
			}
			o.script(c, r)
		})
		dir := t.TempDir()
		path := filepath.Join(dir, "f")
		c := s.client(t, testBudget)
		began := time.Now()
		res, err := c.Download(context.Background(), Request{URL: s.URL}, File{Path: path, Segments: 4, Resume: true})
		var refusal *Error
		if !errors.As(err, &refusal) || refusal.Stage != StageBodyStalled {
			t.Fatalf("error = %v", err)
		}
		checkRefusalTime(t, time.Since(began))
		want := int64(3*(1<<18) + 3 + 1000 - 2)
		if d := refusal.BytesReceived - want; d < -8 || d > 8 || res.BytesReceived != refusal.BytesReceived || refusal.BytesDeclared != 1<<20 {
			t.Errorf("%d of %d bytes, result %d, want about %d", refusal.BytesReceived, refusal.BytesDeclared, res.BytesReceived, want)
		}
		// What is missing is one gap, and only that is asked for.
		s2 := servePipe(t, o.script)
		s2.URL = s.URL
		res, err = s2.client(t, testBudget).Download(context.Background(), Request{URL: s.URL, Digest: sha256Of(body)}, File{Path: path, Segments: 4, Resume: true})
		got, _ := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, body) || res.ResumedFrom < want-maxOverlap-16 {
			t.Errorf("error = %v, resumed from %d, right %v", err, res.ResumedFrom, bytes.Equal(got, body))
		}
	})
}

func TestPartStateThatLies(t *testing.T) {
	body := randomBytes(1, 300_000)
	for name, state := range map[string]string{
		"no JSON":          `{`,
		"other version":    `{"version":2,"object":"%s","validator":{"etag":"\"1\""},"total":300000,"done":[[0,1000]]}`,
		"other object":     `{"version":1,"object":"00","validator":{"etag":"\"1\""},"total":300000,"done":[[0,1000]]}`,
		"no validator":     `{"version":1,"object":"%s","validator":{},"total":300000,"done":[[0,1000]]}`,
		"more than a file": `{"version":1,"object":"%s","validator":{"etag":"\"1\""},"total":300000,"done":[[0,200000]]}`,
		"overlapping":      `{"version":1,"object":"%s","validator":{"etag":"\"1\""},"total":300000,"done":[[0,1000],[500,2000]]}`,
		"negative":         `{"version":1,"object":"%s","validator":{"etag":"\"1\""},"total":300000,"done":[[-5,1000]]}`,
		"beyond the total": `{"version":1,"object":"%s","validator":{"etag":"\"1\""},"total":3000,"done":[[0,4000]]}`,
		"zeros":            `{"version":1,"object":"%s","validator":{"etag":"\"1\""},"total":300000,"done":[[0,5000]]}`,
	} {
		t.Run(name, inBubble(func(t *testing.T) {
			o := &object{body: body, etag: `"1"`}
			s := servePipe(t, o.script)
			path := filepath.Join(t.TempDir(), "f")
			if strings.Contains(state, "%s") {
				state = fmt.Sprintf(state, objectID(s.URL))
			}
			if err := errors.Join(os.WriteFile(path+".part", make([]byte, 5000), 0o600), os.WriteFile(path+".part.json", []byte(state), 0o600)); err != nil {
				t.Fatal(err)
			}
			res, err := s.client(t, testBudget).Download(context.Background(), Request{URL: s.URL}, File{Path: path, Resume: true})
			got, _ := os.ReadFile(path)
			if err != nil || !bytes.Equal(got, body) || res.ResumedFrom != 0 {
				t.Errorf("error = %v, %d bytes, right %v, resumed from %d", err, len(got), bytes.Equal(got, body), res.ResumedFrom)
			}
		}))
	}
}

// TestKilledTransferIsGoneOnWith takes the files as a kill in the middle of a
// transfer leaves them.
func TestKilledTransferIsGoneOnWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := randomBytes(1, 300_000)
		s := servePipe(t, func(c *serverConn, r *http.Request) {
			if c.n > 1 {
				(&object{body: body, etag: `"1"`}).script(c, r)
				return
			}
			c.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: %d\r\nConnection: close\r\n\r\n", len(body))
			for at := 0; at < len(body); at += 10_000 {
				time.Sleep(checkpointEvery / 4)
				c.Write(body[at : at+10_000])
			}
		})
		path, killed := filepath.Join(t.TempDir(), "f"), filepath.Join(t.TempDir(), "f")
		c := s.client(t, testBudget)
		c.Observer = func(e Event) {
			if e.Kind == EventProgress && e.BytesReceived == 200_000 {
				for _, suffix := range []string{partSuffix, stateSuffix} {
					raw, err := os.ReadFile(path + suffix)
					if err == nil {
						err = os.WriteFile(killed+suffix, raw, 0o600)
					}
					if err != nil {
						t.Error(err)
					}
				}
			}
		}
		req := Request{URL: s.URL}
		if _, err := c.Download(context.Background(), req, File{Path: path, Resume: true}); err != nil {
			t.Fatal(err)
		}
		c.Observer = nil
		res, err := c.Download(context.Background(), req, File{Path: killed, Resume: true})
		got, _ := os.ReadFile(killed)
		// The last second's four chunks may be lost, and some bytes come again.
		if err != nil || !bytes.Equal(got, body) || res.ResumedFrom < 150_000-maxOverlap {
			t.Errorf("error = %v, right %v, resumed from %d", err, bytes.Equal(got, body), res.ResumedFrom)
		}
	})
}

func TestDestination(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := servePipe(t, (&object{body: []byte("new")}).script)
		c := s.client(t, testBudget)
		dir := t.TempDir()
		file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
		if err := errors.Join(os.WriteFile(file, []byte("old"), 0o600), os.Symlink("file", link)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Download(context.Background(), Request{URL: s.URL}, File{Path: link}); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(file)
		info, _ := os.Lstat(link)
		mode, _ := os.Stat(file)
		if string(got) != "new" || info.Mode()&os.ModeSymlink == 0 || mode.Mode().Perm() != 0o600 {
			t.Errorf("file %q of mode %v, link of mode %v", got, mode.Mode(), info.Mode())
		}
		var wrong *RequestError
		if _, err := c.Download(context.Background(), Request{URL: s.URL}, File{Path: dir}); !errors.As(err, &wrong) {
			t.Errorf("to a folder: %v", err)
		}
		if _, err := c.Download(context.Background(), Request{URL: s.URL}, File{Path: os.DevNull}); !errors.As(err, &wrong) {
			t.Errorf("to a device: %v", err)
		}
	})
}

// FuzzPartState feeds the state file, which anybody may have written.
func FuzzPartState(f *testing.F) {
	const address = "http://h/"
	id := objectID(address)
	for _, done := range []string{"[[0,10]]", "[[0,10],[20,30]]", "[[5,1]]", "[[0,9223372036854775807]]", "[]", "null"} {
		f.Add(fmt.Sprintf(`{"version":1,"object":"%s","validator":{"etag":"\"1\""},"total":40,"done":%s}`, id, done))
		f.Add(fmt.Sprintf(`{"version":1,"object":"%s","validator":{"etag":"\"1\""},"total":-1,"done":%s}`, id, done))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, state string) {
		path := filepath.Join(dir, "f")
		if err := errors.Join(os.WriteFile(path+partSuffix, make([]byte, 35), 0o600), os.WriteFile(path+stateSuffix, []byte(state), 0o600)); err != nil {
			t.Fatal(err)
		}
		p, err := openPart(path, address, true, systemClock{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.discard()
		at := int64(0)
		for _, g := range p.gaps() {
			if g[0] < at || g[1] >= 0 && g[1] <= g[0] {
				t.Fatalf("state %s has the gaps %v", state, p.gaps())
			}
			at = g[1]
		}
		if n := p.have(); n < 0 || n > 35 || p.prefix() > n {
			t.Fatalf("state %s has %d bytes, %d from the start", state, n, p.prefix())
		}
	})
}

func TestTwoDownloadsOfOneFile(t *testing.T) {
	dir := t.TempDir()
	p, err := openPart(filepath.Join(dir, "f"), "http://h/", true, systemClock{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.discard()
	var wrong *RequestError
	if _, err := openPart(filepath.Join(dir, "f"), "http://h/", true, systemClock{}); !errors.As(err, &wrong) {
		t.Errorf("a second transfer to the same part: %v", err)
	}
}
