package redact

import "testing"

func BenchmarkAppend(b *testing.B) {
	for _, c := range []struct{ name, in string }{
		{"nothing", "Resilience event occurred. EventName: 'OnTimeout', Source: 'plugin-registry-bundles-standard//Standard-AttemptTimeout', Operation Key: '', Result: ''"},
		{"url", "GET https://acct.blob.example/c/b?sv=2022&se=2026-01-01&sp=r&sig=ab%2Bc%3D failed after 3 attempts with 503"},
		{"header", "request headers: Authorization: Bearer abc123def456ghi789, Accept: */*, User-Agent: acme/1.0"},
	} {
		b.Run(c.name, func(b *testing.B) {
			src := []byte(c.in)
			dst := make([]byte, 0, 512)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				dst = Append(dst[:0], src)
			}
		})
	}
}
