package rules

import (
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// timedRecords is how many records of a corpus are kept to time rules with,
// and timedText how long they may be.
const (
	timedRecords = 200
	timedText    = 4096
)

// RuleCost is what a rule without a text to look for first costs on a corpus.
type RuleCost struct {
	Rule *Rule
	// PerRecord is the time of one try, Guarded that of a rule of which such
	// a text is looked for in vain.
	PerRecord, Guarded time.Duration
}

// keepForTiming keeps some of the records, spread over the corpus: when there
// are enough, every second one goes and from then on half as many come.
func (x *Corpus) keepForTiming(rec *ingest.Record) {
	if x.records%(1<<x.sparse) != 0 || len(rec.Text) > timedText {
		return
	}
	if len(x.timed) == timedRecords {
		half := x.timed[:0]
		for i := 1; i < timedRecords; i += 2 {
			half = append(half, x.timed[i])
		}
		x.timed = half
		x.sparse++
		return
	}
	x.timed = append(x.timed, rec.Clone())
}

// Costs times the rules of which pattern/no-literal warns on records of the
// corpus, by the given clock. Unlike everything else that a Corpus says, this
// depends on the machine.
func (x *Corpus) Costs(now func() time.Time) []RuleCost {
	var out []RuleCost
	if len(x.timed) == 0 {
		return nil
	}
	per := func(q *quickRule) time.Duration {
		const least, most = 3 * time.Millisecond, 1000
		start := now()
		for rounds := 1; ; rounds++ {
			for _, rec := range x.timed {
				q.matches(rec)
			}
			if took := now().Sub(start); took >= least || rounds == most {
				return took / time.Duration(rounds*len(x.timed))
			}
		}
	}
	guarded := quickRule{Rule: &Rule{}, literals: [][]byte{[]byte("\x00 no line has this")}}
	for i := range x.ordered {
		q := &x.ordered[i]
		if !q.unguarded() {
			continue
		}
		out = append(out, RuleCost{Rule: q.Rule, PerRecord: per(q), Guarded: per(&guarded)})
	}
	return out
}
