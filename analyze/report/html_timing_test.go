package report

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkHTML writes pages of few and of many incidents; beyond some
// hundreds the page does not grow.
func BenchmarkHTML(b *testing.B) {
	for _, n := range []int{5, 500, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			an := newPageMaker(1, false).analysis(n)
			var page bytes.Buffer
			if err := HTML(&page, an, HTMLOptions{}); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(page.Len()))
			b.ReportAllocs()
			for b.Loop() {
				page.Reset()
				if err := HTML(&page, an, HTMLOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
