package period

import "math"

// maxGap is the most slots from one event of a run to the next. With 60 % of
// the slots missing at random, 1 in 60 gaps is longer; it then starts a new
// run.
const maxGap = 8

// trackMemory is how many events the phase of a fixed-rate run is averaged
// over: enough to lose only a thirtieth of a nat an event, few enough to
// follow a period that is slightly off.
const trackMemory = 16

// A chainModel says how the events of a run follow each other.
type chainModel struct {
	period float64 // seconds
	sd     float64 // scale of the error of one event (keepsGrid) or one interval
	// keepsGrid: errors are about a grid, so the next event is predicted from
	// the average phase of the run; else from the event before.
	keepsGrid bool
	miss      float64 // probability that a slot is empty
}

// A link is one event of a run.
type link struct {
	event int
	gap   int     // slots since the previous event of the run; 0: it starts a run
	err   float64 // observed less predicted time, seconds
	scale float64 // variance of err in units of the model's sd squared
	gain  float64 // nats it adds
}

// A chainFit is the best way to see a stream as runs of a chainModel with other
// events between.
type chainFit struct {
	links []link
	score float64 // nats over Poisson events of the local rate
	start float64 // probability of an event to start a run
	other float64 // share of events outside the runs
	runs  int
}

// chainState is the best path that ends at an event as the first, second or
// later one of its run.
type chainState struct {
	value  float64
	anchor float64 // estimated time of the slot
	seen   float64 // events averaged in anchor
	gain   float64
	err    float64
	scale  float64
	prev   int32
	gap    int8
	from   int8 // which state of prev
}

// chainer holds the memory of the dynamic programme for reuse.
type chainer struct {
	st   [3][]chainState // first, second, later
	best []float64       // best value of a prefix
	end  []int32         // event at which that path's last run ends, -1 for none
	low  [maxGap + 1]int
}

// The kernel is Student's t with four degrees of freedom: normal enough to
// lose little on normal errors, and calm about outliers.
const logKernel0 = -0.980829253011726 // ln(3/8)

func logKernel(e2, s2 float64) float64 {
	return logKernel0 - 0.5*math.Log(s2) - 2.5*math.Log1p(e2/(4*s2))
}

// fit finds the best runs in s under m. start and other are the starting values
// of the stream's own two parameters. Every second event of a run adds nothing:
// with its predecessor it says what the spacing is, and so pairs are no
// evidence. Cost: O(len(s.t) * maxGap) while at most a few events fall into the
// window of one slot.
func (c *chainer) fit(s *stream, m chainModel, start, other float64) chainFit {
	n := len(s.t)
	for i := range c.st {
		if cap(c.st[i]) < n {
			c.st[i] = make([]chainState, n)
		}
		c.st[i] = c.st[i][:n]
	}
	if cap(c.best) < n+1 {
		c.best = make([]float64, n+1)
		c.end = make([]int32, n+1)
	}
	best, end := c.best[:n+1], c.end[:n+1]
	logStart, logOther := math.Log(start), math.Log(other)
	var logGap [maxGap + 1]float64
	for k := 1; k <= maxGap; k++ {
		logGap[k] = math.Log(1-m.miss) + float64(k-1)*math.Log(m.miss)
	}
	c.low = [maxGap + 1]int{}
	best[0], end[0] = 0, -1
	s2 := m.sd * m.sd
	for i := range n {
		t := s.t[i]
		first := logStart
		if i == 0 {
			first = math.Max(first, -math.Ln2)
		}
		c.st[0][i] = chainState{value: best[i] + first, anchor: t, seen: 1, prev: -1}
		second := chainState{value: math.Inf(-1)}
		later := second
		base := 1 - math.Log(s.rate[i])
		for k := 1; k <= maxGap; k++ {
			reach := 6 * m.sd
			if !m.keepsGrid {
				reach *= math.Sqrt(float64(k))
			} else {
				reach *= 1.5
			}
			reach = math.Min(reach, m.period/2)
			at := t - float64(k)*m.period
			lo := c.low[k]
			for lo < i && s.t[lo] < at-reach {
				lo++
			}
			c.low[k] = lo
			for j := lo; j < i && s.t[j] <= at+reach; j++ {
				skipped := float64(i-j-1) * logOther
				for state := range 3 {
					p := &c.st[state][j]
					if math.IsInf(p.value, -1) {
						continue
					}
					e := t - (p.anchor + float64(k)*m.period)
					scale := float64(k)
					if m.keepsGrid {
						scale = 1 + 1/p.seen
					}
					gain := logKernel(e*e, s2*scale) + logGap[k] + base
					v := p.value + skipped
					if state == 0 {
						v += math.Min(gain, 0)
					} else {
						v += gain
					}
					to := &later
					if state == 0 {
						to = &second
					}
					if v > to.value {
						*to = chainState{value: v, gain: gain, err: e, scale: scale, prev: int32(j), gap: int8(k), from: int8(state)}
						if m.keepsGrid {
							g := 1 / (p.seen + 1)
							to.anchor = t - e*(1-g)
							to.seen = math.Min(p.seen+1, trackMemory)
						} else {
							to.anchor, to.seen = t, 1
						}
					}
				}
			}
		}
		c.st[1][i], c.st[2][i] = second, later
		best[i+1], end[i+1] = best[i]+logOther, end[i]
		if later.value > best[i+1] {
			best[i+1], end[i+1] = later.value, int32(i)
		}
		if i == n-1 && end[i+1] < 0 && second.value > best[i+1]-1 && n <= 3 {
			// A stream of two or three events may hold just one pair.
			best[i+1], end[i+1] = second.value, int32(i)|1<<30
		}
	}
	return c.trace(n)
}

// trace reads the best path back.
func (c *chainer) trace(n int) chainFit {
	f := chainFit{score: c.best[n]}
	var back []link
	for i := n; i > 0; {
		e := c.end[i]
		if e < 0 {
			break
		}
		state := 2
		if e&(1<<30) != 0 {
			e &^= 1 << 30
			state = 1
		}
		at := int(e)
		for {
			p := &c.st[state][at]
			if state == 0 {
				back = append(back, link{event: at})
				f.runs++
				break
			}
			back = append(back, link{event: at, gap: int(p.gap), err: p.err, scale: p.scale, gain: p.gain})
			at, state = int(p.prev), int(p.from)
		}
		i = at
	}
	f.links = make([]link, len(back))
	for i, l := range back {
		f.links[len(back)-1-i] = l
	}
	return f
}
