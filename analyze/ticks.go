package analyze

import (
	"slices"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// Ticks are the newest events of one stream, told apart by whether they keep
// the recurrence's phase, and the slots among them that stayed empty. They are
// what a picture of the recurrence is drawn from. All numbers are nanoseconds
// since From, ascending.
type Ticks struct {
	// From is the time of the first event kept.
	From      Time    `json:"from"`
	MembersNs []int64 `json:"membersNs"` // events in slots
	OthersNs  []int64 `json:"othersNs"`  // events beside them
	MissedNs  []int64 `json:"missedNs"`  // slots without an event
	// Complete says that no event and no missed slot was left out.
	Complete bool `json:"complete"`
}

const (
	// ticksOfRecurrence bounds the events kept of one recurrence, dealt evenly
	// to its streams; each has at least ticksOfStream, and at most
	// ticksMostOfStream.
	ticksOfRecurrence = 1200
	ticksOfStream     = 24
	ticksMostOfStream = 400
)

// ticks keeps the newest events of the stream that phase p of r lies on.
func ticks(r *period.Recurrence, p *period.Phase, times []int64) Ticks {
	keep := min(max(ticksOfRecurrence/max(len(r.Phases), 1), ticksOfStream), ticksMostOfStream)
	out := Ticks{MembersNs: []int64{}, OthersNs: []int64{}, MissedNs: []int64{}, Complete: p.Missed <= len(p.MissedAt)}
	first := 0
	if len(times) > keep {
		first, out.Complete = len(times)-keep, false
	}
	if len(times) == 0 {
		return out
	}
	from := times[first]
	out.From = At(from)
	elsewhere := map[int]bool{} // events of this recurrence's other phases
	for i := range r.Phases {
		if q := &r.Phases[i]; q != p && q.Series == p.Series {
			for _, m := range q.Members {
				elsewhere[m] = true
			}
		}
	}
	for i := first; i < len(times); i++ {
		if _, member := slices.BinarySearch(p.Members, i); member {
			out.MembersNs = append(out.MembersNs, times[i]-from)
		} else if !elsewhere[i] {
			out.OthersNs = append(out.OthersNs, times[i]-from)
		}
	}
	for _, m := range p.MissedAt {
		if m >= from {
			out.MissedNs = append(out.MissedNs, m-from)
		}
	}
	return out
}
