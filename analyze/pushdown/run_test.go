package pushdown

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest"
)

func ask(t *testing.T, ctx context.Context, f *fake) (Result, error) {
	t.Helper()
	filter, err := analyze.Config{}.LineFilter()
	if err != nil {
		t.Fatal(err)
	}
	return Run(ctx, f, Options{Window: dawn, Filter: filter, Streams: f.streams()})
}

func run1(t *testing.T, f *fake) Result {
	t.Helper()
	r, err := ask(t, t.Context(), f)
	if err != nil || r.Reason != "" || r.Stats.Partial {
		t.Fatalf("error %v, reason %q, statistics %+v", err, r.Reason, r.Stats)
	}
	return r
}

func timeout(source string) []string {
	return []string{"fail: Polly[3]", "      Resilience event occurred. EventName: 'OnTimeout', Source: '" + source + "', Operation Key: '', Result: ''"}
}

// busy is a day of timeouts on two pods and of failures in JSON, among
// harmless lines.
func busy() *fake {
	f := &fake{}
	for i := range 2 {
		pod := stream("app", "portal", "pod", fmt.Sprintf("portal-%d", i))
		for k := range 100 {
			f.push(pod, time.Duration(k)*3*time.Minute+time.Duration(i)*time.Second, "unknown", timeout("bundles//Timeout")...)
			f.push(pod, time.Duration(k)*3*time.Minute+time.Minute, "info", "info: Portal[1]", "      Served, no error")
		}
	}
	for k := range 30 {
		f.push(stream("app", "billing", "pod", "billing-0"), time.Duration(k)*7*time.Minute, "error",
			fmt.Sprintf(`{"level":"error","logger":"billing.%s","msg":"charge %d failed"}`, []string{"cart", "stock"}[k%2], k))
	}
	// Streams are told apart by pointer.
	byKey := map[string]*ingest.Stream{}
	for i := range f.lines {
		l := &f.lines[i]
		if byKey[l.stream.Key] == nil {
			byKey[l.stream.Key] = l.stream
		}
		l.stream = byKey[l.stream.Key]
	}
	return f
}

func TestRun(t *testing.T) {
	f := busy()
	r := run1(t, f)
	counts := []analyze.ServerCount{
		{Source: "Polly", Lines: 200, Minutes: 100},
		{Source: "billing.cart", Lines: 15, Minutes: 15},
		{Source: "billing.stock", Lines: 15, Minutes: 15},
		{Source: "bundles//Timeout", Lines: 200, Minutes: 100},
	}
	if diff := cmp.Diff(counts, r.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	read, like := 0, 0
	for i, rec := range r.Records {
		if i > 0 && rec.UnixNano < r.Records[i-1].UnixNano {
			t.Errorf("record %d is out of order", i)
		}
		if rec.Like {
			like++
		} else {
			read++
		}
	}
	// All of billing's lines are records by themselves; of the timeouts five
	// are samples.
	if read != 30+5 || like != 200-5 {
		t.Errorf("%d records were read and %d are like them, want 35 and 195", read, like)
	}
	for _, q := range f.asked {
		if strings.HasPrefix(q, "read ") && strings.Contains(q, "panic") {
			t.Errorf("lines were read by a text that none has: %s", q)
		}
	}
}

// TestTooManyGroups wants counts by service, and then of all, from a server
// that counts fewer groups, and the same records.
func TestTooManyGroups(t *testing.T) {
	want := run1(t, busy())
	for _, c := range []struct {
		most int
		note string
		want []analyze.ServerCount
	}{
		{3, "by service", []analyze.ServerCount{{Source: "billing", Lines: 30, Minutes: 30}, {Source: "portal", Lines: 400, Minutes: 100}}},
		{2, "all together", []analyze.ServerCount{{Source: "", Lines: 430, Minutes: 120}}},
	} {
		f := busy()
		f.most = c.most
		r := run1(t, f)
		if diff := cmp.Diff(c.want, r.Counts); diff != "" {
			t.Errorf("%d groups: counts (-want +got):\n%s", c.most, diff)
		}
		if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, c.note) }) {
			t.Errorf("%d groups: notes %q, want one with %q", c.most, r.Notes, c.note)
		}
		if len(r.Records) != len(want.Records) {
			t.Errorf("%d groups: %d records, want %d", c.most, len(r.Records), len(want.Records))
		}
	}
}

// TestStreamsLast wants counts by Source from a server that does not count
// those of each stream.
func TestStreamsLast(t *testing.T) {
	want, f := run1(t, busy()), busy()
	f.most = 4 // by stream there are six
	if diff := cmp.Diff(want.Counts, run1(t, f).Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if n := slices.IndexFunc(f.asked, func(q string) bool { return strings.HasPrefix(q, "near") }); n < 0 {
		t.Error("nothing was read")
	}
}

// TestRulesWords wants lines found that a rule makes failures, whatever level
// they state, and none counted twice.
func TestRulesWords(t *testing.T) {
	f := busy()
	s := stream("app", "shop")
	f.push(s, time.Hour, "info", "info: Shop.Web[1] cart adopted by 7")
	f.push(s, 2*time.Hour, "error", "fail: Shop.Web[1] cart adopted by 8")
	filter, err := analyze.Config{}.LineFilter()
	if err != nil {
		t.Fatal(err)
	}
	filter.Rules = []string{"adopted"}
	r, err := Run(t.Context(), f, Options{Window: dawn, Filter: filter, Streams: f.streams()})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, rec := range r.Records {
		if strings.Contains(string(rec.Text), "adopted") {
			found++
		}
	}
	i := slices.IndexFunc(r.Counts, func(c analyze.ServerCount) bool { return c.Source == "Shop.Web" })
	if found != 2 || i < 0 || r.Counts[i].Lines != 2 || len(r.Kept) != 2 {
		t.Errorf("%d records, counts %+v, filters %+v; want 2 lines of Shop.Web by two filters", found, r.Counts, r.Kept)
	}
}

// TestLevel wants the server's level used only where it can be.
func TestLevel(t *testing.T) {
	everyMinute := func(f *fake, level, line string) {
		s := stream("app", "worker")
		for k := range 24 * 60 {
			f.lines = append(f.lines, fakeLine{s, dawn.Start + int64(k)*int64(time.Minute) + 5, line, level})
		}
	}
	for _, c := range []struct {
		name, level, line string
		records           int
		label             string // of the first filter
	}{
		{"harmless", "info", `{"level":"info","msg":"0 errors"}`, 0, levelLabel},
		{"a failure that the server calls info", "info", "could not load user info: timeout", 24 * 60, ""},
		{"a level that no word tells", "error", "Payment was not taken", 24 * 60, levelLabel},
		{"many harmless ones", "info", `{"level":"info","msg":"0 errors"}`, 0, levelLabel},
		{"a failure among many", "info", "could not load user info: timeout", 24 * 60, ""},
		{"no level", "", "could not load user info: timeout", 24 * 60, levelLabel},
	} {
		f := &fake{}
		everyMinute(f, c.level, c.line)
		if strings.Contains(c.name, "many") {
			harmless := stream("app", "chatty")
			for _, w := range probeSlices(dawn) {
				for k := range int64(maxProbed + 1) {
					f.lines = append(f.lines, fakeLine{harmless, w.Start + k*1000, `level=info msg="0 errors"`, "info"})
				}
			}
		}
		r := run1(t, f)
		if len(r.Records) != c.records || r.Kept[0].Label != c.label {
			t.Errorf("%s: %d records, first filter by %q; want %d, %q", c.name, len(r.Records), r.Kept[0].Label, c.records, c.label)
		}
	}
}

// TestInterrupted wants what was read before, and what was not said.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := busy()
	f.within = func(read int) error {
		if read < 1 {
			return nil
		}
		cancel()
		return ctx.Err()
	}
	r, err := ask(t, ctx, f)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if len(r.Records) != 30 || !r.Stats.Partial || len(r.Stats.Problems) != 1 || !strings.Contains(r.Stats.Problems[0].Err.Error(), "200 records") {
		t.Errorf("%d records, statistics %+v; want the 30 of JSON, and 200 told", len(r.Records), r.Stats)
	}

	// With a sample read, the others are like it.
	ctx, cancel = context.WithCancel(t.Context())
	f = busy()
	f.within = func(read int) error {
		if read < 4 {
			return nil
		}
		cancel()
		return ctx.Err()
	}
	r, err = ask(t, ctx, f)
	if !errors.Is(err, context.Canceled) || len(r.Records) != 230 {
		t.Errorf("error %v, %d records; want 230", err, len(r.Records))
	}
}
