package ingest

// RecordFormat describes one of the formats an Assembler knows.
type RecordFormat struct {
	Format  Format
	Title   string
	Example string // a line of it
}

// RecordFormats lists the record formats, in the order of their constants.
func RecordFormats() []RecordFormat {
	return []RecordFormat{
		{FormatPlain, "text of no further known form; stack traces are joined to it", "Now listening on port 8080"},
		{FormatDotnetConsole, ".NET console: header, then indented message, exception and frames; single-line and systemd too", "fail: Polly[0]"},
		{FormatDotnetJSON, ".NET JSON console", `{"EventId":0,"LogLevel":"Error","Category":"Polly","Message":"Resilience event occurred.","State":{"EventName":"OnTimeout"}}`},
		{FormatSerilog, "Serilog compact JSON", `{"@t":"2026-09-19T19:00:52Z","@mt":"Took {Elapsed} ms","@l":"Warning","Elapsed":34}`},
		{FormatJSON, "other JSON lines: slog, zap, zerolog, logrus, pino, bunyan, log4j2, logback, ECS, python-json-logger, structlog, tracing, GELF, journald, Google Cloud, MongoDB", `{"time":"2026-09-19T08:10:16Z","level":"ERROR","msg":"fetch failed"}`},
		{FormatLogfmt, "key=value pairs", `time=2026-09-19T08:10:16Z level=error msg="fetch failed"`},
		{FormatKlog, "klog and glog", `E0919 08:10:16.123456       1 reconciler.go:12] "Failed to pull" err="timeout"`},
		{FormatLevelled, "text with a level: log4j, logback, Spring Boot, NLog, log4net, Serilog text, Python logging, Ruby, Monolog, PHP, npm, Android, Apache errors, PostgreSQL, syslog", "2026-09-19 08:10:16,123 ERROR [main] com.example.Foo - fetch failed"},
		{FormatNginx, "nginx error log", `2026/11/29 23:09:04 [error] 1409#1409: *21 upstream timed out (110: Connection timed out), client: 198.51.100.7`},
		{FormatAccess, "access log of nginx or Apache, common and combined", `198.51.100.7 - - [29/Nov/2026:23:08:56 +0000] "GET / HTTP/1.1" 504 167 "-" "curl/7.88.1"`},
		{FormatEnvoy, "access log of Envoy and Istio", `[2026-02-11T08:00:09.540Z] "GET / HTTP/1.1" 503 UO 0 81 0 - "-" "curl/8.5.0" "7e1f4b1a" "bundles.example.com" "-"`},
		{FormatHAProxy, "traffic log of HAProxy", `Dec 10 11:11:11 lb haproxy[674]: 10.0.1.2:33317 [10/Dec/2026:11:11:11.111] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0`},
	}
}
