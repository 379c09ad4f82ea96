package ingest

import (
	"fmt"
	"testing"
)

// mixedConsole are lines of a busy service on the .NET console, two entries a
// record and now and then a stack trace.
func mixedConsole(n int) (entries []Entry, size int64) {
	var streams []*Stream
	for i := range 20 {
		streams = append(streams, testStream(fmt.Sprintf("portal-%d", i)))
	}
	records := [][]string{
		{"info: Polly[3]", "      Execution attempt. Source: 'plugin-registry-bundles-standard//Standard-Retry', Operation Key: '', Result: '200', Handled: 'False', Attempt: '0', Execution Time: 126.536ms"},
		{"info: Portal.Configuration[3]", "      HttpClient timeout set to 00:02:00, session timeout 20 minutes"},
		{"warn: Microsoft.EntityFrameworkCore.Query[20504]", "      Compiling a query which loads related collections; took 243 ms for tenant f253c088-6e81-48c6-a2d7-472c48ce4304"},
		{"info: System.Net.Http.HttpClient.plugin-registry-bundles.LogicalHandler[101]", "      End processing HTTP request after 41.4956ms - 200"},
		{"dbug: Orleans.Runtime.Catalog[100507]", "      Deactivated 29b59be1-4fdb-4011-a82d-04fa3b1066de after idle timeout 00:15:00"},
		{"fail: Portal.Data.NodeSource[0]", "      Update failed for node tenant2/Foo/97787", "      System.InvalidOperationException: Sequence contains no elements",
			"         at System.Linq.ThrowHelper.ThrowNoElementsException()", "         at Portal.Data.NodeSource.Apply(Node node) in /src/Portal.Data/NodeSource.cs:line 80"},
	}
	for i := 0; len(entries) < n; i++ {
		for j, l := range records[i%len(records)] {
			entries = append(entries, Entry{UnixNano: int64(i)*1_000_000 + int64(j)*1000, Stream: streams[i%len(streams)], Line: []byte(l), Arrival: uint64(len(entries)), Ordered: true})
			size += int64(len(l))
		}
	}
	return entries, size
}

func benchmarkAssembler(b *testing.B, change func(*Entry)) {
	entries, size := mixedConsole(10000)
	records := 0
	var e Entry
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		a := NewAssembler(AssemblerOptions{}, func(*Record) error { records++; return nil })
		for i := range entries {
			e = entries[i]
			change(&e)
			if err := a.Add(&e); err != nil {
				b.Fatal(err)
			}
		}
		if err := a.Flush(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(entries)), "ns/entry")
}

func BenchmarkAssembleConsole(b *testing.B) { benchmarkAssembler(b, func(*Entry) {}) }

func BenchmarkAssembleConsoleUnordered(b *testing.B) {
	benchmarkAssembler(b, func(e *Entry) { e.Ordered = false })
}

func BenchmarkAssembleConsoleTied(b *testing.B) {
	benchmarkAssembler(b, func(e *Entry) { e.Ordered = false; e.UnixNano -= e.UnixNano % 1_000_000 })
}

func BenchmarkAssembleLine(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"dotnet-json", `{"EventId":0,"LogLevel":"Error","Category":"Polly","Message":"Resilience event occurred. EventName: \u0027OnTimeout\u0027, Source: \u0027a//b\u0027","State":{"Message":"x","EventName":"OnTimeout","PipelineName":"a","PipelineInstance":"","StrategyName":"b","{OriginalFormat}":"Resilience event occurred. EventName: \u0027{EventName}\u0027"}}`},
		{"slog-json", `{"time":"2026-09-19T08:10:16.123456789Z","level":"INFO","msg":"request done","method":"GET","path":"/index.json","status":200,"took":41495600}`},
		{"logfmt", `time=2026-09-19T08:10:16.123Z level=info msg="request done" method=GET path=/index.json status=200 took=41.4956ms`},
		{"logback", `2026-09-19 08:10:16,123 INFO  [http-nio-8080-exec-1] com.example.web.Requests - request done GET /index.json 200 in 41 ms`},
		{"klog", `I0919 08:10:16.123456    1717 kuberuntime_image.go:51] Pulling image "registry.example/echo:1.4"`},
		{"plain", `Now listening on all interfaces at port 8080`},
	} {
		b.Run(c.name, func(b *testing.B) {
			a := NewAssembler(AssemblerOptions{}, func(*Record) error { return nil })
			e := Entry{Stream: testStream("p"), Line: []byte(c.line), Ordered: true}
			b.SetBytes(int64(len(c.line)))
			b.ReportAllocs()
			for b.Loop() {
				e.UnixNano += 1000
				if err := a.Add(&e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
