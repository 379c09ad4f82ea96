package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// TestUnseenTies makes logs in which all lines of a record share one time, and
// records of one pod, and of several, do so, too; from a file, where the
// order of arrival is known, and from a server, where it is not.
func TestUnseenTies(t *testing.T) {
	hot := [3]string{"mirror-standard", "", "Standard-AttemptTimeout"}
	warm := [3]string{"prices-standard", "", "Standard-AttemptTimeout"}
	third := [3]string{"Orleans.Membership", "(null)", "Timeout"}
	for _, c := range []struct {
		name   string
		format format
		tie    time.Duration
		every  time.Duration
		ticks  int
		third  bool
		crash  bool // an exception with frames in the same tie
		twice  bool // the same record twice in one tie: known from a file only
		masked string
	}{
		{name: "milliseconds", format: dotnetConsole, tie: time.Millisecond, every: 6 * time.Minute, ticks: 40, masked: "4c7856a2414c6b32"},
		{name: "seconds, three Sources", format: dotnetConsole, tie: time.Second, every: 15 * time.Minute, ticks: 24, third: true, masked: "4c7856a2414c6b32"},
		{name: "seconds, with exceptions", format: dotnetConsole, tie: time.Second, every: 5 * time.Minute, ticks: 30, crash: true, masked: "4c7856a2414c6b32"},
		{name: "the same record twice", format: dotnetConsole, tie: time.Millisecond, every: 5 * time.Minute, ticks: 30, twice: true, masked: "4c7856a2414c6b32"},
		{name: "single lines", format: dotnetSingle, tie: time.Millisecond, every: 4 * time.Minute, ticks: 30, third: true},
		{name: "logfmt", format: logfmt, tie: time.Second, every: 10 * time.Minute, ticks: 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(5, c.format)
			w.tie = c.tie
			end := dawn.Add(time.Duration(c.ticks) * c.every)
			noise(w, dawn, end, 300)
			name := func(p [3]string) string { return p[0] + "/" + p[1] + "/" + p[2] }
			for i := range c.ticks {
				at := dawn.Add(time.Duration(i)*c.every + 7*time.Second)
				for n, p := range w.pods[:3] {
					w.fault("hot", name(hot), p, at, onTimeout(hot[0], hot[1], hot[2]))
					if (i*7+n*5)%11 < 3 {
						w.fault("warm", name(warm), p, at, onTimeout(warm[0], warm[1], warm[2]))
					}
					if c.third && (i*5+n*3)%13 == 1 {
						w.fault("third", name(third), p, at, onTimeout(third[0], third[1], third[2]))
					}
					if c.crash && (i*3+n)%8 == 0 {
						crash(w, p, at)
					}
					if c.twice && n == 0 && i%10 == 4 {
						w.fault("warm", name(warm), p, at, onTimeout(warm[0], warm[1], warm[2]))
						w.fault("warm", name(warm), p, at, onTimeout(warm[0], warm[1], warm[2]))
					}
					// A harmless record in the same tie, before or behind.
					if (i+n)%4 == 0 {
						w.emit(p, at, rec{level: "info", category: "Shop.Layout", message: "Rendered area Dashboard in 11 ms"})
					}
				}
			}
			for range 9 {
				crash(w, w.pick(), w.uniform(dawn, end))
			}
			keys := []string{"hot", "warm"}
			if c.third {
				keys = append(keys, "third")
				w.incident("third").AlsoNs = []int64{int64(c.every)}
			}
			h := w.incident("hot")
			h.PeriodNs, h.Kinds, h.Stage = int64(c.every), []string{"fixed-rate", "cron"}, "no-response"
			w.incident("warm").AlsoNs = []int64{int64(c.every), 11 * int64(c.every), 2 * int64(c.every), 3 * int64(c.every), 4 * int64(c.every), 5 * int64(c.every), 10 * int64(c.every)}
			if i, ok := w.index["third"]; ok {
				w.want.Incidents[i].AlsoNs = []int64{int64(c.every), 13 * int64(c.every)}
			}
			w.incident("crash").AlsoNs = []int64{int64(c.every), 8 * int64(c.every)}
			if c.masked != "" {
				w.fold(c.masked, keys...)
			} else {
				w.foldAny(keys...)
			}
			w.expect("recurrence " + name(hot))
			w.allow("recurrence "+name(warm), "recurrence "+name(third), "blame", "stage-unrecoverable", "recurrence-matches-schedule", "recurrence Shop.Cart.Repository")
			w.check(t)
			if c.twice {
				return
			}

			server := lokitest.New(lokitest.Options{ServiceName: true, Shuffle: 3})
			_, logs := w.files(t)
			server.Push(pushedPlain(t, logs)...)
			args := []string{"analyze", "-o", "json", "--loki", server.Start(t), "--from", dawn.Format(time.RFC3339Nano), "--to", end.Format(time.RFC3339Nano), "--query", `{namespace=~".+"}`}
			for _, page := range []int{7, 5000} {
				an, _ := analyzed(t, append(slices.Clone(args), "--batch", fmt.Sprint(page))...)
				for _, fault := range w.want.faults(an) {
					t.Errorf("from a server in pages of %d: %s", page, fault)
				}
			}
		})
	}
}
