package selector

import (
	"errors"
	"strings"
	"testing"
)

func TestParseQuery(t *testing.T) {
	cases := []struct {
		in, selector, rest string
	}{
		{`{app="portal"}`, `{app="portal"}`, ""},
		{"  {app=\"portal\" , pod=~`p-.*`}\n", `{app="portal", pod=~"p-.*"}`, ""},
		{`{app="a}b"} |= "x } {"`, `{app="a}b"}`, `|= "x } {"`},
		{`{app="a\"}"}|~"y"`, `{app="a\"}"}`, `|~"y"`},
		{`{app!="x", b=~".+"} != "z" | json`, `{app!="x", b=~".+"}`, `!= "z" | json`},
		{"{ # the app\n app=\"portal\" # } \n}", `{app="portal"}`, ""},
		{`{app=~"portal|",b="c"}`, `{app=~"portal|", b="c"}`, ""},
	}
	for _, c := range cases {
		q, err := ParseQuery(c.in)
		if err != nil || q.Selector != c.selector || q.Rest != c.rest {
			t.Errorf("ParseQuery(%s) = %s | %s, %v; want %s | %s", c.in, q.Selector, q.Rest, err, c.selector, c.rest)
			continue
		}
		again, err := ParseQuery(q.String())
		if err != nil || again.String() != q.String() {
			t.Errorf("%s rendered is %s, which parses to %s, %v", c.in, q, again, err)
		}
	}
}

func TestRefused(t *testing.T) {
	cases := []struct {
		in         string
		start, end int
		message    string
	}{
		{``, 0, 0, "empty"},
		{`   `, 3, 3, "empty"},
		{`foo`, 0, 3, "in braces"},
		{`foo{}`, 0, 3, "in braces"},
		{`foo{app="a"}`, 0, 3, "in braces"},
		{`count_over_time({app="a"}[5m])`, 0, 16, "in braces"},
		{`{}`, 0, 2, "needs a matcher"},
		{` { }`, 2, 4, "needs a matcher"},
		{`{app=~".*"}`, 0, 11, `{app=~".+"} would do`},
		{`{app="", b!="x"}`, 0, 16, "must need the label"},
		{`{"a.b"="x"}`, 1, 6, "no quoted label names"},
		{`{"a.b"}`, 1, 6, "no quoted label names"},
		{`{app='x'}`, 5, 8, "double quotes"},
		{`{app="x",}`, 8, 10, "no comma"},
		{`{app="x"`, 8, 8, "} is missing"},
		{`{app="x`, 5, 7, "does not end"},
		{`{app=x}`, 5, 6, "unexpected identifier"},
		{`{app=~"("}`, 1, 9, "missing closing )"},
		{`{app="x"}[5m]`, 9, 13, "line filter"},
		{`{app="x"} foo`, 10, 13, "line filter"},
		{`{a.b="x"}`, 2, 9, "unexpected character"},
	}
	for _, c := range cases {
		_, err := ParseQuery(c.in)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("ParseQuery(%s): error %v, want *Error", c.in, err)
			continue
		}
		if e.Start != c.start || e.End != c.end || !strings.Contains(e.Message, c.message) {
			t.Errorf("ParseQuery(%s): [%d,%d) %s; want [%d,%d) %s", c.in, e.Start, e.End, e.Message, c.start, c.end, c.message)
		}
	}
}

func TestPointer(t *testing.T) {
	_, err := ParseQuery(`{äpp='x'}`)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if want := "{äpp='x'}\n     ^^^"; e.Pointer() != want {
		t.Errorf("Pointer:\n%s\nwant:\n%s", e.Pointer(), want)
	}
}

func TestMatches(t *testing.T) {
	q, err := ParseQuery(`{namespace=~"memex|memex-cloud", pod!="x"}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		labels map[string]string
		want   bool
	}{
		{map[string]string{"namespace": "memex"}, true},
		{map[string]string{"namespace": "memex", "pod": "x"}, false},
		{map[string]string{"namespace": "memex2"}, false},
		{nil, false},
	} {
		if got := q.Matches(func(n string) string { return c.labels[n] }); got != c.want {
			t.Errorf("Matches(%v) = %v, want %v", c.labels, got, c.want)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{`{app="portal"} |= "x"`, "{a=~`b`,c!=\"d\"}", `{"a"="b"}`, `{a='b'}`, "{#}\na=\"b\"}", `{a="\"}"}`, `foo{}`, `{a!~"x"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := ParseQuery(s)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Start < 0 || e.Start > e.End || e.End > len(s) {
				t.Fatalf("ParseQuery(%q): bad error %#v", s, err)
			}
			e.Pointer()
			return
		}
		again, err := ParseQuery(q.String())
		if err != nil || again.String() != q.String() {
			t.Fatalf("%q rendered is %q, which parses to %q, %v", s, q, again, err)
		}
	})
}
