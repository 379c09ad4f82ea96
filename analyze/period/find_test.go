package period

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const second = int64(time.Second)

// only returns the one recurrence that was found.
func only(t *testing.T, found []Recurrence) Recurrence {
	t.Helper()
	if len(found) != 1 {
		t.Fatalf("found %d recurrences, want 1: %+v", len(found), found)
	}
	return found[0]
}

func near(t *testing.T, what string, got, want, within time.Duration) {
	t.Helper()
	if (got - want).Abs() > within {
		t.Errorf("%s = %v, want %v within %v", what, got, want, within)
	}
}

func TestThreeEventsTellThePeriodAndNotTheKind(t *testing.T) {
	at := time.Date(2026, 9, 19, 19, 0, 52, 47e6, time.UTC).UnixNano()
	r := only(t, Find([]Series{{Stream: "2kcwk", Times: []int64{at, at + 180005*second/1000, at + 360005*second/1000}}}, Options{}))
	near(t, "period", r.Period, 180*time.Second, 5*time.Millisecond)
	if r.Kind != UnknownKind || r.KindConfidence > 0.51 {
		t.Errorf("kind %s (%.2f), want unknown-kind (0.50): three events weigh nothing", r.Kind, r.KindConfidence)
	}
	if r.FalseAlarm > 0.001 || r.FalseAlarm < 1e-8 {
		t.Errorf("false alarm %g, want an honest one for two equal intervals", r.FalseAlarm)
	}
	if r.Low > 180*time.Second || r.High < 180*time.Second || r.High-r.Low < 20*time.Millisecond {
		t.Errorf("confidence interval %v to %v is not that of one degree of freedom", r.Low, r.High)
	}
	near(t, "next due", time.Duration(r.Phases[0].NextDue-at), 540*time.Second, 20*time.Millisecond)
}

func TestKinds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	if got := only(t, Find([]Series{{Times: sorted(grid(r, 60, 2, 80, 0.1))}}, Options{})); got.Kind != FixedRate || got.KindConfidence < 0.99 {
		t.Errorf("a grid is told as %s (%.2f)", got.Kind, got.KindConfidence)
	}
	if got := only(t, Find([]Series{{Times: sorted(walk(r, 60, 2, 80, 0.1))}}, Options{})); got.Kind != FixedDelay || got.KindConfidence < 0.99 {
		t.Errorf("a walk is told as %s (%.2f)", got.Kind, got.KindConfidence)
	}
}

func TestCronNeedsTheWallClock(t *testing.T) {
	hour := time.Date(2026, 9, 19, 8, 0, 0, 0, time.UTC).UnixNano()
	for _, c := range []struct {
		shift time.Duration
		want  Kind
	}{{400 * time.Millisecond, Cron}, {23 * time.Second, FixedRate}} {
		r := rand.New(rand.NewPCG(1, 1))
		var times []int64
		for k := range int64(40) {
			times = append(times, hour+k*300*second+int64(c.shift)+int64(0.1e9*r.ExpFloat64()))
		}
		if got := only(t, Find([]Series{{Times: times}}, Options{})); got.Kind != c.want {
			t.Errorf("every five minutes and %v: %s, want %s", c.shift, got.Kind, c.want)
		}
	}
}

// TestCronOverDaylightSaving is a daily job at half past four in local time,
// over the last Sunday of October.
func TestCronOverDaylightSaving(t *testing.T) {
	zurich, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	var times []int64
	for day := range 30 {
		times = append(times, time.Date(2026, 10, 10+day, 4, 30, 0, 3e8+day%3*1e8, zurich).UnixNano())
	}
	got := only(t, Find([]Series{{Times: times}}, Options{Location: zurich}))
	near(t, "period", got.Period, 24*time.Hour, 30*time.Second)
	if got.Kind != Cron || len(got.Segments) != 1 || got.Missed != 0 {
		t.Errorf("%s in %d segments with %d missed, want cron in one with none", got.Kind, len(got.Segments), got.Missed)
	}
	near(t, "next due", time.Duration(got.Phases[0].NextDue-time.Date(2026, 11, 9, 4, 30, 0, 0, zurich).UnixNano()), 400*time.Millisecond, time.Second)
}

// TestPass is the incident: on each of five pods five items are cut 180 s
// apart, and the next pass comes 48 minutes after the start of the last.
func TestPass(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var series []Series
	for pod := range 5 {
		var s []float64
		for pass := range 14 {
			for i := range 5 {
				s = append(s, float64(pod)*311+float64(pass)*2880+float64(i)*180+0.002*r.NormFloat64())
			}
		}
		series = append(series, Series{Stream: string(rune('a' + pod)), Times: sorted(s)})
	}
	got := only(t, Find(series, Options{}))
	near(t, "period", got.Period, 180*time.Second, 10*time.Millisecond)
	if got.Pass == nil || got.Pass.RunLength != 5 || got.Pass.Runs != 70 {
		t.Fatalf("pass %+v, want 70 of 5", got.Pass)
	}
	near(t, "cycle", got.Pass.Cycle, 48*time.Minute, 100*time.Millisecond)
	if got.Events != 350 || got.Missed != 0 || len(got.Phases) != 5 || got.Kind != FixedRate {
		t.Errorf("%d events, %d missed, %d phases, %s; want 350, 0, 5, fixed-rate", got.Events, got.Missed, len(got.Phases), got.Kind)
	}
	// The last pass of the first pod is complete; the next starts 48 minutes
	// after its start.
	last := series[0].Times[65]
	near(t, "next due", time.Duration(got.Phases[0].NextDue-last), 48*time.Minute, 100*time.Millisecond)
}

func TestMissingSlotsAreNamed(t *testing.T) {
	var s []float64
	for k := range 60 {
		if k != 17 && k != 40 && k != 41 {
			s = append(s, float64(k)*30+0.01*math.Sin(float64(7*k)))
		}
	}
	got := only(t, Find([]Series{{Times: sorted(s)}}, Options{}))
	if got.Events != 57 || got.Slots != 60 || got.Missed != 3 {
		t.Fatalf("%d events in %d slots, %d missed; want 57, 60, 3", got.Events, got.Slots, got.Missed)
	}
	for i, k := range []int64{17, 40, 41} {
		near(t, "missed slot", time.Duration(got.Phases[0].MissedAt[i]-epoch), time.Duration(k*30*second), 100*time.Millisecond)
	}
}

func TestPeriodChange(t *testing.T) {
	for _, factor := range []float64{0.5, 1.5, 2, 3} {
		r := rand.New(rand.NewPCG(8, 8))
		s := grid(r, 60, 0.1, 70, 0)
		for _, x := range grid(r, 60*factor, 0.1, 70, 0) {
			s = append(s, x+70*60+7)
		}
		found := Find([]Series{{Times: sorted(s)}}, Options{})
		if len(found) != 2 {
			t.Errorf("change by %g: %d recurrences, want 2", factor, len(found))
			continue
		}
		got := []time.Duration{found[0].Period, found[1].Period}
		slices.Sort(got)
		want := []time.Duration{60 * time.Second, time.Duration(60*factor) * time.Second}
		slices.Sort(want)
		for i := range want {
			near(t, "period", got[i], want[i], 50*time.Millisecond)
		}
	}
}

func TestStreamsShareOneRecurrence(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var series []Series
	for i := range 6 {
		s := grid(r, 120, 0.05, 12, 0)
		if i == 5 {
			s = poisson(r, 1440, 12)
		}
		series = append(series, Series{Stream: string(rune('a' + i)), Times: sorted(s)})
	}
	got := only(t, Find(series, Options{}))
	if len(got.Phases) != 5 {
		t.Errorf("%d phases, want those of the five streams that recur", len(got.Phases))
	}
}

func TestPhasesOfOneStream(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var s []float64
	for range 3 {
		s = append(s, grid(r, 300, 0.4, 50, 0)...)
	}
	got := only(t, Find([]Series{{Times: sorted(s)}}, Options{}))
	near(t, "period", got.Period, 300*time.Second, time.Second)
	if len(got.Phases) != 3 || got.Events != 150 {
		t.Errorf("%d phases with %d events, want 3 with 150", len(got.Phases), got.Events)
	}
}

// TestInvariants holds what every answer promises, on events of all sorts.
func TestInvariants(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 11))
		p := logBetween(r, 1, 3600)
		s := grid(r, p, p*logBetween(r, 1e-5, 0.1), between(r, 5, 120), 0.3*r.Float64())
		s = append(s, poisson(r, p*60, between(r, 1, 60))...)
		series := []Series{{Stream: "a", Times: sorted(s)}, {Stream: "b", Times: sorted(grid(r, p, p/100, 9, 0))}}
		found := Find(series, Options{})
		checkInvariants(t, series, found)
		if again := Find(series, Options{}); !cmp.Equal(found, again) {
			t.Errorf("seed %d: two runs differ:\n%s", seed, cmp.Diff(found, again))
		}
	}
}

func checkInvariants(t *testing.T, series []Series, found []Recurrence) {
	t.Helper()
	used := map[[2]int]bool{}
	for _, r := range found {
		if r.Period <= 0 || r.Low > r.Period || r.High < r.Period || r.Jitter < 0 {
			t.Errorf("period %v in [%v, %v], jitter %v", r.Period, r.Low, r.High, r.Jitter)
		}
		if !(r.FalseAlarm >= 0 && r.FalseAlarm <= 1) || !(r.KindConfidence >= 0.5 && r.KindConfidence <= 1) || !(r.Explained > 0 && r.Explained <= 1) {
			t.Errorf("false alarm %v, kind confidence %v, explained %v", r.FalseAlarm, r.KindConfidence, r.Explained)
		}
		events, slots := 0, 0
		for _, p := range r.Phases {
			events += p.Events
			slots += p.Slots
			if p.Missed != p.Slots-p.Events || p.Missed < 0 || p.Offset < 0 || p.Offset >= r.Period {
				t.Errorf("phase %+v", p)
			}
			if len(p.MissedAt) != min(p.Missed, maxMissedAt) {
				t.Errorf("%d missed slots are placed of %d", len(p.MissedAt), p.Missed)
			}
			if !slices.IsSorted(p.Members) || len(p.Members) < p.Events {
				t.Errorf("members %v of %d events", p.Members, p.Events)
			}
			for _, m := range p.Members {
				key := [2]int{p.Series, m}
				if used[key] || m >= len(series[p.Series].Times) {
					t.Errorf("event %v belongs to two recurrences, or to none", key)
				}
				used[key] = true
			}
		}
		if events != r.Events || slots != r.Slots || r.Missed != slots-events {
			t.Errorf("%d events, %d slots, %d missed; the phases say %d, %d", r.Events, r.Slots, r.Missed, events, slots)
		}
	}
}

// TestShift moves all times by a day: nothing but the times may change.
func TestShift(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	times := sorted(append(grid(r, 45, 0.5, 60, 0.2), poisson(r, 2700, 40)...))
	later := slices.Clone(times)
	for i := range later {
		later[i] += 86400 * second
	}
	a := only(t, Find([]Series{{Times: times}}, Options{}))
	b := only(t, Find([]Series{{Times: later}}, Options{}))
	near(t, "period after a day", b.Period, a.Period, time.Microsecond)
	if !slices.Equal(a.Phases[0].Members, b.Phases[0].Members) {
		t.Error("other events belong to the recurrence a day later")
	}
}

// TestOrderOfStreams gives the streams in another order.
func TestOrderOfStreams(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 13))
	var series []Series
	for i := range 7 {
		series = append(series, Series{Stream: string(rune('a' + i)), Times: sorted(grid(r, 600, 1, 6+i, 0))})
	}
	a := only(t, Find(series, Options{}))
	slices.Reverse(series)
	b := only(t, Find(series, Options{}))
	near(t, "period", b.Period, a.Period, time.Microsecond)
	if a.Events != b.Events || len(a.Phases) != len(b.Phases) {
		t.Errorf("%d events in %d phases, and %d in %d in another order", a.Events, len(a.Phases), b.Events, len(b.Phases))
	}
}

func TestNothingToFind(t *testing.T) {
	for _, s := range [][]Series{nil, {{}}, {{Times: []int64{1}}}, {{Times: []int64{1, 2}}}, {{Times: []int64{5, 5, 5, 5, 5}}}, {{Times: []int64{math.MinInt64 / 4, 0, math.MaxInt64 / 4}}}} {
		if found := Find(s, Options{FalseAlarm: 1e-9}); len(found) != 0 {
			t.Errorf("Find(%v) = %+v", s, found)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00\x00"), int64(1), int64(0))
	f.Fuzz(func(t *testing.T, gaps []byte, scale, step int64) {
		if len(gaps) > 400 {
			gaps = gaps[:400]
		}
		scale = scale%1e12 + 1
		var times [2][]int64
		var at [2]int64
		for i := 0; i+2 < len(gaps); i += 3 {
			s := gaps[i] & 1
			if d := int64(binary.LittleEndian.Uint16(gaps[i+1:])) * scale; d >= 0 {
				at[s] += d
			}
			if at[s] > math.MaxInt64/4 {
				break
			}
			times[s] = append(times[s], at[s])
		}
		series := []Series{{Times: times[0], Resolution: time.Duration(step & (1<<40 - 1))}, {Times: times[1]}}
		checkInvariants(t, series, Find(series, Options{FalseAlarm: 0.5}))
	})
}
