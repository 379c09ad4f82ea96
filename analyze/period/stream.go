package period

import (
	"math"
	"slices"
	"time"
)

// A stream is a Series made ready for the search: seconds from a common
// origin, with events that tell of one occurrence merged into one.
type stream struct {
	series int
	t      []float64 // middle of the clock's step, strictly ascending
	first  []int     // t[i] stands for Times[first[i]:last[i]]
	last   []int
	step   float64   // clock resolution, seconds
	rate   []float64 // local event rate under the null, per second
	base   []float64 // what a link to the event gains by the rate: 1 - ln rate
	excess float64   // see nullExcess
}

// prepare returns the streams with at least two occurrences, and the origin
// of their time axis in nanoseconds.
func prepare(series []Series) ([]*stream, int64) {
	origin, any := int64(0), false
	for _, s := range series {
		if len(s.Times) > 0 && (!any || s.Times[0] < origin) {
			origin, any = s.Times[0], true
		}
	}
	var out []*stream
	for i, s := range series {
		if st := newStream(i, s, origin); st != nil {
			out = append(out, st)
		}
	}
	return out, origin
}

func newStream(i int, s Series, origin int64) *stream {
	n := len(s.Times)
	if n < 2 {
		return nil
	}
	step := resolution(s.Times, s.Resolution)
	same := int64(duplicateSpan(s.Times, step))
	st := &stream{series: i, step: step.Seconds(), t: make([]float64, 0, n), first: make([]int, 0, n), last: make([]int, 0, n)}
	half := float64(step/2) / 1e9
	for j, t := range s.Times {
		if j > 0 && t-s.Times[j-1] <= same {
			st.last[len(st.last)-1] = j + 1
			continue
		}
		st.t = append(st.t, float64(t-origin)/1e9+half)
		st.first = append(st.first, j)
		st.last = append(st.last, j+1)
	}
	if len(st.t) < 2 {
		return nil
	}
	st.observe()
	return st
}

// observe computes what the null hypothesis says about the stream.
func (s *stream) observe() {
	s.rate = localRate(s.t, s.step)
	s.base = make([]float64, len(s.rate))
	for i, r := range s.rate {
		s.base[i] = 1 - math.Log(r)
	}
	s.excess = nullExcess(s.t, s.rate, s.step)
}

// without returns the stream less the occurrences marked in gone, or nil when
// fewer than two are left.
func (s *stream) without(gone []bool) *stream {
	r := &stream{series: s.series, step: s.step}
	for i, t := range s.t {
		if !gone[i] {
			r.t = append(r.t, t)
			r.first = append(r.first, s.first[i])
			r.last = append(r.last, s.last[i])
		}
	}
	if len(r.t) < 2 {
		return nil
	}
	r.observe()
	return r
}

// window returns the stream of the events lo to hi; observe it before use.
func (s *stream) window(lo, hi int) *stream {
	return &stream{series: s.series, step: s.step, t: s.t[lo:hi], first: s.first[lo:hi], last: s.last[lo:hi]}
}

// span returns the time from the first to the last event, in seconds.
func (s *stream) span() float64 { return s.t[len(s.t)-1] - s.t[0] }

// resolution returns the step of the clock that wrote times: at least what is
// declared, and coarser when all times are multiples of a coarser usual step.
// A minute is believed only when less than half of the intervals are one,
// because a job that runs every minute to the second says nothing about its
// clock.
func resolution(times []int64, declared time.Duration) time.Duration {
	best := max(declared, 1)
	if len(times) < 3 {
		return best
	}
	for _, step := range []time.Duration{time.Microsecond, time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second} {
		if step > best && allMultiples(times, int64(step)) {
			best = step
		}
	}
	if declared == 0 && len(times) >= 5 && allMultiples(times, int64(time.Minute)) {
		same, next := 0, 0
		for i := 1; i < len(times); i++ {
			switch times[i] - times[i-1] {
			case 0:
				same++
			case int64(time.Minute):
				next++
			}
		}
		if same+next > 0 && 2*next < len(times) {
			best = time.Minute
		}
	}
	return best
}

func allMultiples(times []int64, step int64) bool {
	for _, t := range times {
		if t%step != 0 {
			return false
		}
	}
	return true
}

// duplicateSpan returns the longest interval between two events that tell of
// one occurrence: zero, or the bottom of a deep valley in the distribution of
// intervals when what lies below is at least fifty times shorter than what
// lies above and comes in pairs mostly.
func duplicateSpan(times []int64, step time.Duration) time.Duration {
	n := len(times)
	if n < 4 {
		return 0
	}
	w := make([]int64, 0, n-1)
	for i := 1; i < n; i++ {
		w = append(w, times[i]-times[i-1])
	}
	slices.Sort(w)
	below := len(w) / 4
	for below < len(w)*4/5 {
		lo := max(w[below], int64(step))
		above := below + 1
		for above < len(w) && w[above] <= 5*lo {
			above++
		}
		if above >= len(w) {
			return 0
		}
		if above-below-1 <= len(w)/50 && w[below]*50 <= w[(above+len(w))/2] && int64(step) < w[(above+len(w))/2]/20 {
			span := w[above-1]
			if mostlyPairs(times, span) {
				return time.Duration(span)
			}
		}
		below = max(below+1, above-1)
	}
	return 0
}

func mostlyPairs(times []int64, span int64) bool {
	groups, big, size := 0, 0, 1
	for i := 1; i <= len(times); i++ {
		if i < len(times) && times[i]-times[i-1] <= span {
			size++
			continue
		}
		groups++
		if size > 2 {
			big++
		}
		size = 1
	}
	return big*10 <= groups
}

// localRate estimates the rate of events around every event from its nearest
// neighbours: the larger of a narrow and a wide view and the overall mean, so
// that bursts explain themselves.
func localRate(t []float64, step float64) []float64 {
	n := len(t)
	r := make([]float64, n)
	global := float64(n-1) / math.Max(t[n-1]-t[0], step)
	for i := range r {
		r[i] = global
		for _, k := range [...]int{2, 6} {
			lo, hi := max(0, i-k), min(n-1, i+k)
			if hi-lo < 2*k || hi-lo < 3 {
				continue
			}
			r[i] = math.Max(r[i], float64(hi-lo-1)/math.Max(t[hi]-t[lo], step))
		}
	}
	return r
}
