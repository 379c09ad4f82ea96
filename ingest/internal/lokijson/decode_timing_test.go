package lokijson

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// count takes everything and keeps nothing.
type count struct{ entries int }

func (c *count) Stream([]ingest.Label, bool) error               { return nil }
func (c *count) Entry(int64, []byte, bool, []ingest.Label) error { c.entries++; return nil }
func (c *count) Bad(int64, error) error                          { return nil }

func BenchmarkDecode(b *testing.B) {
	for _, kind := range []struct{ name, tail string }{
		{"two-elements", ""},
		{"categorized", `,{"structuredMetadata":{"detected_level":"unknown"}}`},
	} {
		var doc strings.Builder
		doc.WriteString(`{"status":"success","data":{"resultType":"streams","result":[`)
		for s := range 10 {
			if s > 0 {
				doc.WriteByte(',')
			}
			fmt.Fprintf(&doc, `{"stream":{"pod":"portal-%d"},"values":[`, s)
			for i := range 500 {
				if i > 0 {
					doc.WriteByte(',')
				}
				fmt.Fprintf(&doc, `["17898192%011d","      Execution attempt. Source: 'plugin-registry-bundles-standard//Standard-Retry', Operation Key: '', Result: '200', Handled: 'False', Attempt: '0', Execution Time: %dms \u003e 0"%s]`, i, i, kind.tail)
			}
			doc.WriteString("]}")
		}
		doc.WriteString(`]}}`)
		b.Run(kind.name, func(b *testing.B) {
			b.SetBytes(int64(doc.Len()))
			b.ReportAllocs()
			var d Decoder
			for b.Loop() {
				var c count
				if _, err := d.Decode(strings.NewReader(doc.String()), &c); err != nil || c.entries != 5000 {
					b.Fatal(c.entries, err)
				}
			}
		})
	}
}
