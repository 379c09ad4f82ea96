// Package lokitest is a Loki for tests: it holds entries and answers the parts
// of the HTTP API that a reader of logs uses, the way a real server was
// observed to, traps included.
//
//   - start is inclusive and end exclusive, both to the nanosecond; limits,
//     directions and errors are the server's, word for word where a reader
//     depends on them.
//   - Up to twelve lines of one stream and nanosecond keep their order; more
//     come back scrambled, repeatable but differently for each limit.
//   - Result streams come in no order, and without categorize-labels each
//     level that the server detects makes a result stream of its own.
//   - Of lines that are equal in stream, time and text one is kept.
//   - Metric ranges are (t-range, t], and start is floored to the step.
//
// Faults are injected by a function that sees each request. A Server is safe
// for concurrent use once it is filled.
package lokitest

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// Entry is one line to hold.
type Entry struct {
	Labels   []ingest.Label
	UnixNano int64
	Line     string
	Metadata []ingest.Label
}

// Options say what kind of server it is. The zero value has the defaults of a
// real one.
type Options struct {
	MaxEntries  int           // lines of an answer; 0 is 5000
	MaxLength   time.Duration // of a query's range; 0 is 721 h
	MaxLookback time.Duration // older lines are silently not found; 0 is any
	Now         func() time.Time
	// AnswerBytes is how large an answer may be before the connection is
	// dropped without a status; 0 is any size.
	AnswerBytes int
	// NoLimits hides the limits endpoint, as gateways do.
	NoLimits bool
	// NoCount refuses metric queries.
	NoCount bool
	// Token, if set, is the bearer token without which the answer is 401.
	Token string
	// NeedTenant demands X-Scope-OrgID.
	NeedTenant bool
	// Prefix is a path prefix before /loki.
	Prefix string
	// ServiceName adds the label service_name as a real server does.
	ServiceName bool
	// Shuffle is the seed for the order of result streams.
	Shuffle uint64
	// DropInside, if set, drops a line of a log answer that is full, as a
	// sharded query does; it is given the line's place in the answer.
	DropInside func(i, limit int) bool
	// Shards is by how many shards log answers say that they were made; 0 says
	// nothing.
	Shards int
	// Hidden says for how many requests a line is in no answer, as one is that
	// was pushed late and not flushed; nil hides none.
	Hidden func(Entry) int
	// StaleCount, if set, says which lines are missing in counts that come
	// from the server's cache, which a client refuses with no-cache.
	StaleCount func(Entry) bool
	// Fault is asked once for each request, with its number from 0.
	Fault func(n int, r *http.Request) Fault
}

// Fault is what goes wrong with one request; the zero value is nothing.
type Fault struct {
	// Status answers with this status and no lines.
	Status int
	// RetryAfter is sent along, in seconds.
	RetryAfter int
	// Drop ends the connection before a status.
	Drop bool
	// CutAt ends the connection after so many bytes of the body; Truncate
	// ends the body there as if it were whole. 0 is neither.
	CutAt, Truncate int
	// HTML answers with a page, as a gateway does.
	HTML bool
	// ContentType is sent instead of the right one.
	ContentType string
	// Late holds the answer back until the client has gone.
	Late bool
}

// Server is the fake.
type Server struct {
	opts Options

	mu       sync.Mutex
	streams  map[string]*stream
	keys     []string // of streams, sorted
	requests int
	queries  []string
}

// stream is one pushed stream with its lines in order of time, then arrival.
type stream struct {
	labels []ingest.Label
	key    string
	lines  []line
	seen   map[seenLine]bool
}

type seenLine struct {
	at   int64
	text string
}

type line struct {
	at       int64
	order    int // of arrival
	text     string
	level    string
	metadata []ingest.Label
	hidden   int  // requests for which it is in no answer
	stale    bool // it is in no cached count
}

// New makes a server.
func New(opts Options) *Server {
	return &Server{opts: opts, streams: map[string]*stream{}}
}

// Start serves it on a loopback port until the test ends and returns its
// address.
func (s *Server) Start(t testing.TB) string {
	t.Helper()
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	return h.URL + s.opts.Prefix
}

// Push adds entries. One that is held already is dropped.
func (s *Server) Push(entries ...Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	touched := map[*stream]bool{}
	for _, e := range entries {
		labels := slices.Clone(e.Labels)
		if s.opts.ServiceName {
			labels = withService(labels)
		}
		slices.SortFunc(labels, func(a, b ingest.Label) int { return strings.Compare(a.Name, b.Name) })
		one := ingest.NewStream(slices.Clone(labels))
		st := s.streams[one.Key]
		if st == nil {
			st = &stream{labels: labels, key: one.Key, seen: map[seenLine]bool{}}
			s.streams[one.Key] = st
			s.keys = append(s.keys, one.Key)
		}
		if id := (seenLine{e.UnixNano, e.Line}); !st.seen[id] {
			st.seen[id] = true
			one := line{at: e.UnixNano, order: len(st.lines), text: e.Line, level: level(e.Line), metadata: e.Metadata}
			if s.opts.Hidden != nil {
				one.hidden = s.opts.Hidden(e)
			}
			if s.opts.StaleCount != nil {
				one.stale = s.opts.StaleCount(e)
			}
			st.lines = append(st.lines, one)
			touched[st] = true
		}
	}
	for st := range touched {
		slices.SortStableFunc(st.lines, func(a, b line) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
		})
	}
	slices.Sort(s.keys)
}

// Requests returns how many requests have come.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Queries returns the log and metric queries that have come, in order.
func (s *Server) Queries() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.queries)
}

// withService adds service_name from the first label that names a service.
func withService(labels []ingest.Label) []ingest.Label {
	value := "unknown_service"
	for _, name := range []string{"service_name", "service", "app", "application", "app_name", "name", "app_kubernetes_io_name", "container", "container_name", "k8s_container_name", "component", "workload", "job", "k8s_job_name"} {
		if i := slices.IndexFunc(labels, func(l ingest.Label) bool { return l.Name == name }); i >= 0 {
			if name == "service_name" {
				return labels
			}
			value = labels[i].Value
			break
		}
	}
	return append(labels, ingest.Label{Name: "service_name", Value: value})
}

// level is a rough copy of how the server detects a line's level: by words.
func level(text string) string {
	low := strings.ToLower(text)
	for _, w := range [...][2]string{{"trace", "trace"}, {"fatal", "fatal"}, {"error", "error"}, {"fail", "unknown"}, {"warn", "warn"}, {"info", "info"}, {"debug", "debug"}} {
		if strings.Contains(low, w[0]) {
			return w[1]
		}
	}
	return "unknown"
}
