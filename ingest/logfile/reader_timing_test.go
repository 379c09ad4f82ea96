package logfile

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func BenchmarkReader(b *testing.B) {
	all := sample(20_000, 5)
	whole := strings.Join(all, "")
	for _, c := range []struct{ name, content string }{
		{"sorted", whole},
		{"backward", strings.Join(reversed(all), "")},
		{"gzip", gzipped(whole)},
		{"zstd", zstded(whole)},
	} {
		path := b.TempDir() + "/in"
		if err := writeFile(path, c.content); err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(whole)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				r, err := Open(context.Background(), []string{path}, Options{})
				if err != nil {
					b.Fatal(err)
				}
				var e ingest.Entry
				for {
					if err := r.Next(context.Background(), &e); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
					n++
				}
				r.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/entry")
		})
	}
}
