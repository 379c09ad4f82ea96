package analyze

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// findingCase is a log and a finding that must be drawn from it, or one that
// must not.
type findingCase struct {
	name    string
	options Options
	read    Read
	log     func(s *script)
	want    string // kind and subject of a finding, or
	not     string // kind, or kind and subject, of one that must not be
}

// findingCases lists for each kind of finding a log that must yield it and a
// twin that differs in the one thing that matters and must not.
func findingCases() []findingCase {
	closed := func(at time.Duration) Issue {
		return Issue{Number: 7, State: "closed", ClosedAt: day.Add(at), Sources: []Glob{shop}, Masked: true}
	}
	undated := Issue{Number: 7, State: "closed", Sources: []Glob{shop}, Masked: true}
	open := Issue{Number: 8, State: "open", Sources: []Glob{depot}}
	inner := Budget{Name: "Inner", Duration: 2 * time.Minute, Attempts: 1, Bounds: []stage.Name{stage.NoResponse}, Sources: []Glob{shop}}
	outer := Budget{Name: "Outer", Duration: 3 * time.Minute, Attempts: 1, Contains: []string{"Inner"}, Sources: []Glob{"Shop.Reconciler"}}
	tried := inner
	tried.Attempts = 2

	rolled := func(hours int) Options {
		return Options{
			Config: Config{Issues: []Issue{open}, Rolls: []Roll{{Name: "fix", At: day.Add(10 * time.Hour), Fixes: []int{8}}}},
			Window: ingest.Window{Start: day.UnixNano(), End: day.Add(time.Duration(hours) * time.Hour).UnixNano()},
		}
	}

	return []findingCase{
		{name: "one masked id, two Sources", want: "source-folded 4c7856a2414c6b32", log: func(s *script) {
			s.timeouts("p", 0, 3, shop)
			s.timeouts("p", time.Minute, 3, depot)
		}},
		{name: "one masked id, one Source", not: "source-folded", log: func(s *script) { s.timeouts("p", 0, 5, shop) }},

		{name: "closed, silent since, others counted", want: "issue-do-not-reopen 7", options: Options{Config: Config{Issues: []Issue{closed(5 * time.Hour), open}}}, log: func(s *script) {
			s.timeouts("p", 0, 4, shop)
			s.timeouts("p", 5*time.Hour, 4, depot)
		}},
		{name: "then the node is repointed", want: "issue-repoint 8", options: Options{Config: Config{Issues: []Issue{closed(5 * time.Hour), open}}}, log: func(s *script) {
			s.timeouts("p", 0, 4, shop)
			s.timeouts("p", 5*time.Hour, 4, depot)
		}},
		{name: "closed and nothing counted since", not: "issue-do-not-reopen", options: Options{Config: Config{Issues: []Issue{closed(5 * time.Hour), open}}}, log: func(s *script) {
			s.timeouts("p", 0, 4, shop)
			s.timeouts("p", time.Hour, 2, depot)
		}},
		{name: "closed and back", want: "issue-reopen 7", options: Options{Config: Config{Issues: []Issue{closed(time.Hour), open}}}, log: func(s *script) {
			s.timeouts("p", 0, 8, shop)
		}},
		{name: "closed and back is no do-not-reopen", not: "issue-do-not-reopen", options: Options{Config: Config{Issues: []Issue{closed(time.Hour), open}}}, log: func(s *script) {
			s.timeouts("p", 0, 8, shop)
			s.timeouts("p", 5*time.Hour, 4, depot)
		}},
		{name: "closed after its last record", not: "issue-reopen", options: Options{Config: Config{Issues: []Issue{closed(9 * time.Hour), open}}}, log: func(s *script) {
			s.timeouts("p", 0, 8, shop)
		}},
		{name: "the node points at an open issue that does not occur", want: "issue-repoint 8", options: Options{Config: Config{Issues: []Issue{
			{Number: 7, State: "open", Sources: []Glob{"gone//x"}, Masked: true, MaskedIDs: []string{"4c7856a2414c6b32"}}, open}}}, log: func(s *script) {
			s.timeouts("p", 0, 4, depot)
		}},

		{name: "the node points at an open issue that occurs", not: "issue-repoint", options: Options{Config: Config{Issues: []Issue{
			{Number: 7, State: "open", Sources: []Glob{depot}, Masked: true, MaskedIDs: []string{"4c7856a2414c6b32"}}}}}, log: func(s *script) {
			s.timeouts("p", 0, 4, depot)
		}},

		{name: "fixed by a roll", want: "issue-close 8", options: Options{
			Config: Config{Issues: []Issue{open}, Rolls: []Roll{{Name: "fix", At: day.Add(10 * time.Hour), Fixes: []int{8}}}},
			Window: ingest.Window{Start: day.UnixNano(), End: day.Add(24 * time.Hour).UnixNano()}}, log: func(s *script) {
			for i := range 60 {
				s.timeouts("p", time.Duration(i)*10*time.Minute, 1, depot)
			}
			s.log("p", 23*time.Hour, "info: Shop.Web[1]", "      still here")
		}},
		{name: "and so confirmed", want: "fix-confirmed " + depot, options: rolled(24), log: func(s *script) { s.steadyUntil(10, depot, 23) }},
		{name: "silence where nothing is logged", want: "fix-undecided " + depot, options: rolled(24), log: func(s *script) { s.steadyUntil(10, depot, 0) }},
		{name: "silence where others are logged", not: "fix-undecided", options: rolled(24), log: func(s *script) { s.steadyUntil(10, depot, 23) }},
		{name: "seen again after the roll", want: "fix-refuted " + depot, options: rolled(24), log: func(s *script) {
			s.steadyUntil(10, depot, 23)
			s.timeouts("q", 14*time.Hour, 1, depot)
		}},
		{name: "an old pod ends its work", not: "fix-refuted", options: rolled(24), log: func(s *script) {
			s.steadyUntil(10, depot, 23)
			s.timeouts("p", 10*time.Hour+2*time.Minute, 1, depot)
		}},
		{name: "a roll that claims nothing", not: "fix-confirmed", options: Options{
			Config: Config{Issues: []Issue{open}, Rolls: []Roll{{Name: "fix", At: day.Add(10 * time.Hour)}}},
			Window: ingest.Window{Start: day.UnixNano(), End: day.Add(24 * time.Hour).UnixNano()}}, log: func(s *script) { s.steadyUntil(10, depot, 23) }},
		{name: "another stream's roll", not: "fix-confirmed", options: Options{
			Config: Config{Issues: []Issue{open}, Rolls: []Roll{{Name: "fix", At: day.Add(10 * time.Hour), Fixes: []int{8}, Match: func(s *ingest.Stream) bool { return s.Pod == "other" }}}},
			Window: ingest.Window{Start: day.UnixNano(), End: day.Add(24 * time.Hour).UnixNano()}}, log: func(s *script) { s.steadyUntil(10, depot, 23) }},

		{name: "silent since a roll, but so is everything", not: "issue-close", options: Options{
			Config: Config{Issues: []Issue{open}, Rolls: []Roll{{Name: "fix", At: day.Add(10 * time.Hour), Fixes: []int{8}}}},
			Window: ingest.Window{Start: day.UnixNano(), End: day.Add(24 * time.Hour).UnixNano()}}, log: func(s *script) {
			for i := range 60 {
				s.timeouts("p", time.Duration(i)*10*time.Minute, 1, depot)
			}
		}},
		{name: "silent for too short a time", not: "issue-close", options: Options{
			Config: Config{Issues: []Issue{open}, Rolls: []Roll{{Name: "fix", At: day.Add(10 * time.Hour), Fixes: []int{8}}}},
			Window: ingest.Window{Start: day.UnixNano(), End: day.Add(10*time.Hour + 20*time.Minute).UnixNano()}}, log: func(s *script) {
			for i := range 60 {
				s.timeouts("p", time.Duration(i)*10*time.Minute, 1, depot)
			}
			s.log("p", 10*time.Hour+10*time.Minute, "info: Shop.Web[1]", "      still here")
		}},

		{name: "outer too short for the attempts", want: "budgets-inverted Outer", options: Options{Config: Config{Budgets: []Budget{tried, outer}}}, log: func(s *script) {}},
		{name: "outer long enough", not: "budgets-inverted", options: Options{Config: Config{Budgets: []Budget{inner, outer}}}, log: func(s *script) {}},

		{name: "the outer fires and the inner never", want: "budgets-inverted Outer", options: Options{Config: Config{Budgets: []Budget{inner, outer}}}, log: func(s *script) { s.waits("p", 4) }},
		{name: "the inner fires too", not: "budgets-inverted", options: Options{Config: Config{Budgets: []Budget{inner, outer}}}, log: func(s *script) {
			s.waits("p", 4)
			s.timeout("p", 30*time.Minute, shop)
		}},
		{name: "the outer fires once", not: "budgets-inverted", options: Options{Config: Config{Budgets: []Budget{inner, outer}}}, log: func(s *script) { s.waits("p", 1) }},

		{name: "names that do not resolve", want: "blame dns", log: func(s *script) {
			s.log("p", 0, "fail: Shop.Client[0]", "      curl: (6) Could not resolve host: shop.example")
		}},
		{name: "an address that does not answer", not: "blame dns", log: func(s *script) {
			s.log("p", 0, "fail: Shop.Client[0]", "      curl: (28) Failed to connect to shop.example port 443 after 10001 ms: Timeout was reached")
		}},
		{name: "a listener that is not there", want: "blame network", log: func(s *script) {
			s.log("p", 0, "fail: Shop.Client[0]", "      dial tcp 192.0.2.7:443: connect: connection refused")
		}},
		{name: "a gateway's upstream", want: "blame proxy", log: func(s *script) {
			s.log("p", 0, "2026/09/20 08:00:00 [error] 7#7: *1 upstream timed out (110: Connection timed out) while reading response header from upstream, client: 192.0.2.1, server: shop.example, request: \"GET /parcel HTTP/1.1\", upstream: \"http://192.0.2.7:80/parcel\", host: \"shop.example\"")
		}},
		{name: "a server's own silence", not: "blame proxy", log: func(s *script) { s.refused("p", 0, 0, neverBegan) }},
		{name: "a pool without a free connection", want: "blame client-budget", log: func(s *script) {
			s.log("p", 0, "fail: Shop.Client[0]", "      org.apache.http.conn.ConnectionPoolTimeoutException: Timeout waiting for connection from pool")
		}},
		{name: "a connection that was not made", not: "blame client-budget", log: func(s *script) {
			s.log("p", 0, "fail: Shop.Client[0]", "      java.net.ConnectException: Connection timed out")
		}},
		{name: "an answer over its bound", want: "blame archive-size", log: func(s *script) {
			s.refused("p", 0, 0, "the registry at https://shop.example declared 5368709120 byte(s), over the bound of 2147483647")
		}},
		{name: "cut while bytes moved", want: "blame throughput", log: func(s *script) {
			s.log("p", 0, "fail: Shop.Client[0]", "      curl: (28) Operation timed out after 30001 milliseconds with 1048576 out of 9437184 bytes received")
		}},
		{name: "cut at the usual rate", want: "blame archive-size", not: "blame throughput", log: func(s *script) { s.fetches(5, 36_000); s.cut() }},
		{name: "cut at a tenth of the usual rate", want: "blame throughput", not: "blame archive-size", log: func(s *script) { s.fetches(5, 360_000); s.cut() }},
		{name: "two completed transfers are no custom", want: "blame throughput", not: "blame archive-size", log: func(s *script) { s.fetches(2, 36_000); s.cut() }},
		{name: "completed transfers of others say nothing", want: "blame throughput", not: "blame archive-size", log: func(s *script) {
			for i := range 5 {
				s.log("p", time.Duration(i)*time.Minute, "info: Shop.Mirror[0]", "      fetched 36000 bytes in 1 s from https://mirror.example/x")
			}
			s.cut()
		}},
		{name: "completed transfers to the same host by another logger", want: "blame archive-size", not: "blame throughput", log: func(s *script) {
			for i := range 5 {
				s.log("p", time.Duration(i)*time.Minute, "info: Shop.Mirror[0]", "      fetched 36000 bytes in 1 s from https://shop.example/small")
			}
			s.cut()
		}},
		{name: "a time out that names no bytes", not: "blame", log: func(s *script) {
			s.log("p", 0, "fail: Shop.Client[0]", "      System.TimeoutException: The operation has timed out.")
		}},

		{name: "a period of a budget's length", want: "recurrence-matches-budget " + shop, options: Options{Config: Config{Budgets: []Budget{outer}}}, log: func(s *script) {
			for i := range 40 {
				s.timeout("p", time.Duration(i)*3*time.Minute, shop)
			}
		}},
		{name: "a period half as long again as the budget", not: "recurrence-matches-budget", options: Options{Config: Config{Budgets: []Budget{outer}}}, log: func(s *script) {
			for i := range 40 {
				s.timeout("p", time.Duration(i)*270*time.Second, shop)
			}
		}},
		{name: "a period that no schedule has", not: "recurrence-matches-schedule", options: Options{Config: Config{Schedules: []Schedule{{Name: "tick", Every: 7 * time.Minute}}}}, log: func(s *script) {
			for i := range 40 {
				s.timeout("p", time.Duration(i)*5*time.Minute, shop)
			}
		}},
		{name: "a period of a schedule's length", want: "recurrence-matches-schedule " + shop, options: Options{Config: Config{Schedules: []Schedule{{Name: "tick", Every: 7 * time.Minute}}}}, log: func(s *script) {
			for i := range 40 {
				s.timeout("p", time.Duration(i)*7*time.Minute, shop)
			}
		}},
		{name: "a period of no known length", want: "recurrence " + shop, options: Options{Config: Config{Budgets: []Budget{outer}}}, log: func(s *script) {
			for i := range 40 {
				s.timeout("p", time.Duration(i)*211*time.Second, shop)
			}
		}},
		{name: "no period", not: "recurrence", options: Options{Config: Config{Budgets: []Budget{outer}}}, log: func(s *script) { s.timeouts("p", 0, 20, shop) }},

		{name: "a pass", want: "sequential-pass Shop.Reconciler", options: Options{Config: Config{Budgets: []Budget{inner, outer}}}, log: func(s *script) {
			for _, start := range []time.Duration{0, 50 * time.Minute, 210 * time.Minute} {
				for i := range 4 {
					s.log("p", start+time.Duration(i)*3*time.Minute, "fail: Shop.Reconciler[0]", "      Adopting failed", "      System.TimeoutException: The operation has timed out.")
				}
			}
		}},
		{name: "as often on as many pods is no pass", not: "sequential-pass", options: Options{Config: Config{Budgets: []Budget{inner, outer}}}, log: func(s *script) {
			for i := range 12 {
				s.log(fmt.Sprint("p", i), time.Duration(i)*3*time.Minute, "fail: Shop.Reconciler[0]", "      Adopting failed", "      System.TimeoutException: The operation has timed out.")
			}
		}},

		{name: "all within a minute", want: "burst " + shop, options: rolled(24), log: func(s *script) {
			for i := range 30 {
				s.timeout(fmt.Sprint("p", i%3), 9*time.Hour+time.Duration(i*i*70)*time.Millisecond, shop)
			}
		}},
		{name: "spread over the day", not: "burst", options: rolled(24), log: func(s *script) { s.timeouts("p", 0, 30, shop) }},
		{name: "too few for a burst", not: "burst", options: rolled(24), log: func(s *script) {
			for i := range 5 {
				s.timeout("p", 9*time.Hour+time.Duration(i*i)*time.Second, shop)
			}
		}},
		{name: "each pod when it starts", want: "roll-wave " + shop, options: rolled(24), log: func(s *script) {
			for i := range 4 {
				start := time.Duration(5+i*i) * time.Hour
				for h := range 6 {
					s.log(fmt.Sprint("new", i), start+time.Duration(h)*time.Hour, "info: Shop.Web[1]", "      up")
				}
				s.timeout(fmt.Sprint("new", i), start+time.Duration(1+i)*time.Minute, shop)
				s.timeout(fmt.Sprint("new", i), start+time.Duration(3+2*i)*time.Minute, shop)
			}
		}},
		{name: "pods that were there before", not: "roll-wave", options: rolled(24), log: func(s *script) {
			for i := range 4 {
				for h := range 20 {
					s.log(fmt.Sprint("old", i), time.Duration(h)*time.Hour, "info: Shop.Web[1]", "      up")
				}
				s.timeout(fmt.Sprint("old", i), time.Duration(5+i*i)*time.Hour+time.Duration(1+i)*time.Minute, shop)
				s.timeout(fmt.Sprint("old", i), time.Duration(5+i*i)*time.Hour+time.Duration(3+2*i)*time.Minute, shop)
			}
		}},

		{name: "asked and nothing came", want: "blame server", log: func(s *script) { s.refused("p", 0, 0, neverBegan) }},
		{name: "no bytes logged, nobody blamed", not: "blame", log: func(s *script) { s.timeouts("p", 0, 5, shop) }},
		{name: "bytes had arrived, so the server did begin", not: "blame server", log: func(s *script) { s.refused("p", 0, 4711, wentSilent) }},
		{name: "a pool is no network", not: "blame network", log: func(s *script) {
			s.log("p", 0, "fail: Shop.Client[0]", "      org.apache.http.conn.ConnectionPoolTimeoutException: Timeout waiting for connection from pool")
		}},
		{name: "a body went silent", want: "blame network", log: func(s *script) { s.refused("p", 0, 4711, wentSilent) }},

		{name: "an outer wait says nothing", want: "stage-unrecoverable Shop.Reconciler", options: Options{Config: Config{Budgets: []Budget{inner, outer}}}, log: func(s *script) {
			s.log("p", 0, "fail: Shop.Reconciler[0]", "      Adopting failed", "      System.TimeoutException: The operation has timed out.")
		}},
		{name: "the client says it", not: "stage-unrecoverable", log: func(s *script) { s.refused("p", 0, 0, neverBegan) }},

		{name: "the timer repeats the client's line", want: "duplicate-layers Shop.Client", log: func(s *script) {
			s.refused("p", 0, 0, neverBegan)
			s.timeout("p", 4*time.Millisecond, shop)
		}},
		{name: "the timer may come first", want: "duplicate-layers Shop.Client", log: func(s *script) {
			s.timeout("p", 0, shop)
			s.refused("p", 4*time.Millisecond, 0, neverBegan)
		}},
		{name: "too late to be the same", not: "duplicate-layers", log: func(s *script) {
			s.refused("p", 0, 0, neverBegan)
			s.timeout("p", 1100*time.Millisecond, shop)
		}},
		{name: "another pod is another event", not: "duplicate-layers", log: func(s *script) {
			s.refused("p", 0, 0, neverBegan)
			s.timeout("q", 4*time.Millisecond, shop)
		}},
		{name: "two timers are two events", not: "duplicate-layers", log: func(s *script) {
			s.timeout("p", 0, shop)
			s.timeout("p", 4*time.Millisecond, depot)
		}},
		{name: "an outer wait and the timer inside it", want: "duplicate-layers Shop.Reconciler", options: Options{Config: Config{Budgets: []Budget{inner, outer}}}, log: func(s *script) {
			s.timeout("p", 2*time.Minute, shop)
			s.log("p", 3*time.Minute, "fail: Shop.Reconciler[0]", "      Adopting failed", "      System.TimeoutException: The operation has timed out.")
		}},
		{name: "an outer wait of another event", not: "duplicate-layers", options: Options{Config: Config{Budgets: []Budget{inner, outer}}}, log: func(s *script) {
			s.timeout("p", 30*time.Second, shop)
			s.log("p", 3*time.Minute, "fail: Shop.Reconciler[0]", "      Adopting failed", "      System.TimeoutException: The operation has timed out.")
		}},

		{name: "a Source per tenant", want: "unbounded-source *//Standard-AttemptTimeout", log: func(s *script) {
			for i := range 60 {
				s.timeout("p", time.Duration(i*i)*time.Minute, fmt.Sprintf("tenant-%d-standard//Standard-AttemptTimeout", i))
			}
		}},
		{name: "an instance per request", want: "unbounded-source shop/*/Timeout", log: func(s *script) {
			for i := range 60 {
				s.timeout("p", time.Duration(i*i)*time.Minute, fmt.Sprintf("shop/8010ab6c-ce0f-4a1b-a48c-6d3843f8c7%02x/Timeout", i))
			}
		}},
		{name: "a few numbered Sources", not: "unbounded-source", log: func(s *script) {
			for i := range 20 {
				s.timeout("p", time.Duration(i*i)*time.Minute, fmt.Sprintf("tenant-%d-standard//Standard-AttemptTimeout", i))
			}
		}},

		{name: "more fingerprints than the limit", want: "limit-reached incidents", options: Options{Limits: Limits{Incidents: 2}}, log: func(s *script) {
			for _, c := range []string{"A", "B", "C"} {
				s.log("p", 0, "fail: "+c+"[0]", "      broken")
			}
		}},
		{name: "as many as the limit", not: "limit-reached", options: Options{Limits: Limits{Incidents: 3}}, log: func(s *script) {
			for _, c := range []string{"A", "B", "C"} {
				s.log("p", 0, "fail: "+c+"[0]", "      broken")
			}
		}},

		{name: "closed, nobody said when, and its own Source is here", want: "issue-undecided 7", options: Options{Config: Config{Issues: []Issue{undated}}}, log: func(s *script) {
			s.timeouts("p", 0, 4, shop)
		}},
		{name: "closed, nobody said when, and only others are here", not: "issue-undecided", options: Options{Config: Config{Issues: []Issue{undated}}}, log: func(s *script) {
			s.timeouts("p", 0, 4, depot)
		}},
		{name: "closed at a known time", not: "issue-undecided", options: Options{Config: Config{Issues: []Issue{closed(time.Hour)}}}, log: func(s *script) {
			s.timeouts("p", 0, 4, shop)
		}},

		{name: "one pod's clock runs ahead", want: "clock-skew p0", log: func(s *script) { s.clocks(45*time.Second, zoned) }},
		{name: "clocks that agree", not: "clock-skew", log: func(s *script) { s.clocks(0, zoned) }},
		{name: "one pod writes another zone's time", want: "time-zone p0", log: func(s *script) { s.clocks(2*time.Hour, naked) }},
		{name: "times of one zone", not: "time-zone", log: func(s *script) { s.clocks(0, naked) }},

		{name: "every entry twice", want: "shipped-twice p", read: Read{Repeats: []StreamRepeat{{Stream: "p", Pod: "p", Entries: 40, Repeated: 20, WholeTimes: 20, Times: 20, ResolutionNs: 1}}}, log: func(s *script) { s.timeouts("p", 0, 4, shop) }},
		{name: "one line said twice at one time", not: "shipped-twice", read: Read{Repeats: []StreamRepeat{{Stream: "p", Pod: "p", Entries: 40, Repeated: 1, WholeTimes: 1, Times: 39, ResolutionNs: 1}}}, log: func(s *script) { s.timeouts("p", 0, 4, shop) }},
	}
}

// clocks logs of three pods, the first of which writes times that are off.
func (s *script) clocks(off time.Duration, write func(time.Time) string) {
	for pod := range 3 {
		for i := range 60 {
			at := time.Duration(i)*17*time.Second + time.Duration(i*i%13)*time.Second
			own := day.Add(at - 100*time.Millisecond)
			if pod == 0 {
				own = own.Add(off)
			}
			s.log(fmt.Sprint("p", pod), at, write(own)+" ERROR [main] com.example.Fetch - fetch failed")
		}
	}
}

// TestFindings holds each kind of finding against a log that must yield it and
// against a twin that must not.
func TestFindings(t *testing.T) {
	for _, c := range findingCases() {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t)
			c.log(s)
			s.read = c.read
			an := s.analyze(c.options)
			if c.want != "" && !has(an, c.want) {
				t.Errorf("no finding %q; got %q", c.want, told(an))
			}
			if c.not != "" {
				for _, f := range told(an) {
					if kind, _, _ := strings.Cut(f, " "); f == c.not || kind == c.not {
						t.Errorf("finding %q that must not be", f)
					}
				}
			}
		})
	}
}

// TestEveryKindHasTwins fails when a kind of finding, or a subject of blame,
// has no log that yields it or no twin that must not.
func TestEveryKindHasTwins(t *testing.T) {
	wanted, unwanted := map[string]bool{}, map[string]bool{}
	for _, c := range findingCases() {
		kind, _, _ := strings.Cut(c.want, " ")
		wanted[kind], wanted[c.want] = true, true
		kind, _, _ = strings.Cut(c.not, " ")
		unwanted[kind], unwanted[c.not] = true, true
	}
	for _, k := range Kinds {
		if !wanted[string(k)] || !unwanted[string(k)] {
			t.Errorf("%s: a log that yields it %v, a twin that must not %v", k, wanted[string(k)], unwanted[string(k)])
		}
	}
	for _, b := range []string{BlameServer, BlameNetwork, BlameDNS, BlameProxy, BlameThroughput, BlameArchiveSize, BlameClientBudget} {
		if f := string(KindBlame) + " " + b; !wanted[f] || !unwanted[f] {
			t.Errorf("%s: a log that yields it %v, a twin that must not %v", f, wanted[f], unwanted[f])
		}
	}
}
