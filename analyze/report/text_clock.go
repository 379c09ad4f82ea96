package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// kindWords tell a recurrence's kind.
var kindWords = map[string]string{
	"fixed-rate":   "fixed rate",
	"fixed-delay":  "fixed delay",
	"cron":         "fixed rate on the wall clock",
	"unknown-kind": "rate or delay not decidable yet",
}

func every(r *analyze.Recurrence) string {
	return "every " + r.Period + " ± " + r.Jitter
}

// recurrence tells a clock: its period and how sure, how it runs, what has its
// length, and when it is due.
func (t *text) recurrence(r *analyze.Recurrence) []string {
	kind := kindWords[r.Kind]
	if kind == "" {
		kind = r.Kind
	}
	n := fmt.Sprintf("n=%s", thousands(r.Events))
	if r.Missed > 0 {
		n += fmt.Sprintf(", %s of %s missed", thousands(r.Missed), count(r.Slots, "slot", "slots"))
	}
	length := ""
	if len(r.Matches) > 0 {
		names := make([]string, len(r.Matches))
		for i, m := range r.Matches {
			names[i] = m.Name
		}
		length = " = " + strings.Join(names, ", ")
	}
	out := []string{every(r) + length + " (" + n + ")", kind}
	if len(r.Phases) > 1 {
		out = append(out, count(int64(len(r.Phases)), "phase", "phases"))
	}
	if r.Pass != nil {
		run := fmt.Sprintf("runs of %d", r.Pass.RunLength)
		if r.Pass.CycleNs > 0 {
			run += " every " + r.Pass.Cycle
		}
		out = append(out, run)
	}
	if r.NextDue == nil {
		return append(out, "none due")
	}
	next := "next " + t.face.at(r.NextDue.Time, "15:04:05.00")
	for _, p := range r.Phases {
		if p.NextDue != nil && p.NextDue.Equal(r.NextDue.Time) {
			name := p.Pod
			if name == "" {
				name = p.Stream
			}
			next += " on " + t.pod(name)
			break
		}
	}
	return append(out, next)
}

// likely is the confidence below which a stage is told as a likelihood.
const likely = 0.75

// stage tells where transfers failed, how far they had come, and by which
// words that is known.
func (t *text) stage(st *analyze.Stage) []string {
	b := "stage " + st.Name
	if len(st.Candidates) > 0 {
		b += " (" + strings.Join(st.Candidates, " or ") + ")"
	}
	if st.Confidence < likely {
		b += ", likely"
	}
	if st.Budget != "" {
		b += ", by " + st.Budget
	}
	out := []string{b}
	if len(st.Counts) > 1 {
		out = append(out, tally(st.Counts))
	}
	out = append(out, received(st)...)
	if e := st.ElapsedNs; e.Median != nil {
		s := short(time.Duration(*e.Median)) + " elapsed"
		if *e.Min != *e.Max {
			s = short(time.Duration(*e.Min)) + " to " + short(time.Duration(*e.Max)) + " elapsed"
		}
		out = append(out, s)
	}
	if len(st.Evidence) > 0 {
		shown := slices.Clone(st.Evidence[:min(len(st.Evidence), 2)])
		for i, e := range shown {
			if strings.Count(e, "'")%2 == 1 {
				shown[i] += "'" // a piece of a line may end inside a quotation
			}
		}
		out = append(out, "evidence: "+strings.Join(shown, ", "))
	}
	return out
}

// tally lists how many records speak for which stage, most first.
func tally(counts map[string]int64) string {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if counts[a] != counts[b] {
			return int(max(-1, min(1, counts[b]-counts[a])))
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %s", thousands(counts[name]), name)
	}
	return "records say " + strings.Join(names, ", ")
}

func received(st *analyze.Stage) []string {
	if st.BytesReceived.Max == nil {
		if st.BytesDeclared.Max == nil {
			return []string{"bytes not logged"}
		}
		return []string{"bytes received not logged, " + spread(st.BytesDeclared) + " declared"}
	}
	b := spread(st.BytesReceived) + " bytes received"
	if st.BytesDeclared.Max != nil {
		b += " of " + spread(st.BytesDeclared) + " declared"
	} else {
		b += " of an undeclared number"
	}
	if n := st.BytesReceived.Unknown; n > 0 {
		b += fmt.Sprintf(" (%s not tell)", count(n, "record does", "records do"))
	}
	return []string{b}
}

func spread(s analyze.Spread) string {
	if *s.Min == *s.Max {
		return thousands(*s.Max)
	}
	return thousands(*s.Min) + " to " + thousands(*s.Max)
}
