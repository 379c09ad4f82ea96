package period

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	corpusPath  = flag.String("corpus", "", "also judge the cases of this JSONL file")
	predictPath = flag.String("predict", "", "write what was found in -corpus here, a case a line")
)

// A corpusCase is events with what is known to recur in them.
type corpusCase struct {
	ID           string   `json:"id"`
	Family       string   `json:"family"`
	ResolutionNS int64    `json:"resolution_ns"`
	Streams      []string `json:"streams"`
	Stream       []int    `json:"stream"`
	TimestampsNS []int64  `json:"timestamps_ns"`
	Scored       *bool    `json:"scored"`
	Truth        struct {
		Periodic bool          `json:"periodic"`
		Periods  []truthPeriod `json:"periods"`
	} `json:"truth"`
}

type truthPeriod struct {
	PeriodNS int64  `json:"period_ns"`
	Kind     string `json:"kind"`
	JitterNS int64  `json:"jitter_ns"`
	Events   int    `json:"events"`
	GridNS   int64  `json:"grid_ns"` // spacing inside the runs of a pattern, as right as the period
}

// tolerance is the largest of one per cent, three standard errors of the mean
// interval, and the clock's step over the events.
func (p truthPeriod) tolerance(step int64) float64 {
	n := math.Max(1, float64(p.Events))
	return math.Max(0.01*float64(p.PeriodNS), math.Max(3*float64(p.JitterNS)/math.Sqrt(n), float64(step)/n))
}

func (p truthPeriod) matches(r Recurrence, step int64) bool {
	off := math.Abs(float64(int64(r.Period) - p.PeriodNS))
	if p.GridNS > 0 {
		off = math.Min(off, math.Abs(float64(int64(r.Period)-p.GridNS)))
	}
	return off <= p.tolerance(step)
}

func (c corpusCase) series() []Series {
	out := make([]Series, len(c.Streams))
	for i, n := range c.Streams {
		out[i] = Series{Stream: n, Resolution: time.Duration(c.ResolutionNS)}
	}
	for i, t := range c.TimestampsNS {
		s := 0
		if c.Stream != nil {
			s = c.Stream[i]
		}
		out[s].Times = append(out[s].Times, t)
	}
	return out
}

// A tally is what a set of cases adds up to.
type tally struct {
	hit, missed, alarms, silent int // cases
	periods, matched, extra     int
	delays, delaysTold          int // matched fixed-delay periods, and those told as such
	kinds, kindsUnknown         int // matched periods with the right kind, and with none
	wrong                       []string
}

func (t *tally) judge(c corpusCase, found []Recurrence) {
	switch {
	case !c.Truth.Periodic && len(found) == 0:
		t.silent++
		return
	case !c.Truth.Periodic:
		t.alarms++
		t.wrong = append(t.wrong, fmt.Sprintf("%s %s: false alarm %v", c.ID, c.Family, found[0].Period))
		return
	case len(found) == 0:
		t.missed++
		t.wrong = append(t.wrong, fmt.Sprintf("%s %s: missed", c.ID, c.Family))
	default:
		t.hit++
	}
	rest := slices.Clone(found)
	for _, p := range c.Truth.Periods {
		t.periods++
		i := slices.IndexFunc(rest, func(r Recurrence) bool { return p.matches(r, c.ResolutionNS) })
		if i < 0 {
			t.wrong = append(t.wrong, fmt.Sprintf("%s %s: %v not found", c.ID, c.Family, time.Duration(p.PeriodNS)))
			continue
		}
		t.matched++
		kind := string(rest[i].Kind)
		if p.Kind == "fixed-delay" {
			t.delays++
			if kind == p.Kind {
				t.delaysTold++
			}
		}
		switch {
		case kind == p.Kind, kind == "fixed-rate" && p.Kind == "cron":
			t.kinds++
		case rest[i].Kind == UnknownKind:
			t.kindsUnknown++
		}
		rest = slices.Delete(rest, i, i+1)
	}
	t.extra += len(rest)
}

func ratio(a, b int) float64 { return float64(a) / math.Max(1, float64(b)) }

func (t *tally) f1() float64         { return ratio(2*t.hit, 2*t.hit+t.alarms+t.missed) }
func (t *tally) falseAlarm() float64 { return ratio(t.alarms, t.alarms+t.silent) }
func (t *tally) accuracy() float64   { return ratio(t.matched, t.periods) }

func (t *tally) row(name string) string {
	return fmt.Sprintf("%-18s %4d periodic %4d not  F1 %.3f  false alarms %d  periods %d of %d  extra %d  kinds right %d, unknown %d",
		name, t.hit+t.missed, t.alarms+t.silent, t.f1(), t.alarms, t.matched, t.periods, t.extra, t.kinds, t.kindsUnknown)
}

// eachCase reads a corpus.
func eachCase(t *testing.T, path string, do func(corpusCase)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<26)
	for sc.Scan() {
		var c corpusCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		do(c)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
}

// judge runs Find on a corpus and prints the table.
func judge(t *testing.T, path string, each func(corpusCase, []Recurrence)) *tally {
	t.Helper()
	all := &tally{}
	families := map[string]*tally{}
	var names []string
	eachCase(t, path, func(c corpusCase) {
		found := Find(c.series(), Options{})
		if each != nil {
			each(c, found)
		}
		if c.Scored != nil && !*c.Scored {
			return
		}
		if families[c.Family] == nil {
			families[c.Family] = &tally{}
			names = append(names, c.Family)
		}
		all.judge(c, found)
		families[c.Family].judge(c, found)
	})
	slices.Sort(names)
	for _, n := range names {
		t.Log(families[n].row(n))
	}
	t.Log(all.row("all"))
	t.Logf("fixed delay told in %d of %d matched", all.delaysTold, all.delays)
	t.Log(strings.Join(all.wrong, "\n"))
	return all
}

// holdFloors fails the test where a corpus is answered worse than promised.
func holdFloors(t *testing.T, g *tally) {
	t.Helper()
	delayFloor := 0.75
	switch {
	case g.delays == 0:
		delayFloor = 0
	case g.delays < 20:
		delayFloor = 0.4 // too few to tell 0.75 from chance
	}
	for _, f := range []struct {
		what      string
		got, want float64
		atMost    bool
	}{
		{"F1", g.f1(), 0.975, false},
		{"false alarms", g.falseAlarm(), 0.005, true},
		{"period accuracy", g.accuracy(), 0.95, false},
		{"fixed-delay recall", ratio(g.delaysTold, g.delays), delayFloor, false},
	} {
		if f.atMost && f.got > f.want || !f.atMost && f.got < f.want {
			t.Errorf("%s is %.4f, the floor is %.4f", f.what, f.got, f.want)
		}
	}
}

// TestCases judges a few generated cases of every family.
func TestCases(t *testing.T) {
	g := judge(t, "testdata/cases.jsonl", nil)
	if g.hit+g.missed < 50 || g.alarms+g.silent < 30 {
		t.Fatalf("the cases are gone: %s", g.row("all"))
	}
	holdFloors(t, g)
}

// TestCorpus judges the corpus that -corpus names.
func TestCorpus(t *testing.T) {
	if *corpusPath == "" {
		return
	}
	var out *json.Encoder
	if *predictPath != "" {
		f, err := os.Create(*predictPath)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		out = json.NewEncoder(f)
	}
	holdFloors(t, judge(t, *corpusPath, func(c corpusCase, found []Recurrence) {
		if out == nil {
			return
		}
		type period struct {
			PeriodNS int64 `json:"periodNs"`
			Kind     Kind  `json:"kind"`
		}
		ps := []period{}
		for _, r := range found {
			ps = append(ps, period{int64(r.Period), r.Kind})
		}
		if err := out.Encode(map[string]any{"id": c.ID, "periodic": len(ps) > 0, "periods": ps}); err != nil {
			t.Fatal(err)
		}
	}))
}
