package ingest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// entriesOf makes ordered entries of one stream, step apart.
func entriesOf(st *Stream, start int64, step time.Duration, lines ...string) []Entry {
	out := make([]Entry, len(lines))
	for i, l := range lines {
		out[i] = Entry{UnixNano: start + int64(i)*int64(step), Stream: st, Line: []byte(l), Arrival: uint64(i), Ordered: true}
	}
	return out
}

// assemble returns clones of the records that entries make.
func assemble(t testing.TB, o AssemblerOptions, entries []Entry) []*Record {
	t.Helper()
	var out []*Record
	a := NewAssembler(o, func(r *Record) error {
		out = append(out, r.Clone())
		return nil
	})
	sum := 0
	for i := range entries {
		// The line belongs to the reader: what is handed over is overwritten.
		e := entries[i]
		e.Line = bytes.Clone(e.Line)
		if err := a.Add(&e); err != nil {
			t.Fatal(err)
		}
		for j := range e.Line {
			e.Line[j] = '#'
		}
	}
	if err := a.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, r := range out {
		sum += r.Entries
	}
	if sum != len(entries) {
		t.Fatalf("records account for %d entries of %d", sum, len(entries))
	}
	return out
}

func testStream(pod string) *Stream {
	return NewStream([]Label{{"app", "portal"}, {"pod", pod}})
}

// brief is what the tables compare of a record.
type brief struct {
	Format     string
	Level      string
	Category   string
	Event      string
	Message    string
	Template   string
	Exceptions []string // "type|message|frame;frame"
	Trace      string
	Span       string
	Request    string
	Entries    int
	Headless   bool
}

func briefOf(r *Record) brief {
	b := brief{
		Format: r.Format.String(), Level: r.Level.String(), Category: string(r.Category), Event: string(r.EventID),
		Message: string(r.Message), Template: string(r.Template), Trace: string(r.TraceID), Span: string(r.SpanID),
		Request: string(r.RequestID), Entries: r.Entries, Headless: r.Headless,
	}
	for _, x := range r.Exceptions {
		b.Exceptions = append(b.Exceptions, string(x.Type)+"|"+string(x.Message)+"|"+string(bytes.Join(r.Frames[x.First:x.End], []byte(";"))))
	}
	return b
}

// block splits a text of lines, given for reading in a test.
func block(s string) []string {
	return strings.Split(strings.Trim(s, "\n"), "\n")
}

func TestRecordsOfInterleavedStreams(t *testing.T) {
	lines := [][]string{
		block(`
fail: Portal.Data.NodeSource[7]
      Update failed for node tenant37/Foo/89542
      System.InvalidOperationException: Sequence contains no elements
         at System.Linq.ThrowHelper.ThrowNoElementsException()
         at Portal.Data.NodeSource.Apply(Node node) in /src/NodeSource.cs:line 82
info: Portal.Layout[0]
      Rendered area Dashboard/1 in 10 ms`),
		block(`
warn: Polly[0]
      Resilience event occurred. EventName: 'OnRetry', Source: 'a-standard//Standard-Retry', Operation Key: '', Result: ''
{"time":"2026-01-01T00:00:00Z","level":"ERROR","msg":"broken"}
2026-01-01 00:00:00,123 INFO [main] com.example.Main - started`),
		block(`
dbug: One[1]
      first
      second
dbug: Two[2]
      third`),
	}
	var streams []*Stream
	var alone [][]brief
	var each [][]Entry
	for i, l := range lines {
		st := testStream(string(rune('a' + i)))
		streams = append(streams, st)
		es := entriesOf(st, int64(i), 7*time.Microsecond, l...)
		each = append(each, es)
		var bs []brief
		for _, r := range assemble(t, AssemblerOptions{}, es) {
			bs = append(bs, briefOf(r))
		}
		alone = append(alone, bs)
	}
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var mixed []Entry
		next := make([]int, len(each))
		for len(mixed) < 7+4+5 {
			i := rnd.IntN(len(each))
			if next[i] < len(each[i]) {
				mixed = append(mixed, each[i][next[i]])
				next[i]++
			}
		}
		got := make([][]brief, len(each))
		for _, r := range assemble(t, AssemblerOptions{}, mixed) {
			i := slices.Index(streams, r.Stream)
			got[i] = append(got[i], briefOf(r))
		}
		if d := cmp.Diff(alone, got); d != "" {
			t.Fatalf("seed %d: interleaving changed the records (-alone +mixed):\n%s", seed, d)
		}
	}
}

func TestDotnetConsole(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  []brief
	}{
		{"scopes before the message", block(`
info: Microsoft.AspNetCore.Hosting.Diagnostics[1]
      => SpanId:00f067aa0ba902b7, TraceId:4bf92f3577b34da6a3ce929d0e0e4736, ParentId:0000000000000000 => ConnectionId:0HN1 => RequestPath:/x RequestId:0HN1:00000002
      Request starting HTTP/1.1 GET http://a/x`),
			[]brief{{Format: "dotnet-console", Level: "info", Category: "Microsoft.AspNetCore.Hosting.Diagnostics", Event: "1", Message: "Request starting HTTP/1.1 GET http://a/x",
				Trace: "4bf92f3577b34da6a3ce929d0e0e4736", Span: "00f067aa0ba902b7", Request: "0HN1:00000002", Entries: 3}}},
		{"colours", []string{"\x1b[41m\x1b[30mfail\x1b[39m\x1b[22m\x1b[49m: Polly[0]", "      Something\x1b[0m failed"},
			[]brief{{Format: "dotnet-console", Level: "error", Category: "Polly", Event: "0", Message: "Something failed", Entries: 2}}},
		{"single line", block(`
2026-09-19T08:10:16.123Z crit: Portal.Host[-1] the host   stopped
trce: A.B[0]
      x`),
			[]brief{
				{Format: "dotnet-console", Level: "fatal", Category: "Portal.Host", Event: "-1", Message: "the host   stopped", Entries: 1},
				{Format: "dotnet-console", Level: "trace", Category: "A.B", Event: "0", Message: "x", Entries: 2}}},
		{"several lines and an inner exception", block(`
warn: Polly[3]
      Execution attempt. Source: 'c-standard//Standard-Retry', Operation Key: '', Result: 'x', Handled: 'True', Attempt: '0', Execution Time: 10012.4471ms
      second line
      Polly.Timeout.TimeoutRejectedException: The operation didn't complete within the allowed timeout of '00:00:10'.
       ---> System.Threading.Tasks.TaskCanceledException: The operation was canceled.
       ---> System.Net.Sockets.SocketException (125): Operation canceled
         --- End of inner exception stack trace ---
         at System.Net.Http.HttpConnection.SendAsync(HttpRequestMessage request)
         --- End of inner exception stack trace ---
         at Polly.Timeout.Strategy.Execute()
      --- End of stack trace from previous location ---
         at App.Run()`),
			[]brief{{Format: "dotnet-console", Level: "warn", Category: "Polly", Event: "3",
				Message: "Execution attempt. Source: 'c-standard//Standard-Retry', Operation Key: '', Result: 'x', Handled: 'True', Attempt: '0', Execution Time: 10012.4471ms\nsecond line",
				Exceptions: []string{
					"Polly.Timeout.TimeoutRejectedException|The operation didn't complete within the allowed timeout of '00:00:10'.|Polly.Timeout.Strategy.Execute();App.Run()",
					"System.Threading.Tasks.TaskCanceledException|The operation was canceled.|System.Net.Http.HttpConnection.SendAsync(HttpRequestMessage request)",
					"System.Net.Sockets.SocketException|Operation canceled|",
				}, Entries: 12}}},
		{"headers filtered away", block(`
      Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''
      Resilience event occurred. EventName: 'OnRetry', Source: 'a//c', Operation Key: '', Result: ''
      Deactivated after idle timeout`),
			[]brief{
				{Format: "dotnet-console", Level: "error", Category: "Polly", Event: "0", Message: "Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''", Entries: 1, Headless: true},
				{Format: "dotnet-console", Level: "warn", Category: "Polly", Event: "0", Message: "Resilience event occurred. EventName: 'OnRetry', Source: 'a//c', Operation Key: '', Result: ''", Entries: 1, Headless: true},
				{Format: "dotnet-console", Level: "unknown", Message: "Deactivated after idle timeout", Entries: 1, Headless: true}}},
		{"some headers filtered away", block(`
info: Portal.Layout[0]
      Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''
fail: Polly[0]
      Resilience event occurred. EventName: 'OnTimeout', Source: 'a//c', Operation Key: '', Result: ''
      Resilience event occurred. EventName: 'OnTimeout', Source: 'a//d', Operation Key: '', Result: ''`),
			[]brief{
				{Format: "dotnet-console", Level: "info", Category: "Portal.Layout", Event: "0", Entries: 1},
				{Format: "dotnet-console", Level: "error", Category: "Polly", Event: "0", Message: "Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''", Entries: 1, Headless: true},
				{Format: "dotnet-console", Level: "error", Category: "Polly", Event: "0", Message: "Resilience event occurred. EventName: 'OnTimeout', Source: 'a//c', Operation Key: '', Result: ''", Entries: 2},
				{Format: "dotnet-console", Level: "error", Category: "Polly", Event: "0", Message: "Resilience event occurred. EventName: 'OnTimeout', Source: 'a//d', Operation Key: '', Result: ''", Entries: 1, Headless: true}}},
		{"a stack whose header was filtered away", block(`
      System.TimeoutException: The operation has timed out.
         at A.B.C()
         at A.D()`),
			[]brief{{Format: "dotnet-console", Level: "unknown", Message: "System.TimeoutException: The operation has timed out.",
				Exceptions: []string{"System.TimeoutException|The operation has timed out.|A.B.C();A.D()"}, Entries: 3, Headless: true}}},
		{"not this console", block(`
warn: something is deprecated
info: Portal.Layout[0]`),
			[]brief{{Format: "levelled", Level: "warn", Message: "something is deprecated", Entries: 1},
				{Format: "dotnet-console", Level: "info", Category: "Portal.Layout", Event: "0", Entries: 1}}},
		{"one entry with line breaks", []string{"fail: A.B[5]\n      it broke\n      System.Exception: no\n         at A.B.C()\r\n"},
			[]brief{{Format: "dotnet-console", Level: "error", Category: "A.B", Event: "5", Message: "it broke", Exceptions: []string{"System.Exception|no|A.B.C()"}, Entries: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []brief
			for _, r := range assemble(t, AssemblerOptions{}, entriesOf(testStream("p"), 1000, time.Microsecond, c.lines...)) {
				got = append(got, briefOf(r))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestGapClosesRecord(t *testing.T) {
	st := testStream("p")
	es := entriesOf(st, 0, 0, "fail: A[0]", "      late")
	es[1].UnixNano = int64(3 * time.Second)
	got := assemble(t, AssemblerOptions{MaxGap: 2 * time.Second}, es)
	if len(got) != 2 || !got[1].Headless {
		t.Fatalf("a line 3 s after its header was joined: %d records", len(got))
	}
	if got := assemble(t, AssemblerOptions{MaxGap: 3 * time.Second}, es); len(got) != 1 {
		t.Fatalf("a line within the gap was not joined: %d records", len(got))
	}
}

func TestRecordsLeaveByInputTime(t *testing.T) {
	quiet, busy := testStream("quiet"), testStream("busy")
	var seen []string
	a := NewAssembler(AssemblerOptions{}, func(r *Record) error {
		seen = append(seen, r.Stream.Pod)
		return nil
	})
	for _, e := range []Entry{
		{UnixNano: 0, Stream: quiet, Line: []byte("fail: A[0]"), Ordered: true},
		{UnixNano: 1, Stream: busy, Line: []byte("fail: A[0]"), Ordered: true},
		{UnixNano: int64(2 * time.Second), Stream: busy, Line: []byte("      x"), Ordered: true},
		{UnixNano: int64(4 * time.Second), Stream: busy, Line: []byte("      x"), Ordered: true},
	} {
		if err := a.Add(&e); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{"quiet"}, seen); d != "" {
		t.Errorf("records emitted before the end (-want +got):\n%s", d)
	}
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("é", 4000)
	got := assemble(t, AssemblerOptions{MaxRecordBytes: 1001}, entriesOf(testStream("p"), 0, 1, "fail: A[0]", "      "+long, "      more", "info: B[0]"))
	if len(got) != 2 || !got[0].Truncated || got[0].Entries != 3 || len(got[0].Text) > 1001 || got[1].Truncated {
		t.Errorf("got %d records, first %d bytes, truncated %v, %d entries", len(got), len(got[0].Text), got[0].Truncated, got[0].Entries)
	}
	if !bytes.Equal(got[0].Text, bytes.ToValidUTF8(got[0].Text, nil)) {
		t.Error("cut inside a letter")
	}

	for _, line := range []string{long, "fail: A." + long + "[0]", "2026-01-01 00:00:00 ERROR a." + long + " - x", "\x1b[0m" + long, `{"level":"error","msg":"` + long + `"}`} {
		if got := assemble(t, AssemblerOptions{MaxRecordBytes: 500}, entriesOf(testStream("p"), 0, 1, line)); len(got) != 1 || !got[0].Truncated || len(got[0].Text) > 500 || len(got[0].Message) > 500 {
			t.Errorf("%.40q...: %d records, first %d bytes", line, len(got), len(got[0].Text))
		}
	}

	blank := assemble(t, AssemblerOptions{}, entriesOf(testStream("p"), 0, 1, strings.Repeat("\n", 100_000)))
	if len(blank) != 1 || !blank[0].Truncated || len(blank[0].Text) > maxLines {
		t.Errorf("100,000 empty lines: %d bytes of text, truncated %v", len(blank[0].Text), blank[0].Truncated)
	}

	n, evicted := 0, int64(0)
	a := NewAssembler(AssemblerOptions{MaxOpen: 3}, func(*Record) error { n++; return nil })
	for i := range 10 {
		e := Entry{UnixNano: int64(i), Stream: testStream(string(rune('a' + i))), Line: []byte("fail: A[0]"), Ordered: true}
		if err := a.Add(&e); err != nil {
			t.Fatal(err)
		}
	}
	if evicted = a.Stats().Evicted; n != 7 || evicted != 7 {
		t.Errorf("with at most 3 open of 10: %d emitted, %d evicted, want 7", n, evicted)
	}
}

func TestLines(t *testing.T) {
	got := assemble(t, AssemblerOptions{Lines: true}, entriesOf(testStream("p"), 0, 1, "fail: A[0]", "      message", "         at A.B()"))
	if len(got) != 3 {
		t.Errorf("%d records of 3 lines", len(got))
	}
}
