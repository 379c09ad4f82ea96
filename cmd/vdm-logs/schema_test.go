package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled are the published schemas as another implementation reads them.
func compiled(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	text, err := schemaOf(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	id := doc.(map[string]any)["$id"].(string)
	if err := c.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// valid wants every JSON value of a text to be as the schema says, and refused
// as soon as any of its objects has a field more.
func valid(t *testing.T, s *jsonschema.Schema, text []byte) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	n := 0
	for ; dec.More(); n++ {
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := s.Validate(v); err != nil {
			t.Fatalf("%v", err)
		}
		if n > 20 {
			continue // more lines of the same kinds
		}
		for object := range objects(v) {
			object["unheard of"] = true
			if s.Validate(v) == nil {
				t.Errorf("an unknown field beside %v is accepted", keysOf(object))
			}
			delete(object, "unheard of")
		}
	}
	if n == 0 {
		t.Error("there is no output")
	}
}

// objects yields the objects in a JSON value that have fixed fields; of those
// of a list the first.
func objects(v any) func(yield func(map[string]any) bool) {
	return func(yield func(map[string]any) bool) {
		switch v := v.(type) {
		case map[string]any:
			if !yield(v) {
				return
			}
			for _, name := range keysOf(v) {
				if name == "counts" {
					continue // by stage: a field a name
				}
				objects(v[name])(yield)
			}
		case []any:
			if len(v) > 0 {
				objects(v[0])(yield)
			}
		}
	}
}

func keysOf(m map[string]any) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// TestOutputsAreAsTheirSchemas runs every command that prints JSON.
func TestOutputsAreAsTheirSchemas(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gone" {
			http.NotFound(w, r)
			return
		}
		w.Write(bytes.Repeat([]byte("x"), 3000))
	}))
	defer server.Close()
	const seed = "../../testdata/incidents/01-masked-source/"
	rules, logs := seed+"context.yaml", seed+"logs.jsonl.zst"
	dir := t.TempDir()
	file := func(name, text string) string {
		return writeLines(t, filepath.Join(dir, name), [][]byte{[]byte(text)})
	}
	bad := file("bad.yaml", "version: 1\nbudgets:\n  - durration: 1s\n    name: B\n")
	other := file("other.yaml", "version: 1\nrules:\n  - id: a.b\n    description: x\n    match: {category: Portal.Data.NodeSource, regexp: 'node (?P<node>[a-z0-9]+)/'}\n    identity: {source: 'tenant <node>'}\n")
	lines := file("lines.txt", "fail: Shop.Cart[0] the operation has timed out after 100 s\ninfo: all is well")
	times := file("times.jsonl", `{"id":"three","timestamps_ns":[1789844452047000000,1789844632052000000,1789844812052000000]}`)

	profiles := file("config.yaml", "profile: a\nrules: [x]\nprofiles:\n  a:\n    loki: {addr: \"https://loki.example\"}\n  b:\n    loki: {addr: \"https://other.example\"}\n")

	type output struct {
		schema string
		args   []string
		codes  []int // which may be; 0 alone without any
	}
	outputs := []output{
		{"incident-list", []string{"incident", "list", "-o", "json", "--rules", rules, logs}, nil},
		{"analysis", []string{"incident", "show", "1", "-o", "json", "--rules", rules, logs}, nil},
		{"verify", []string{"verify", "--issue", "4222", "-o", "json", "--rules", rules, logs}, []int{0, 1, 3}},
		{"fingerprint", []string{"fingerprint", "-o", "jsonl", "--format", "lines", lines}, nil},
		{"fingerprint", []string{"fingerprint", "-o", "jsonl", "--format", "lines", "--summary", lines}, nil},
		{"stage", []string{"stage", "-o", "jsonl", "--all", lines}, nil},
		{"period", []string{"period", "-o", "jsonl", times}, nil},
		{"rules-check", []string{"rules", "check", "-o", "json", rules}, nil},
		{"rules-check", []string{"rules", "check", "-o", "json", bad}, []int{1, 2}},
		{"rules-test", []string{"rules", "test", "-o", "json", "../../rules/builtin"}, nil},
		{"rules-diff", []string{"rules", "diff", rules, other, "--corpus", logs, "-o", "json"}, []int{0, 1}},
		{"transfer-get", []string{"transfer", "get", "-o", "json", server.URL}, nil},
		{"transfer-get", []string{"transfer", "get", "-o", "json", server.URL + "/gone"}, []int{1}},
		{"transfer-probe", []string{"transfer", "probe", "-o", "json", server.URL}, nil},
		{"transfer-bench", []string{"transfer", "bench", "-o", "json", "--tasks", "2", "--size", "10kB", "--limit-rate", "1MB"}, []int{0, 1}},
		{"formats", []string{"formats", "-o", "json"}, nil},
		{"config", []string{"config", "view", "-o", "json", "--config", "none"}, nil},
		{"config", []string{"config", "view", "-o", "json", "--config", profiles}, nil},
		{"version", []string{"version", "-o", "json"}, nil},
	}
	for _, s := range scenarios(t) {
		outputs = append(outputs,
			output{"analysis", append(slices.Clone(s.args), "--grafana", "https://grafana.example/?q={expr}", s.logs), nil},
			output{"jsonl", append(slices.DeleteFunc(slices.Clone(s.args), func(a string) bool { return a == "json" || a == "-o" }), "-o", "jsonl", s.logs), nil})
	}
	seen := map[string]bool{"rules": true, "rules-explain": true}
	schemas := map[string]*jsonschema.Schema{}
	for _, o := range outputs {
		t.Run(o.schema+" "+strings.Join(o.args[:min(2, len(o.args))], " "), func(t *testing.T) {
			seen[o.schema] = true
			if schemas[o.schema] == nil {
				schemas[o.schema] = compiled(t, o.schema)
			}
			var out, errs bytes.Buffer
			code := run(t.Context(), o.args, stdio{in: strings.NewReader(""), out: &out, err: &errs})
			if !slices.Contains(o.codes, code) && (code != 0 || o.codes != nil) {
				t.Fatalf("%v: exit code %d\n%s", o.args, code, errs.String())
			}
			valid(t, schemas[o.schema], out.Bytes())
		})
	}
	t.Run("rules-explain", func(t *testing.T) {
		var out, errs bytes.Buffer
		line := `fail: Polly[0] Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''`
		if code := run(t.Context(), []string{"rules", "explain", "-o", "json", "-"}, stdio{in: strings.NewReader(line), out: &out, err: &errs}); code != 0 {
			t.Fatalf("exit code %d\n%s", code, errs.String())
		}
		valid(t, compiled(t, "rules-explain"), out.Bytes())
	})
	for _, s := range outputSchemas() {
		if !seen[s.name] {
			t.Errorf("no output was held against schema %s", s.name)
		}
	}
}
