package main

import (
	"fmt"
	"testing"
	"time"
)

// TestUnseenMaskedSource makes logs in which one masked id folds several
// Sources, one of which is a clock and one of which was fixed.
func TestUnseenMaskedSource(t *testing.T) {
	type clock struct {
		period, cycle time.Duration // of the occurrences, of the passes
		run           int           // occurrences a pass; 0: no passes
		jitter        time.Duration
		delay         bool // the error accumulates
	}
	for _, c := range []struct {
		name                string
		format              format
		hot, fixed, other   [3]string
		clock               clock
		resolution          time.Duration
		whole               bool
		schedule            bool // the period is a schedule's, not a budget's
		inner               time.Duration
		masked              string
		closedAt            bool // closed_at is stated
		fixedSeen           bool // the fixed Source occurs in the window
		stage, innerBounds  string
		hours               int
		extraIssue, globbed bool
	}{
		{name: "seven-minute passes", format: dotnetConsole, hot: [3]string{"blob-mirror-standard", "", "Standard-AttemptTimeout"}, fixed: [3]string{"price-feed-standard", "", "Standard-AttemptTimeout"},
			other: [3]string{"Orleans.Membership", "(null)", "Timeout"}, clock: clock{period: 7 * time.Minute, cycle: 70 * time.Minute, run: 4, jitter: 2 * time.Millisecond},
			inner: 300 * time.Second, masked: "4c7856a2414c6b32", closedAt: true, fixedSeen: true, stage: "no-response", innerBounds: "[no-response]", hours: 12},
		{name: "hedging with authorities", format: dotnetConsole, hot: [3]string{"catalog-standard-hedging-endpoint", "https://eu.catalog.example:8443", "StandardHedging-AttemptTimeout"},
			fixed: [3]string{"catalog-standard-hedging", "", "StandardHedging-TotalRequestTimeout"}, other: [3]string{"search-standard", "", "Standard-TotalRequestTimeout"},
			clock: clock{period: 90 * time.Second, cycle: 20 * time.Minute, run: 6, jitter: 3 * time.Millisecond},
			inner: 45 * time.Second, masked: "4c7856a2414c6b32", closedAt: true, fixedSeen: true, stage: "no-response", innerBounds: "[no-response]", hours: 7},
		{name: "a schedule, no budget", format: dotnetConsole, hot: [3]string{"warehouse-sync", "(null)", "Timeout"}, fixed: [3]string{"mail-standard", "", "Standard-AttemptTimeout"},
			other: [3]string{"mail-standard", "", "Standard-TotalRequestTimeout"}, clock: clock{period: 5 * time.Minute, jitter: 8 * time.Millisecond}, schedule: true,
			inner: 60 * time.Second, masked: "4c7856a2414c6b32", closedAt: true, fixedSeen: true, stage: "total-deadline", innerBounds: "[no-response, body-stalled]", hours: 6},
		{name: "milliseconds, closed without a time", format: dotnetConsole, hot: [3]string{"blob-mirror-standard", "eu/west", "Standard-AttemptTimeout"}, fixed: [3]string{"price-feed-standard", "", "Standard-AttemptTimeout"},
			other: [3]string{"price-feed-standard-hedging", "", "StandardHedging-TotalRequestTimeout"}, clock: clock{period: 4 * time.Minute, jitter: 4 * time.Millisecond, delay: true},
			resolution: time.Millisecond, inner: 180 * time.Second, masked: "4c7856a2414c6b32", stage: "no-response", innerBounds: "[no-response]", hours: 6},
		{name: "seconds, one entry a record", format: dotnetConsole, hot: [3]string{"blob-mirror-standard", "", "Standard-AttemptTimeout"}, fixed: [3]string{"price-feed-standard", "", "Standard-AttemptTimeout"},
			other: [3]string{"Orleans.Membership", "(null)", "Timeout"}, clock: clock{period: 150 * time.Second, cycle: 45 * time.Minute, run: 5, jitter: 3 * time.Millisecond}, whole: true,
			resolution: time.Second, inner: 100 * time.Second, masked: "4c7856a2414c6b32", closedAt: true, fixedSeen: true, stage: "no-response", innerBounds: "[no-response]", hours: 9, extraIssue: true},
		{name: "JSON console", format: dotnetJSON, hot: [3]string{"blob-mirror-standard", "", "Standard-AttemptTimeout"}, fixed: [3]string{"price-feed-standard", "", "Standard-AttemptTimeout"},
			other: [3]string{"Orleans.Membership", "(null)", "Timeout"}, clock: clock{period: 200 * time.Second, cycle: 50 * time.Minute, run: 5, jitter: 3 * time.Millisecond},
			inner: 100 * time.Second, masked: "", closedAt: true, fixedSeen: true, stage: "no-response", innerBounds: "[no-response]", hours: 9, globbed: true},
		{name: "Serilog", format: serilog, hot: [3]string{"blob-mirror-standard", "", "Standard-AttemptTimeout"}, fixed: [3]string{"price-feed-standard", "", "Standard-AttemptTimeout"},
			other: [3]string{"Orleans.Membership", "(null)", "Timeout"}, clock: clock{period: 200 * time.Second, cycle: 50 * time.Minute, run: 5, jitter: 3 * time.Millisecond},
			inner: 100 * time.Second, masked: "", closedAt: true, fixedSeen: true, stage: "no-response", innerBounds: "[no-response]", hours: 9},
		{name: "logfmt", format: logfmt, hot: [3]string{"blob-mirror-standard", "", "Standard-AttemptTimeout"}, fixed: [3]string{"price-feed-standard", "", "Standard-AttemptTimeout"},
			other: [3]string{"Orleans.Membership", "(null)", "Timeout"}, clock: clock{period: 200 * time.Second, cycle: 50 * time.Minute, run: 5, jitter: 3 * time.Millisecond},
			inner: 100 * time.Second, masked: "", closedAt: true, fixedSeen: true, stage: "no-response", innerBounds: "[no-response]", hours: 9},
		{name: "single lines", format: dotnetSingle, hot: [3]string{"blob-mirror-standard", "", "Standard-AttemptTimeout"}, fixed: [3]string{"price-feed-standard", "", "Standard-AttemptTimeout"},
			other: [3]string{"Orleans.Membership", "(null)", "Timeout"}, clock: clock{period: 200 * time.Second, cycle: 50 * time.Minute, run: 5, jitter: 3 * time.Millisecond},
			inner: 100 * time.Second, masked: "", closedAt: true, fixedSeen: true, stage: "no-response", innerBounds: "[no-response]", hours: 9},
	} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s/%d", c.name, seed), func(t *testing.T) {
				w := newWorld(seed+100, c.format)
				w.whole = c.whole
				w.tie = c.resolution
				end := dawn.Add(time.Duration(c.hours) * time.Hour)
				noise(w, dawn, end, 300)
				name := func(p [3]string) string { return p[0] + "/" + p[1] + "/" + p[2] }
				hot, fixed, other := name(c.hot), name(c.fixed), name(c.other)
				for _, p := range w.pods {
					at := dawn.Add(5*time.Minute + time.Duration(w.rng.Int64N(int64(max(c.clock.period, c.clock.cycle)))))
					for n := 0; at.Before(end); n++ {
						tick := at
						for i := 0; i < max(c.clock.run, 1) && tick.Before(end); i++ {
							w.fault("hot", hot, p, tick.Add(w.jitter(c.clock.jitter)), onTimeout(c.hot[0], c.hot[1], c.hot[2]))
							tick = tick.Add(c.clock.period)
						}
						at = at.Add(max(c.clock.cycle, c.clock.period))
						if c.clock.delay {
							at = at.Add(time.Duration(w.rng.IntN(30)) * time.Millisecond)
						}
					}
				}
				h := w.incident("hot")
				h.PeriodNs, h.Stage, h.Budget = int64(c.clock.period), c.stage, "AttemptBudget"
				h.Kinds = []string{"fixed-rate", "cron"}
				if c.clock.delay {
					h.Kinds = []string{"fixed-delay"}
				}
				if c.clock.cycle > 0 {
					h.AlsoNs = []int64{int64(c.clock.cycle)}
				}
				h.Match = "ItemBudget"
				closing := dawn.Add(time.Duration(c.hours) * time.Hour * 7 / 10)
				keys := []string{"hot"}
				if c.fixedSeen {
					keys = append(keys, "fixed")
					for range 35 {
						w.fault("fixed", fixed, w.pick(), w.uniform(dawn, closing.Add(-20*time.Minute)), onTimeout(c.fixed[0], c.fixed[1], c.fixed[2]))
					}
				}
				keys = append(keys, "other")
				for range 8 {
					w.fault("other", other, w.pick(), w.uniform(dawn, end), onTimeout(c.other[0], c.other[1], c.other[2]))
				}
				for range 17 {
					crash(w, w.pick(), w.uniform(dawn, end))
				}
				if c.masked != "" {
					w.fold(c.masked, keys...)
				} else {
					w.foldAny(keys...)
				}
				w.rules = fmt.Sprintf("budgets:\n  - {name: AttemptBudget, duration: %s, bounds: %s, sources: [%q]}\n", c.inner, c.innerBounds, hot)
				if c.schedule {
					w.incident("hot").Match = "stock count"
					w.rules += fmt.Sprintf("schedules:\n  - {name: stock count, every: %s}\n", c.clock.period)
					w.expect("recurrence-matches-schedule " + hot)
				} else {
					w.rules += fmt.Sprintf("  - {name: ItemBudget, duration: \"AttemptBudget + %s\", contains: [AttemptBudget], sources: [Shop.Mirror.Walker]}\n", c.clock.period-c.inner)
					w.expect("recurrence-matches-budget "+hot, "sequential-pass "+hot)
				}
				stated := ""
				if c.closedAt {
					stated = ", closed_at: " + closing.Format(time.RFC3339)
				}
				fixedGlob := fixed
				if c.globbed {
					fixedGlob = c.fixed[0] + "/*"
				}
				w.rules += fmt.Sprintf("issues:\n  - {number: 311, state: closed%s, sources: [%q], incident: masked}\n  - {number: 402, state: open, sources: [%q]}\n", stated, fixedGlob, hot)
				if c.extraIssue {
					w.rules += fmt.Sprintf("  - {number: 17, state: closed, closed_at: 2026-01-01T00:00:00Z, sources: [somewhere/else/Timeout]}\n  - {number: 403, state: open, sources: [%q]}\n", other)
				}
				w.expect("issue-do-not-reopen 311", "issue-repoint 402")
				w.allow("recurrence "+hot, "blame", "stage-unrecoverable")
				w.check(t)
			})
		}
	}
}

// crash writes an exception with frames.
func crash(w *world, p genPod, at time.Time) {
	id := w.rng.IntN(900)
	w.fault("crash", "Shop.Cart.Repository", p, at, rec{
		level: "error", category: "Shop.Cart.Repository", event: 12,
		message: fmt.Sprintf("Saving cart tenant%d/cart/%d failed", id%7, id), template: "Saving cart {Cart} failed",
		state: []field{{"Cart", fmt.Sprintf("tenant%d/cart/%d", id%7, id)}},
		trace: []string{"System.ArgumentNullException: Value cannot be null. (Parameter 'sku')",
			"   at Shop.Cart.Repository.Add(Line line) in /src/Shop.Cart/Repository.cs:line 77",
			"   at Shop.Cart.Repository.<>c.<Save>b__3_1(Line line)"},
	})
}

// noise writes harmless records, many of which speak of timeouts.
func noise(w *world, from, to time.Time, n int) {
	for range n {
		ms := 20 + w.rng.IntN(500)
		r := []rec{
			{level: "info", category: "Shop.Settings", event: 3, message: "HttpClient timeout set to 00:00:45, session timeout 30 minutes", template: "HttpClient timeout set to {Timeout}, session timeout {Session} minutes", state: []field{{"Timeout", "00:00:45"}, {"Session", 30}}},
			{level: "debug", category: "Orleans.Runtime.Catalog", event: 100507, message: "Deactivated " + w.uuid() + " after idle timeout 00:15:00", template: "Deactivated {Grain} after idle timeout {Age}", state: []field{{"Grain", w.uuid()}, {"Age", "00:15:00"}}},
			{level: "info", category: "System.Net.Http.HttpClient.catalog.LogicalHandler", event: 101, message: fmt.Sprintf("End processing HTTP request after %d.1234ms - 200", ms), template: "End processing HTTP request after {ElapsedMilliseconds}ms - {StatusCode}", state: []field{{"ElapsedMilliseconds", ms}, {"StatusCode", 200}}},
			{level: "warn", category: "Microsoft.EntityFrameworkCore.Query", event: 20504, message: fmt.Sprintf("Compiling a query which loads related collections; took %d ms for tenant %s", ms, w.uuid()), template: "Compiling a query which loads related collections; took {Ms} ms for tenant {Tenant}", state: []field{{"Ms", ms}, {"Tenant", w.uuid()}}},
			{level: "info", category: "Polly", event: 3, message: fmt.Sprintf("Execution attempt. Source: 'catalog-standard//Standard-Retry', Operation Key: '', Result: '200', Handled: 'False', Attempt: '0', Execution Time: %d.22ms", ms),
				template: "Execution attempt. Source: '{PipelineName}/{PipelineInstance}/{StrategyName}', Operation Key: '{OperationKey}', Result: '{Result}', Handled: '{Handled}', Attempt: '{Attempt}', Execution Time: {ExecutionTimeMs}ms",
				state:    []field{{"PipelineName", "catalog-standard"}, {"PipelineInstance", ""}, {"StrategyName", "Standard-Retry"}, {"OperationKey", nil}, {"Result", "200"}, {"Handled", false}, {"Attempt", 0}, {"ExecutionTimeMs", float64(ms) + .22}}},
		}[w.rng.IntN(5)]
		w.emit(w.pick(), w.uniform(from, to), r)
	}
}
