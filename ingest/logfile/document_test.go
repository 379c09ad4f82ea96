package logfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDocuments(t *testing.T) {
	const t0, t1 = "2026-09-19T12:00:00Z", "2026-09-19T12:00:01Z"
	pod := func(at, line string) got { return got{at, `{pod="p"}`, line, true, false} }
	inherited := func(at, key, line string) got { return got{at, key, line, true, true} }
	unordered := func(g got) got { g.Ordered = false; return g }
	cases := []struct {
		name, content, format string
		want                  []got
		skipped               int64
		partial               bool
		problem               string
	}{
		{
			name:    "response, two elements, metadata merged into labels",
			content: `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"detected_level":"error","pod":"p"},"values":[["1789819200000000000","fail: A[0]"],["1789819201000000000","b"]]},{"stream":{"detected_level":"unknown","pod":"p"},"values":[["1789819200000000000","      text"]]}],"stats":{"summary":{"totalBytesProcessed":5}}}}`,
			format:  "query_range",
			want:    []got{unordered(pod(t0, "fail: A[0]")), unordered(pod(t0, "      text")), pod(t1, "b")},
		},
		{
			name:    "response, three elements",
			content: `{"status":"success","data":{"resultType":"streams","encodingFlags":["categorize-labels"],"result":[{"stream":{"pod":"p","trace_id":"kept"},"values":[["1789819200000000000","a\u003cb\u003e\n",{"structuredMetadata":{"detected_level":"info"},"parsed":{"x":"y"}}],["1789819201000000000","b",{}]]}]}}`,
			format:  "query_range",
			want:    []got{{t0, `{pod="p", trace_id="kept"}`, "a<b>\n", true, false}, {t1, `{pod="p", trace_id="kept"}`, "b", true, false}},
		},
		{
			name:    "response, newest first: ties are turned round",
			content: `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"p"},"values":[["1789819201000000000","3"],["1789819200000000000","2"],["1789819200000000000","1"]]}]}}`,
			format:  "query_range",
			want:    []got{pod(t0, "1"), pod(t0, "2"), pod(t1, "3")},
		},
		{
			name:    "pages one after the other, indented",
			content: "{\n \"status\": \"success\",\n \"data\": {\"resultType\": \"streams\", \"result\": [ {\"stream\": {\"pod\": \"p\"}, \"values\": [ [ \"1789819200000000000\" , \"a\" ] ] } ] } }\n{\"data\":{\"result\":[{\"stream\":{\"pod\":\"p\"},\"values\":[[\"1789819201000000000\",\"b\"]]}]}}",
			format:  "query_range",
			want:    []got{pod(t0, "a"), pod(t1, "b")},
		},
		{
			name:    "cut off",
			content: `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"p"},"values":[["1789819200000000000","a"],["17898192010`,
			format:  "query_range",
			want:    []got{pod(t0, "a")}, skipped: 1, partial: true, problem: "JSON ends inside a value",
		},
		{
			name:    "a value that is none",
			content: `{"data":{"result":[{"stream":{"pod":"p"},"values":[["1789819200000000000","a"],["x","b"],[1,2],["1789819201000000000","c"]]}]}}`,
			format:  "query_range",
			want:    []got{pod(t0, "a"), pod(t1, "c")}, skipped: 2, partial: true, problem: "not [\"nanoseconds\",\"line\"]",
		},
		{
			name:    "metric",
			content: `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1789819200,"3"]]}]}}`,
			format:  "query_range",
			skipped: 1, partial: true, problem: "metric query",
		},
		{
			name:    "push",
			content: `{"streams":[{"stream":{"pod":"p"},"values":[["1789819200000000000","a",{"trace_id":"t"}],["1789819200000000000","b",{"trace_id":"u"}]]}]}`,
			format:  "push-json",
			want:    []got{pod(t0, "a"), pod(t0, "b")},
		},
		{
			name:    "incident node",
			content: `{"fingerprint":"4c78","namespace":"ns","pods":["p"],"occurrences":397,"issueNumber":4222,"samples":[{"timestamp":"2026-09-19T12:00:01Z","pod":"p","line":"fail: B[0]\r\n      two"},{"timestamp":"2026-09-19T12:00:00Z","pod":"p","line":"fail: A[0]\n      one\n"},{"timestamp":"?","line":"x"}]}`,
			format:  "incident-node",
			want: []got{
				{t0, `{namespace="ns", pod="p"}`, "fail: A[0]", true, false}, inherited(t0, `{namespace="ns", pod="p"}`, "      one"),
				{t1, `{namespace="ns", pod="p"}`, "fail: B[0]", true, false}, inherited(t1, `{namespace="ns", pod="p"}`, "      two"),
			},
			skipped: 1, partial: true, problem: "counts 397 occurrences and keeps 3 samples",
		},
		{
			name:    "array of nodes, all samples kept",
			content: "[\n {\"fingerprint\":\"a\",\"occurrences\":1,\"samples\":[{\"timestamp\":\"2026-09-19T12:00:00Z\",\"pod\":\"p\",\"line\":\"x\"}]}, {\"fingerprint\":\"b\",\"occurrences\":0,\"samples\":[]}]",
			format:  "incident-node",
			want:    []got{pod(t0, "x")},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, stored := range []string{c.content, gzipped(c.content)} {
				have, r := readAll(t, []string{write(t, "in.json", stored)}, Options{})
				if diff := cmp.Diff(c.want, have); diff != "" {
					t.Errorf("entries (-want +got):\n%s", diff)
				}
				if f := r.Sources()[0].Format; f != c.format {
					t.Errorf("format %q, want %q", f, c.format)
				}
				s := r.Stats()
				if s.Skipped != c.skipped || s.Partial != c.partial {
					t.Errorf("Stats = %+v, want skipped %d partial %v", s, c.skipped, c.partial)
				}
				if c.problem != "" && (len(s.Problems) == 0 || !strings.Contains(s.Problems[0].Err.Error(), c.problem)) {
					t.Errorf("problems %v, want %q in the first", s.Problems, c.problem)
				}
			}
		})
	}
}

func TestNodes(t *testing.T) {
	content := `{"fingerprint":"4c7856a2414c6b32","category":"Polly","severity":"error","exceptionType":"E","normalizedMessage":"m","topFrame":"f","namespace":"ns","pods":["p","q"],"occurrences":397,"firstSeen":"2026-09-18T19:07:00Z","lastSeen":"2026-09-19T19:06:52Z","samples":[],"status":"open","issueNumber":"#4222","issueUrl":"https://x.example/4222","repository":"r"}`
	path := write(t, "node.json", content)
	_, r := readAll(t, []string{path}, Options{})
	n := r.Nodes()
	if len(n) != 1 {
		t.Fatalf("%d nodes, want 1", len(n))
	}
	want := Node{
		Fingerprint: "4c7856a2414c6b32", Category: "Polly", Severity: "error", ExceptionType: "E", NormalizedMessage: "m",
		TopFrame: "f", Namespace: "ns", Pods: []string{"p", "q"}, Occurrences: 397, Status: "open", IssueNumber: 4222,
		IssueURL: "https://x.example/4222", Repository: "r", Path: path,
		FirstSeen: n[0].FirstSeen, LastSeen: n[0].LastSeen,
	}
	if diff := cmp.Diff(want, n[0]); diff != "" {
		t.Errorf("node (-want +got):\n%s", diff)
	}
	if got := n[0].LastSeen.Sub(n[0].FirstSeen).String(); got != "23h59m52s" {
		t.Errorf("seen over %s, want 23h59m52s", got)
	}
	if !r.Stats().Partial {
		t.Error("a counter without its occurrences is not told as partial")
	}
}
