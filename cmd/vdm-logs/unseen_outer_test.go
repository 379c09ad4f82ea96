package main

import (
	"fmt"
	"testing"
	"time"
)

// TestUnseenOuterBudget makes logs in which an outer wait cancels what an
// inner clock should have ended, so that no stage can be told.
func TestUnseenOuterBudget(t *testing.T) {
	type layer struct {
		source string
		record func(item int) rec
	}
	reactive := layer{"Shop.Catalog.Importer", func(item int) rec {
		return rec{level: "error", category: "Shop.Catalog.Importer", event: 4,
			message: fmt.Sprintf("Importing supplier 'north.%d' failed", item), template: "Importing supplier '{Supplier}' failed", state: []field{{"Supplier", fmt.Sprintf("north.%d", item)}},
			trace: []string{"System.TimeoutException: The operation has timed out.", "   at System.Reactive.Linq.ObservableImpl.Timeout`1.Relative._.OnTimeout()", "   at Shop.Catalog.Importer.Import(Supplier supplier)"}}
	}}
	waitAsync := layer{"Depot.Sync.Worker", func(item int) rec {
		return rec{level: "error", category: "Depot.Sync.Worker", event: 9,
			message: fmt.Sprintf("Synchronising depot %d failed", item), template: "Synchronising depot {Depot} failed", state: []field{{"Depot", item}},
			trace: []string{"System.TimeoutException: The operation has timed out.", "   at System.Threading.Tasks.Task`1.WaitAsync(TimeSpan timeout)", "   at Depot.Sync.Worker.Run(Int32 depot)"}}
	}}
	goWait := layer{"depot.sync", func(item int) rec {
		return rec{level: "error", category: "depot.sync", message: "sync of depot failed", state: []field{{"depot", item}}, trace: []string{"context deadline exceeded"}}
	}}
	javaWait := layer{"shop.catalog.ImportJob", func(item int) rec {
		return rec{level: "error", category: "shop.catalog.ImportJob", message: fmt.Sprintf("import of supplier %d failed", item),
			trace: []string{"java.util.concurrent.TimeoutException: null", "\tat java.base/java.util.concurrent.CompletableFuture.timedGet(CompletableFuture.java:1960)", "\tat java.base/java.util.concurrent.CompletableFuture.get(CompletableFuture.java:2095)", "\tat shop.catalog.ImportJob.run(ImportJob.java:61)"}}
	}}
	pythonWait := layer{"depot.sync", func(item int) rec {
		return rec{level: "error", category: "depot.sync", message: fmt.Sprintf("sync of depot %d failed", item),
			trace: []string{"Traceback (most recent call last):", `  File "/app/depot/sync.py", line 41, in run`, "    async with asyncio.timeout(90):", `  File "/usr/lib/python3.12/asyncio/timeouts.py", line 115, in __aexit__`, "    raise TimeoutError from exc_val", "TimeoutError"}}
	}}
	timer := func(pipeline string) layer {
		return layer{pipeline + "//Standard-AttemptTimeout", func(int) rec { return onTimeout(pipeline, "", "Standard-AttemptTimeout") }}
	}
	for _, c := range []struct {
		name         string
		format       format
		outer, inner layer
		innerEvery   time.Duration
		outerEvery   time.Duration
		attempts     int
		onInner      bool // attempts are a property of the inner budget
		runs         []int
		bounds       string
		stage        string // of the inner one
		resolution   time.Duration
		whole        bool
		nest         bool // a third budget between the two, without lines
	}{
		{name: "45 s in 100 s, three attempts", format: dotnetConsole, outer: reactive, inner: timer("supplier-standard"), innerEvery: 45 * time.Second, outerEvery: 100 * time.Second, attempts: 3, onInner: true,
			runs: []int{6, 4, 5}, bounds: "[no-response, body-stalled]", stage: "total-deadline"},
		{name: "30 s in 45 s, two attempts", format: dotnetConsole, outer: waitAsync, inner: timer("depot-standard"), innerEvery: 30 * time.Second, outerEvery: 45 * time.Second, attempts: 2, onInner: true,
			runs: []int{7, 5}, bounds: "[no-response, body-stalled]", stage: "total-deadline"},
		{name: "attempts on the outer", format: dotnetConsole, outer: waitAsync, inner: timer("depot-standard"), innerEvery: 60 * time.Second, outerEvery: 90 * time.Second, attempts: 2,
			runs: []int{5, 4, 6}, bounds: "[no-response]", stage: "no-response"},
		{name: "nest of three", format: dotnetConsole, outer: reactive, inner: timer("supplier-standard"), innerEvery: 100 * time.Second, outerEvery: 4 * time.Minute, attempts: 3, onInner: true,
			runs: []int{5, 4, 6}, bounds: "[no-response, body-stalled]", stage: "total-deadline", nest: true},
		{name: "milliseconds, JSON", format: dotnetJSON, outer: reactive, inner: timer("supplier-standard"), innerEvery: 2 * time.Minute, outerEvery: 5 * time.Minute, attempts: 3, onInner: true,
			runs: []int{5, 4, 6}, bounds: "[no-response, body-stalled]", stage: "total-deadline", resolution: time.Millisecond},
		{name: "Serilog", format: serilog, outer: waitAsync, inner: timer("depot-standard"), innerEvery: 30 * time.Second, outerEvery: 45 * time.Second, attempts: 2, onInner: true,
			runs: []int{7, 5}, bounds: "[no-response, body-stalled]", stage: "total-deadline"},
		{name: "Go, slog", format: slogJSON, outer: goWait, inner: layer{"depot.client", func(int) rec {
			return rec{level: "warn", category: "depot.client", message: "fetch failed", state: []field{{"url", "https://depot.example/stock"}}, trace: []string{`Get "https://depot.example/stock": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`}}
		}}, innerEvery: 40 * time.Second, outerEvery: time.Minute, attempts: 2, onInner: true, runs: []int{5, 5, 4}, bounds: "[no-response, body-stalled]", stage: ""},
		{name: "Java, logback", format: logback, outer: javaWait, inner: layer{"shop.catalog.Client", func(int) rec {
			return rec{level: "warn", category: "shop.catalog.Client", message: "supplier call failed", trace: []string{"java.util.concurrent.TimeoutException: TimeLimiter 'supplier' recorded a timeout exception.", "\tat io.github.resilience4j.timelimiter.TimeLimiter.createdTimeoutExceptionWithName(TimeLimiter.java:225)"}}
		}}, innerEvery: 40 * time.Second, outerEvery: time.Minute, attempts: 2, onInner: true, runs: []int{5, 5, 4}, bounds: "[no-response, body-stalled]", stage: "total-deadline", whole: true},
		{name: "Python, asyncio", format: pythonLog, outer: pythonWait, inner: layer{"depot.http", func(int) rec {
			return rec{level: "warn", category: "depot.http", message: "TimeoutError after 60 s on https://depot.example/stock"}
		}}, innerEvery: 60 * time.Second, outerEvery: 90 * time.Second, attempts: 2, onInner: true, runs: []int{5, 4, 4}, bounds: "[no-response, body-stalled]", stage: "total-deadline", whole: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(11, c.format)
			w.tie, w.whole = c.resolution, c.whole
			end := dawn.Add(15 * time.Hour)
			noise(w, dawn, end, 200)
			for range 20 {
				crash(w, w.pick(), w.uniform(dawn, end))
			}
			episode := dawn.Add(time.Hour)
			for r, n := range c.runs {
				p := w.pods[r%len(w.pods)]
				at := episode.Add(w.jitter(time.Minute))
				for i := range n {
					at = at.Add(c.outerEvery)
					fired := at.Add(w.jitter(2 * time.Millisecond))
					w.fault("outer", c.outer.source, p, fired, c.outer.record(r*100+i))
					if i%3 != 1 { // the inner clock is not always the one that runs
						w.fault("inner", c.inner.source, p, fired.Add(c.innerEvery-c.outerEvery+w.jitter(time.Millisecond)), c.inner.record(i))
					}
				}
				episode = episode.Add(time.Duration(4+r*3) * time.Hour)
			}
			o := w.incident("outer")
			o.PeriodNs, o.Kinds, o.Match = int64(c.outerEvery), []string{"fixed-rate", "fixed-delay", "unknown-kind"}, "ItemBudget"
			o.Stage, o.Budget = "outer-cancelled", "ItemBudget"
			in := w.incident("inner")
			in.AlsoNs = []int64{int64(c.outerEvery), 2 * int64(c.outerEvery), 3 * int64(c.outerEvery)}
			in.Stage = c.stage
			if c.stage != "" {
				in.Budget = "AttemptBudget"
			}
			onInner, onOuter, between, contains := "", "", "", "AttemptBudget"
			if c.onInner {
				onInner = fmt.Sprintf(", attempts: %d", c.attempts)
			} else {
				onOuter = fmt.Sprintf(", attempts: %d", c.attempts)
			}
			if c.nest {
				between = fmt.Sprintf("  - {name: CallBudget, duration: %s, contains: [AttemptBudget]}\n", 3*c.innerEvery+10*time.Second)
				contains = "CallBudget"
			}
			w.rules = fmt.Sprintf("budgets:\n  - {name: AttemptBudget, duration: %s%s, bounds: %s, sources: [%q]}\n%s  - {name: ItemBudget, duration: %s%s, contains: [%s], sources: [%q]}\n",
				c.innerEvery, onInner, c.bounds, c.inner.source, between, c.outerEvery, onOuter, contains, c.outer.source)
			w.expect("budgets-inverted ItemBudget", "sequential-pass "+c.outer.source, "stage-unrecoverable "+c.outer.source, "recurrence-matches-budget "+c.outer.source)
			w.allow("recurrence", "recurrence-matches-budget "+c.inner.source, "sequential-pass "+c.inner.source, "stage-unrecoverable "+c.inner.source, "duplicate-layers", "blame client-budget")
			w.check(t)
		})
	}
}
