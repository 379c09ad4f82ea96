package analyze

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

func TestTicks(t *testing.T) {
	times := []int64{1000, 1030, 1100, 1300, 1390}
	two := period.Recurrence{Phases: []period.Phase{
		{Series: 0, Members: []int{0, 2, 3}, Missed: 1, MissedAt: []int64{1200}},
		{Series: 0, Members: []int{4}},
		{Series: 1, Members: []int{1}},
	}}
	got := ticks(&two, &two.Phases[0], times)
	want := Ticks{From: At(1000), MembersNs: []int64{0, 100, 300}, OthersNs: []int64{30}, MissedNs: []int64{200}, Complete: true}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("an event of the other phase on the stream is not one of no phase:\n%s", d)
	}
	two.Phases[0].Missed = 2
	if ticks(&two, &two.Phases[0], times).Complete {
		t.Error("two slots were missed, one is known, and the ticks are said to be complete")
	}
}

func TestTicksAreBounded(t *testing.T) {
	var times []int64
	var members []int
	var missed []int64
	for i := range 3000 {
		if i%30 == 7 {
			missed = append(missed, int64(i)*100)
			continue
		}
		members = append(members, len(times))
		times = append(times, int64(i)*100)
	}
	for _, c := range []struct{ phases, want int }{{1, ticksMostOfStream}, {12, 100}, {1000, ticksOfStream}} {
		r := period.Recurrence{Phases: make([]period.Phase, c.phases)}
		for i := range r.Phases {
			r.Phases[i] = period.Phase{Series: i, Members: members, Missed: len(missed), MissedAt: missed}
		}
		got := ticks(&r, &r.Phases[0], times)
		if len(got.MembersNs) != c.want || got.Complete {
			t.Errorf("%d phases: %d members, complete %v; want the newest %d and not complete", c.phases, len(got.MembersNs), got.Complete, c.want)
		}
		if newest := got.From.UnixNano() + got.MembersNs[c.want-1]; newest != times[len(times)-1] {
			t.Errorf("%d phases: newest is %d, want %d", c.phases, newest, times[len(times)-1])
		}
		for _, m := range got.MissedNs {
			if m < 0 {
				t.Errorf("%d phases: a missed slot lies before the first event kept", c.phases)
			}
		}
	}
}
