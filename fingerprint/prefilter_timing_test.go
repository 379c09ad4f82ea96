package fingerprint

import (
	"fmt"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func BenchmarkRules(b *testing.B) {
	lines, size := timingInput()
	lines = append(lines, []byte("service-0007 could not open the door"))
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := NewIdentifier(Options{Rules: numberedRules(b, n)})
			var d Identity
			b.SetBytes(size)
			b.ReportAllocs()
			start := cpuTime(b)
			for b.Loop() {
				for _, l := range lines {
					r := ingest.Record{Message: l, Text: l}
					x.Identify(&r, &d)
				}
			}
			b.ReportMetric(float64(len(lines)*b.N)/(cpuTime(b)-start).Seconds(), "lines/cpu-s")
		})
	}
}
