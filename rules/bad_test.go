package rules

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden data anew")

// TestBadFiles checks every file of testdata/bad and compares all problems
// with the comments at the file's end: place, severity, check, message, hint.
func TestBadFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) < 120 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".yaml"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			body, want := cutWants(text)
			var got []string
			for _, p := range CheckSources([]Source{{Name: "f.yaml", Data: text}}, CheckOptions{}) {
				got = append(got, wantLine(p))
			}
			if len(got) == 0 {
				t.Errorf("no problem in\n%s", body)
			}
			if *update {
				var b bytes.Buffer
				b.Write(body)
				for _, g := range got {
					fmt.Fprintf(&b, "# want: %s\n", g)
				}
				if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s\nwant, got:\n%s", body, d)
			}
		})
	}
}

func wantLine(p Problem) string {
	s := fmt.Sprintf("%s %s %s: %s", strings.TrimPrefix(p.Range(), "f.yaml:"), p.Severity, p.Check, p.Message)
	if p.Hint != "" {
		s += " = " + p.Hint
	}
	return s
}

// cutWants splits a file into what is checked and the wants at its end.
func cutWants(text []byte) (body []byte, want []string) {
	at := bytes.Index(text, []byte("# want: "))
	if at < 0 {
		return text, nil
	}
	for _, l := range strings.Split(strings.TrimSuffix(string(text[at:]), "\n"), "\n") {
		want = append(want, strings.TrimPrefix(l, "# want: "))
	}
	return text[:at], want
}
