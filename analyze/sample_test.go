package analyze

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func TestSamplerKeepsFirstLastAndAnEvenSpread(t *testing.T) {
	stream := ingest.NewStream([]ingest.Label{{Name: "pod", Value: "p"}})
	for n := 1; n <= 500; n++ {
		s := newSampler(10, 1000)
		for i := range n {
			s.add(&ingest.Record{UnixNano: int64(i) * 1e9, Stream: stream, Text: []byte(fmt.Sprint(i))})
		}
		got := s.samples()
		if len(got) != min(n, 10) {
			t.Fatalf("of %d records %d samples, want %d", n, len(got), min(n, 10))
		}
		if got[0].Line != "0" || got[len(got)-1].Line != fmt.Sprint(n-1) {
			t.Fatalf("of %d records the first sample is %q and the last %q", n, got[0].Line, got[len(got)-1].Line)
		}
		for i := 1; i < len(got); i++ {
			gap := got[i].Time.Sub(got[i-1].Time.Time)
			if gap <= 0 || gap > max(1, time.Duration(n)*3/10)*time.Second {
				t.Fatalf("of %d records samples %d and %d are %s apart", n, i-1, i, gap)
			}
		}
	}
}

// TestSamplesDoNotDependOnOrder shuffles records, many of them at one time.
func TestSamplesDoNotDependOnOrder(t *testing.T) {
	streams := []*ingest.Stream{
		ingest.NewStream([]ingest.Label{{Name: "pod", Value: "a"}}),
		ingest.NewStream([]ingest.Label{{Name: "pod", Value: "b"}}),
	}
	const seed = 5
	rng := rand.New(rand.NewPCG(seed, 0))
	var records []*ingest.Record
	for range 400 {
		records = append(records, &ingest.Record{
			UnixNano: int64(rng.IntN(60)) * 1e9, Stream: streams[rng.IntN(2)], Text: []byte(fmt.Sprint(rng.IntN(1000))),
		})
	}
	var want []Sample
	for round := range 30 {
		s := newSampler(10, 1000)
		for _, r := range records {
			s.add(r)
		}
		if got := s.samples(); round == 0 {
			want = got
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, round %d: samples differ (-first +now):\n%s", seed, round, diff)
		}
		rng.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	}
}

func TestSampleIsCutOnACharacter(t *testing.T) {
	stream := ingest.NewStream(nil)
	for n := 20; n < 60; n++ {
		s := newSampler(2, n)
		s.add(&ingest.Record{Stream: stream, Text: []byte(strings.Repeat("é€𝄞", 40))})
		line := s.samples()[0].Line
		if !utf8.ValidString(line) || !strings.HasSuffix(line, "(cut)") {
			t.Errorf("cut at %d: %q", n, line)
		}
	}
}

// TestSampleRedactsAcrossTheCut makes sure that a secret which the cut would
// split is gone as a whole.
func TestSampleRedactsAcrossTheCut(t *testing.T) {
	const secret = "hunter2hunter2hunter2"
	text := "Authorization: Bearer " + secret + " and then some more text that goes on"
	for n := 10; n < len(text); n++ {
		s := newSampler(2, n)
		s.add(&ingest.Record{Stream: ingest.NewStream(nil), Text: []byte(text)})
		if line := s.samples()[0].Line; strings.Contains(line, secret[:4]) {
			t.Errorf("cut at %d: %q", n, line)
		}
	}
}
