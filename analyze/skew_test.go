package analyze

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// skewCase is a drawn input of one or more pods and what is told of clocks.
type skewCase struct {
	name string
	// lines draws the i-th of n lines of a pod, given the true time.
	lines func(rng *rand.Rand, pod int, at time.Time) (entry time.Time, text string)
	pods  int
	want  string // kind and subject of each finding
	in    string // the first one's message
}

func zoned(at time.Time) string { return at.Format("2006-01-02T15:04:05.000Z07:00") }
func naked(at time.Time) string { return at.Format("2006-01-02 15:04:05.000") }
func whole(at time.Time) string { return at.Format("2006-01-02T15:04:05Z07:00") }
func jitter(rng *rand.Rand, most time.Duration) time.Duration {
	return time.Duration(rng.Int64N(int64(most)))
}

func TestOwnTimes(t *testing.T) {
	const text = " ERROR [main] com.example.Fetch - fetch failed"
	first := func(pod int, d time.Duration) time.Duration {
		if pod == 0 {
			return d
		}
		return 0
	}
	for _, c := range []skewCase{
		{"agree", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(jitter(rng, time.Second)), zoned(at) + text
		}, 3, "", ""},
		{"ahead", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(jitter(rng, 300*time.Millisecond)), zoned(at.Add(first(pod, 45*time.Second))) + text
		}, 3, "clock-skew p0", "ahead by 45"},
		{"behind", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(jitter(rng, 300*time.Millisecond)), zoned(at.Add(-first(pod, 45*time.Second))) + text
		}, 3, "clock-skew p0", "behind by 45"},
		{"ahead in JSON", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(jitter(rng, 300*time.Millisecond)), fmt.Sprintf(`{"time":%q,"level":"ERROR","msg":"fetch failed"}`, zoned(at.Add(first(pod, 7*time.Second))))
		}, 2, "clock-skew p0", "ahead by 7"},
		{"ahead and shipped in batches", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(jitter(rng, 20*time.Second)), zoned(at.Add(first(pod, 90*time.Second))) + text
		}, 2, "clock-skew p0", "ahead by at least"},
		{"shipped late in batches", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Truncate(time.Minute).Add(time.Minute), zoned(at) + text
		}, 2, "", ""},
		{"one stream shipped late in batches", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			if pod == 0 {
				at = at.Truncate(10 * time.Minute).Add(10*time.Minute - jitter(rng, 10*time.Minute))
				return at.Truncate(10 * time.Minute).Add(10 * time.Minute), zoned(at) + text
			}
			return at, zoned(at) + text
		}, 3, "", ""},
		{"all come late by one delay", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(30*time.Second + jitter(rng, time.Second)), zoned(at) + text
		}, 3, "", ""},
		{"rounded to seconds", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(jitter(rng, 900*time.Millisecond)), whole(at) + text
		}, 2, "", ""},
		{"no zone, read in UTC", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(jitter(rng, time.Second)), naked(at.Add(first(pod, 2*time.Hour))) + text
		}, 2, "time-zone p0", "UTC+02:00"},
		{"no zone, west and half an hour", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(jitter(rng, time.Second)), naked(at.Add(-first(pod, 3*time.Hour+30*time.Minute))) + text
		}, 2, "time-zone p0", "UTC-03:30"},
		{"zone named wrong", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(jitter(rng, time.Second)), zoned(at.Add(first(pod, 2*time.Hour))) + text
		}, 2, "clock-skew p0", "UTC+02:00"},
		{"no zone, and the clock is ahead", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(jitter(rng, time.Second)), naked(at.Add(first(pod, 7*time.Minute))) + text
		}, 2, "clock-skew p0", "ahead by"},
		{"access log told at the end of long requests", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at.Add(15 * time.Second), "[" + at.Format("2006-01-02T15:04:05.000Z") + `] "GET / HTTP/1.1" 504 UT 0 24 15000 - "-" "curl/8.5.0" "7e1f4b1a" "bundles.example.com" "10.0.0.1:80"`
		}, 2, "", ""},
		{"entries that have their time from the line", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			at = at.Truncate(time.Millisecond)
			return at.Add(-first(pod, 2*time.Hour)), naked(at) + text
		}, 2, "", ""},
		{"a time that is data", func(rng *rand.Rand, pod int, at time.Time) (time.Time, string) {
			return at, "2026-09-01 00:00:00" + text
		}, 2, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, uint64(len(c.name))))
			var entries []ingest.Entry
			for pod := range c.pods {
				stream := ingest.NewStream([]ingest.Label{{Name: "pod", Value: fmt.Sprintf("p%d", pod)}})
				at := time.Date(2026, 9, 19, 8, 0, 0, 0, time.UTC)
				for range 60 {
					at = at.Add(5*time.Second + jitter(rng, 20*time.Second))
					when, text := c.lines(rng, pod, at)
					entries = append(entries, ingest.Entry{UnixNano: when.UnixNano(), Stream: stream, Line: []byte(text)})
				}
			}
			checkSkew(t, entries, Config{}, c.want, c.in)
		})
	}
}

// checkSkew analyzes entries and compares what is told of clocks.
func checkSkew(t *testing.T, entries []ingest.Entry, config Config, want, in string) {
	t.Helper()
	a, err := New(Options{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	sortEntries(entries)
	asm := ingest.NewAssembler(ingest.AssemblerOptions{}, a.Add)
	for i := range entries {
		if err := asm.Add(&entries[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := asm.Flush(); err != nil {
		t.Fatal(err)
	}
	var got []string
	message := ""
	for _, f := range a.Finish(Read{}).Findings {
		if f.Kind == KindClockSkew || f.Kind == KindTimeZone {
			got = append(got, string(f.Kind)+" "+f.Subject)
			message += f.Message + "\n"
		}
	}
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %q, want %q: %s", s, want, message)
	} else if !strings.Contains(message, in) {
		t.Errorf("%q is not in %q", in, message)
	}
}

func sortEntries(entries []ingest.Entry) {
	slices.SortStableFunc(entries, func(x, y ingest.Entry) int {
		return cmp.Or(cmp.Compare(x.UnixNano, y.UnixNano), strings.Compare(x.Stream.Key, y.Stream.Key))
	})
}

// TestSharedRequests tells clocks apart by the requests that streams share.
func TestSharedRequests(t *testing.T) {
	type told struct {
		pod  string
		from time.Duration // since the request began
		to   time.Duration
	}
	for _, c := range []struct {
		name   string
		draw   func(rng *rand.Rand) []told
		config Config
		want   string
		in     string
	}{
		{"nested", func(rng *rand.Rand) []told {
			d := jitter(rng, 300*time.Millisecond)
			return []told{{"client", 0, d + 40*time.Millisecond}, {"server", 20 * time.Millisecond, d}}
		}, Config{}, "", ""},
		{"server ahead", func(rng *rand.Rand) []told {
			d := jitter(rng, 300*time.Millisecond)
			return []told{{"client", 0, d + 40*time.Millisecond}, {"server", 45*time.Second + 20*time.Millisecond, 45*time.Second + d}}
		}, Config{}, "clock-skew server", "differ: the former is ahead of the latter by 44.9"},
		{"one of three behind", func(rng *rand.Rand) []told {
			d := 100*time.Millisecond + jitter(rng, 300*time.Millisecond)
			return []told{{"client", 0, d + 40*time.Millisecond}, {"proxy", 10 * time.Millisecond, d + 30*time.Millisecond}, {"server", 20*time.Millisecond - 45*time.Second, d - 45*time.Second}}
		}, Config{}, "clock-skew server", "behind client, proxy by 45"},
		{"the server begins, the client gives up", func(rng *rand.Rand) []told {
			return []told{{"client", 100 * time.Second, 100 * time.Second}, {"server", 0, 0}}
		}, Config{}, "", ""},
		{"an attempt on each of two servers, under one client", func(rng *rand.Rand) []told {
			return []told{{"client", 0, 31 * time.Second}, {"first", 0, 100 * time.Millisecond}, {"second", 30 * time.Second, 30*time.Second + jitter(rng, 200*time.Millisecond)}}
		}, Config{}, "", ""},
		{"a queue", func(rng *rand.Rand) []told {
			wait := jitter(rng, time.Minute)
			return []told{{"producer", 0, 50 * time.Millisecond}, {"worker", wait, wait + time.Second}}
		}, Config{}, "", ""},
		{"a configured wait", func(rng *rand.Rand) []told {
			return []told{{"producer", 0, 50 * time.Millisecond}, {"worker", 30 * time.Second, 30*time.Second + jitter(rng, 200*time.Millisecond)}}
		}, Config{Schedules: []Schedule{{Name: "redelivery", Every: 30 * time.Second}}}, "", ""},
		{"a zone", func(rng *rand.Rand) []told {
			d := jitter(rng, 300*time.Millisecond)
			return []told{{"client", 0, d + 40*time.Millisecond}, {"server", 2*time.Hour + 20*time.Millisecond, 2*time.Hour + d}}
		}, Config{}, "clock-skew server", "zone's offset"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, uint64(len(c.name))))
			streams := map[string]*ingest.Stream{}
			var entries []ingest.Entry
			at := time.Date(2026, 9, 19, 8, 0, 0, 0, time.UTC)
			for i := range 40 {
				at = at.Add(time.Duration(rng.Int64N(int64(5 * time.Minute))))
				for _, p := range c.draw(rng) {
					s := streams[p.pod]
					if s == nil {
						s = ingest.NewStream([]ingest.Label{{Name: "pod", Value: p.pod}})
						streams[p.pod] = s
					}
					for n, d := range []time.Duration{p.from, p.to} {
						if n == 1 && p.to == p.from {
							break
						}
						entries = append(entries, ingest.Entry{UnixNano: at.Add(d).UnixNano(), Stream: s,
							Line: fmt.Appendf(nil, `{"level":"info","msg":"step %d","trace_id":"4bf92f3577b34da6a3ce%012x"}`, n, i)})
					}
				}
			}
			checkSkew(t, entries, c.config, c.want, c.in)
		})
	}
}

// TestSharedIDsAreBounded adds far more ids than are kept.
func TestSharedIDsAreBounded(t *testing.T) {
	s := newSharedIDs()
	facts := &streamFacts{}
	for i := range 10 * maxSharedIDs {
		s.see(facts, &ingest.Record{TraceID: fmt.Appendf(nil, "%032x", i)})
	}
	if len(s.ids) > maxSharedIDs || len(s.ids) < maxSharedIDs/4 {
		t.Errorf("%d ids are kept, of at most %d", len(s.ids), maxSharedIDs)
	}
}

// TestShippedTwice tells a second shipping from a program that repeats itself.
func TestShippedTwice(t *testing.T) {
	for _, c := range []struct {
		repeat StreamRepeat
		want   bool
	}{
		{StreamRepeat{Entries: 400, Repeated: 20, WholeTimes: 10, Times: 300, ResolutionNs: 1}, true},
		{StreamRepeat{Entries: 400, Repeated: 200, WholeTimes: 100, Times: 100, ResolutionNs: 1e9}, true},
		{StreamRepeat{Entries: 400, Repeated: 40, WholeTimes: 40, Times: 300, ResolutionNs: 1e6}, false},
		{StreamRepeat{Entries: 400, Repeated: 200, WholeTimes: 0, Times: 100, ResolutionNs: 1}, false},
		{StreamRepeat{Entries: 4, Repeated: 2, WholeTimes: 2, Times: 2, ResolutionNs: 1}, false},
	} {
		got := shippedTwice(Read{Repeats: []StreamRepeat{c.repeat}})
		if len(got) > 0 != c.want {
			t.Errorf("%+v: %d findings, want %v", c.repeat, len(got), c.want)
		}
		if got := shippedTwice(Read{Repeats: []StreamRepeat{c.repeat}, Deduplicated: true}); len(got) != 0 {
			t.Errorf("%+v: told although each was counted once", c.repeat)
		}
	}
}
