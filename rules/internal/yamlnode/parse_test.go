package yamlnode

import (
	"fmt"
	"strings"
	"testing"
)

func bomb(levels int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return b.String()
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string // "line:col-endline:endcol id", in the order of the report
	}{
		{"empty", "", nil},
		{"only comments", "# nothing\n\n", nil},
		{"fine", "a: 1\nb: [x, 'y']\n", nil},
		{"byte order mark", "\xef\xbb\xbfa: 1\na: 2\n", []string{"2:1-2:2 yaml/duplicate-key"}},
		{"not UTF-8", "a: 1\nb: caf\xe9\n", []string{"2:7-2:8 yaml/encoding"}},
		{"control character", "a: x\x01y\n", []string{"1:5-1:6 yaml/encoding"}},
		{"duplicate key", "a: 1\nb: 2\na: 3\n", []string{"3:1-3:2 yaml/duplicate-key"}},
		{"duplicate key in a flow map", "x: {a: 1, a: 2}\n", []string{"1:11-1:12 yaml/duplicate-key"}},
		{"quoted duplicate key", "a: 1\n\"a\": 2\n", []string{"2:1-2:4 yaml/duplicate-key"}},
		{"second document", "a: 1\n---\nb: 2\n", []string{"2:1-2:4 yaml/second-document"}},
		{"several at once", "a: 1\na: 2\nb: !!str 3\n", []string{"2:1-2:2 yaml/duplicate-key", "3:4-3:9 yaml/tag"}},
		{"merge key", "x: &x {a: 1}\ny:\n  <<: *x\n", []string{"3:3-3:5 yaml/merge-key"}},
		{"map as key", "{a: 1}: 2\n", []string{"1:1-1:2 yaml/key"}},
		{"alias loop", "a: &a [*a]\n", []string{"1:8-1:10 yaml/alias-loop"}},
		{"alias bomb", bomb(9), []string{"6:10-6:13 yaml/alias-bomb"}},
		{"few aliases", bomb(2), nil},
		{"unknown anchor", "a: 1\nb: *nobody\n", []string{"2:1-2:11 yaml/syntax"}},
		{"too deep", "a: " + strings.Repeat("[", 80) + strings.Repeat("]", 80) + "\n", []string{"1:68-1:69 yaml/too-deep"}},
		{"tab", "a:\n\tb: 1\n", []string{"2:1-2:2 yaml/syntax"}},
		{"bad indentation", "a:\n  - b: 1\n c: 2\nd: 3\n", []string{"3:2-3:6 yaml/syntax"}},
		{"colon in text", "a: 1\nb: x: y\nc: 2\n", []string{"2:1-2:8 yaml/syntax"}},
		{"open quote", "a: 1\nb: 'x\nc: 2\nd: 3\n", []string{"2:1-2:6 yaml/syntax"}},
		{"open bracket", "a: 1\nb: [x, y\nc: 2\nd: 3\n", []string{"2:1-2:9 yaml/syntax"}},
		{"bad escape", "a: 1\n# c\n\nb: \"\\d\"\n", []string{"4:1-4:8 yaml/syntax"}},
		{"error after a block text", "a: |\n  x: y: z\n  'open\nb: }\n", []string{"4:1-4:5 yaml/syntax"}},
		{"long line", "a: b\nc: " + strings.Repeat("x", maxLine) + "\n", []string{"2:1-2:2 yaml/long-line"}},
		{"too large", strings.Repeat("# x\n", maxBytes/4+1), []string{"1:1-1:1 yaml/too-large"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, errs := Parse("f.yaml", []byte(tt.src))
			var got []string
			for _, e := range errs {
				got = append(got, fmt.Sprintf("%d:%d-%d:%d %s", e.Line, e.Col, e.EndLine, e.EndCol, e.ID))
				if e.Msg == "" {
					t.Errorf("%s has no message", e.ID)
				}
			}
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("%.80q\ngot  %v\nwant %v", tt.src, got, tt.want)
			}
		})
	}
}

func TestSub(t *testing.T) {
	tests := []struct {
		name, src string
		key       string
		part      string // of the value
		want      string // span
		text      string // what the span covers on its first line
	}{
		{"plain", "k: hello wörld again\n", "k", "again", "1:16-1:21", "again"},
		{"plain folded", "k: hello\n  new world\n", "k", "world", "2:7-2:12", "world"},
		{"plain folded twice", "k: hello\n\n\n  new world\n", "k", "world", "4:7-4:12", "world"},
		{"single quotes", "k: 'it''s (here'\n", "k", "(here", "1:11-1:16", "(here"},
		{"single quotes folded", "k: 'it''s\n  (here'\n", "k", "(here", "2:3-2:8", "(here"},
		{"double quotes", `k: "a\\d\t\u00e9(x"` + "\n", "k", "(x", "1:17-1:19", "(x"},
		{"double quotes, escaped break", "k: \"ab\\\n   cd\"\n", "k", "cd", "2:4-2:6", "cd"},
		{"literal", "k: |\n    first\n    second (x\n", "k", "(x", "3:12-3:14", "(x"},
		{"literal with empty line", "k: |\n    first\n\n    second (x\n", "k", "(x", "4:12-4:14", "(x"},
		{"folded", "k: >-\n  first\n  second (x\n", "k", "(x", "3:10-3:12", "(x"},
		{"behind an anchor", "k: &n   'a(x'\n", "k", "(x", "1:11-1:13", "(x"},
		{"flow", "x: {k: a b, j: c}\n", "x.k", "b", "1:10-1:11", "b"},
		{"wide characters", "k: '日本 (x'\n", "k", "(x", "1:8-1:10", "(x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, errs := Parse("f.yaml", []byte(tt.src))
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			n := f.Root.At(strings.Split(tt.key, "."))
			from := strings.Index(n.Value, tt.part)
			if from < 0 {
				t.Fatalf("value %q has no %q", n.Value, tt.part)
			}
			s := n.Sub(from, from+len(tt.part))
			if got := fmt.Sprintf("%d:%d-%d:%d", s.Line, s.Col, s.EndLine, s.EndCol); got != tt.want {
				t.Errorf("%q in %q: got %s want %s", tt.part, tt.src, got, tt.want)
			}
			if got := string([]rune(f.Line(s.Line))[s.Col-1 : s.EndCol-1]); got != tt.text {
				t.Errorf("the span covers %q, want %q", got, tt.text)
			}
		})
	}
}

func TestSpans(t *testing.T) {
	src := "a: plain text  # c\nb: 'it''s'\nc: \"x\\ny\"\nd: &d [1, 2]\ne: *d\nf:\ng: {h: true}\ni:\n  - j: 1.5\n"
	f, errs := Parse("f.yaml", []byte(src))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for path, want := range map[string]string{
		"a": "1:4-1:14", "b": "2:4-2:11", "c": "3:4-3:10", "d": "4:7-4:8", "d/1": "4:11-4:12", "e": "4:7-4:8",
		"f": "6:1-6:2", "g": "7:4-7:5", "g/h": "7:8-7:12", "i": "9:3-9:4", "i/0": "9:5-9:6", "i/0/j": "9:8-9:11",
	} {
		s := f.Root.At(strings.Split(path, "/")).Span
		if got := fmt.Sprintf("%d:%d-%d:%d", s.Line, s.Col, s.EndLine, s.EndCol); got != want {
			t.Errorf("%s: got %s want %s", path, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a: 1\n", "a: &a [*a]\n", "a: 'x\n", "- |\n  x\n -", "a: \"\\x41\\\n b\"", "? a\n: b\n", "&x : *x", "a: >2\n    b\n", "\xef\xbb\xbf#", "--- !<a> b\n...\n---\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4096 {
			return
		}
		file, errs := Parse("f", src)
		for _, e := range errs {
			if e.Line < 1 || e.Col < 1 || e.EndLine < e.Line || e.EndLine == e.Line && e.EndCol < e.Col || e.Line > max(1, file.Lines()) {
				t.Errorf("%q: impossible span %+v", src, e)
			}
		}
		if file.Root != nil && len(errs) == 0 {
			walk(t, file.Root, 0)
			file.Root.JSON()
		}
	})
}

func walk(t *testing.T, n *Node, depth int) {
	if depth > maxDepth+2 {
		t.Fatal("deeper than the bound")
	}
	for i := range n.Value {
		if s := n.Sub(i, len(n.Value)); s.Line < 1 || s.Col < 1 || s.EndLine < s.Line {
			t.Errorf("%q: impossible span %+v of %d", n.Value, s, i)
		}
		if i > 50 {
			break
		}
	}
	for _, p := range n.Pairs {
		walk(t, p.Value, depth+1)
	}
	for _, it := range n.Items {
		walk(t, it, depth+1)
	}
}
