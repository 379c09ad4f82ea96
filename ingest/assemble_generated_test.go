package ingest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// madeRecord is a record of the .NET console as a program would write it.
type madeRecord struct {
	lines []string
	want  string
}

// makeRecord writes a record and what must be read of it.
func makeRecord(rnd *rand.Rand, n int) madeRecord {
	levels := []string{"trce", "dbug", "info", "warn", "fail", "crit"}
	names := []string{"trace", "debug", "info", "warn", "error", "fatal"}
	level := rnd.IntN(len(levels))
	category := []string{"Portal.Web", "Polly.Like", "A.B.C", "System.Net.Http.HttpClient.bundles.LogicalHandler"}[rnd.IntN(4)]
	id := rnd.IntN(1000)
	m := madeRecord{lines: []string{fmt.Sprintf("%s: %s[%d]", levels[level], category, id)}}
	var message []string
	for i := range 1 + rnd.IntN(3) {
		message = append(message, fmt.Sprintf("message %d of record %d, no error", i, n))
	}
	var chain, frames []string
	for i := range rnd.IntN(3) {
		typ := fmt.Sprintf("Acme.Part%d.BrokenException", i)
		chain = append(chain, typ)
		text := fmt.Sprintf("%s: it broke %d", typ, n)
		if i > 0 {
			text = " ---> " + text
		}
		m.lines = append(m.lines, "      "+text)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		for f := range 1 + rnd.IntN(3) {
			frame := fmt.Sprintf("Acme.Part%d.Step%d(String s) in /src/a.cs:line %d", i, f, n)
			frames = append(frames, frame)
			m.lines = append(m.lines, "         at "+frame)
		}
		if i > 0 {
			m.lines = append(m.lines, "         --- End of inner exception stack trace ---")
		}
	}
	var body []string
	for _, l := range message {
		body = append(body, "      "+l)
	}
	m.lines = slices.Insert(m.lines, 1, body...)
	m.want = fmt.Sprintf("%s %s[%d] %s | %s | %s", names[level], category, id, strings.Join(message, "/"), strings.Join(chain, ","), strings.Join(frames, ","))
	return m
}

// Whatever programs write, on however many streams at once, comes back whole
// and in the order of each stream.
func TestGeneratedConsole(t *testing.T) {
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		var (
			entries []Entry
			want    = map[string][]string{}
			got     = map[string][]string{}
			streams []*Stream
			clock   []int64
		)
		for i := range 1 + rnd.IntN(5) {
			streams = append(streams, testStream(fmt.Sprint("pod-", i)))
			clock = append(clock, int64(rnd.IntN(1000)))
		}
		coarse := int64(1)
		if seed%3 == 0 {
			coarse = 1000 // clocks of whole microseconds: many ties
		}
		for n := range 60 {
			s := rnd.IntN(len(streams))
			m := makeRecord(rnd, n)
			pod := streams[s].Pod
			want[pod] = append(want[pod], m.want)
			clock[s] += 1 + int64(rnd.IntN(1_000_000))
			for _, l := range m.lines {
				clock[s] += int64(rnd.IntN(300))
				entries = append(entries, Entry{UnixNano: clock[s] / coarse * coarse, Stream: streams[s], Line: []byte(l), Arrival: uint64(len(entries)), Ordered: true})
			}
		}
		slices.SortStableFunc(entries, func(a, b Entry) int { return int(a.UnixNano - b.UnixNano) })
		tied := false
		for _, r := range assemble(t, AssemblerOptions{}, entries) {
			var chain, frames []string
			for _, x := range r.Exceptions {
				chain = append(chain, string(x.Type))
			}
			// Outermost first in the record, innermost first in the text.
			for i := len(r.Exceptions) - 1; i >= 0 && !r.TiedFrames; i-- {
				for _, f := range r.Frames[r.Exceptions[i].First:r.Exceptions[i].End] {
					frames = append(frames, string(f))
				}
			}
			if r.TiedFrames {
				tied = true
				for _, f := range r.Frames {
					frames = append(frames, string(f))
				}
			}
			got[r.Stream.Pod] = append(got[r.Stream.Pod], fmt.Sprintf("%v %s[%s] %s | %s | %s", r.Level, r.Category, r.EventID,
				strings.ReplaceAll(string(r.Message), "\n", "/"), strings.Join(chain, ","), strings.Join(frames, ",")))
		}
		if coarse > 1 && !tied {
			t.Errorf("seed %d: no tied frames; the case proves nothing", seed)
		}
		if coarse > 1 {
			sortParts(want)
			sortParts(got)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("seed %d (-written +read):\n%s", seed, d)
		}
	}
}

// sortParts sorts the frames, whose order ties take away.
func sortParts(records map[string][]string) {
	for _, list := range records {
		for i, r := range list {
			head, frames, _ := strings.Cut(r, ") in ")
			cut := strings.LastIndex(head, "| ")
			parts := strings.Split(head[cut+2:]+") in "+frames, ",")
			slices.Sort(parts)
			list[i] = head[:cut+2] + strings.Join(parts, ",")
		}
	}
}
