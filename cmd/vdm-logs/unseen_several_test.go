package main

import (
	"fmt"
	"strings"
	"time"
)

// drawSeveral makes an incident that recurs differently on each pod, on some
// in two ways at once, with losses, and another that recurs on none.
func drawSeveral(seed uint64) (*world, string) {
	w := newWorld(seed, oneOf(newWorld(seed, nil), dotnetConsole, dotnetJSON, serilog, logfmt))
	w.tie = oneOf(w, 0, 0, time.Millisecond)
	const source = "parts-standard//Standard-AttemptTimeout"
	length := 8*time.Hour + time.Duration(w.rng.Int64N(int64(8*time.Hour)))
	end := dawn.Add(length)
	noise(w, dawn, end, 200)
	missing := oneOf(w, 0, 0.05, 0.15)
	// Periods of which none is near a multiple or a fraction of another.
	periods := []time.Duration{97 * time.Second, 173 * time.Second, 251 * time.Second, 331 * time.Second, 457 * time.Second, 599 * time.Second, 787 * time.Second}
	w.rng.Shuffle(len(periods), func(i, j int) { periods[i], periods[j] = periods[j], periods[i] })
	var told []string
	next := 0
	for _, p := range w.pods {
		for range 1 + w.rng.IntN(2) {
			if next == len(periods) {
				break
			}
			every := periods[next]
			next++
			delay := oneOf(w, false, false, true)
			kind, spread := "fixed-rate", oneOf(w, time.Millisecond, 5*time.Millisecond, 20*time.Millisecond)
			if delay {
				kind, spread = "fixed-delay", every/oneOf[time.Duration](w, 200, 100)
			}
			at := dawn.Add(time.Duration(w.rng.Int64N(int64(every))))
			for at.Before(end) {
				tick := at
				if !delay {
					tick = tick.Add(w.jitter(spread))
				}
				if w.rng.Float64() >= missing {
					w.fault("hot", source, p, tick, onTimeout("parts-standard", "", "Standard-AttemptTimeout"))
				}
				at = at.Add(every)
				if delay {
					at = at.Add(time.Duration(w.rng.Int64N(int64(spread))))
				}
			}
			if delay {
				every += spread / 2
			}
			w.want.Recurrences = append(w.want.Recurrences, wantRecurrence{Source: source, Pod: p.name, PeriodNs: int64(every), Kind: kind})
			told = append(told, fmt.Sprintf("%s every %v ± %v %s", p.name, every, spread, kind))
		}
	}
	for range 60 {
		crash(w, w.pick(), w.uniform(dawn, end))
	}
	w.allow("recurrence "+source, "blame", "stage-unrecoverable", "sequential-pass")
	return w, fmt.Sprintf("tie %v, missing %v, length %v, %s", w.tie, missing, length, strings.Join(told, "; "))
}
