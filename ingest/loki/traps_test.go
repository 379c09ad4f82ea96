package loki_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// watched serves a fake and hands every request to look.
func watched(t *testing.T, s *lokitest.Server, look func(*http.Request)) *loki.Client {
	t.Helper()
	var mu sync.Mutex
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		look(r)
		mu.Unlock()
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	return client(t, h.URL)
}

// TestRequests looks at every request of readings of all kinds for what a real
// server answers in a way that nobody expects.
func TestRequests(t *testing.T) {
	for name, opts := range map[string]lokitest.Options{
		"default":          {},
		"no limits told":   {NoLimits: true, MaxEntries: 20},
		"narrow":           {MaxEntries: 3, MaxLength: 10 * time.Minute},
		"no counting":      {NoCount: true, MaxEntries: 7},
		"answers too long": {AnswerBytes: 6000},
	} {
		t.Run(name, func(t *testing.T) {
			s := lokitest.New(opts)
			entries := sample(300, 3)
			s.Push(entries...)
			logs, counts := 0, 0
			c := watched(t, s, func(r *http.Request) {
				form, header := r.Form, r.Header
				nanos := func(name string) int64 {
					v, err := strconv.ParseInt(form.Get(name), 10, 64)
					// Up to ten digits are seconds, a point makes floating
					// seconds rounded to milliseconds.
					if err != nil || len(form.Get(name)) != 19 {
						t.Errorf("%s?%s: %s is no integer of nanoseconds", r.URL.Path, form.Encode(), name)
					}
					return v
				}
				if accept := header.Get("Accept"); strings.Contains(accept, "protobuf") {
					t.Errorf("%s: Accept %s would change the answer's encoding", r.URL.Path, accept)
				}
				if e := header.Get("Accept-Encoding"); e != "gzip" {
					t.Errorf("%s: Accept-Encoding %q", r.URL.Path, e)
				}
				query := form.Get("query")
				switch path := r.URL.Path; {
				case strings.HasSuffix(path, "/query_range") && strings.HasPrefix(query, "{"):
					logs++
					// start = end is no error and gives some of the ties.
					if start, end := nanos("start"), nanos("end"); start >= end {
						t.Errorf("an empty range [%d, %d) is asked for", start, end)
					}
					if n, err := strconv.Atoi(form.Get("limit")); err != nil || n < 1 || n > 5000 {
						t.Errorf("limit %q", form.Get("limit"))
					}
					// The default is backward.
					if form.Get("direction") != "forward" {
						t.Errorf("direction %q", form.Get("direction"))
					}
					// Else lines of one stream are split by their level.
					if header.Get("X-Loki-Response-Encoding-Flags") != "categorize-labels" {
						t.Error("categorize-labels is not asked for")
					}
				case strings.HasSuffix(path, "/query_range"):
					counts++
					start, end := nanos("start"), nanos("end")
					step, err := strconv.ParseFloat(form.Get("step"), 64)
					if err != nil || step <= 0 {
						t.Fatalf("step %q: the server would choose one", form.Get("step"))
					}
					if points := float64(end-start) / 1e9 / step; points > 11000 {
						t.Errorf("%.0f points: the server refuses more than 11,000", points)
					}
					// The server floors start to the step; what lies before
					// start is then counted, and the last step is missing.
					if ns := int64(step * 1e9); start%ns != 0 {
						t.Errorf("start %d is no multiple of the step %v", start, step)
					}
					if header.Get("Cache-Control") != "no-cache" {
						t.Error("a count may come from the server's cache")
					}
				case strings.HasSuffix(path, "/query"):
					counts++
					nanos("time")
					if strings.HasPrefix(query, "{") {
						t.Errorf("a log query is asked of %s, which refuses it", path)
					}
					if header.Get("Cache-Control") != "no-cache" {
						t.Error("a count may come from the server's cache")
					}
				}
				if len(query) > 131072 {
					t.Errorf("a query of %d bytes: the server refuses more than 131,072", len(query))
				}
			})
			for _, o := range []loki.ReadOptions{{}, {PageSize: 2}, {MaxRange: 7 * time.Minute}, {Unverified: true}} {
				got, r, err := read(t, c, `{app="portal"}`, window, o)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(expected(entries, window), got); diff != "" && !r.Stats().Partial {
					t.Errorf("%+v: lines (-want +got):\n%s", o, diff)
				}
			}
			if logs == 0 || counts == 0 {
				t.Errorf("%d queries for lines, %d for counts", logs, counts)
			}
		})
	}
}

// TestOneTextInTwoStreams reads lines that are equal in time and text and differ
// in their stream: a client that compares texts at the border of pages drops
// one of them.
func TestOneTextInTwoStreams(t *testing.T) {
	s := lokitest.New(lokitest.Options{})
	var entries []lokitest.Entry
	for i := range 30 {
		for _, pod := range []string{"a", "b", "c"} {
			entries = append(entries, lokitest.Entry{Labels: labels("app", "portal", "pod", pod), UnixNano: noon.Add(time.Duration(i/3) * time.Minute).UnixNano(), Line: "same text " + strconv.Itoa(i%3)})
		}
	}
	s.Push(entries...)
	c := client(t, s.Start(t))
	for size := 1; size < 12; size++ {
		for _, unverified := range []bool{false, true} {
			got, r, err := read(t, c, `{app="portal"}`, window, loki.ReadOptions{PageSize: size, Unverified: unverified})
			if err != nil || r.Stats().Partial {
				t.Fatal(err, r.Stats())
			}
			if diff := cmp.Diff(expected(entries, window), got); diff != "" {
				t.Errorf("pages of %d (-want +got):\n%s", size, diff)
			}
		}
	}
}

// TestRetried asks again after 429 without Retry-After and after 5xx, and never
// after another 4xx.
func TestRetried(t *testing.T) {
	for status, again := range map[int]bool{429: true, 500: true, 502: true, 503: true, 504: true, 400: false, 401: false, 403: false, 404: false, 422: false} {
		failed := 0
		s := lokitest.New(lokitest.Options{Fault: func(n int, r *http.Request) lokitest.Fault {
			if strings.HasSuffix(r.URL.Path, "/labels") && failed == 0 {
				failed++
				return lokitest.Fault{Status: status}
			}
			return lokitest.Fault{}
		}})
		s.Push(sample(5, 1)...)
		names, err := client(t, s.Start(t)).Labels(t.Context(), window)
		if again != (err == nil) || again && !slices.Contains(names, "app") {
			t.Errorf("status %d once: %v, %v", status, names, err)
		}
	}
}

// TestLateLines reads lines that a server does not show at first: those that
// are there from the beginning come all, and what comes is in order.
func TestLateLines(t *testing.T) {
	entries := sample(200, 8)
	late := func(e lokitest.Entry) int { return int(e.UnixNano/7) % 2 * 6 }
	s := lokitest.New(lokitest.Options{Hidden: late})
	s.Push(entries...)
	got, r, err := read(t, client(t, s.Start(t)), `{app="portal"}`, window, loki.ReadOptions{PageSize: 5})
	if err != nil || r.Stats().Partial {
		t.Fatal(err, r.Stats())
	}
	var onTime []lokitest.Entry
	for _, e := range entries {
		if late(e) == 0 {
			onTime = append(onTime, e)
		}
	}
	checkHas(t, "late lines", got, onTime)
	checkPart(t, "late lines", got, entries, nil)
}

// TestStaleCounts reads from a server whose cached counts lack half the lines.
func TestStaleCounts(t *testing.T) {
	entries := sample(200, 9)
	s := lokitest.New(lokitest.Options{StaleCount: func(e lokitest.Entry) bool { return e.UnixNano/1000%2 == 0 }})
	s.Push(entries...)
	got, r, err := read(t, client(t, s.Start(t)), `{app="portal"}`, window, loki.ReadOptions{})
	if err != nil || r.Stats().Partial || len(r.Stats().Problems) > 0 {
		t.Fatal(err, r.Stats())
	}
	if diff := cmp.Diff(expected(entries, window), got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
