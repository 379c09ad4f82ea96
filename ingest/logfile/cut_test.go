package logfile

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// TestCutInputs cuts every fixture at ten places, as a rotation, a full disk
// or an impatient copy does. What is read of the head is what is read of the
// whole, in its order, but for the entry in which the cut lies; nothing fails;
// and where entries were lost inside a document, that is told.
func TestCutInputs(t *testing.T) {
	files, err := filepath.Glob("testdata/formats/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		all, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range strings.Split("\n"+string(all), "\n=== ") {
			name, rest, _ := strings.Cut(c, "\n")
			input, _, found := strings.Cut(rest, "--- want\n")
			if i == 0 || !found || strings.HasPrefix(name, "carriage return") { // cut, these are all there is of line breaks
				continue
			}
			content, opts := fixtureInput(t, input)
			format, whole, err := readText(content, "", opts)
			if err != nil {
				continue
			}
			step := max(len(content)/10, 1)
			for n := 0; n < len(content); n += step {
				_, have, err := readText(content[:n], format, opts)
				if err != nil {
					t.Errorf("%s cut at %d: %v", name, n, err)
					continue
				}
				// Each of two outputs may be cut in a line of its own.
				if bad := notAmong(have, whole); bad > 1 && !(format == "cri" && bad == 2) {
					t.Errorf("%s cut at %d: %d entries that are none of the whole:\n%q\nof\n%q", name, n, bad, have, whole)
				}
			}
		}
	}
}

// notAmong counts the lines of have that are no beginning of a line of whole,
// each of which counts once.
func notAmong(have, whole []string) int {
	left := append([]string(nil), whole...)
	bad := 0
next:
	for _, line := range have {
		for i, w := range left {
			if w == line {
				left = append(left[:i], left[i+1:]...)
				continue next
			}
		}
		bad++
	}
	return bad
}

// readText reads content from the standard input; a format that is named is
// not guessed.
func readText(content, format string, opts Options) (string, []string, error) {
	opts.Stdin, opts.Format, opts.Reference = strings.NewReader(content), format, noon.AddDate(0, 0, 1)
	r, err := Open(context.Background(), []string{"-"}, opts)
	if err != nil {
		return "", nil, err
	}
	defer r.Close()
	var all []string
	var e ingest.Entry
	for {
		err := r.Next(context.Background(), &e)
		if errors.Is(err, io.EOF) {
			return r.Sources()[0].Format, all, nil
		}
		if err != nil {
			return "", nil, err
		}
		all = append(all, string(e.Line))
	}
}

// TestConcatenatedInputs puts two files of different formats one behind the
// other: no entry of the first is lost, and of the second none goes without a
// word.
func TestConcatenatedInputs(t *testing.T) {
	examples := map[string]string{}
	for _, f := range formats() {
		if f.Example != "" && f.document == nil {
			examples[f.Name] = f.Example + "\n"
		}
	}
	for a, first := range examples {
		for b, second := range examples {
			if a == b {
				continue
			}
			much := strings.Repeat(first, 10)
			_, alone, err := readText(much, "", Options{})
			if err != nil {
				t.Fatalf("%s: %v", a, err)
			}
			r, err := Open(context.Background(), []string{"-"}, Options{Stdin: strings.NewReader(much + second), Reference: noon})
			if err != nil {
				t.Errorf("%s, then %s: %v", a, b, err)
				continue
			}
			have := lines(drainReader(t, r))
			st := r.Stats()
			if len(have) < len(alone) || len(have) == len(alone) && len(st.Problems) == 0 {
				t.Errorf("%s, then %s: %d entries of %d, %+v", a, b, len(have), len(alone), st)
			}
			r.Close()
		}
	}
}
