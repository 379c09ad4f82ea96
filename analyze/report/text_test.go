package report

import (
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// own finds the escape sequences that the report itself writes.
var own = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b\\]8;;[!-~]*\x1b\\\\")

// promised lists the numbers that Text promises to tell at every width.
func promised(an *analyze.Analysis) []string {
	var out []string
	add := func(n int64) { out = append(out, thousands(n)) }
	add(an.Read.Entries)
	add(an.Read.Records)
	add(int64(an.Read.Streams))
	for _, n := range []int64{an.Read.Skipped, an.Read.Repeated, an.Read.OutOfOrder} {
		if n > 0 {
			add(n)
		}
	}
	for _, g := range an.Read.Gaps {
		add(g.Received)
		if g.Counted != nil {
			add(*g.Counted)
		}
	}
	for i := range an.Incidents {
		inc := &an.Incidents[i]
		out = append(out, fmt.Sprint(i+1))
		add(inc.Records)
		if inc.DuplicateOf == "" {
			add(inc.Occurrences)
		}
		if inc.DuplicateOf == "" && inc.Duplicates > 0 {
			add(inc.Duplicates)
		}
		if inc.Attempts > 0 {
			add(inc.Attempts)
		}
		add(int64(max(len(inc.Pods), min(len(inc.Streams), len(inc.Pods)))))
		for _, r := range inc.Recurrences {
			out = append(out, r.Period, r.Jitter)
			add(r.Events)
			if r.Missed > 0 {
				add(r.Missed)
				add(r.Slots)
			}
		}
		if st := inc.Stage; st != nil {
			for _, s := range []analyze.Spread{st.BytesReceived, st.BytesDeclared} {
				if s.Max != nil {
					add(*s.Min)
					add(*s.Max)
				}
			}
			for _, n := range st.Counts {
				add(n)
			}
		}
		if inc.Issue != nil {
			out = append(out, fmt.Sprintf("#%d", inc.Issue.Number))
		}
		out = append(out, inc.Fingerprint)
		out = append(out, inc.MaskedIDs...)
	}
	for _, f := range an.Fixes {
		add(f.Before)
		add(f.After)
	}
	return out
}

// checkScreen holds what must be true of every text: no row beyond the width,
// nothing in it that a terminal would obey, and every number that is promised.
func checkScreen(t *testing.T, an *analyze.Analysis, s Screen) string {
	t.Helper()
	var b strings.Builder
	if err := Text(&b, an, s); err != nil {
		t.Fatal(err)
	}
	plain := own.ReplaceAllString(b.String(), "")
	if !s.Color && !s.Hyperlinks && plain != b.String() {
		t.Errorf("width %d: escape sequences without colour", s.Width)
	}
	if !utf8.ValidString(plain) {
		t.Errorf("width %d: not UTF-8", s.Width)
	}
	for i, l := range strings.Split(plain, "\n") {
		if w := columns(l); w > max(s.Width, 40) {
			t.Errorf("width %d: row %d takes %d columns: %q", s.Width, i+1, w, l)
		}
		if strings.TrimRight(l, " ") != l {
			t.Errorf("width %d: row %d ends in blanks: %q", s.Width, i+1, l)
		}
		for _, r := range l {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || s.Escape && r >= 0x80 {
				t.Errorf("width %d: row %d holds %U: %q", s.Width, i+1, r, l)
				break
			}
		}
	}
	words := strings.Join(strings.Fields(plain), " ")
	for _, n := range promised(an) {
		if !strings.Contains(words, n) {
			t.Errorf("width %d: %s is nowhere in\n%s", s.Width, n, plain)
		}
	}
	return b.String()
}

func TestTextHoldsItsPromisesForAnything(t *testing.T) {
	zone, err := time.LoadLocation("Australia/Lord_Howe") // half an hour of summer time
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		an := generate(r, 1+r.IntN(12), seed%3 > 0)
		for _, width := range []int{0, 40, 41, 53, 60, 72, 80, 100, 120, 200, 400} {
			for _, s := range []Screen{{}, {Color: true, Hyperlinks: true, Zone: zone}, {ASCII: true, Escape: true}} {
				s.Width = width
				if checkScreen(t, an, s); t.Failed() {
					t.Fatalf("seed %d, %+v", seed, s)
				}
			}
		}
	}
}

func TestColourChangesNoRow(t *testing.T) {
	an := generate(rand.New(rand.NewPCG(7, 7)), 20, true)
	for _, width := range []int{60, 80, 120, 200} {
		plain := checkScreen(t, an, Screen{Width: width})
		if painted := checkScreen(t, an, Screen{Width: width, Color: true, Hyperlinks: true}); own.ReplaceAllString(painted, "") != plain {
			t.Errorf("width %d: the rows differ with colour", width)
		}
	}
}

// TestTextGrowsWithItsIncidents wants ten times the incidents to take about
// ten times as long; how long that is, BenchmarkText tells.
func TestTextGrowsWithItsIncidents(t *testing.T) {
	quickest := func(n int) time.Duration {
		an := generate(rand.New(rand.NewPCG(3, 3)), n, false)
		best := time.Hour
		for range 3 {
			began := time.Now()
			if err := Text(io.Discard, an, Screen{Width: 80, Color: true}); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(began))
		}
		return best
	}
	few, many := quickest(500), quickest(5000)
	t.Logf("500 incidents take %s, 5,000 take %s", few, many)
	if many > 50*few {
		t.Errorf("500 incidents take %s, but 5,000 take %s", few, many)
	}
}

func TestTextOfNothing(t *testing.T) {
	for name, c := range map[string]struct {
		an   analyze.Analysis
		want string
	}{
		"no entries":       {analyze.Analysis{}, "Nothing was read"},
		"no incident":      {analyze.Analysis{Read: analyze.Read{Entries: 5}}, "No incident: "},
		"none in the part": {analyze.Analysis{Read: analyze.Read{Entries: 5, Partial: true}}, "No incident in what was read"},
	} {
		got := checkScreen(t, &c.an, Screen{Width: 80})
		if !strings.Contains(got, c.want) || strings.Contains(got, "1970") || strings.Contains(got, "0001-") {
			t.Errorf("%s: want %q and no window, got\n%s", name, c.want, got)
		}
	}
}
