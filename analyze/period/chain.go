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

// chainTables are the logarithms that one pass needs over and over.
type chainTables struct {
	gap   [maxGap + 1]float64 // probability of a gap
	scale [maxGap + 1]float64 // a walk's variance factor, by gap
	reach [maxGap + 1]float64 // how far from its slot an event may be
	// width[k] is the kernel's constant for a walk over k slots; seen[w] for a
	// grid whose phase is the average of w events.
	width [maxGap + 1]float64
	seen  [trackMemory + 1]float64
	top   float64 // largest of width or seen
}

func newChainTables(m chainModel) *chainTables {
	var t chainTables
	sd := math.Log(m.sd)
	t.top = logKernel0 - sd
	for k := 1; k <= maxGap; k++ {
		t.gap[k] = math.Log(1-m.miss) + float64(k-1)*math.Log(m.miss)
		t.scale[k] = float64(k)
		t.width[k] = logKernel0 - sd - math.Log(float64(k))/2
		wide := math.Sqrt2
		if !m.keepsGrid {
			wide = math.Sqrt(float64(k))
		}
		t.reach[k] = math.Min(6*m.sd*wide, m.period/2)
	}
	for w := 1; w <= trackMemory; w++ {
		t.seen[w] = logKernel0 - sd - math.Log(1+1/float64(w))/2
	}
	return &t
}

// fit finds the best runs in s under m. start and other are the starting values
// of the stream's own two parameters. The second event of a run adds nothing:
// with its predecessor it says what the spacing is, and so pairs are no
// evidence. Cost: O(len(s.t) * maxGap) while at most a few events fall into the
// window of one slot.
func (c *chainer) fit(s *stream, m chainModel, start, other float64) chainFit {
	n := len(s.t)
	c.grow(n)
	best, end := c.best[:n+1], c.end[:n+1]
	tab := newChainTables(m)
	logStart, logOther := math.Log(start), math.Log(other)
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
		base := s.base[i]
		for k := 1; k <= maxGap; k++ {
			at := t - float64(k)*m.period
			reach := tab.reach[k]
			lo := c.low[k]
			for lo < i && s.t[lo] < at-reach {
				lo++
			}
			c.low[k] = lo
			fixed := tab.gap[k] + base
			for j := lo; j < i && s.t[j] <= at+reach; j++ {
				skipped := float64(i-j-1) * logOther
				for state := range 3 {
					p := &c.st[state][j]
					to, bound := &later, p.value+skipped+fixed+tab.top
					if state == 0 {
						to, bound = &second, p.value+skipped
					}
					if !(bound > to.value) {
						continue
					}
					e := t - (p.anchor + float64(k)*m.period)
					scale, kernel := tab.scale[k], tab.width[k]
					if m.keepsGrid {
						scale, kernel = 1+1/p.seen, tab.seen[int(p.seen)]
					}
					gain := fixed + kernel - 2.5*math.Log(1+e*e/(4*s2*scale))
					v := p.value + skipped + gain
					if state == 0 {
						v = p.value + skipped + math.Min(gain, 0)
					}
					if !(v > to.value) {
						continue
					}
					*to = chainState{value: v, gain: gain, err: e, scale: scale, prev: int32(j), gap: int8(k), from: int8(state), anchor: t, seen: 1}
					if m.keepsGrid {
						to.anchor = t - e*(1-1/(p.seen+1))
						to.seen = math.Min(p.seen+1, trackMemory)
					}
				}
			}
		}
		c.st[1][i], c.st[2][i] = second, later
		best[i+1], end[i+1] = best[i]+logOther, end[i]
		if later.value > best[i+1] {
			best[i+1], end[i+1] = later.value, int32(i)
		}
		if i == n-1 && n <= 3 && end[i+1] < 0 && second.value > best[i+1]-1 {
			// A stream of two or three events may hold just one pair.
			best[i+1], end[i+1] = second.value, int32(i)|onlyPair
		}
	}
	return c.trace(n)
}

// onlyPair marks in chainer.end that the last run ends with its second event.
const onlyPair = 1 << 30

func (c *chainer) grow(n int) {
	if cap(c.best) >= n+1 {
		for i := range c.st {
			c.st[i] = c.st[i][:n]
		}
		return
	}
	for i := range c.st {
		c.st[i] = make([]chainState, n, 2*n)
	}
	c.best = make([]float64, 2*n+1)
	c.end = make([]int32, 2*n+1)
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
		if e&onlyPair != 0 {
			e &^= onlyPair
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
