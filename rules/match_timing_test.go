package rules

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/vdm-logs/vdm-logs/fingerprint"
)

// BenchmarkIdentify measures what a record costs as rules become many: one
// that a rule matches and one that none does.
func BenchmarkIdentify(b *testing.B) {
	for _, text := range []struct{ name, log string }{
		{"match", "fail: Shop.Part7[1]\n      Lease 7 of 'orders' lost to shop-1"},
		{"none", "fail: Shop.Cart[1]\n      Order 17 of customer 4711 was not stored: the connection was closed"},
	} {
		records, err := RecordsOf(text.log, nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, n := range []int{10, 100, 1000} {
			set, err := LoadSources([]Source{{Name: "f.yaml", Data: manyRules(n)}})
			if err != nil {
				b.Fatal(err)
			}
			x := fingerprint.NewIdentifier(fingerprint.Options{Rules: set.Config.Rules})
			b.Run(fmt.Sprintf("%s/rules=%d", text.name, n), func(b *testing.B) {
				b.SetBytes(int64(len(text.log)))
				b.ReportAllocs()
				var d fingerprint.Identity
				for b.Loop() {
					x.Identify(records[0], &d)
				}
			})
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	src := []Source{{Name: "f.yaml", Data: manyRules(1000)}}
	b.SetBytes(int64(len(src[0].Data)))
	b.ReportAllocs()
	for b.Loop() {
		CheckSources(src, CheckOptions{})
	}
}

// BenchmarkCheckNoLiteral checks rules none of which has a text to look for
// first, so that the steps of each are counted.
func BenchmarkCheckNoLiteral(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("version: 1\nrules:\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "  - id: r%d\n    match: {regexp: '[a-f]+ %d: (?P<n>\\d+) \\w+/(?:\\w+ )*\\d+'}\n    identity: {event: '<n>'}\n", i, i%10)
	}
	src := []Source{{Name: "f.yaml", Data: text.Bytes()}}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		CheckSources(src, CheckOptions{})
	}
}
