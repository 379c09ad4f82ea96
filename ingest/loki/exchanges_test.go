package loki

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// exchange is a recorded request to a real server with its answer.
type exchange struct {
	Name    string
	Request struct {
		Method, Path string
		Query        map[string][]string
		Headers      map[string]string
	}
	Response struct {
		Status  int
		Headers map[string][]string
		Body    string
	}
}

func exchanges(t *testing.T) map[string]exchange {
	t.Helper()
	paths, err := filepath.Glob("../../../shared/loki/exchanges/*.json")
	if err != nil || len(paths) == 0 {
		t.Skip("the recorded exchanges are not beside the repository")
	}
	all := map[string]exchange{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var e exchange
		if err := json.Unmarshal(data, &e); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all[e.Name] = e
	}
	return all
}

// TestRecordedAnswers reads every recorded answer of a log query as a page.
func TestRecordedAnswers(t *testing.T) {
	read := 0
	for name, e := range exchanges(t) {
		if !strings.HasSuffix(e.Request.Path, "/query_range") || e.Response.Body == "" {
			continue
		}
		var want struct {
			Data struct {
				ResultType string
				Result     []struct{ Values []json.RawMessage }
			}
		}
		if json.Unmarshal([]byte(e.Response.Body), &want) == nil && want.Data.ResultType != "streams" {
			continue
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for k, v := range e.Response.Headers {
				if k != "Content-Length" && k != "Transfer-Encoding" && k != "Content-Encoding" {
					w.Header()[k] = v
				}
			}
			w.WriteHeader(e.Response.Status)
			w.Write([]byte(e.Response.Body))
		}))
		c, err := New(Config{Addr: server.URL, Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		var p page
		var st streams
		err = c.fetchPage(t.Context(), "{}", ingest.Window{}, 1, 1, &st, &p, 0)
		lines := 0
		for _, r := range want.Data.Result {
			lines += len(r.Values)
		}
		var status *StatusError
		switch {
		case e.Response.Status == 200 && err != nil:
			t.Errorf("%s: %v", name, err)
		case e.Response.Status == 200 && len(p.entries) != lines:
			t.Errorf("%s: %d lines, want %d", name, len(p.entries), lines)
		case e.Response.Status != 200 && (!errors.As(err, &status) || status.Code != e.Response.Status):
			t.Errorf("%s: error %v, want status %d", name, err, e.Response.Status)
		}
		read++
		c.Close()
		server.Close()
	}
	if read < 30 {
		t.Errorf("only %d answers read", read)
	}
}

// TestRecordedLimits finds the limits that recorded refusals name.
func TestRecordedLimits(t *testing.T) {
	all := exchanges(t)
	for name, want := range map[string]int{"limit-above-max-entries": 5000, "query-400-limit-5": 5, "query-default-limit-over-small-max": 5} {
		var limit *entriesLimitError
		if err := limitsIn(&StatusError{Code: 400, Message: all[name].Response.Body}); !errors.As(err, &limit) || limit.limit != want {
			t.Errorf("%s: %v, want a limit of %d", name, err, want)
		}
	}
	for name, want := range map[string]time.Duration{"range-over-max-query-length": 721 * time.Hour, "query-400-max-query-length-1h": time.Hour} {
		var limit *lengthLimitError
		if err := limitsIn(&StatusError{Code: 400, Message: all[name].Response.Body}); !errors.As(err, &limit) || limit.limit != want {
			t.Errorf("%s: %v, want a limit of %v", name, err, want)
		}
	}
}

// recordedClient answers every request with a recorded answer.
func recordedClient(t *testing.T, e exchange) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", strings.Join(e.Response.Headers["Content-Type"], ""))
		w.WriteHeader(e.Response.Status)
		w.Write([]byte(e.Response.Body))
	}))
	t.Cleanup(server.Close)
	c, err := New(Config{Addr: server.URL, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestRecordedBytes reads lines with every kind of odd byte as the server sent
// them: control characters, colours, NUL, what was no UTF-8, an empty line.
func TestRecordedBytes(t *testing.T) {
	all := exchanges(t)
	for name, want := range map[string][]string{
		"query-range-bytes-invalid-utf8": {"bad utf8: \ufffd\ufffd\ufffd end", "latin1 M\ufffdller", "utf16 surrogate \ufffd\ufffd\ufffd end", "nul \x00 end", "cut rune \ufffd\ufffd\ufffd"},
		"query-range-bytes-json":         {"\x1b[33mwarn\x1b[0m: Polly[3]", "tab\there, bell\a, nul\x00, del\x7f, cr\r, vt\v", "", "<html> & \"quotes\" \\ back", "", "trailing newline\n"},
		"query-range-parser-error-label": {"{\"level\":\"error\",\"status\":503,\"took\":\"1.5s\",\"bytes\":\"12KB\",\"msg\":\"upstream\"}", "level=warn status=429 took=20ms msg=\"slow down\"", "not json {"},
		"auth-query-two-tenants":         {"from one", "from two"},
	} {
		var p page
		var st streams
		if err := recordedClient(t, all[name]).fetchPage(t.Context(), "{}", ingest.Window{}, 100, 1, &st, &p, 0); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p.sort()
		if len(p.entries) != len(want) {
			t.Errorf("%s: %d lines, want %d", name, len(p.entries), len(want))
			continue
		}
		keys := map[string]bool{}
		for i := range want {
			e := &p.entries[i]
			keys[e.stream.Key] = true
			if got := string(p.line(e)); got != want[i] && !(name == "query-range-bytes-json" && i == 2) {
				t.Errorf("%s: line %d is %q, want %q", name, i, got, want[i])
			}
		}
		// Parser errors and levels make no streams; tenants do, and so do the
		// fields of a parser where categorize-labels was not asked for.
		if n := map[string]int{"auth-query-two-tenants": 2, "query-range-parser-error-label": 2}[name]; len(keys) != max(n, 1) {
			t.Errorf("%s: streams %v", name, keys)
		}
	}
}

// TestRecordedNothing takes an answer without data for no names.
func TestRecordedNothing(t *testing.T) {
	all := exchanges(t)
	if names, err := recordedClient(t, all["labels-empty-range"]).Labels(t.Context(), ingest.Window{}); err != nil || len(names) != 0 {
		t.Errorf("labels %v, %v", names, err)
	}
	if values, err := recordedClient(t, all["label-values-unknown"]).LabelValues(t.Context(), "nope", ingest.Window{}); err != nil || len(values) != 0 {
		t.Errorf("values %v, %v", values, err)
	}
}

// TestFakeAnswersAsRecorded fills the fake with the recorded lines of the
// paging exchanges and repeats their requests.
func TestFakeAnswersAsRecorded(t *testing.T) {
	all := exchanges(t)
	fake := lokitest.New(lokitest.Options{})
	var filled struct {
		Data struct {
			Result []struct {
				Stream map[string]string
				Values [][]string
			}
		}
	}
	if err := json.Unmarshal([]byte(all["paging-ties-all"].Response.Body), &filled); err != nil {
		t.Fatal(err)
	}
	for _, r := range filled.Data.Result {
		var labels []ingest.Label
		for k, v := range r.Stream {
			if k != "detected_level" {
				labels = append(labels, ingest.Label{Name: k, Value: v})
			}
		}
		for _, v := range r.Values {
			at, err := strconv.ParseInt(v[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			fake.Push(lokitest.Entry{Labels: labels, UnixNano: at, Line: v[1]})
		}
	}
	compared := 0
	for name, e := range all {
		// start = end gives an incomplete answer, which of the ties is the
		// server's secret.
		if !strings.HasPrefix(name, "paging-ties") && !strings.HasPrefix(name, "limit-") && !strings.HasPrefix(name, "range-over-max-query-length") ||
			strings.HasSuffix(name, "metric") || strings.HasPrefix(name, "limit-exactly") {
			continue
		}
		req := httptest.NewRequest(http.MethodGet, e.Request.Path+"?"+url.Values(e.Request.Query).Encode(), nil)
		for k, v := range e.Request.Headers {
			req.Header.Set(k, v)
		}
		rec := httptest.NewRecorder()
		fake.ServeHTTP(rec, req)
		got, want := linesOf(rec.Body.String()), linesOf(e.Response.Body)
		if rec.Code != e.Response.Status || len(got) != len(want) {
			t.Errorf("%s: status %d, %v; recorded %d, %v", name, rec.Code, got, e.Response.Status, want)
		}
		for at, n := range want {
			if got[at] != n {
				t.Errorf("%s: %d lines at %s, recorded %d", name, got[at], at, n)
			}
		}
		compared++
	}
	if compared < 10 {
		t.Errorf("only %d exchanges compared", compared)
	}
}

// linesOf counts the lines of an answer by time: which of two streams' ties a
// page takes first is nobody's promise.
func linesOf(body string) map[string]int {
	var a struct {
		Data struct{ Result []struct{ Values [][]any } }
	}
	lines := map[string]int{}
	if json.Unmarshal([]byte(body), &a) != nil {
		return lines
	}
	for _, r := range a.Data.Result {
		for _, v := range r.Values {
			lines[v[0].(string)]++
		}
	}
	return lines
}
