package ingest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// readSample reads entries as logcli prints them.
func readSample(t testing.TB, path string) []Entry {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var (
		table StreamTable
		out   []Entry
	)
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var x struct {
			Labels    map[string]string
			Line      string
			Timestamp time.Time
		}
		if err := json.Unmarshal(sc.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		var labels []Label
		for k, v := range x.Labels {
			labels = append(labels, Label{k, v})
		}
		slices.SortFunc(labels, func(a, b Label) int { return strings.Compare(a.Name, b.Name) })
		out = append(out, Entry{UnixNano: x.Timestamp.UnixNano(), Stream: table.Intern(labels), Line: []byte(x.Line), Arrival: uint64(len(out)), Ordered: true})
	}
	return out
}

// whole is a record in full, for comparing byte by byte.
func whole(r *Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s %s [%s] %v %d %v %v\n%s\n%s\n", r.UnixNano, r.Stream.Key, r.Category, r.EventID, r.Level, r.Entries, r.Headless, r.TiedFrames, r.Message, r.Text)
	for _, x := range r.Exceptions {
		fmt.Fprintf(&b, "%s|%s|%d|%d\n", x.Type, x.Message, x.First, x.End)
	}
	for _, f := range r.Frames {
		fmt.Fprintf(&b, "%s\n", f)
	}
	return b.String()
}

func wholes(records []*Record) []string {
	var out []string
	for _, r := range records {
		out = append(out, whole(r))
	}
	slices.Sort(out)
	return out
}

// scramble returns the entries as a server gives them back: those of one
// stream and time in any order, and not Ordered.
func scramble(entries []Entry, rnd *rand.Rand) []Entry {
	out := slices.Clone(entries)
	for i := 0; i < len(out); {
		j := i
		for j < len(out) && out[j].UnixNano == out[i].UnixNano {
			j++
		}
		rnd.Shuffle(j-i, func(x, y int) { out[i+x], out[i+y] = out[i+y], out[i+x] })
		i = j
	}
	for i := range out {
		out[i].Ordered = false
		out[i].Arrival = uint64(i)
	}
	return out
}

func TestScrambledTiesGiveTheSameRecords(t *testing.T) {
	var mixed []Entry
	st := testStream("m")
	for i, l := range []string{
		// Records of one stream and one time whose headers differ.
		"fail: Portal.Registry.UpdateReconciler[0]", "      Adopting package 'a' failed",
		"      System.TimeoutException: The operation has timed out.",
		"         at Portal.Registry.UpdateReconciler.Adopt(Package package)",
		"         at System.Reactive.Timeout.OnTimeout()",
		"fail: Polly[0]", "      Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''",
		"info: Polly[3]", "      Execution attempt. Source: 'a//r', Operation Key: '', Result: '200', Handled: 'False', Attempt: '0', Execution Time: 1.5ms",
		"warn: Portal.Registry.PluginBundleClient[0]", "      Bundle index over HTTP from https://r.example did NOT complete after 120000 ms",
		"info: System.Net.Http.HttpClient.bundles.LogicalHandler[101]", "      End processing HTTP request after 484.6661ms - 200",
		"info: Portal.Layout[0]", "      Layout area Dashboard rendered in 10 ms",
	} {
		mixed = append(mixed, Entry{UnixNano: 5, Stream: st, Line: []byte(l), Arrival: uint64(i), Ordered: true})
	}
	for _, c := range []struct {
		name    string
		entries []Entry
	}{
		{"recorded", readSample(t, "testdata/ties.jsonl")},
		{"several categories", mixed},
		{"java", entriesOf(st, 5, 0, "2026-09-19 08:10:16,123 INFO  [main] c.e.Bar - fine", "2026-09-19 08:10:16,123 ERROR [main] c.e.Foo - request failed",
			"java.lang.IllegalStateException: outer", "\tat com.example.Foo.run(Foo.java:12)", "\tat java.lang.Thread.run(Thread.java:840)",
			"Caused by: java.net.SocketTimeoutException: Read timed out", "\tat sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:288)", "\t... 12 more")},
		{"python", entriesOf(st, 5, 0, "2026-09-19 08:10:16,123 - app - ERROR - fetch failed", "Traceback (most recent call last):",
			"  File \"/app/fetch.py\", line 41, in get", "    r = self.session.get(url)", "  File \"/app/session.py\", line 7, in get",
			"    raise ReadTimeout()", "httpx.ReadTimeoutError: timed out")},
		{"json beside console", entriesOf(st, 5, 0, `{"level":"error","msg":"a"}`, "fail: A.B[0]", "      boom", "      System.Exception: x", "         at A.B.C()", "         at A.D()",
			`{"level":"info","msg":"b"}`, "level=info msg=c")},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := wholes(assemble(t, AssemblerOptions{}, c.entries))
			for seed := range uint64(100) {
				got := wholes(assemble(t, AssemblerOptions{}, scramble(c.entries, rand.New(rand.NewPCG(seed, 7)))))
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("seed %d (-file order +scrambled):\n%s", seed, d)
				}
			}
		})
	}
}

// Any permutation of any tied lines, structured or not, gives one result.
func TestTiesDoNotDependOnOrder(t *testing.T) {
	pool := []string{
		"fail: A.B[0]", "fail: A.B[1]", "info: C[0]", "warn: D.E", "      one", "      two 2", "      two 3",
		"      System.Exception: x", "       ---> A.YException: y", "         at A.B.C()", "         at C.D()",
		"plain", "{\"level\":\"error\",\"msg\":\"x\"}", "", "2026-01-01 00:00:00 ERROR [t] a.B - c", "java.lang.Error: z", "\tat z.Z(Z.java:1)",
		"level=warn msg=x", "Traceback (most recent call last):", "  File \"a.py\", line 1, in f", "ValueError: q",
	}
	st := testStream("p")
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		var es []Entry
		for range 2 + rnd.IntN(9) {
			es = append(es, Entry{UnixNano: 1 + int64(rnd.IntN(2)), Stream: st, Line: []byte(pool[rnd.IntN(len(pool))])})
		}
		slices.SortStableFunc(es, func(a, b Entry) int { return int(a.UnixNano - b.UnixNano) })
		var want []string
		for try := range 5 {
			var got []string
			for _, r := range assemble(t, AssemblerOptions{}, scramble(es, rnd)) {
				r.Arrival = 0
				got = append(got, whole(r))
			}
			if try == 0 {
				want = got
			} else if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("seed %d (-first +other order):\n%s", seed, d)
			}
		}
	}
}

// A server stores equal entries once: two records with one header come back
// as a header with two messages.
func TestSharedHeaderIsToldApart(t *testing.T) {
	st := testStream("p")
	var es []Entry
	for i, l := range []string{
		"fail: Polly[0]",
		"      Resilience event occurred. EventName: 'OnTimeout', Source: 'listing-standard//Standard-AttemptTimeout', Operation Key: '', Result: ''",
		"      Resilience event occurred. EventName: 'OnTimeout', Source: 'bundles-standard//Standard-AttemptTimeout', Operation Key: '', Result: ''",
	} {
		es = append(es, Entry{UnixNano: 9, Stream: st, Line: []byte(l), Arrival: uint64(i)})
	}
	got := assemble(t, AssemblerOptions{}, es)
	if len(got) != 2 {
		t.Fatalf("%d records, want 2", len(got))
	}
	for _, r := range got {
		if r.Level != LevelError || string(r.Category) != "Polly" || bytes.Count(r.Message, []byte("Resilience")) != 1 || bytes.Count(r.Text, []byte("\n")) != 1 {
			t.Errorf("got %s", whole(r))
		}
	}
	// A message of several lines that are no copies of one statement stays one.
	es[1].Line, es[2].Line = []byte("      Hosting environment: Production"), []byte("      Content root path: /app")
	if got := assemble(t, AssemblerOptions{}, es); len(got) != 1 {
		t.Errorf("%d records of a header and two unlike lines, want 1", len(got))
	}
}

func TestTiesOfOneFileKeepTheirOrder(t *testing.T) {
	st := testStream("p")
	es := entriesOf(st, 5, 0,
		"info: Z[0]", "      zebra", "      ape", "info: A[0]", "      apple",
		"fail: B[0]", "      boom", "      System.Exception: x", "         at Zeta.Run()", "         at Alpha.Run()")
	var got []string
	for _, r := range assemble(t, AssemblerOptions{}, es) {
		got = append(got, string(r.Category)+": "+string(r.Message))
		if r.TiedFrames && string(r.Frames[0]) != "Alpha.Run()" {
			t.Errorf("tied frames are not sorted: %q", r.Frames)
		}
	}
	if d := cmp.Diff([]string{"Z: zebra\nape", "A: apple", "B: boom"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	// Frames without a time of their own are where they were written.
	for i := range es {
		es[i].Inherited = i > 0
	}
	last := assemble(t, AssemblerOptions{}, es)
	if r := last[len(last)-1]; r.TiedFrames || string(r.Frames[0]) != "Zeta.Run()" {
		t.Errorf("frames in known order were sorted: %q", r.Frames)
	}
}

// A file can hold what a server gave back, ties in any order, though the
// lines of a file have one.
func TestImpossibleOrderIsNotBelieved(t *testing.T) {
	st := testStream("p")
	before := entriesOf(st, 0, 0, "info: A[0]", "      fine")
	for _, c := range []struct {
		name  string
		gap   time.Duration
		lines []string
		want  []string
	}{
		{"message first", time.Second, []string{"      boom", "fail: B[0]"}, []string{"A: info: A[0]/      fine", "B: fail: B[0]/      boom"}},
		{"message first, close by", time.Millisecond, []string{"      boom", "fail: B[0]"}, []string{"A: info: A[0]/      fine", "B: fail: B[0]/      boom"}},
		{"divider first", time.Second, []string{"         --- End of inner exception stack trace ---", "fail: B[0]", "      boom"},
			[]string{"A: info: A[0]/      fine", "B: fail: B[0]/      boom/         --- End of inner exception stack trace ---"}},
		{"headers first", time.Second, []string{"fail: Polly[0]", "fail: Portal.Data.NodeSource[0]", "      NodeSource is gone",
			"      Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''"},
			[]string{"A: info: A[0]/      fine",
				"Polly: fail: Polly[0]/      Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''",
				"Portal.Data.NodeSource: fail: Portal.Data.NodeSource[0]/      NodeSource is gone"}},
		{"a shared header", time.Second, []string{"fail: Polly[0]",
			"      Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''",
			"      Resilience event occurred. EventName: 'OnTimeout', Source: 'c//b', Operation Key: '', Result: ''"},
			[]string{"A: info: A[0]/      fine",
				"Polly: fail: Polly[0]/      Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''",
				"Polly: fail: Polly[0]/      Resilience event occurred. EventName: 'OnTimeout', Source: 'c//b', Operation Key: '', Result: ''"}},
		{"a header without a message", time.Second, []string{"info: B[0]", "fail: C[0]", "      boom"},
			[]string{"A: info: A[0]/      fine", "B: info: B[0]", "C: fail: C[0]/      boom"}},
		{"a record goes on in the next millisecond", time.Millisecond, []string{"      second line", "fail: B[0]", "      boom"},
			[]string{"A: info: A[0]/      fine/      second line", "B: fail: B[0]/      boom"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			es := append(slices.Clone(before), entriesOf(st, int64(c.gap), 0, c.lines...)...)
			var got []string
			for _, r := range assemble(t, AssemblerOptions{}, es) {
				got = append(got, string(r.Category)+": "+strings.ReplaceAll(string(r.Text), "\n", "/"))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	// A header that waits for its message gets the one that comes first.
	es := append(entriesOf(st, 0, 0, "info: A[0]"), entriesOf(st, int64(time.Millisecond), 0, "      of A", "fail: B[0]")...)
	if got := assemble(t, AssemblerOptions{}, es); len(got) != 2 || string(got[0].Message) != "of A" {
		t.Errorf("the waiting header got %q", got[0].Message)
	}
}

// A stack trace that was pushed line by line with one time comes back from a
// server with the line first that it took for a level of its own.
func TestStackFromServer(t *testing.T) {
	st := testStream("p")
	var es []Entry
	for i, l := range []string{
		"         --- End of inner exception stack trace ---",
		"fail: Acme.Registry.BundleClient[0]",
		"      Bundle index over HTTP from https://registry.example/ did NOT complete after 120000 ms, 0 of an undeclared number of byte(s) had arrived.",
		"      Acme.Registry.BundleTransferException: Bundle index: the registry at registry.example did not begin a response within 120 s",
		"       ---> System.Threading.Tasks.TaskCanceledException: A task was canceled.",
		"         at Acme.Registry.BundleClient.Receive(HttpRequestMessage request) in /src/BundleClient.cs:line 214",
		"         at Acme.Registry.BundleClient.IndexAsync() in /src/BundleClient.cs:line 88",
	} {
		es = append(es, Entry{UnixNano: 7, Stream: st, Line: []byte(l), Arrival: uint64(i), Metadata: []Label{{"detected_level", "trace"}}})
	}
	for seed := range uint64(20) {
		got := assemble(t, AssemblerOptions{}, scramble(es, rand.New(rand.NewPCG(seed, 1))))
		if len(got) != 1 {
			t.Fatalf("seed %d: %d records", seed, len(got))
		}
		r := got[0]
		if r.Level != LevelError || !r.TiedFrames || len(r.Frames) != 2 || len(r.Exceptions) != 2 || string(r.Exceptions[1].Type) != "System.Threading.Tasks.TaskCanceledException" {
			t.Errorf("seed %d: got %s", seed, whole(r))
		}
	}
}
