package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/promql/parser"
	"gopkg.in/yaml.v3"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// countsOf asks a server for a counting query, over the hour up to end.
func countsOf(t *testing.T, addr, query string, by []string, end time.Time) map[string]int {
	t.Helper()
	res, err := http.Get(addr + "/loki/api/v1/query?" + url.Values{"query": {query}, "time": {fmt.Sprint(end.UnixNano())}}.Encode())
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s %v", query, res.Status, text, err)
	}
	var answer struct {
		Data struct {
			Result []struct {
				Metric map[string]string
				Value  [2]any
			}
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, r := range answer.Data.Result {
		var key []string
		for _, name := range by {
			key = append(key, r.Metric[name])
		}
		var n int
		if _, err := fmt.Sscan(fmt.Sprint(r.Value[1]), &n); err != nil {
			t.Fatal(err)
		}
		counts[strings.Join(key, "\x00")] += n
	}
	return counts
}

// exportGenerator makes rules and lines over few words, so that they often fit.
type exportGenerator struct{ *rand.Rand }

func (g exportGenerator) of(list ...string) string { return list[g.IntN(len(list))] }

func (g exportGenerator) word() string {
	return g.of("lost", "lease", "took (5)", "a.b", "'x'", "[1]", `\d`, "ü", "lost lease", "+", `"q"`)
}

// rule makes a rule's match and the names of its captures.
func (g exportGenerator) rule(id int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  - id: r%d\n    match:\n", id)
	names := []string{}
	capture := func() string {
		if g.IntN(3) == 0 {
			return "_"
		}
		names = append(names, fmt.Sprintf("c%d", len(names)))
		return names[len(names)-1]
	}
	if g.IntN(2) == 0 {
		var p strings.Builder
		for i := range 1 + g.IntN(3) {
			if i > 0 || g.IntN(3) > 0 {
				fmt.Fprintf(&p, "<%s>", capture())
			}
			p.WriteString(g.of(" ", "", ": ") + g.word())
		}
		if g.IntN(2) == 0 || !strings.Contains(p.String(), "<") {
			fmt.Fprintf(&p, " <%s>", capture())
		}
		fmt.Fprintf(&b, "      pattern: '%s'\n", strings.ReplaceAll(p.String(), "'", "''"))
	} else {
		p := g.of("", "", "^")
		for range 1 + g.IntN(2) {
			p += fmt.Sprintf(g.of("(?P<%s>[a-z]+) ?%s", "%.0s(?:%[2]s|took)", "%.0s%s.*", "%[2]s (?P<%[1]s>.*)"), capture2(capture), regexp.QuoteMeta(g.word()))
		}
		fmt.Fprintf(&b, "      regexp: '%s'\n", strings.ReplaceAll(p, "'", "''"))
		names = nil
		for _, m := range regexp.MustCompile(`\?P<(c\d+)>`).FindAllStringSubmatch(p, -1) {
			names = append(names, m[1])
		}
	}
	if g.IntN(4) == 0 {
		fmt.Fprintf(&b, "      unless: [{%s: '%s'}]\n", g.of("pattern", "regexp"), g.of("<_>lease<_>", "<_>a.b<_>took<_>", "lost <_>"))
	}
	if len(names) > 0 {
		fmt.Fprintf(&b, "    identity: {source: '<%s>'}\n", strings.Join(names, ">/<"))
	}
	return b.String()
}

// capture2 is a capture that has a name in every case.
func capture2(capture func() string) string {
	for {
		if name := capture(); name != "_" {
			return name
		}
	}
}

func (g exportGenerator) line() string {
	var words []string
	for range 1 + g.IntN(5) {
		words = append(words, g.of(g.word(), g.word(), "shop", "", "took:"))
	}
	return strings.Join(words, g.of(" ", " ", ": ", ""))
}

// TestExportCounts holds what exported queries count against what the rules
// match: the same by every value of the Source where nothing was left out, no
// less where something was.
func TestExportCounts(t *testing.T) {
	end := time.Date(2026, 1, 1, 1, 0, 0, 0, time.UTC)
	equal, more, matched := 0, 0, 0
	for seed := range uint64(15) {
		g := exportGenerator{rand.New(rand.NewPCG(seed, 1))}
		server := lokitest.New(lokitest.Options{Now: func() time.Time { return end.Add(time.Hour) }})
		var records []*ingest.Record
		for i := range 120 {
			line := "x" + g.line()
			if g.IntN(2) == 0 {
				line = line[1:]
			}
			if strings.TrimSpace(line) == "" {
				continue
			}
			server.Push(lokitest.Entry{Labels: []ingest.Label{{Name: "app", Value: "shop"}, {Name: "n", Value: fmt.Sprint(i)}},
				UnixNano: end.Add(-time.Duration(i+1) * time.Second).UnixNano(), Line: line})
			got, err := RecordsOf(line, nil)
			if err != nil || len(got) != 1 {
				t.Fatalf("%q makes %d records: %v", line, len(got), err)
			}
			records = append(records, got[0])
		}
		addr := server.Start(t)
		for i := range 12 {
			text := "version: 1\nrules:\n" + g.rule(i)
			set, err := LoadSources([]Source{{Name: "f.yaml", Data: []byte(text)}})
			if err != nil { // a generated rule that fits everything, for instance
				continue
			}
			queries, err := Queries(set, ExportOptions{Selector: `{app="shop"}`, Window: time.Hour})
			if err != nil || len(queries) != 1 {
				t.Fatalf("%s: %d queries, %v", text, len(queries), err)
			}
			q := queries[0]
			want, all := map[string]int{}, 0
			for _, rec := range records {
				trial := q.Rule.decide(rec)
				if !trial.Matched {
					continue
				}
				all++
				var key []string
				for _, name := range q.By {
					value := ""
					for _, c := range trial.Captures {
						if c.Name == name {
							value = c.Text
						}
					}
					key = append(key, value)
				}
				want[strings.Join(key, "\x00")]++
			}
			if len(q.By) > 0 && !strings.Contains(q.Count, "| regexp `") {
				continue // quoted in a way that the test server does not read
			}
			got := countsOf(t, addr, q.Count, q.By, end)
			matched += all
			if q.Left == nil {
				equal++
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("seed %d\n%s\n%s\nthe rule, the query:\n%s", seed, text, q.Count, d)
				}
				continue
			}
			more++
			sum := 0
			for n := range maps.Values(got) {
				sum += n
			}
			if sum < all {
				t.Errorf("seed %d\n%s\n%s\nthe query counts %d of %d", seed, text, q.Count, sum, all)
			}
		}
	}
	if equal < 40 || more < 20 || matched < 300 {
		t.Errorf("%d queries are equal, %d ask less, with %d records in all: the test does not show much", equal, more, matched)
	}
	t.Logf("%d queries equal their rules, %d ask less, over %d records that match", equal, more, matched)
}

// TestExportedRuleFiles reads the rule files as Prometheus and the Loki ruler
// do: known keys only, PromQL that parses, no label in a template that the
// expression does not leave.
func TestExportedRuleFiles(t *testing.T) {
	set, err := LoadWithBuiltin(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"loki", "prometheus"} {
		var b bytes.Buffer
		if err := Export(&b, set, ExportOptions{Form: form, Selector: `{namespace="shop"}`, Window: 15 * time.Minute, Builtin: true}); err != nil {
			t.Fatal(err)
		}
		var file struct {
			Groups []struct {
				Name  string
				Rules []struct {
					Alert, Record, Expr string
					Labels, Annotations map[string]string
				}
			}
		}
		dec := yaml.NewDecoder(&b)
		dec.KnownFields(true)
		if err := dec.Decode(&file); err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		alerts, records := 0, 0
		for _, r := range file.Groups[0].Rules {
			if r.Alert != "" == (r.Record != "") || r.Labels["rule"] == "" {
				t.Errorf("%s: %+v", form, r)
			}
			if r.Record != "" {
				records++
				if !regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`).MatchString(r.Record) {
					t.Errorf("%s: %q names no metric", form, r.Record)
				}
				continue
			}
			alerts++
			by := []string{}
			if form == "prometheus" {
				e, err := parser.NewParser(parser.Options{}).ParseExpr(r.Expr)
				if err != nil {
					t.Fatalf("%s: %v", r.Expr, err)
				}
				parser.Inspect(e, func(n parser.Node, _ []parser.Node) error {
					if a, ok := n.(*parser.AggregateExpr); ok {
						by = a.Grouping
					}
					return nil
				})
			} else if m := regexp.MustCompile(`^sum by \(([^)]*)\)`).FindStringSubmatch(r.Expr); m != nil {
				by = strings.Split(m[1], ", ")
			}
			for _, text := range r.Annotations {
				for _, m := range regexp.MustCompile(`\{\{ \$labels\.(\w+) \}\}`).FindAllStringSubmatch(text, -1) {
					if !slices.Contains(by, m[1]) {
						t.Errorf("%s: %s shows the label %s of %s", form, r.Alert, m[1], r.Expr)
					}
				}
			}
		}
		if alerts != len(set.Rules) || (records > 0) != (form == "loki") {
			t.Errorf("%s: %d alerts, %d records of %d rules", form, alerts, records, len(set.Rules))
		}
	}
}
