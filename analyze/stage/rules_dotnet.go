package stage

// dotnetRules read .NET's HttpClient, SocketsHttpHandler, SqlClient, Kestrel
// and NuGet. The frames are those of System.Net.Http, System.Net.Security and
// System.Net.Sockets. Written from dotnet/runtime's resource strings and the
// HttpRequestError enumeration.
var dotnetRules = []Rule{
	{ID: "dotnet-client-timeout", Match: "configured http client =timeout of <budget> elapsing", Stage: TotalDeadline, Rank: RankClock + 1},
	{ID: "dotnet-connect-timeout", Match: "connection could not be established within the configured connect =timeout", Stage: Connect, Rank: RankCode},
	{ID: "dotnet-connect-timeout", Match: "did not properly respond after a period of time", Stage: Connect, Rank: RankCode + 1},
	{ID: "dotnet-tls", Match: "ssl connection could not be established", Stage: TLS, Rank: RankCode},
	{ID: "dotnet-tls", Match: "could not create ssl|tls", Stage: TLS, Rank: RankCode},
	{ID: "dotnet-tls", Match: "could not establish trust relationship", Stage: TLS, Rank: RankCode},
	{ID: "dotnet-error-name", Match: "name resolution error", Stage: Resolve, Rank: RankCode, Kind: "not-found"},
	{ID: "dotnet-error-name", Match: "remote name could not be resolved", Stage: Resolve, Rank: RankCode, Kind: "not-found"},
	{ID: "dotnet-error-secure", Match: "secure connection error", Stage: TLS, Rank: RankCode},
	{ID: "dotnet-error-limit", Match: "configuration limit exceeded", Stage: SizeExceeded, Rank: RankCode},
	{ID: "dotnet-buffer", Match: "cannot write more bytes to the buffer", Stage: SizeExceeded, Rank: RankCode},
	{ID: "dotnet-ended-short", Match: "response ended prematurely with at least <missing> additional bytes", Stage: Truncated, Rank: RankCode + 1},
	{ID: "dotnet-ended", Match: "response ended prematurely", Not: []string{"additional bytes"}, Stage: NoResponse, Rank: RankCode, Kind: "closed", Confidence: 0.6},
	{ID: "dotnet-ended", Match: "server returned an invalid or unrecognized response", Stage: NoResponse, Rank: RankPhase, Confidence: 0.5},
	{ID: "dotnet-body-copy", Match: "error while copying content to a stream", Stage: Truncated, Rank: RankRead + 3},
	{ID: "dotnet-closed-receive", Match: "closed an unexpected error occurred on a receive", Stage: NoResponse, Rank: RankPhase, Kind: "closed"},
	{ID: "dotnet-closed-send", Match: "closed an unexpected error occurred on a send", Stage: Send, Rank: RankPhase, Kind: "closed", Confidence: 0.6},
	{ID: "dotnet-closed", Match: "connection that was expected to be kept alive was closed", Stage: NoResponse, Rank: RankPhase, Kind: "closed"},
	{ID: "dotnet-closed", Match: "underlying connection was closed", Stage: NoResponse, Rank: RankRead, Kind: "closed"},
	{ID: "dotnet-aborted", Match: "i o operation has been aborted", Stage: OuterCancelled, Rank: RankOuter + 1},
	{ID: "dotnet-cancelled", Match: "task was canceled", Stage: OuterCancelled, Rank: RankOuter - 1},

	{ID: "dotnet-frame-pool", Match: "wait for connection async", Frame: true, Stage: Connect, Phase: "connection wait", Rank: RankFrame, Confidence: 0.6},
	{ID: "dotnet-frame-connect", Match: "connect to tcp host async", Frame: true, Stage: Connect, Rank: RankFrame},
	{ID: "dotnet-frame-connect", Match: "http connection pool connect async", Frame: true, Stage: Connect, Rank: RankFrame - 1},
	{ID: "dotnet-frame-connect", Match: "socket connect", Frame: true, Stage: Connect, Rank: RankFrame - 1},
	{ID: "dotnet-frame-resolve", Match: "dns get host", Frame: true, Stage: Resolve, Rank: RankFrame + 1},
	{ID: "dotnet-frame-tls", Match: "establish ssl connection async", Frame: true, Stage: TLS, Rank: RankFrame + 1},
	{ID: "dotnet-frame-tls", Match: "ssl stream * force authentication|authenticate|handshake", Frame: true, Stage: TLS, Rank: RankFrame + 1},
	{ID: "dotnet-frame-first-read", Match: "initial fill async", Frame: true, Stage: NoResponse, Rank: RankFrame},
	{ID: "dotnet-frame-send", Match: "http connection send async", Frame: true, Stage: NoResponse, Phase: "pre-headers", Rank: RankFrame - 1},
	{ID: "dotnet-frame-send", Match: "http2|http3 * read response headers async", Frame: true, Stage: NoResponse, Rank: RankFrame},
	{ID: "dotnet-frame-send", Match: "read response headers async", Frame: true, Stage: NoResponse, Rank: RankFrame},
	{ID: "dotnet-frame-request", Match: "send request content async", Frame: true, Stage: Send, Rank: RankFrame},
	{ID: "dotnet-frame-body", Match: "content length read stream", Frame: true, Stage: BodyStalled, Rank: RankFrame},
	{ID: "dotnet-frame-body", Match: "chunked encoding read stream", Frame: true, Stage: BodyStalled, Rank: RankFrame},
	{ID: "dotnet-frame-body", Match: "connection close read stream", Frame: true, Stage: BodyStalled, Rank: RankFrame},
	{ID: "dotnet-frame-body", Match: "http2 read stream", Frame: true, Stage: BodyStalled, Rank: RankFrame},
	{ID: "dotnet-frame-body", Match: "load into buffer async", Frame: true, Stage: BodyStalled, Rank: RankFrame - 1},

	{ID: "nuget-headers", Match: "http request to ** has timed out after <budget>", Stage: NoResponse, Phase: "pre-headers", Rank: RankCode},
	{ID: "nuget-body", Match: "download of ** timed out because no data was received for <budget>", Stage: BodyStalled, Rank: RankCode},
	{ID: "sqlclient-pool", Match: "=timeout period elapsed prior to obtaining a connection from the pool", Stage: QueueWait, Rank: RankCode},
	{ID: "sqlclient-login", Match: "connection timeout expired", Stage: Connect, Rank: RankCode},
	{ID: "sqlclient-execution", Match: "=timeout period elapsed prior to completion of the operation", Stage: TotalDeadline, Rank: RankCode},
	{ID: "npgsql-pool", Match: "connection pool has been exhausted", Stage: QueueWait, Rank: RankCode},
	{ID: "npgsql-read", Match: "exception while reading from stream", Stage: NoResponse, Rank: RankRead},
	{ID: "npgsql-write", Match: "exception while writing to stream", Stage: Send, Rank: RankRead + 1},
	{ID: "kestrel-slow-request", Match: "reading the request body timed out", Stage: Send, Rank: RankCode},
	{ID: "yarp-before-response", Match: "request timed out", And: []string{"forwarder|proxy"}, Stage: ServerSide, Phase: phaseInner, Rank: RankPhase},
	{ID: "azure-network-timeout", Match: "exceeded the configured =timeout of <budget>", And: []string{"network timeout"}, Stage: NoResponse, Rank: RankPhase, Confidence: 0.5},
	{ID: "stackexchange-redis", Match: "timeout performing|awaiting # * <budget:ms>", Stage: NoResponse, Rank: RankPhase, Confidence: 0.6},
	{ID: "stackexchange-redis", Match: "timeout performing|awaiting", Stage: NoResponse, Rank: RankPhase - 1, Confidence: 0.6},
	{ID: "redis-connect", Match: "not possible to connect", Stage: Connect, Rank: RankPhase},
}

// pollyRules read the telemetry of Polly version 8, whose sentences are few
// and fixed. Their Source is read by code, see resilience.
var pollyRules = []Rule{
	{ID: "polly-attempt-timeout", Match: "event name on timeout", And: []string{"attempt =timeout"}, Stage: NoResponse, Phase: "pre-headers", Role: Outer, Rank: RankCode, Confidence: 0.5},
	{ID: "polly-attempt-timeout", Match: "event name on timeout", And: []string{"standard|hedging att|attemp|attempt"}, Stage: NoResponse, Phase: "pre-headers", Role: Outer, Rank: RankCode, Confidence: 0.5},
	{ID: "polly-timeout", Match: "event name on timeout", Stage: TotalDeadline, Role: Outer, Rank: RankCode - 1, Confidence: 0.5},
	{ID: "polly-limiter", Match: "event name on rate limiter rejected", Stage: QueueWait, Rank: RankField},
	{ID: "polly-circuit-gateway", Match: "event name on circuit opened ** result 504", Stage: ServerSide, Phase: "unknown", Role: Duplicate, Rank: RankField},
	{ID: "polly-circuit-notice", Match: "event name on circuit half|closed", Stage: NotATimeout, Rank: RankNothing},
	{ID: "polly-success", Match: "execution attempt source ** handled false", Stage: NotATimeout, Rank: RankNothing},
	{ID: "polly-start", Match: "resilience pipeline executing", Stage: NotATimeout, Rank: RankNothing},
	{ID: "polly-chaos", Match: "event name chaos", Stage: NotATimeout, Rank: RankNothing},
	{ID: "polly-attempt-of-standard", Match: "within the allowed =timeout of <budget>", And: []string{"source ** standard retry|hedging|circuit"}, Stage: NoResponse, Phase: "pre-headers", Rank: RankFrame + 2, Confidence: 0.5},
	{ID: "polly-rejected", Match: "within the allowed =timeout of <budget>", Stage: TotalDeadline, Rank: RankClock + 2},
}
