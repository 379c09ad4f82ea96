package loki

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// TestDivide wants every stream, known or not, in exactly one of the queries,
// and groups that are about as large as each other.
func TestDivide(t *testing.T) {
	pods := func(n int, name func(i int) string) []map[string]string {
		var all []map[string]string
		for i := range n {
			all = append(all, map[string]string{"namespace": "shop", "app": []string{"web", "api"}[i%2], "pod": name(i)})
		}
		return all
	}
	const alphabet = "bcdfghjklmnpqrstvwxz2456789"
	for _, c := range []struct {
		name    string
		series  []map[string]string
		n       int
		queries int
		most    float64 // share of the streams in one query
	}{
		{"pods of a deployment", pods(200, func(i int) string { return fmt.Sprintf("web-7d9-%c%c", alphabet[i*7%27], alphabet[i*11%27]) }), 4, 4, 0.3},
		{"pods of a set", pods(20, func(i int) string { return fmt.Sprintf("db-%d", i) }), 4, 4, 0.3},
		{"one pod of each app", pods(2, func(i int) string { return "x" }), 4, 2, 0.5},
		{"values that end in other characters", pods(40, func(i int) string { return fmt.Sprintf("p%d\"]", i) }), 2, 2, 0.5},
		{"one stream", pods(1, func(i int) string { return "web-1" }), 4, 1, 1},
		{"none", nil, 4, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := selector.ParseQuery(`{namespace="shop"} |= "x"`)
			if err != nil {
				t.Fatal(err)
			}
			queries := divide(q, c.series, c.n)
			if len(queries) != c.queries {
				t.Fatalf("%d queries, want %d: %v", len(queries), c.queries, queries)
			}
			all := append(pods(3, func(i int) string { return fmt.Sprint("came-later-", i, "-\n") }), map[string]string{"namespace": "shop"})
			all = append(all, c.series...)
			in := make([]int, len(queries))
			for _, labels := range all {
				found := 0
				for i, one := range queries {
					if one.Rest != q.Rest {
						t.Errorf("%s lost what stands behind the selector", one)
					}
					if matches(t, one, labels) {
						in[i]++
						found++
					}
				}
				if found != 1 {
					t.Errorf("%v is in %d of %v", labels, found, queries)
				}
			}
			for i, n := range in {
				if float64(n)-4 > c.most*float64(len(c.series))+1 {
					t.Errorf("%d of %d streams are in %s", n, len(c.series), queries[i])
				}
			}
		})
	}
}

// matches says whether Loki would give a stream to a query.
func matches(t *testing.T, q selector.Query, labels map[string]string) bool {
	t.Helper()
	for _, m := range q.Matchers {
		value := labels[m.Name]
		switch m.Op {
		case "=":
			if value != m.Value {
				return false
			}
		case "=~", "!~":
			if regexp.MustCompile("^(?s:"+m.Value+")$").MatchString(value) != (m.Op == "=~") {
				return false
			}
		}
	}
	return true
}
