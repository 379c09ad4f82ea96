package report

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// BenchmarkText writes 5,000 incidents for a terminal; it counts the bytes
// that are written.
func BenchmarkText(b *testing.B) {
	an := generate(rand.New(rand.NewPCG(3, 3)), 5000, false)
	s := Screen{Width: 80, Color: true}
	var once bytes.Buffer
	if err := Text(&once, an, s); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(once.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if err := Text(io.Discard, an, s); err != nil {
			b.Fatal(err)
		}
	}
}
