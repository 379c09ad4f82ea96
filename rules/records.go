package rules

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// logStart is the time of a test's first record where the test does not say.
var logStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// records assembles the records of a log: its lines as entries of one stream,
// a microsecond apart, repeated as the test says.
func (t *Test) records() ([]*ingest.Record, error) {
	var out []*ingest.Record
	a := ingest.NewAssembler(ingest.AssemblerOptions{}, func(r *ingest.Record) error {
		out = append(out, r.Clone())
		return nil
	})
	start := t.Start
	if start.IsZero() {
		start = logStart
	}
	stream := ingest.NewStream(append([]ingest.Label(nil), t.Labels...))
	lines := strings.Split(strings.TrimRight(t.Log, "\n"), "\n")
	random := rand.New(rand.NewPCG(t.Seed, 0))
	arrival, last := uint64(0), int64(0)
	for i := range max(t.Count, 1) {
		at := start.Add(time.Duration(i) * t.Every).UnixNano()
		if t.Jitter > 0 {
			at += int64(random.NormFloat64() * float64(t.Jitter))
		}
		at = max(at, last)
		for j, line := range lines {
			last = at + int64(j)*int64(time.Microsecond)
			arrival++
			e := ingest.Entry{UnixNano: last, Stream: stream, Line: []byte(line), Arrival: arrival, Ordered: true}
			if err := a.Add(&e); err != nil {
				return nil, err
			}
		}
	}
	return out, a.Flush()
}
