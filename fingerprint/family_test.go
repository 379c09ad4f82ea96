package fingerprint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// window masks lines as a window of one Source.
func window(lines []string) [][]byte {
	var ts [][]byte
	for _, l := range lines {
		ts = append(ts, Mask(nil, []byte(l), 0))
	}
	return ts
}

func learn(ts [][]byte, limit int) *FamilySet {
	f := NewFamilies(limit)
	for _, t := range ts {
		f.Add(nil, t, 1)
	}
	return f.Learn()
}

func TestFamilies(t *testing.T) {
	cases := []struct {
		name   string
		groups [][]string // lines of one family each
	}{
		{"names with digits", [][]string{
			{"volume data1_tmp is full", "volume root3_local is full", "volume archive77 is full"},
			{"volume data1_tmp is gone"},
		}},
		{"words that are no names stay apart when few", [][]string{
			{"link is up"}, {"link is down"},
			{"queue of the worker is closed now"}, {"queue of the worker is open now"},
		}},
		{"many words in a long sentence are a variable", [][]string{
			{
				"the scheduler told alpha to run this job but the start is far", "the scheduler told beta to run this job but the start is far",
				"the scheduler told gamma to run this job but the start is far",
			},
		}},
		{"identifiers in a long sentence", [][]string{
			{"profile removed by owner com.acme.DriverOne now", "profile removed by owner com.acme.DriverTwo now"},
		}},
		{"short statements of many daemons stay apart", [][]string{
			{"cupsd startup succeeded"}, {"syslogd startup succeeded"}, {"crond startup succeeded"}, {"portmap startup succeeded"},
		}},
		{"keys of pairs are words", [][]string{
			{"totals calories=5", "totals calories=7"}, {"totals altitude=5"},
		}},
	}
	for _, c := range cases {
		var all []string
		for _, g := range c.groups {
			all = append(all, g...)
		}
		s := learn(window(all), 0)
		byFamily := map[string]int{}
		for i, g := range c.groups {
			first := s.Of(nil, Mask(nil, []byte(g[0]), 0))
			for _, l := range g {
				if got := s.Of(nil, Mask(nil, []byte(l), 0)); got.ID != first.ID {
					t.Errorf("%s: %q is in %q, want %q", c.name, l, got.Pattern, first.Pattern)
				}
			}
			if j, ok := byFamily[first.ID]; ok {
				t.Errorf("%s: %q joins %q in %q", c.name, g[0], c.groups[j][0], first.Pattern)
			}
			byFamily[first.ID] = i
		}
	}
}

// randomWindow makes a window in which some words vary.
func randomWindow(rng *rand.Rand, n int) []string {
	words := []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"}
	statements := []string{
		"the scheduler told %s to run this job but the start is far", "user %s closed the session of the day", "volume %s%d is full", "%s startup succeeded",
		"lost %d items of shard %s while the leader moved to another place", "cannot reach %s after %d s",
	}
	var lines []string
	for range n {
		s := statements[rng.IntN(len(statements))]
		w, d := words[rng.IntN(len(words))], rng.IntN(1000)
		switch s {
		case statements[2], statements[5]:
			lines = append(lines, fmt.Sprintf(s, w, d))
		case statements[4]:
			lines = append(lines, fmt.Sprintf(s, d, w))
		default:
			lines = append(lines, fmt.Sprintf(s, w))
		}
	}
	return lines
}

func TestFamiliesOrderAndShards(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, limit := range []int{0, 12} {
		ts := window(randomWindow(rng, 400))
		want := learn(ts, limit).All()
		if limit == 0 && len(want) > 20 || len(want) == 0 {
			t.Fatalf("%d families of 6 statements", len(want))
		}
		for round := range 10 {
			rng.Shuffle(len(ts), func(i, j int) { ts[i], ts[j] = ts[j], ts[i] })
			if diff := cmp.Diff(want, learn(ts, limit).All()); diff != "" {
				t.Fatalf("seed %d, limit %d, shuffle %d: families differ (-want +got)\n%s", seed, limit, round, diff)
			}
		}
		for _, n := range []int{2, 3, 10} {
			shards := make([]*Families, n)
			for i := range shards {
				shards[i] = NewFamilies(limit)
			}
			for i, x := range ts {
				shards[i%n].Add(nil, x, 1)
			}
			for _, s := range shards[1:] {
				shards[0].Merge(s)
			}
			if diff := cmp.Diff(want, shards[0].Learn().All()); diff != "" {
				t.Errorf("seed %d, limit %d: %d shards differ from the whole (-want +got)\n%s", seed, limit, n, diff)
			}
		}
	}
}

func TestFamiliesAreBounded(t *testing.T) {
	f := NewFamilies(100)
	word := func(i int) string {
		return string([]byte{'a' + byte(i%26), 'a' + byte(i/26%26), 'a' + byte(i/676%26)})
	}
	var ts [][]byte
	for i := range 5000 {
		ts = append(ts, []byte(word(i)+" "+word(i*7)+" "+word(i*13)))
	}
	for _, x := range ts {
		f.Add(nil, x, 1)
	}
	if len(f.keys) > 200 || len(f.seen) > 400 {
		t.Errorf("%d keys and %d templates held, limit 100", len(f.keys), len(f.seen))
	}
	s := f.Learn()
	if !s.Dropped || len(s.All()) > 100 {
		t.Errorf("Dropped = %v, %d families, want at most 100", s.Dropped, len(s.All()))
	}
	for _, x := range ts {
		if s.Of(nil, x).ID == "" {
			t.Fatalf("no family for %q", x)
		}
	}
}

func TestFamiliesKeepSourcesApart(t *testing.T) {
	f := NewFamilies(0)
	f.Add([]byte("a"), []byte("disk <num> is full"), 2)
	f.Add([]byte("b"), []byte("disk <num> is full"), 3)
	s := f.Learn()
	if a, b := s.Of([]byte("a"), []byte("disk <num> is full")), s.Of([]byte("b"), []byte("disk <num> is full")); a.ID == b.ID || a.Records != 2 || b.Records != 3 {
		t.Errorf("families %+v and %+v, want two", a, b)
	}
}

func TestFamilyOfWhatWasNotSeen(t *testing.T) {
	s := learn(window([]string{
		"the scheduler told alpha to run this job but the start is far", "the scheduler told beta to run this job but the start is far",
		"the scheduler told gamma to run this job but the start is far",
	}), 0)
	seen := s.Of(nil, []byte("the scheduler told alpha to run this job but the start is far"))
	if got := s.Of(nil, []byte("the scheduler told omega to run this job but the start is far")); got.ID != seen.ID {
		t.Errorf("a new value is in %q, want %q", got.Pattern, seen.Pattern)
	}
	if got := s.Of(nil, []byte("something else")); got.ID == seen.ID || got.ID == "" {
		t.Errorf("another statement is in %q", got.Pattern)
	}
}

func TestFamilyKey(t *testing.T) {
	cases := []struct{ in, want string }{
		{"block rdd_<num> stored", "block <*> stored"},
		{"key=<*> at x<num>:<host>", "key=<*> at <*>:<*>"},
		{"<num> <num>", "<num> <num>"},
		{"a<b and c>d", "a<b and c>d"},
	}
	for _, c := range cases {
		if got := string(AppendFamilyKey(nil, []byte(c.in))); got != c.want {
			t.Errorf("AppendFamilyKey(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzFamilies(f *testing.F) {
	f.Add("the <num> x\nthe y x\na b c d e f g\na b c d e f h\na b c d e f i")
	f.Fuzz(func(t *testing.T, text string) {
		var ts [][]byte
		for _, l := range slices.Compact([]string{text, text + " x", text + " <num>"}) {
			ts = append(ts, []byte(l))
		}
		a := learn(ts, 0).All()
		slices.Reverse(ts)
		if diff := cmp.Diff(a, learn(ts, 0).All()); diff != "" {
			t.Errorf("order matters (-want +got)\n%s", diff)
		}
	})
}
