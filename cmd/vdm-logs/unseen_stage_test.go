package main

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// refuser is a client whose own lines name the stage at which it gave up.
type refuser struct {
	source string
	// silent, stalled and huge are its lines for a server that never answers,
	// a body that goes silent and an object over the bound.
	silent  func(bound time.Duration) rec
	stalled func(bound time.Duration, received, declared int64) rec
	huge    func(declared, limit int64) rec
	// counts says that silent states its zero bytes.
	counts bool
}

// sentences is a client of the seed's kind with other nouns.
func sentences(category, noun, peer string) refuser {
	line := func(what, host string, bound time.Duration, elapsed int64, received int64, declared any, cause string) rec {
		return rec{level: "warn", category: category,
			message: fmt.Sprintf("%s over HTTP from https://%s/api/%s did NOT complete after %d ms — %d of %v byte(s) had arrived. Cause: %s: the %s at https://%s %s",
				what, host, what[len(noun)+1:], elapsed, received, declared, what, peer, host, cause),
			template: "{What} over HTTP from {Address} did NOT complete after {Elapsed} ms — {Received} of {Declared} byte(s) had arrived. Cause: {Cause}",
			state: []field{{"What", what}, {"Address", "https://" + host + "/api/" + what[len(noun)+1:]}, {"Elapsed", elapsed}, {"Received", received}, {"Declared", fmt.Sprint(declared)},
				{"Cause", fmt.Sprintf("%s: the %s at https://%s %s", what, peer, host, cause)}}}
	}
	return refuser{source: category, counts: true,
		silent: func(b time.Duration) rec {
			return line(noun+" index", "packages.example", b, b.Milliseconds(), 0, "an undeclared number of", fmt.Sprintf("did not begin a response within %d s", int(b.Seconds())))
		},
		stalled: func(b time.Duration, received, declared int64) rec {
			return line(noun+" north.maps", "eu.example", b, b.Milliseconds()+85_000+received%977, received, declared, fmt.Sprintf("went silent for %d s", int(b.Seconds())))
		},
		huge: func(declared, limit int64) rec {
			return line(noun+" north.video", "eu.example", 0, 212, 0, declared, fmt.Sprintf("declared %d byte(s), over the bound of %d", declared, limit))
		},
	}
}

// ownClient writes what package transfer logs.
func ownClient(source, category string) refuser {
	line := func(name, target, stage, phase string, extra ...field) rec {
		return rec{level: "error", category: category, message: "transfer refused", state: append([]field{{"name", name}, {"target", target}, {"stage", stage}, {"phase", phase}}, extra...)}
	}
	return refuser{source: source, counts: true,
		silent: func(b time.Duration) rec {
			return line("index", "https://packages.example/index.json", "no-response", "headers", field{"budget", "TransferBudget"}, field{"budgetNs", int64(b)}, field{"silenceNs", int64(b) + 400_000},
				field{"bytesReceived", 0}, field{"elapsedNs", int64(b) + 500_000}, field{"attempts", 1},
				field{"error", fmt.Sprintf("transfer index: no response from https://packages.example/index.json within %s", b)})
		},
		stalled: func(b time.Duration, received, declared int64) rec {
			return line("north.maps", "https://eu.example/north.maps", "body-stalled", "body", field{"budget", "TransferBudget"}, field{"budgetNs", int64(b)}, field{"silenceNs", int64(b) + 400_000},
				field{"bytesReceived", received}, field{"bytesDeclared", declared}, field{"elapsedNs", int64(b) + 95_000_000_000}, field{"attempts", 1}, field{"status", 200},
				field{"error", fmt.Sprintf("transfer north.maps: https://eu.example/north.maps went silent for %s after %d of %d bytes", b, received, declared)})
		},
		huge: func(declared, limit int64) rec {
			return line("north.video", "https://eu.example/north.video", "size-exceeded", "headers", field{"limitBytes", limit}, field{"bytesReceived", 0}, field{"bytesDeclared", declared},
				field{"elapsedNs", 210_000_000}, field{"attempts", 1}, field{"status", 200}, field{"error", fmt.Sprintf("transfer north.video: declared %d bytes, over the bound of %d", declared, limit)})
		},
	}
}

// texts is a client that logs a sentence and an error with frames.
func texts(category, level string, silent, stalled, huge func(bound time.Duration, a, b int64) (string, []string)) refuser {
	of := func(message string, trace []string) rec {
		return rec{level: level, category: category, message: message, trace: trace}
	}
	return refuser{source: category,
		silent:  func(b time.Duration) rec { return of(silent(b, 0, 0)) },
		stalled: func(b time.Duration, received, declared int64) rec { return of(stalled(b, received, declared)) },
		huge:    func(declared, limit int64) rec { return of(huge(0, declared, limit)) },
	}
}

// TestUnseenNamedStage makes logs of clients that name the stage themselves,
// with a pipeline's timer within milliseconds of their lines.
func TestUnseenNamedStage(t *testing.T) {
	polly := func(pipeline, strategy string) (string, rec) {
		return pipeline + "//" + strategy, onTimeout(pipeline, "", strategy)
	}
	attempt, attemptRec := polly("parts-standard", "Standard-AttemptTimeout")
	for _, c := range []struct {
		name     string
		format   format
		client   refuser
		timer    string
		timerRec rec
		bound    time.Duration
		every    time.Duration
		tie      time.Duration
		whole    bool
		clock    bool // aligned to the wall clock, else a phase a pod
		ticks    int
	}{
		{name: "seed's sentence, console", format: dotnetConsole, client: sentences("Depot.Parts.PartsClient", "Parts", "depot"), timer: attempt, timerRec: attemptRec, bound: 90 * time.Second, every: 2 * time.Hour, ticks: 5},
		{name: "JSON console", format: dotnetJSON, client: sentences("Depot.Parts.PartsClient", "Parts", "depot"), timer: attempt, timerRec: attemptRec, bound: 45 * time.Second, every: 90 * time.Minute, ticks: 6},
		{name: "Serilog", format: serilog, client: sentences("Depot.Parts.PartsClient", "Parts", "depot"), timer: attempt, timerRec: attemptRec, bound: 100 * time.Second, every: time.Hour, ticks: 6, clock: true},
		{name: "logfmt", format: logfmt, client: sentences("Depot.Parts.PartsClient", "Parts", "depot"), timer: attempt, timerRec: attemptRec, bound: 30 * time.Second, every: 2 * time.Hour, ticks: 5},
		{name: "single lines", format: dotnetSingle, client: sentences("Depot.Parts.PartsClient", "Parts", "depot"), timer: attempt, timerRec: attemptRec, bound: 60 * time.Second, every: 2 * time.Hour, ticks: 5},
		{name: "one entry a record, ms", format: dotnetConsole, client: sentences("Depot.Parts.PartsClient", "Artifact", "mirror"), timer: attempt, timerRec: attemptRec, bound: 150 * time.Second, every: 4 * time.Hour, ticks: 4, tie: time.Millisecond, whole: true},
		{name: "console, ties of a second", format: dotnetConsole, client: sentences("Depot.Parts.PartsClient", "Artifact", "mirror"), timer: attempt, timerRec: attemptRec, bound: 150 * time.Second, every: 3 * time.Hour, ticks: 4, tie: time.Second},
		{name: "own client, slog JSON", format: slogJSON, client: ownClient("parts", "parts"), bound: 90 * time.Second, every: 2 * time.Hour, ticks: 5},
		{name: "own client, no logger name", format: slogJSON, client: ownClient("shop-api", ""), bound: 90 * time.Second, every: 2 * time.Hour, ticks: 5},
		{name: "own client, logfmt", format: logfmt, client: ownClient("parts", "parts"), bound: 90 * time.Second, every: 2 * time.Hour, ticks: 5},
		{name: "Go net/http, zap", format: zapJSON, bound: 30 * time.Second, every: 2 * time.Hour, ticks: 5, client: texts("parts", "error",
			func(b time.Duration, _, _ int64) (string, []string) {
				return "fetching index failed", []string{`Get "https://packages.example/index.json": net/http: timeout awaiting response headers`}
			},
			func(b time.Duration, r, d int64) (string, []string) {
				return "download of north.maps stalled", []string{fmt.Sprintf("read %d of %d bytes, then nothing for %s: read tcp 10.0.3.7:51532->10.1.9.2:443: i/o timeout", r, d, b)}
			},
			func(_ time.Duration, d, l int64) (string, []string) {
				return "download of north.video refused", []string{fmt.Sprintf("declared size of %d bytes exceeds the limit of %d bytes", d, l)}
			})},
		{name: "Java, OkHttp", format: logback, whole: true, bound: 30 * time.Second, every: 2 * time.Hour, ticks: 5, client: texts("com.shop.parts.PartsClient", "error",
			func(b time.Duration, _, _ int64) (string, []string) {
				return "index could not be read", []string{"java.net.SocketTimeoutException: timeout", "\tat okhttp3.internal.http2.Http2Stream$StreamTimeout.newTimeoutException(Http2Stream.kt:678)", "\tat okhttp3.internal.http2.Http2Stream.takeHeaders(Http2Stream.kt:137)",
					"\tat okhttp3.internal.http2.Http2ExchangeCodec.readResponseHeaders(Http2ExchangeCodec.kt:96)", "\tat com.shop.parts.PartsClient.index(PartsClient.java:40)"}
			},
			func(b time.Duration, r, d int64) (string, []string) {
				return "north.maps could not be read", []string{"java.net.SocketTimeoutException: timeout", "\tat okhttp3.internal.http2.Http2Stream$StreamTimeout.newTimeoutException(Http2Stream.kt:678)",
					"\tat okhttp3.internal.http2.Http2Stream$FramingSource.read(Http2Stream.kt:382)", "\tat okio.RealBufferedSource.read(RealBufferedSource.kt:192)", "\tat com.shop.parts.PartsClient.copy(PartsClient.java:88)"}
			},
			func(_ time.Duration, d, l int64) (string, []string) {
				return fmt.Sprintf("north.video refused: content length %d is over the maximum of %d bytes", d, l), nil
			})},
		{name: "Python, requests", format: pythonLog, whole: true, bound: 30 * time.Second, every: 2 * time.Hour, ticks: 5, client: texts("parts.client", "error",
			func(b time.Duration, _, _ int64) (string, []string) {
				return fmt.Sprintf("index: HTTPSConnectionPool(host='packages.example', port=443): Read timed out. (read timeout=%d)", int(b.Seconds())), nil
			},
			func(b time.Duration, r, d int64) (string, []string) {
				return "north.maps failed", []string{"Traceback (most recent call last):", `  File "/usr/lib/python3/site-packages/urllib3/response.py", line 780, in _error_catcher`, "    yield", `  File "/usr/lib/python3/site-packages/urllib3/response.py", line 904, in _raw_read`, "    data = self._fp_read(amt, read1=read1)",
					"urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='eu.example', port=443): Read timed out."}
			},
			func(_ time.Duration, d, l int64) (string, []string) {
				return fmt.Sprintf("north.video: file of %d bytes is larger than the allowed %d", d, l), nil
			})},
		{name: "Node, undici", format: zapJSON, bound: 30 * time.Second, every: 2 * time.Hour, ticks: 5, client: texts("parts", "error",
			func(b time.Duration, _, _ int64) (string, []string) {
				return "index failed", []string{"HeadersTimeoutError: Headers Timeout Error (UND_ERR_HEADERS_TIMEOUT)"}
			},
			func(b time.Duration, r, d int64) (string, []string) {
				return "north.maps failed", []string{"BodyTimeoutError: Body Timeout Error (UND_ERR_BODY_TIMEOUT)"}
			},
			func(_ time.Duration, d, l int64) (string, []string) {
				return "north.video failed", []string{"ResponseExceededMaxSizeError: Response content exceeded max size (UND_ERR_RES_EXCEEDED_MAX_SIZE)"}
			})},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(23, c.format)
			w.tie, w.whole = c.tie, c.whole
			for i := range w.pods {
				w.pods[i].app = "shop-api"
			}
			start := dawn
			end := start.Add(time.Duration(c.ticks)*c.every + 30*time.Minute)
			noise(w, start, end, 300)
			dups := int64(0)
			for n, p := range w.pods[:3] {
				phase := time.Duration(n)*13*time.Minute + 20*time.Minute
				if c.clock {
					phase = 10 * time.Minute
				}
				for i := range c.ticks {
					at := start.Add(phase + time.Duration(i)*c.every + w.jitter(2*time.Millisecond).Abs())
					w.fault("silent", c.client.source, p, at, c.client.silent(c.bound))
					if c.timer != "" && (n+i)%5 != 4 {
						off := time.Duration(1+w.rng.IntN(6)) * time.Millisecond
						if (n+i)%2 == 0 {
							off = -off
						}
						w.emit(p, at.Add(off), c.timerRec)
						dups++
					}
				}
			}
			for i := range 6 {
				w.fault("stalled", c.client.source, w.pods[3+i%2], w.uniform(start, end), c.client.stalled(c.bound, 190_000_000+w.rng.Int64N(90_000_000), 412_316_860))
			}
			w.fault("huge", c.client.source, w.pods[4], start.Add(5*time.Hour+time.Duration(w.rng.IntN(1e9))), c.client.huge(9_663_676_416, 2_147_483_648))
			for range 40 {
				w.emit(w.pick(), w.uniform(start, end), rec{level: "info", category: c.client.source, message: fmt.Sprintf("Parts core over HTTP from https://packages.example/api/core completed: %d byte(s) in %d ms (2000 kB/s)", 1000+w.rng.IntN(1e6), w.rng.IntN(900))})
			}
			s := w.incident("silent")
			s.PeriodNs, s.Kinds, s.Match, s.Stage, s.Budget = int64(c.every), []string{"fixed-rate", "cron"}, "walk", "no-response", "TransferBudget"
			s.Duplicates = &dups
			zero := int64(0)
			if c.client.counts {
				s.BytesMax = &zero
				w.incident("huge").BytesMax = &zero
				w.expect("blame server")
			}
			w.incident("stalled").Stage, w.incident("stalled").Budget, w.incident("huge").Stage = "body-stalled", "TransferBudget", "size-exceeded"
			source, _ := json.Marshal(c.client.source)
			timer, _ := json.Marshal(c.timer)
			if c.timer == "" {
				timer = source
			} else {
				w.expect("duplicate-layers " + c.client.source)
			}
			w.rules = fmt.Sprintf("budgets:\n  - {name: TransferBudget, duration: %s, bounds: [no-response, body-stalled], sources: [%s, %s]}\n  - {name: ItemBudget, duration: TransferBudget + 1m, contains: [TransferBudget]}\nschedules:\n  - {name: walk, every: %s}\nissues:\n  - {number: 88, state: open, sources: [%s]}\n",
				c.bound, source, timer, c.every, source)
			w.expect("blame network", "blame archive-size", "recurrence-matches-schedule "+c.client.source)
			w.allow("recurrence")
			w.check(t)
		})
	}
}
