package main

import (
	"fmt"
	"testing"
	"time"
)

// quietLines are harmless records of many programs that speak of timeouts,
// failures and cancellations. %d stands for a number, %s for an id.
var quietLines = []struct{ level, category, message string }{
	{"info", "Shop.Startup", "Request timeout: 00:00:30, idle timeout 00:05:00, shutdown timeout 00:00:10"},
	{"info", "Shop.Startup", "Kestrel limits: KeepAliveTimeout=00:02:10 RequestHeadersTimeout=00:00:30"},
	{"debug", "Shop.Pool", "connection %d closed after idle timeout"},
	{"info", "Shop.Sessions", "Session %s timed out after 30 minutes of inactivity, user logged out"},
	{"info", "Shop.Lock", "Lock orders/%d released: lease timeout of 60s not reached"},
	{"warn", "Shop.Settings", "HttpClient.Timeout is 100 s, which is longer than the gateway timeout of 60 s"},
	{"warn", "Shop.Settings", "Option 'ConnectTimeout' is deprecated, use 'DialTimeout'"},
	{"warn", "Shop.Settings", "No read timeout configured for upstream catalog; using the default of 30s"},
	{"info", "Shop.Health", "Health check 'database' completed after %d ms with status Healthy"},
	{"info", "Shop.Health", "Readiness probe answered in %d ms (timeout 1000 ms)"},
	{"info", "Shop.Tests", "PASS TimeoutPolicyTests.Cancels_after_timeout (%d ms)"},
	{"info", "Shop.Tests", "ok   TestRetryAfterTimeout 0.0%ds"},
	{"info", "Shop.Http", "GET https://catalog.example/items?timeout=%d responded 200 in 41 ms"},
	{"info", "Shop.Http", "Request to https://catalog.example/items/%d succeeded on attempt 2 after a retry"},
	{"info", "Shop.Http", "Retry succeeded: attempt 2 of 3, 200 in %d ms"},
	{"info", "Shop.Transfer", "Parts core over HTTP from https://packages.example/core completed: %d byte(s) in 812 ms (4000 kB/s)"},
	{"info", "Shop.Transfer", "transfer completed in %d ms, 0 stalls, no timeouts"},
	{"debug", "Shop.Timer", "Timer %d scheduled, due in 120 s"},
	{"info", "Shop.Cache", "evicted %d entries whose time-to-live expired"},
	{"warn", "Shop.Gc", "stop-the-world pause of %d ms"},
	{"warn", "Microsoft.EntityFrameworkCore.Query", "Compiling a query which loads related collections; took %d ms for tenant %s"},
	{"warn", "Shop.Disk", "disk usage at %d %%"},
	{"warn", "Shop.Slow", "slow request: GET /cart/%d took 4100 ms (threshold 3000 ms)"},
	{"info", "Shop.Deploy", "rollout finished: 5 of 5 replicas ready within the progress deadline of 600 s"},
	{"info", "Shop.Jobs", "job %d finished before its deadline"},
	{"debug", "Shop.Jobs", "deadline for job %d extended by 30 s"},
	{"info", "Shop.Orders", "order %d cancelled by customer"},
	{"info", "Shop.Tokens", "token %s expired, a new one was issued"},
	{"info", "System.Net.Http.HttpClient.catalog.ClientHandler", "Received HTTP response headers after %d.2ms - 200"},
	{"info", "Shop.Breaker", "circuit 'catalog' closed again after a break of 30 s"},
	{"info", "Shop.Limits", "rate limiter admits 100 requests/s, queue timeout 2 s"},
	{"warn", "Shop.Limits", "queue at %d of 1000 waiting requests"},
	{"info", "Shop.Sql", "SET statement_timeout = 30000; SET lock_timeout = 5000"},
	{"warn", "Shop.Certificates", "certificate of registry.example expires in %d days"},
	{"info", "Shop.Feature", "flag 'stall-detection' is on: body stall timeout 120 s, headers timeout 120 s"},
	{"info", "Shop.Errors", "0 errors, 0 timeouts, %d requests in the last minute"},
	{"info", "Shop.Metrics", "timeouts_total=0 retries_total=0 requests_total=%d"},
	{"warn", "Shop.Metrics", "p99 latency %d ms is near the timeout budget of 2000 ms"},
	{"info", "Shop.Docs", "served /docs/how-to-handle-timeouts.html in %d ms"},
	{"info", "Shop.Mail", "mail 'Your session timed out' sent to customer %d"},
	{"info", "Shop.Ws", "websocket %s closed normally (1000), idle for 55 s"},
	{"info", "Shop.Shutdown", "graceful shutdown: waiting up to 30 s for %d requests"},
	{"warn", "Shop.Retry", "retry policy: 3 attempts, exponential backoff, per-attempt timeout 10 s"},
	{"info", "Shop.Dns", "resolved packages.example in %d ms"},
	{"warn", "Shop.Http", "GET /items/%d succeeded after 2 retries; the first attempt had timed out"},
	{"warn", "Shop.Http", "Retrying is disabled for POST; a timeout will surface at once"},
	{"warn", "Shop.Http", "closing idle connection to 10.0.3.7:443 after 90s"},
	{"warn", "Shop.Http", "slow TLS handshake with catalog.example: %d ms"},
	{"warn", "Shop.Http", "call took 118 s, close to its timeout of 120 s"},
	{"warn", "Shop.Http", "response body truncated for logging: 4096 of 9%d bytes shown"},
	{"warn", "Shop.Http", "upload of 46 MB is near the size limit of 50 MB"},
	{"warn", "Shop.Http", "gateway timeout is configured to 60 s, client timeout to 100 s"},
	{"warn", "Shop.Http", "deadline_exceeded=0 unavailable=0 ok=%d"},
	{"warn", "Shop.Hikari", "HikariPool-1 - Thread starvation or clock leap detected (housekeeper delta=1m2s%dms)"},
	{"warn", "Shop.Kafka", "session.timeout.ms=45000 is lower than max.poll.interval.ms"},
	{"warn", "Shop.Raft", "heartbeat timeout reached, starting election term %d"},
	{"warn", "Shop.Tests", "skipped: Times_out_when_the_server_stalls"},
	{"warn", "Shop.Mail", "password reset link of customer %d expired"},
	{"warn", "Shop.Jobs", "cancelled job %d because a newer one was queued"},
	{"warn", "Shop.Pool", "connection pool at 48 of 50, none waiting"},
	{"warn", "Shop.Upgrade", "setting 'BodyStallTimeout' is unknown and ignored"},
	{"warn", "Shop.Upgrade", "the default of read_timeout changes from 30s to 60s in version 4"},
	{"warn", "Shop.Upgrade", "ReadTimeout and WriteTimeout are not set; connections may stay open forever"},
	{"warn", "Shop.Auth", "login of customer %d refused: password expired"},
	{"warn", "Shop.Breaker", "circuit 'catalog' half-open, one trial call allowed"},
	{"warn", "Shop.Sessions", "session %s expired after 30 minutes of inactivity"},
	{"warn", "Shop.Cache", "cache entry catalog/%d expired, refreshing in the background"},
	{"warn", "Shop.Lock", "waited %d ms for lock orders"},
	{"info", "Shop.Leader", "renewed lease shop/leader, renew deadline 10s"},
}

// bare writes the message and nothing else.
func bare(r rec, _ time.Time) []string { return []string{r.message} }

// accessLog is the combined log format, with the message as the agent.
func accessLog(r rec, at time.Time) []string {
	return []string{fmt.Sprintf("10.0.3.7 - - [%s] \"GET /items?timeout=30 HTTP/1.1\" 200 512 \"-\" %q", at.Format("02/Jan/2006:15:04:05 -0700"), r.message)}
}

// TestUnseenQuietDay makes days on which nothing is wrong, in every form.
func TestUnseenQuietDay(t *testing.T) {
	for name, f := range map[string]format{"console": dotnetConsole, "single lines": dotnetSingle, "JSON console": dotnetJSON, "Serilog": serilog, "logfmt": logfmt,
		"slog": slogJSON, "zap": zapJSON, "logback": logback, "python": pythonLog, "no levels": bare, "access logs": accessLog} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(31, f)
			end := dawn.Add(24 * time.Hour)
			noise(w, dawn, end, 100)
			for i := range 5 * len(quietLines) {
				q := quietLines[i%len(quietLines)]
				message := q.message
				for _, verb := range []byte{'d', 's'} {
					message = fill(message, verb, w)
				}
				w.emit(w.pick(), w.uniform(dawn, end), rec{level: q.level, category: q.category, message: message})
			}
			// A health check that keeps time is no recurrence of anything.
			for at := dawn; at.Before(end); at = at.Add(10 * time.Minute) {
				w.emit(w.pods[0], at, rec{level: "warn", category: "Shop.Health", message: "Health check 'cache' completed after 1203 ms with status Degraded (timeout 2000 ms)"})
			}
			w.check(t)
		})
	}
}

// fill replaces each %verb by a number or an id.
func fill(s string, verb byte, w *world) string {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+1 < len(s) {
			switch i++; s[i] {
			case verb:
				if verb == 'd' {
					out = fmt.Appendf(out, "%d", 1+w.rng.IntN(900))
				} else {
					out = append(out, w.uuid()...)
				}
			default:
				out = append(out, '%', s[i])
			}
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}
