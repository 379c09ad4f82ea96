package analyze

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

var fixTrials = flag.Int("fix.trials", 60, "how many services of each kind TestFixIsCalibrated draws; the shares it judges by are known the better, the more there are")

// rollout draws a service around a roll: what it logs, how often it fails, and
// what of it is read.
type rollout struct {
	name          string
	before, after int64
	work          func(rng *rand.Rand, hour int) float64 // traffic of an hour, 1 in the mean
	fails         float64                                // per hour of traffic 1
	workAfter     float64                                // what the roll leaves of the traffic
	renamed       bool                                   // the roll replaces the pods
	holes         []int64                                // start and end of what is not read, in pairs, hours
	seen          float64                                // share of real ends that must be called fixed
}

// TestFixIsCalibrated draws services that a roll did not fix and counts how
// often they are called fixed, and services that it did fix and counts how
// often that is seen.
func TestFixIsCalibrated(t *testing.T) {
	const seed = 5
	even := func(*rand.Rand, int) float64 { return 1 }
	// Traffic that scatters by a factor of two about its mean from hour to hour.
	uneven := func(rng *rand.Rand, _ int) float64 { return math.Exp(rng.NormFloat64()*0.7 - 0.245) }
	daily := func(_ *rand.Rand, hour int) float64 { return 1 + 0.9*math.Sin(2*math.Pi*float64(hour)/24) }
	for _, c := range []rollout{
		{name: "even traffic", before: 24, after: 6, work: even, fails: 2, workAfter: 1, seen: 0.95},
		{name: "a short silence", before: 24, after: 1, work: even, fails: 1, workAfter: 1},
		{name: "uneven traffic", before: 24, after: 6, work: uneven, fails: 2, workAfter: 1, seen: 0.45},
		{name: "a daily wave, the roll before its low", before: 36, after: 8, work: daily, fails: 1.5, workAfter: 1},
		{name: "a tenth of the traffic since", before: 24, after: 6, work: even, fails: 2, workAfter: 0.1},
		{name: "no traffic since", before: 24, after: 12, work: even, fails: 2, workAfter: 0},
		{name: "renamed pods", before: 24, after: 6, work: even, fails: 2, workAfter: 1, renamed: true, seen: 0.95},
		{name: "most of the time since not read", before: 24, after: 8, work: even, fails: 2, workAfter: 1, holes: []int64{25, 32}},
		{name: "nothing since read", before: 24, after: 8, work: even, fails: 2, workAfter: 1, holes: []int64{24, 32}},
		{name: "two holes, one in what came before", before: 24, after: 8, work: even, fails: 2, workAfter: 1, holes: []int64{6, 12, 27, 29}, seen: 0.9},
	} {
		rng := rand.New(rand.NewPCG(seed, 2))
		wrong, seen := 0, 0
		for range *fixTrials {
			for _, fixed := range []bool{false, true} {
				f := c.draw(t, rng, fixed)
				if f == nil {
					continue
				}
				if f.Verdict == Fixed && !fixed {
					wrong++
				}
				if f.Verdict == Fixed && fixed {
					seen++
				}
				if c.workAfter == 0 && f.Verdict == Fixed {
					t.Fatalf("seed %d, %s: called fixed: %s", seed, c.name, f.Reason)
				}
			}
		}
		// Three standard deviations of the share that may be.
		most := undecidedAbove + 3*math.Sqrt(undecidedAbove*(1-undecidedAbove)/float64(*fixTrials))
		if rate := float64(wrong) / float64(*fixTrials); rate > most {
			t.Errorf("seed %d, %s: not fixed and yet called fixed in %.4f of all cases, want at most %.4f", seed, c.name, rate, most)
		}
		if rate := float64(seen) / float64(*fixTrials); rate < c.seen-3*math.Sqrt(c.seen*(1-c.seen)/float64(*fixTrials)) {
			t.Errorf("seed %d, %s: a fix is seen in %.3f of the cases, want %.2f", seed, c.name, rate, c.seen)
		}
	}
}

// draw makes one service and returns the verdict, nil where it never failed.
func (c *rollout) draw(t *testing.T, rng *rand.Rand, fixed bool) *Fix {
	start := day
	at := start.Add(time.Duration(c.before) * time.Hour)
	end := at.Add(time.Duration(c.after) * time.Hour)
	a, err := New(Options{
		Window: ingest.Window{Start: start.UnixNano(), End: end.UnixNano()},
		Config: Config{
			Issues: []Issue{{Number: 8, State: "open", Sources: []Glob{"Shop.Client"}}},
			Rolls:  []Roll{{Name: "fix", At: at, Fixes: []int{8}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	unread := func(hour float64) bool {
		for i := 0; i+1 < len(c.holes); i += 2 {
			if hour >= float64(c.holes[i]) && hour < float64(c.holes[i+1]) {
				return true
			}
		}
		return false
	}
	stream := func(pod string) *ingest.Stream {
		return ingest.NewStream([]ingest.Label{{Name: "namespace", Value: "ns"}, {Name: "service_name", Value: "shop"}, {Name: "pod", Value: pod}})
	}
	streams := map[bool][]*ingest.Stream{false: {stream("old-1"), stream("old-2")}}
	streams[true] = streams[false]
	if c.renamed {
		streams[true] = []*ingest.Stream{stream("new-1"), stream("new-2")}
	}
	type line struct {
		t    int64
		fail bool
	}
	var lines []line
	for h := range int(c.before + c.after) {
		work := c.work(rng, h)
		rolled := int64(h) >= c.before
		if rolled {
			work *= c.workAfter
		}
		add := func(perHour float64, fail bool) {
			for x := rng.ExpFloat64() / max(perHour, 1e-9); x < 1; x += rng.ExpFloat64() / perHour {
				if hour := float64(h) + x; !unread(hour) {
					lines = append(lines, line{start.UnixNano() + int64(hour*float64(time.Hour)), fail})
				}
			}
		}
		add(20*work, false)
		if !fixed || !rolled {
			add(c.fails*work, true)
		}
	}
	slices.SortFunc(lines, func(x, y line) int { return int(min(max(x.t-y.t, -1), 1)) })
	for _, l := range lines {
		r := ingest.Record{UnixNano: l.t, Stream: streams[l.t >= at.UnixNano()][rng.IntN(2)], Level: ingest.LevelInfo, Category: []byte("Shop.Web"), Message: []byte("up"), Text: []byte("up"), Entries: 1}
		if l.fail {
			r.Level, r.Category, r.Message, r.Text = ingest.LevelError, []byte("Shop.Client"), []byte("broken"), []byte("broken")
		}
		if err := a.Add(&r); err != nil {
			t.Fatal(err)
		}
	}
	read := Read{}
	for i := 0; i+1 < len(c.holes); i += 2 {
		read.Gaps = append(read.Gaps, Gap{Start: Time{start.Add(time.Duration(c.holes[i]) * time.Hour)}, End: Time{start.Add(time.Duration(c.holes[i+1]) * time.Hour)}, Reason: "not read"})
	}
	an := a.Finish(read)
	if len(an.Fixes) == 0 {
		return nil
	}
	return &an.Fixes[0]
}

// TestHoles holds what of a stretch was read whole.
func TestHoles(t *testing.T) {
	h := func(start, end int) Gap {
		return Gap{Start: Time{day.Add(time.Duration(start) * time.Hour)}, End: Time{day.Add(time.Duration(end) * time.Hour)}}
	}
	for _, c := range []struct {
		gaps []Gap
		want []int
	}{
		{nil, []int{10}},
		{[]Gap{h(2, 3)}, []int{2, 7}},
		{[]Gap{h(5, 7), h(2, 3), h(6, 8)}, []int{2, 2, 2}},
		{[]Gap{h(-5, 2), h(9, 20)}, []int{7}},
		{[]Gap{h(-5, 20)}, nil},
		{[]Gap{h(0, 4), h(4, 10)}, nil},
		{[]Gap{h(12, 20)}, []int{10}},
	} {
		a := Analyzer{gaps: c.gaps}
		var got []int
		for _, l := range a.readWithin(day.UnixNano(), day.Add(10*time.Hour).UnixNano()) {
			got = append(got, int(time.Duration(l)/time.Hour))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", fmt.Sprint(c.gaps), got, c.want)
		}
	}
}
