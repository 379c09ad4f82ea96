package main

import (
	"flag"
	"fmt"
	"testing"
	"time"
)

var sweep = flag.Uint64("unseen.sweep", 0, "how many random incidents of each kind TestUnseenSweep makes; 0 makes five of each")

// TestUnseenSweep draws the parameters of incidents at random.
func TestUnseenSweep(t *testing.T) {
	n := *sweep
	if n == 0 {
		n = 5
	}
	for _, kind := range []struct {
		name string
		draw func(seed uint64) (w *world, parameters string)
	}{{"masked", drawMasked}, {"outer", drawOuter}, {"stage", drawStage}, {"several", drawSeveral}} {
		for seed := range n {
			w, parameters := kind.draw(seed)
			t.Run(fmt.Sprintf("%s/%d", kind.name, seed), func(t *testing.T) {
				t.Log(parameters)
				w.check(t)
			})
		}
	}
}

// oneOf draws one of several values.
func oneOf[T any](w *world, values ...T) T { return values[w.rng.IntN(len(values))] }

// drawMasked makes three Sources under one masked id, one of them a clock.
func drawMasked(seed uint64) (*world, string) {
	w := newWorld(seed, dotnetConsole)
	w.pods = w.pods[:2+w.rng.IntN(4)]
	w.tie = oneOf(w, 0, 0, time.Millisecond, time.Second)
	period := oneOf(w, 20*time.Second, 30*time.Second, 45*time.Second, 75*time.Second, 100*time.Second, 2*time.Minute, 150*time.Second, 4*time.Minute, 6*time.Minute, 10*time.Minute)
	run := oneOf(w, 0, 0, 3, 4, 5, 6, 8)
	cycle := time.Duration(float64(run) * float64(period) * (1.5 + 3*w.rng.Float64())).Round(time.Second)
	jitter := oneOf(w, time.Millisecond, 3*time.Millisecond, 10*time.Millisecond)
	missing := oneOf(w, 0, 0, 0.03, 0.1)
	delay := oneOf(w, false, false, true) && run == 0
	schedule := run == 0 && oneOf(w, false, true)
	length := max(time.Duration(6+w.rng.IntN(8))*cycle, time.Duration(40+w.rng.IntN(80))*period)
	end := dawn.Add(length)
	parameters := fmt.Sprintf("%d pods, tie %v, period %v, run %d every %v, jitter %v, missing %v, delay %v, schedule %v, length %v", len(w.pods), w.tie, period, run, cycle, jitter, missing, delay, schedule, length)
	const hot, fixed, other = "parts-standard//Standard-AttemptTimeout", "prices-standard//Standard-AttemptTimeout", "Orleans.Membership/(null)/Timeout"
	noise(w, dawn, end, 100)
	for _, p := range w.pods {
		at := dawn.Add(time.Duration(w.rng.Int64N(int64(max(period, cycle)))))
		for at.Before(end) {
			tick := at
			for i := 0; i < max(run, 1) && tick.Before(end); i++ {
				if w.rng.Float64() >= missing {
					w.fault("hot", hot, p, tick.Add(w.jitter(jitter)), onTimeout("parts-standard", "", "Standard-AttemptTimeout"))
				}
				tick = tick.Add(period)
			}
			at = at.Add(max(cycle, period))
			if delay {
				at = at.Add(time.Duration(w.rng.Int64N(int64(period) / 200)))
			}
		}
	}
	h := w.incident("hot")
	h.PeriodNs, h.Kinds, h.Match = int64(period), []string{"fixed-rate", "cron"}, "ItemBudget"
	if delay {
		h.Kinds = []string{"fixed-delay"}
	}
	h.Stage, h.Budget = "no-response", "AttemptBudget"
	if run > 0 {
		h.AlsoNs = []int64{int64(cycle)}
	}
	closing := dawn.Add(length * 7 / 10)
	for range 30 + w.rng.IntN(20) {
		w.fault("fixed", fixed, w.pick(), w.uniform(dawn, closing), onTimeout("prices-standard", "", "Standard-AttemptTimeout"))
	}
	for range 5 + w.rng.IntN(10) {
		w.fault("other", other, w.pick(), w.uniform(dawn, end), onTimeout("Orleans.Membership", "(null)", "Timeout"))
	}
	for range 15 + w.rng.IntN(20) {
		crash(w, w.pick(), w.uniform(dawn, end))
	}
	w.fold("4c7856a2414c6b32", "hot", "fixed", "other")
	inner := period * 2 / 3
	w.rules = fmt.Sprintf("budgets:\n  - {name: AttemptBudget, duration: %s, bounds: [no-response], sources: [%q]}\n", inner, hot)
	if schedule {
		w.incident("hot").Match = "stock count"
		w.rules += fmt.Sprintf("schedules:\n  - {name: stock count, every: %s}\n", period)
		w.expect("recurrence-matches-schedule " + hot)
	} else {
		w.rules += fmt.Sprintf("  - {name: ItemBudget, duration: \"AttemptBudget + %s\", contains: [AttemptBudget], sources: [Shop.Mirror.Walker]}\n", period-inner)
		w.expect("recurrence-matches-budget "+hot, "sequential-pass "+hot)
	}
	w.rules += fmt.Sprintf("issues:\n  - {number: 311, state: closed, closed_at: %s, sources: [%q], incident: masked}\n  - {number: 402, state: open, sources: [%q]}\n", closing.Add(time.Minute).Format(time.RFC3339), fixed, hot)
	w.expect("issue-do-not-reopen 311", "issue-repoint 402")
	w.allow("recurrence "+hot, "blame", "stage-unrecoverable")
	return w, parameters
}

// drawOuter makes passes that an outer wait cuts.
func drawOuter(seed uint64) (*world, string) {
	w := newWorld(seed, oneOf(newWorld(seed, nil), dotnetConsole, dotnetJSON, serilog))
	outer := oneOf(w, 45*time.Second, 75*time.Second, 90*time.Second, 100*time.Second, 150*time.Second, 3*time.Minute, 5*time.Minute, 10*time.Minute)
	inner := time.Duration(float64(outer) * oneOf(w, .5, .6, 2./3, .75)).Round(time.Second)
	share := oneOf(w, 0.4, 0.6, 0.9)
	runs := 2 + w.rng.IntN(4)
	jitter := oneOf(w, time.Millisecond, 2*time.Millisecond, 8*time.Millisecond)
	parameters := fmt.Sprintf("outer %v, inner %v in %v of cases, %d runs, jitter %v", outer, inner, share, runs, jitter)
	const src, timer = "Shop.Catalog.Importer", "supplier-standard//Standard-AttemptTimeout"
	length := time.Duration(runs)*(8*outer+40*time.Minute) + 4*time.Hour
	end := dawn.Add(length)
	noise(w, dawn, end, 100)
	for range 20 + w.rng.IntN(15) {
		crash(w, w.pick(), w.uniform(dawn, end))
	}
	at := dawn.Add(time.Duration(w.rng.Int64N(int64(time.Hour))))
	for r := range runs {
		p := w.pods[r%len(w.pods)]
		items := 4 + w.rng.IntN(4)
		for i := range items {
			at = at.Add(outer)
			fired := at.Add(w.jitter(jitter))
			w.fault("outer", src, p, fired, rec{level: "error", category: src, event: 4,
				message: fmt.Sprintf("Importing supplier 'north.%d' failed", i), template: "Importing supplier '{Supplier}' failed", state: []field{{"Supplier", fmt.Sprintf("north.%d", i)}},
				trace: []string{"System.TimeoutException: The operation has timed out.", "   at System.Reactive.Linq.ObservableImpl.Timeout`1.Relative._.OnTimeout()", "   at Shop.Catalog.Importer.Import(Supplier supplier)"}})
			if w.rng.Float64() < share || r == 0 && i == 0 {
				w.fault("inner", timer, p, fired.Add(inner-outer+w.jitter(time.Millisecond)), onTimeout("supplier-standard", "", "Standard-AttemptTimeout"))
			}
		}
		at = at.Add(20*time.Minute + time.Duration(w.rng.Int64N(int64(time.Hour))))
	}
	o := w.incident("outer")
	o.PeriodNs, o.Kinds, o.Match, o.Stage, o.Budget = int64(outer), []string{"fixed-rate", "fixed-delay", "unknown-kind"}, "ItemBudget", "outer-cancelled", "ItemBudget"
	in := w.incident("inner")
	in.AlsoNs, in.Stage, in.Budget = []int64{int64(outer), 2 * int64(outer), 3 * int64(outer)}, "total-deadline", "AttemptBudget"
	w.rules = fmt.Sprintf("budgets:\n  - {name: AttemptBudget, duration: %s, attempts: 3, bounds: [no-response, body-stalled], sources: [%q]}\n  - {name: ItemBudget, duration: %s, contains: [AttemptBudget], sources: [%q]}\n", inner, timer, outer, src)
	w.expect("budgets-inverted ItemBudget", "sequential-pass "+src, "stage-unrecoverable "+src, "recurrence-matches-budget "+src)
	w.allow("recurrence", "recurrence-matches-budget "+timer, "sequential-pass "+timer, "stage-unrecoverable "+timer, "duplicate-layers", "blame client-budget")
	return w, parameters
}

// drawStage makes a client that names the stage, and a timer beside it.
func drawStage(seed uint64) (*world, string) {
	w := newWorld(seed, oneOf(newWorld(seed, nil), dotnetConsole, dotnetJSON, serilog, logfmt, dotnetSingle))
	client := sentences("Depot.Parts.PartsClient", "Parts", "depot")
	bound := oneOf(w, 20*time.Second, 45*time.Second, 90*time.Second, 2*time.Minute)
	every := oneOf(w, 30*time.Minute, time.Hour, 90*time.Minute, 2*time.Hour, 3*time.Hour, 4*time.Hour)
	ticks := 4 + w.rng.IntN(4)
	pods := 2 + w.rng.IntN(2)
	jitter := oneOf(w, time.Millisecond, 3*time.Millisecond, 10*time.Millisecond)
	aligned := oneOf(w, false, true)
	lead := oneOf(w, 3*time.Millisecond, 20*time.Millisecond, 200*time.Millisecond)
	parameters := fmt.Sprintf("bound %v, every %v, %d ticks on %d pods, jitter %v, aligned %v, timer within %v", bound, every, ticks, pods, jitter, aligned, lead)
	end := dawn.Add(time.Duration(ticks) * every)
	noise(w, dawn, end, 100)
	const timer = "parts-standard//Standard-AttemptTimeout"
	dups := int64(0)
	for n, p := range w.pods[:pods] {
		phase := bound
		if !aligned {
			phase = time.Duration(w.rng.Int64N(int64(every)))
		}
		for i := range ticks {
			at := dawn.Add(phase + time.Duration(i)*every + w.jitter(jitter).Abs())
			w.fault("silent", client.source, p, at, client.silent(bound))
			if n == 0 && i == 0 || w.rng.IntN(5) > 0 {
				off := time.Duration(w.rng.Int64N(2*int64(lead))) - lead
				w.emit(p, at.Add(off), onTimeout("parts-standard", "", "Standard-AttemptTimeout"))
				dups++
			}
		}
	}
	for range 4 + w.rng.IntN(5) {
		w.fault("stalled", client.source, w.pods[3+w.rng.IntN(2)], w.uniform(dawn, end), client.stalled(bound, 190_000_000+w.rng.Int64N(90_000_000), 412_316_860))
	}
	w.fault("huge", client.source, w.pods[4], w.uniform(dawn, end), client.huge(9_663_676_416, 2_147_483_648))
	zero := int64(0)
	s := w.incident("silent")
	s.PeriodNs, s.Kinds, s.Match, s.Stage, s.Budget, s.Duplicates, s.BytesMax = int64(every), []string{"fixed-rate", "cron"}, "walk", "no-response", "TransferBudget", &dups, &zero
	w.incident("stalled").Stage, w.incident("stalled").Budget = "body-stalled", "TransferBudget"
	w.incident("huge").Stage, w.incident("huge").BytesMax = "size-exceeded", &zero
	w.rules = fmt.Sprintf("budgets:\n  - {name: TransferBudget, duration: %s, bounds: [no-response, body-stalled], sources: [%s, %q]}\n  - {name: ItemBudget, duration: TransferBudget + 1m, contains: [TransferBudget]}\nschedules:\n  - {name: walk, every: %s}\n", bound, client.source, timer, every)
	w.expect("blame server", "blame network", "blame archive-size", "duplicate-layers "+client.source, "recurrence-matches-schedule "+client.source)
	w.allow("recurrence")
	return w, parameters
}
