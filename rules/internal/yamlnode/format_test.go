package yamlnode

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormat(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing to do", "a: 1\nb:\n  - c\n", "a: 1\nb:\n  - c\n"},
		{"dashes at the key", "a:\n- b: 1\n  c: 2\n- d\n", "a:\n  - b: 1\n    c: 2\n  - d\n"},
		{"four spaces", "a:\n    b:\n        c: 1\n    d: 2\n", "a:\n  b:\n    c: 1\n  d: 2\n"},
		{"wide dashes", "a:\n  -   b: 1\n      c: 2\n  -  d\n", "a:\n  - b: 1\n    c: 2\n  - d\n"},
		{"comments move along", "a:\n    # over b\n    b: 1   # beside\n# over c\nc: 2\n    # at the end\n", "a:\n  # over b\n  b: 1   # beside\n# over c\nc: 2\n# at the end\n"},
		{"empty lines", "\n\na: 1\n\n\n\nb: 2\n\n\n", "a: 1\n\nb: 2\n"},
		{"blanks at line ends", "a: 1  \nb:  \n  - c\t\n", "a: 1\nb:\n  - c\n"},
		{"no line break at the end", "a: 1", "a: 1\n"},
		{"literal text", "a:\n    b: |\n        x\n          # y\n\n\n        z\n    c: 1\n", "a:\n  b: |\n      x\n        # y\n\n\n      z\n  c: 1\n"},
		{"literal text in a list", "a:\n- b: |\n    x\n     y\n  c: 1\n", "a:\n  - b: |\n      x\n       y\n    c: 1\n"},
		{"folded quotes", "a:\n    b: 'x\n\n      # y'\n", "a:\n  b: 'x\n\n    # y'\n"},
		{"flow over lines", "a:\n    b: [1,\n        2,   # two\n    ]\n", "a:\n  b: [1,\n      2,   # two\n  ]\n"},
		{"carriage returns", "a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"},
		{"only comments", "# a\n\n\n# b", "# a\n\n# b\n"},
		{"nothing", "", ""},
		{"kept line breaks", "a: |+\n  x\n\n\nb: 1\n", "a: |+\n  x\n\n\nb: 1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Format("f.yaml", []byte(tt.in))
			if err != nil {
				t.Fatalf("%q: %v", tt.in, err)
			}
			if d := cmp.Diff(tt.want, string(got)); d != "" {
				t.Errorf("%q:\n%s", tt.in, d)
			}
			checkFormat(t, []byte(tt.in))
		})
	}
}

// checkFormat checks what Format promises: the same values, the same comments
// and words in the same order, and nothing left to do.
func checkFormat(t *testing.T, in []byte) {
	t.Helper()
	once, err := Format("f.yaml", in)
	if err != nil {
		return
	}
	twice, err := Format("f.yaml", once)
	if err != nil || string(once) != string(twice) {
		t.Errorf("%q\nformatted once  %q\nformatted twice %q %v", in, once, twice, err)
	}
	a, _ := Parse("a", in)
	b, errs := Parse("b", once)
	if len(errs) > 0 || (a.Root == nil) != (b.Root == nil) || a.Root != nil && !reflect.DeepEqual(a.Root.JSON(), b.Root.JSON()) {
		t.Errorf("%q\nbecomes %q with other values %v", in, once, errs)
	}
	in = []byte(strings.TrimPrefix(string(in), "\xef\xbb\xbf"))
	if x, y := strings.Fields(string(in)), strings.Fields(string(once)); !reflect.DeepEqual(x, y) {
		t.Errorf("%q\nbecomes %q with other words", in, once)
	}
}

func TestFormatFiles(t *testing.T) {
	files, err := filepath.Glob("../../*/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Format(f, text)
		if err != nil {
			t.Errorf("%s: %v", f, err)
		} else if d := cmp.Diff(string(text), string(got)); d != "" {
			t.Errorf("%s is not formatted:\n%s", f, d)
		}
		// The same file, laid out badly.
		bad := strings.ReplaceAll("\n\n"+string(text), "\n\n", "\n\n\n")
		got, err = Format(f, []byte(bad))
		if err != nil || string(got) != string(text) {
			t.Errorf("%s with more empty lines: %v\n%s", f, err, cmp.Diff(string(text), string(got)))
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, s := range []string{"a:\n- b: |\n   x\n  c: 1\n", "a: &x\n  b: *x\n", "? a\n: b\n", "- - a\n  - b\n", "a: >-\n    b\n   \n    c\n# d\n", "a: 'x\n  y'\n", "{a: [b,\nc]}\n", "a:\n  -\n    b: 1\n", "--- a\n...\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) < 4096 {
			checkFormat(t, in)
		}
	})
}
