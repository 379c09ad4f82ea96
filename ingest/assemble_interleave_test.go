package ingest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInterleavedWriters: two writers' lines, a few microseconds apart.
func TestInterleavedWriters(t *testing.T) {
	const (
		polly  = "fail: Polly[0]"
		event  = "      Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''"
		client = "warn: Depot.Client[0]"
		gaveUp = "      Parts index did not begin"
	)
	type line struct {
		us   int64
		text string
	}
	for _, c := range []struct {
		name  string
		lines []line
		want  []string
	}{
		{"one behind the other", []line{{0, polly}, {30, event}, {60, client}, {90, gaveUp}}, []string{polly + "|" + event, client + "|" + gaveUp}},
		{"headers first", []line{{0, polly}, {20, client}, {31, event}, {70, gaveUp}}, []string{polly + "|" + event, client + "|" + gaveUp}},
		{"headers first, messages crossed", []line{{0, client}, {20, polly}, {31, event}, {70, gaveUp}}, []string{client + "|" + gaveUp, polly + "|" + event}},
		{"headers first, messages crossed, then more", []line{{0, polly}, {20, client}, {31, gaveUp}, {70, event}, {90, "info: A[0]"}, {99, "      x"}},
			[]string{polly + "|" + event, client + "|" + gaveUp, "info: A[0]|      x"}},
		{"a header whose message is missing", []line{{0, polly}, {20, client}, {31, gaveUp}, {9000, "info: A[0]"}, {9010, "      x"}},
			[]string{polly, client + "|" + gaveUp, "info: A[0]|      x"}},
		{"far apart", []line{{0, polly}, {900, client}, {931, gaveUp}, {2000, event}}, []string{polly, client + "|" + gaveUp, event}},
	} {
		for _, ordered := range []bool{true, false} {
			var got []string
			s := NewStream([]Label{{Name: "pod", Value: "p"}})
			a := NewAssembler(AssemblerOptions{}, func(r *Record) error {
				got = append(got, strings.ReplaceAll(string(r.Text), "\n", "|"))
				return nil
			})
			for i, l := range c.lines {
				if err := a.Add(&Entry{UnixNano: l.us * 1000, Stream: s, Line: []byte(l.text), Arrival: uint64(i), Ordered: ordered}); err != nil {
					t.Fatal(err)
				}
			}
			if err := a.Flush(); err != nil {
				t.Fatal(err)
			}
			if !ordered {
				slices.Sort(got)
				slices.Sort(c.want)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s, ordered %v: %s", c.name, ordered, d)
			}
		}
	}
}
