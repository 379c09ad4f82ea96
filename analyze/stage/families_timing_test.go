package stage

import (
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// familyLines are red lines as several families of clients print them, and a
// long one.
var familyLines = map[string]string{
	"requests": `requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='api.example.com', port=443): Read timed out. (read timeout=10)`,
	"java":     "java.net.SocketTimeoutException: Read timed out\n\tat java.base/sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:288)\n\tat java.base/java.net.Socket$SocketInputStream.read(Socket.java:966)\n\tat java.base/sun.net.www.http.HttpClient.parseHTTPHeader(HttpClient.java:800)",
	"undici":   "TypeError: fetch failed\n    at node:internal/deps/undici/undici:14976:13 {\n  [cause]: HeadersTimeoutError: Headers Timeout Error\n      at Timeout.onParserTimeout [as callback] (node:internal/deps/undici/undici:7000:32) {\n    code: 'UND_ERR_HEADERS_TIMEOUT'",
	"nginx":    `2026/11/29 23:09:04 [error] 9#9: *21 upstream timed out (110: Operation timed out) while connecting to upstream, client: 198.51.100.7, server: a, request: "GET / HTTP/1.1", upstream: "http://192.0.2.10:8080/"`,
	"envoy":    `[2026-02-11T08:00:09.540Z] "GET /bundles/index.json HTTP/1.1" 504 UT upstream_per_try_timeout - "-" 0 24 2003 - "-" "curl/8.5.0" "7e1f4b1a-0f0e-4c7b-9a53-0d4a5f1f0a11" "bundles.example.com" "192.0.2.21:8080" outbound|8080||b 192.0.2.20:41822`,
	"dotnet":   "System.Threading.Tasks.TaskCanceledException: The request was canceled due to the configured HttpClient.Timeout of 100 seconds elapsing.\n ---> System.TimeoutException: A task was canceled.\n   at System.Net.Http.HttpConnectionPool.SendWithVersionDetectionAndRetryAsync(HttpRequestMessage request, Boolean async, CancellationToken cancellationToken)",
	"reqwest":  `error sending request for url (https://svc.example.com/): operation timed out`,
	"long":     `2026-11-29 ERROR portal: fetch failed for tenant 63a849e9-43cf-48b3-ad2e-565e51b4a7ac ` + strings.Repeat("alpha beta gamma delta ", 40) + `: connection to api.example.com:443 timed out after 5000 ms`,
}

// BenchmarkFamilies measures what one attributed record costs.
func BenchmarkFamilies(b *testing.B) {
	for _, name := range []string{"requests", "java", "undici", "nginx", "envoy", "dotnet", "reqwest", "long"} {
		line := familyLines[name]
		b.Run(name, func(b *testing.B) {
			c, err := New(Options{})
			if err != nil {
				b.Fatal(err)
			}
			r := &ingest.Record{Text: []byte(line), Message: []byte(line), Format: ingest.FormatPlain}
			var a Attribution
			if !c.Classify(r, &a) {
				b.Fatal("nothing attributed")
			}
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				c.Classify(r, &a)
			}
		})
	}
}

// BenchmarkTokens measures what cutting a record into words costs of that.
func BenchmarkTokens(b *testing.B) {
	for _, name := range []string{"requests", "java", "undici", "nginx", "dotnet", "long"} {
		b.Run(name, func(b *testing.B) {
			c, err := New(Options{})
			if err != nil {
				b.Fatal(err)
			}
			c.view.text = []byte(familyLines[name])
			b.SetBytes(int64(len(c.view.text)))
			b.ReportAllocs()
			for b.Loop() {
				c.view.tokenize(c.words)
			}
		})
	}
}
