package lokitest

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// statusError is an error answer in plain text.
type statusError struct {
	code int
	text string
}

func (e statusError) Error() string { return e.text }

func refuse(code int, format string, args ...any) error {
	return statusError{code, fmt.Sprintf(format, args...)}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := s.requests
	s.requests++
	s.mu.Unlock()
	var fault Fault
	if s.opts.Fault != nil {
		fault = s.opts.Fault(n, r)
	}
	switch {
	case fault.Late:
		<-r.Context().Done()
		return
	case fault.Drop:
		panic(http.ErrAbortHandler)
	case fault.HTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<html><body>Sign in</body></html>")
		return
	case fault.Status != 0:
		if fault.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(fault.RetryAfter))
		}
		http.Error(w, statusText(fault.Status), fault.Status)
		return
	}
	body, err := s.answer(r)
	if q := r.Form.Get("query"); q != "" {
		s.mu.Lock()
		s.queries = append(s.queries, q)
		s.mu.Unlock()
	}
	var status statusError
	switch {
	case errors.As(err, &status):
		http.Error(w, status.text, status.code)
		return
	case err != nil:
		panic(http.ErrAbortHandler)
	}
	if body == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.write(w, r, body, fault)
}

func statusText(code int) string {
	switch code {
	case 429:
		return "too many outstanding requests"
	case 504:
		return "request timed out, decrease the duration of the request or add more label matchers (prefer exact match over regex match) to reduce the amount of data processed"
	}
	return http.StatusText(code)
}

// packers are gzip writers; making one costs more than most answers.
var packers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// write sends a body, whole or not.
func (s *Server) write(w http.ResponseWriter, r *http.Request, body []byte, fault Fault) {
	if s.opts.AnswerBytes > 0 && len(body) > s.opts.AnswerBytes {
		panic(http.ErrAbortHandler)
	}
	if fault.Truncate > 0 && fault.Truncate < len(body) {
		body = body[:fault.Truncate]
	}
	h := w.Header()
	h.Set("Content-Type", cmp.Or(fault.ContentType, "application/json; charset=UTF-8"))
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		var packed bytes.Buffer
		z := packers.Get().(*gzip.Writer)
		z.Reset(&packed)
		z.Write(body)
		z.Close()
		packers.Put(z)
		body = packed.Bytes()
	}
	if fault.CutAt > 0 && fault.CutAt < len(body) {
		h.Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body[:fault.CutAt])
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	w.Write(body)
}

// answer routes a request.
func (s *Server) answer(r *http.Request) ([]byte, error) {
	path, ok := strings.CutPrefix(r.URL.Path, s.opts.Prefix)
	if !ok {
		return nil, refuse(404, "404 page not found")
	}
	if path == "/ready" {
		return []byte("ready\n"), nil
	}
	if s.opts.Token != "" && r.Header.Get("Authorization") != "Bearer "+s.opts.Token {
		return nil, refuse(401, "unauthorized")
	}
	if s.opts.NeedTenant && r.Header.Get("X-Scope-OrgID") == "" {
		return nil, refuse(401, "no org id")
	}
	if err := r.ParseForm(); err != nil {
		return nil, refuse(400, "%v", err)
	}
	path, _ = strings.CutPrefix(path, "/loki/api/v1")
	switch {
	case path == "/query_range":
		return s.queryRange(r)
	case path == "/query":
		return s.query(r)
	case path == "/labels":
		return s.labels(r)
	case strings.HasPrefix(path, "/label/") && strings.HasSuffix(path, "/values"):
		return s.labelValues(r, strings.TrimSuffix(strings.TrimPrefix(path, "/label/"), "/values"))
	case path == "/series":
		return s.series(r)
	case path == "/index/stats":
		return s.indexStats(r)
	case path == "/drilldown-limits" && !s.opts.NoLimits:
		return s.limits()
	case path == "/push" && r.Method == http.MethodPost:
		return s.push(r)
	}
	return nil, refuse(404, "404 page not found")
}

func marshal(v any) ([]byte, error) { return json.Marshal(v) }

// nanos reads a time parameter: integer nanoseconds, or seconds if it has at
// most ten digits.
func nanos(r *http.Request, name string) (int64, error) {
	text := r.Form.Get(name)
	if text == "" {
		return 0, refuse(400, "%s is missing: this server has no clock to take a default from", name)
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return 0, refuse(400, "could not parse '%s' parameter: strconv.ParseInt: parsing %q: invalid syntax", name, text)
		}
		return t.UnixNano(), nil
	}
	if len(text) <= 10 {
		v *= int64(time.Second)
	}
	return v, nil
}

// span reads start and end.
func (s *Server) span(r *http.Request) (start, end int64, err error) {
	if start, err = nanos(r, "start"); err != nil {
		return 0, 0, err
	}
	if end, err = nanos(r, "end"); err != nil {
		return 0, 0, err
	}
	if end < start {
		return 0, 0, refuse(400, "end timestamp must not be before or equal to start time")
	}
	return start, end, nil
}

func (s *Server) maxLength() time.Duration {
	if s.opts.MaxLength > 0 {
		return s.opts.MaxLength
	}
	return 721 * time.Hour
}

func (s *Server) maxEntries() int {
	if s.opts.MaxEntries > 0 {
		return s.opts.MaxEntries
	}
	return 5000
}

// horizon is the time before which nothing is found.
func (s *Server) horizon() int64 {
	if s.opts.MaxLookback <= 0 || s.opts.Now == nil {
		return -1 << 63
	}
	return s.opts.Now().Add(-s.opts.MaxLookback).UnixNano()
}
