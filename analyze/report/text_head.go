package report

import (
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// head tells the window, what was read of it, and what was not.
func (t *text) head() {
	r := &t.an.Read
	if start, end := t.an.Window.Start.Time, t.an.Window.End.Time; start.Before(end) {
		lines := wrap(t.face.span(start, end, t.s.sign("→", "->")), t.s.Width)
		lasts := "  " + about(end.Sub(start))
		for i, l := range lines {
			fits := columns(l)+columns(lasts) <= t.s.Width
			if l = t.s.paint(bold, l); i == len(lines)-1 && fits {
				l += t.s.paint(dim, lasts)
			}
			t.line(l)
		}
	}
	all := "all read"
	if r.Partial {
		all = "partial"
	}
	counts := []string{count(r.Entries, "entry", "entries"), count(r.Records, "record", "records"), count(int64(r.Streams), "stream", "streams"), all}
	for _, c := range []struct {
		n    int64
		what string
	}{{r.Skipped, "skipped"}, {r.Repeated, "repeated"}, {r.OutOfOrder, "put in order"}} {
		if c.n == 0 {
			continue
		}
		if c.what == "repeated" && r.Deduplicated {
			c.what += " and left out"
		}
		counts = append(counts, thousands(c.n)+" "+c.what)
	}
	for _, l := range wrap(strings.Join(counts, ", "), t.s.Width) {
		if r.Partial {
			l = strings.Replace(l, all, t.s.paint(red, all), 1)
		}
		t.line(l)
	}
	if s := server(r.Server); s != "" {
		t.block("", 0, dim, s)
	}
	t.unread()
	t.line()
}

// server tells what was counted by the log server instead of being read.
func server(r *analyze.ServerRead) string {
	if r == nil || r.Mode == "" || r.Mode == analyze.ServerWhole {
		return ""
	}
	s := "read around " + count(r.HitLines, "line", "lines") + " that the server filtered"
	if r.Mode == analyze.ServerPushdown {
		s = "counted by the server"
	}
	if r.CountedEntries > 0 {
		s += ", of " + count(r.CountedEntries, "entry", "entries")
		if r.CountedStreams > 0 {
			s += " in " + count(int64(r.CountedStreams), "stream", "streams")
		}
	}
	for _, n := range r.Notes {
		s += "; " + n
	}
	return s
}

// gapsTold is how many gaps are told each.
const gapsTold = 5

// unread tells what of the window is missing, and what went wrong.
func (t *text) unread() {
	r := &t.an.Read
	warn := " " + t.s.paint(yellow, "!") + " "
	if r.Partial {
		t.block(" "+t.s.paint(red, "!")+" ", 3, red, "partial: not everything in this window was read, so counts are lower bounds and silence proves nothing")
	}
	for i := range r.Gaps {
		g := &r.Gaps[i]
		if i == gapsTold {
			t.block(warn, 3, yellow, "and "+count(int64(len(r.Gaps)-i), "gap", "gaps")+" more")
			break
		}
		s := "gap " + t.face.at(g.Start.Time, "15:04:05") + " " + t.s.sign("→", "->") + " " + t.face.at(g.End.Time, "15:04:05") + ": "
		if g.Counted != nil {
			s += thousands(g.Received) + " of " + count(*g.Counted, "entry", "entries") + " read"
		} else {
			s += count(g.Received, "entry", "entries") + " read"
		}
		if g.Reason != "" {
			s += ", " + g.Reason
		}
		t.block(warn, 3, yellow, s)
	}
	for _, p := range r.Problems {
		t.block(warn, 3, yellow, p)
	}
}

// holes says which of n equal parts of the window a gap lies in.
func (t *text) holes(n int) []bool {
	if len(t.an.Read.Gaps) == 0 {
		return nil
	}
	out := make([]bool, n)
	start, end := t.an.Window.Start.Time, t.an.Window.End.Time
	part := func(at time.Time) float64 { return float64(at.Sub(start)) / float64(end.Sub(start)) * float64(n) }
	for _, g := range t.an.Read.Gaps {
		if !g.Start.Before(end) || !start.Before(g.End.Time) {
			continue
		}
		for i := max(0, int(part(g.Start.Time))); i < n && float64(i) < part(g.End.Time); i++ {
			out[i] = true
		}
	}
	return out
}
