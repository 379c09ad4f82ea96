package stage

// moreRules read the clients of Rust, Ruby, PHP and the BEAM languages, the
// database drivers that are not Java's, and the package managers whose own
// sentences are not those of the HTTP library below them.
var moreRules = []Rule{
	// reqwest, hyper, ureq.
	{ID: "reqwest-connect", Match: "tcp connect error * {timeout}", Stage: Connect, Rank: RankCode},
	{ID: "reqwest-connect", Match: "error trying to connect", Stage: Connect, Rank: RankPhase - 4},
	{ID: "reqwest-resolve", Match: "dns error", Stage: Resolve, Rank: RankCode, Kind: "not-found"},
	{ID: "reqwest-resolve", Match: "failed to lookup address information", Stage: Resolve, Rank: RankCode, Kind: "not-found"},
	{ID: "reqwest-send", Match: "error sending request for", And: []string{"{timeout}"}, Stage: TotalDeadline, Phase: "pre-headers", Rank: RankClock + 2},
	{ID: "reqwest-body", Match: "error decoding|reading response body", And: []string{"{timeout}"}, Stage: TotalDeadline, Phase: "body", Rank: rankBody + 1},
	{ID: "reqwest-body", Match: "request or response body error", And: []string{"{timeout}"}, Stage: TotalDeadline, Phase: "body", Rank: rankBody + 2},
	{ID: "reqwest-body-cut", Match: "error decoding|reading response body", Not: []string{"{timeout}"}, Stage: Truncated, Rank: RankPhase},
	{ID: "reqwest-body-cut", Match: "error reading a body from connection", Not: []string{"{timeout}"}, Stage: Truncated, Rank: RankPhase + 1},
	{ID: "hyper-before", Match: "connection closed before message completed", Stage: NoResponse, Rank: RankCode, Kind: "closed", Confidence: 0.7},
	{ID: "hyper-before", Match: "hyper error incomplete message", Stage: NoResponse, Rank: RankCode, Kind: "closed", Confidence: 0.7},
	{ID: "hyper-body", Match: "end of file before message length reached", Stage: Truncated, Rank: RankCode + 1},
	{ID: "hyper-body", Match: "unexpected eof during chunk", Stage: Truncated, Rank: RankCode + 1},
	{ID: "ureq-global", Match: "timeout global|per", Stage: TotalDeadline, Rank: RankClock + 5},
	{ID: "ureq-response", Match: "timeout receive response", Stage: NoResponse, Rank: RankCode},
	{ID: "ureq-body", Match: "timeout receive body", Stage: BodyStalled, Rank: RankCode},

	// Perl's HTTP::Tiny and LWP.
	{ID: "perl-eof-headers", Match: "end of stream while looking for line", Stage: NoResponse, Rank: RankCode, Kind: "closed"},

	// Ruby's Net::HTTP, Faraday, RestClient, Excon, http.rb.
	{ID: "ruby-tls", Match: "ssl socket connect * open timeout", Stage: TLS, Rank: RankCode + 1},
	{ID: "ruby-open", Match: "open timeout", Stage: Connect, Rank: RankCode},
	{ID: "ruby-open", Match: "failed to open tcp connection", Stage: Connect, Rank: RankPhase},
	{ID: "ruby-read", Match: "net read timeout", Stage: NoResponse, Rank: RankRead + 2},
	{ID: "ruby-write", Match: "net write timeout", Stage: Send, Rank: RankCode},
	{ID: "ruby-connection-failed", Match: "connection failed execution expired", Stage: Connect, Rank: RankPhase},
	{ID: "ruby-frame-headers", Match: "in read status line", Frame: true, Stage: NoResponse, Rank: RankFrame},
	{ID: "ruby-frame-headers", Match: "in read new", Frame: true, Stage: NoResponse, Rank: RankFrame},
	{ID: "ruby-frame-headers", Match: "in read header|headers", Frame: true, Stage: NoResponse, Rank: RankFrame},
	{ID: "ruby-frame-body", Match: "in read body|chunked", Frame: true, Stage: BodyStalled, Rank: RankFrame},
	{ID: "ruby-frame-tls", Match: "in ssl socket connect", Frame: true, Stage: TLS, Rank: RankFrame + 1},
	{ID: "ruby-frame-tls", Match: "in connect nonblock", Frame: true, Stage: TLS, Rank: RankFrame - 1},
	{ID: "ruby-frame-connect", Match: "net http rb # in connect|initialize|open", Frame: true, Stage: Connect, Rank: RankFrame - 1},
	{ID: "ruby-execution", Match: "execution expired", Stage: TotalDeadline, Rank: RankClock},
	{ID: "ruby-eof", Match: "end of file reached", Stage: NoResponse, Rank: RankRead + 1, Kind: "closed", Confidence: 0.5},
	{ID: "restclient-read", Match: "timed out reading data from server", Stage: NoResponse, Rank: RankRead + 2},
	{ID: "restclient-connect", Match: "timed out connecting to server", Stage: Connect, Rank: RankCode},

	// PHP's streams, Guzzle (libcurl texts), Symfony.
	{ID: "php-stream-connect", Match: "failed to open stream {timeout}", Stage: Connect, Rank: RankCode},
	{ID: "php-stream-connect", Match: "failed to open stream connection timed out", Stage: Connect, Rank: RankCode},
	{ID: "php-stream-headers", Match: "failed to open stream http request failed", Not: []string{"http request failed http"}, Stage: NoResponse, Rank: RankPhase},
	{ID: "php-soap-headers", Match: "error fetching http headers", Stage: NoResponse, Rank: RankPhase},
	{ID: "php-getaddresses", Match: "php network getaddresses", Stage: Resolve, Rank: RankCode, Kind: "not-found"},
	{ID: "symfony-idle", Match: "idle timeout reached for", Stage: BodyStalled, Rank: RankPhase, Confidence: 0.5},
	{ID: "symfony-max", Match: "max duration was reached", Stage: TotalDeadline, Rank: RankClock + 5},

	// hackney, Mint, Finch, DBConnection.
	{ID: "beam-connect", Match: "reason connect timeout", Stage: Connect, Rank: RankCode},
	{ID: "beam-checkout", Match: "checkout timeout", Stage: QueueWait, Rank: RankCode},
	{ID: "beam-finch", Match: "unable to provide a connection within the =timeout", Stage: QueueWait, Rank: RankCode},
	{ID: "beam-queue", Match: "dropped from queue after <elapsed>", Stage: QueueWait, Rank: RankCode},
	{ID: "beam-recv", Match: "recv timeout", Stage: NoResponse, Rank: RankRead + 1},
	{ID: "beam-transport", Match: "transport error reason timeout", Stage: NoResponse, Rank: RankRead, Confidence: 0.5},
	{ID: "beam-transport", Match: "transport error {timeout}", Stage: NoResponse, Rank: RankRead, Confidence: 0.5},
	{ID: "beam-closed", Match: "transport error reason closed", Stage: NoResponse, Rank: RankRead, Kind: "closed", Confidence: 0.5},
	{ID: "beam-body", Match: "closed timeout", Stage: BodyStalled, Rank: RankPhase + 3, Confidence: 0.5},

	// Circuit breakers, bulkheads and limiters of resilience libraries; systemd.
	{ID: "not-permitted", Match: "does not permit further calls", Stage: QueueWait, Rank: RankCode},
	{ID: "finagle-response", Match: "exceeded ** while waiting for a response", Stage: NoResponse, Rank: RankPhase, Confidence: 0.6},
	{ID: "finagle-connection", Match: "exceeded ** while waiting for a connection|service", Stage: QueueWait, Rank: RankPhase},
	{ID: "smithy-sockets", Match: "additional requests are enqueued", Stage: QueueWait, Rank: RankCode},
	{ID: "no-server", Match: "no servers|brokers|hosts|nodes|endpoints available", Stage: Connect, Rank: RankRead + 4},
	{ID: "no-server", Match: "no ~ server|servers|broker|brokers|host|hosts|node|nodes|endpoint|endpoints|backend|backends available|reachable", Stage: Connect, Rank: RankRead + 4},
	{ID: "no-server", Match: "selecting ~ server|node|broker|host", And: []string{"{timeout}"}, Stage: Connect, Rank: RankRead + 4, Confidence: 0.5},
	{ID: "unit-operation", Match: "start|stop|reload operation {timeout}", Stage: NotATimeout, Rank: RankPhase},

	// libpq, MySQL's client library, redis, brokers.
	{ID: "pg-closed", Match: "server closed the connection unexpectedly", Stage: NoResponse, Rank: RankPhase, Kind: "closed"},
	{ID: "pg-slots", Match: "too many clients|connections already", Stage: QueueWait, Rank: RankPhase, Confidence: 0.5},
	{ID: "pg-slots", Match: "remaining connection slots are reserved", Stage: QueueWait, Rank: RankCode, Confidence: 0.6},
	{ID: "pg-connect", Match: "timeout expired", And: []string{"connection to server"}, Stage: Connect, Rank: RankPhase},
	{ID: "pg-connect", Match: "could not connect to server", Stage: Connect, Rank: RankPhase - 3},
	{ID: "pg-user-cancel", Match: "canceling statement due to user request", Stage: OuterCancelled, Rank: RankPhase},
	{ID: "mysql-greeting", Match: "reading initial communication packet", Stage: Connect, Rank: RankCode, Confidence: 0.6},
	{ID: "mysql-greeting", Match: "waiting for initial communication packet", Stage: Connect, Rank: RankCode, Confidence: 0.6},
	{ID: "mysql-lost", Match: "lost connection to * server during query", Stage: NoResponse, Rank: RankPhase, Kind: "closed"},
	{ID: "mysql-gone", Match: "server has gone away", Stage: Send, Rank: RankRead + 1, Kind: "closed", Confidence: 0.4},
	{ID: "odbc-login", Match: "login timeout expired", Stage: Connect, Rank: RankCode},
	{ID: "odbc-query", Match: "query timeout expired", Stage: TotalDeadline, Rank: RankClock + 2},
	{ID: "redis-pool", Match: "connection pool timeout", Stage: QueueWait, Rank: RankCode},

	// bazel, gradle, composer, zypper, npm.
	{ID: "bazel-short", Match: "bytes read <received> but wanted <declared>", Stage: Truncated, Rank: RankCode},
	{ID: "composer-proxy", Match: "file could not be downloaded", And: []string{"{timeout}"}, Stage: TotalDeadline, Rank: RankClock},
	{ID: "gem-reach", Match: "could not reach host", Stage: Connect, Rank: RankRead + 4},
	{ID: "no-matching", Match: "no matching distribution|manifest|package found", Stage: NotATimeout, Rank: RankPhase + 9},
	{ID: "lock-wait", Match: "timeout waiting to lock", Stage: NotATimeout, Rank: RankNothing},
	{ID: "lock-wait", Match: "lock wait timeout exceeded", Stage: NotATimeout, Rank: RankNothing},
}
