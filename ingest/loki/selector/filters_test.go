package selector

import "testing"

func TestOnlyLineFilters(t *testing.T) {
	for query, want := range map[string]bool{
		`{app="a"}`:        true,
		`{app="a"} |= "x"`: true,
		"{app=\"a\"} |= \"x | json\" or `y`!~\"z|q\"": true,
		`{app="a"} | json`:                            false,
		`{app="a"} |= "x" | json`:                     false,
		`{app="a"} |= ip("10.0.0.1")`:                 false,
		`{app="a"} |= "x" | line_format "{{.y}}"`:     false,
		`{app="a"} |= "x" # | json`:                   false,
		`{app="a"} |= 'x'`:                            false,
		`{app="a"} |= "x" or`:                         false,
	} {
		q, err := ParseQuery(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if got := q.OnlyLineFilters(); got != want {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
}
