package stage

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A case is one event of testdata/unseen.txt with what is true of it.
type unseenCase struct {
	round, client string
	number        int      // of the line it starts on
	stages        []string // the first is the primary one, the others are acceptable
	lines         []string
	numbers       map[string]float64 // bytes, or nanoseconds
	optional      map[string]bool    // numbers that need not be read
}

// TestUnseen scores the lines of testdata/unseen.txt: what clients print of
// which the rules knew nothing when the lines were written down, in rounds.
// The first score of a round, before any rule was changed for it, stands in
// the file; what is asked here is that none of them gets lost again.
func TestUnseen(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	type score struct{ decidable, strict, all, lenient, negatives, invented, stated, right, extra int }
	scores := map[string]*score{}
	var rounds []string
	for _, k := range readUnseen(t, "testdata/unseen.txt") {
		s := scores[k.round]
		if s == nil {
			s = &score{}
			scores[k.round] = s
			rounds = append(rounds, k.round)
		}
		var a Attribution
		got := string(NotATimeout)
		if c.ClassifyEvent(assembled(t, k.lines), &a) {
			got = string(a.Stage)
		}
		s.all++
		lenient := false
		for _, w := range k.stages {
			lenient = lenient || got == w
		}
		if lenient {
			s.lenient++
		}
		if len(k.stages) == 1 {
			s.decidable++
			if lenient {
				s.strict++
			}
		}
		if k.stages[0] == string(NotATimeout) && len(k.stages) == 1 {
			s.negatives++
			if !lenient {
				s.invented++
			}
		}
		if !lenient {
			t.Errorf("unseen.txt:%d %s: got %s by %s %q, want %s\n\t%s", k.number, k.client, got, a.Rule, a.Evidence, strings.Join(k.stages, " or "), strings.Join(k.lines, "\n\t"))
		}
		if k.stages[0] == string(NotATimeout) || got == string(NotATimeout) {
			continue
		}
		for name, read := range map[string]float64{"received": float64(a.BytesReceived), "declared": float64(a.BytesDeclared), "elapsed": float64(a.Elapsed), "budget": float64(a.Budget)} {
			want, stated := k.numbers[name]
			switch {
			case !stated && read < 0, k.optional[name] && read < 0:
				continue
			case !stated:
				s.extra++
			default:
				s.stated++
				if read == want {
					s.right++
					continue
				}
			}
			t.Errorf("unseen.txt:%d %s: %s %.0f, want %.0f (stated: %v)\n\t%s", k.number, k.client, name, read, want, stated, strings.Join(k.lines, "\n\t"))
		}
	}
	for _, r := range rounds {
		s := scores[r]
		t.Logf("%s: decidable %d of %d (%.1f %%), lenient %d of %d, negatives attributed %d of %d, numbers %d of %d and %d invented", r,
			s.strict, s.decidable, 100*float64(s.strict)/float64(max(1, s.decidable)), s.lenient, s.all, s.invented, s.negatives, s.right, s.stated, s.extra)
	}
}

// readUnseen reads the cases. "@" starts a round, "#" a client, "stage: text"
// or "stage/stage: text" a case, "| text" continues it, and "= name=number"
// tells its numbers, "?name=number" those that need not be read.
func readUnseen(t *testing.T, path string) []unseenCase {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []unseenCase
	var round, client string
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		line := sc.Text()
		switch {
		case line == "" || strings.HasPrefix(line, "% "):
		case strings.HasPrefix(line, "@ "):
			round = line[2:]
		case strings.HasPrefix(line, "# "):
			client = line[2:]
		case strings.HasPrefix(line, "| "):
			k := &out[len(out)-1]
			k.lines = append(k.lines, line[2:])
		case strings.HasPrefix(line, "= "):
			if err := out[len(out)-1].setNumbers(line[2:]); err != nil {
				t.Fatalf("%s:%d: %v", path, n, err)
			}
		default:
			stages, text, ok := strings.Cut(line, ": ")
			if !ok {
				t.Fatalf("%s:%d: want 'stage: line'", path, n)
			}
			k := unseenCase{round: round, client: client, number: n, stages: strings.Split(stages, "/"), lines: []string{text}}
			for _, w := range k.stages {
				if !Name(w).Valid() {
					t.Fatalf("%s:%d: no stage %q", path, n, w)
				}
			}
			out = append(out, k)
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func (k *unseenCase) setNumbers(s string) error {
	k.numbers, k.optional = map[string]float64{}, map[string]bool{}
	for _, f := range strings.Fields(s) {
		name, value, ok := strings.Cut(f, "=")
		if !ok {
			return fmt.Errorf("%q is no name=number", f)
		}
		optional := strings.HasPrefix(name, "?")
		name = strings.TrimPrefix(name, "?")
		k.optional[name] = optional
		if x, err := strconv.ParseFloat(value, 64); err == nil {
			k.numbers[name] = x
			continue
		}
		d, err := time.ParseDuration(value)
		if err != nil {
			return err
		}
		k.numbers[name] = float64(d)
	}
	return nil
}
