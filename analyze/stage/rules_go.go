package stage

// goRules read the errors of Go's net, net/http and crypto/tls as they show in
// docker, containerd, buildkit, podman, skopeo, kubelet, helm, terraform,
// rclone, restic, traefik, caddy and every other Go program. Written from the
// error texts in the standard library's source.
var goRules = []Rule{
	{ID: "go-headers", Match: "timeout awaiting response headers", Stage: NoResponse, Rank: RankCode},
	{ID: "go-client-connection", Match: "request canceled while waiting for connection", Stage: Connect, Phase: "pre-headers", Rank: RankPhase + 4, Confidence: 0.6},
	{ID: "go-client-headers", Match: "client timeout exceeded while awaiting headers", Stage: NoResponse, Phase: "pre-headers", Rank: RankPhase},
	{ID: "go-client-body", Match: "client timeout * while reading body", Stage: TotalDeadline, Phase: "body", Rank: RankCode},
	{ID: "go-client-body", Match: "{timeout} * reading body", And: []string{"client timeout"}, Stage: TotalDeadline, Phase: "body", Rank: RankCode},
	// Winsock's sentence for a timer tells of both cases; the call says which.
	{ID: "go-winsock-read", Match: "read tcp ** did not properly respond", Stage: NoResponse, Rank: RankCode + 2},
	{ID: "go-winsock-read", Match: "read tcp ** did not properly respond", And: []string{"{whole}"}, Not: []string{"get|post|head|put|patch ** read tcp"}, Stage: BodyStalled, Rank: RankCode + 3},
	{ID: "go-winsock-write", Match: "write tcp ** did not properly respond", Stage: Send, Rank: RankCode + 2},
	{ID: "go-request", Match: "get|post|put|head|patch|delete context deadline exceeded", Not: []string{"awaiting headers", "reading body", "waiting for connection"}, Stage: TotalDeadline, Rank: RankClock + 1},
	{ID: "go-client", Match: "client timeout exceeded", Stage: TotalDeadline, Rank: RankClock},
	{ID: "go-lookup", Match: "lookup * read udp", Stage: Resolve, Rank: RankCode + 2},
	{ID: "go-lookup", Match: "dial tcp lookup * {timeout}", Stage: Resolve, Rank: RankCode + 2},
	{ID: "go-lookup", Match: "lookup * {timeout}", Stage: Resolve, Rank: RankCode + 1},
	{ID: "go-lookup", Match: "server misbehaving", Stage: Resolve, Rank: RankCode + 2, Kind: "not-found"},
	{ID: "go-dial", Match: "dial|proxyconnect tcp|tcp4|tcp6|udp|unix * {timeout}", Stage: Connect, Rank: RankCode},
	{ID: "go-dial", Match: "error while dialing", And: []string{"{timeout}"}, Stage: Connect, Rank: RankPhase},
	{ID: "go-dial-cancelled", Match: "dial tcp * operation was canceled", Stage: OuterCancelled, Phase: "connect", Rank: RankCode},
	{ID: "go-tls", Match: "tls handshake timeout", Stage: TLS, Rank: RankCode},
	{ID: "go-tls", Match: "tls * does not look like", Stage: TLS, Rank: RankCode},
	{ID: "go-tls", Match: "remote error tls", Stage: TLS, Rank: RankCode},
	{ID: "go-tls", Match: "server gave http response to https client", Stage: TLS, Rank: RankCode},
	{ID: "go-idle-closed", Match: "server closed idle connection", Stage: NoResponse, Rank: RankCode, Kind: "closed"},
	{ID: "go-read-reset", Match: "read tcp ** {reset}", Stage: NoResponse, Rank: RankRead + 1, Kind: "reset"},
	{ID: "go-read-timeout", Match: "read tcp ** {timeout}", Stage: NoResponse, Rank: RankRead + 1},
	// An error of the request is wrapped with method and URL; one of reading the
	// body comes bare, from code that copies or reads a file.
	{ID: "go-body-timeout", Match: "read tcp ** {timeout}", And: []string{"{body}"}, Not: []string{"get|post|head|put|patch ** read tcp"}, Stage: BodyStalled, Rank: RankRead + 2},
	{ID: "go-body-timeout", Match: "read tcp ** {timeout}", And: []string{"{whole}"}, Not: []string{"get|post|head|put|patch ** read tcp"}, Stage: BodyStalled, Rank: RankRead + 2},
	{ID: "go-body-timeout", Match: "read tcp ** {timeout}", And: []string{"file|seeker|object"}, Not: []string{"get|post|head|put|patch ** read tcp"}, Stage: BodyStalled, Rank: RankRead + 2},
	{ID: "go-body-reset", Match: "read tcp ** {reset}", And: []string{"{body}"}, Not: []string{"get|post|head|put|patch ** read tcp"}, Stage: Truncated, Rank: RankRead + 2, Kind: "reset"},
	{ID: "go-body-reset", Match: "read tcp ** {reset}", And: []string{"{whole}"}, Not: []string{"get|post|head|put|patch ** read tcp"}, Stage: Truncated, Rank: RankRead + 2, Kind: "reset"},
	{ID: "go-body-reset", Match: "read tcp ** {reset}", And: []string{"file|seeker|object"}, Not: []string{"get|post|head|put|patch ** read tcp"}, Stage: Truncated, Rank: RankRead + 2, Kind: "reset"},
	{ID: "go-eof", Match: "get|post|head|put|delete|patch|options ** eof", Not: []string{"unexpected eof", "tls * eof"}, Stage: NoResponse, Rank: RankRead + 3, Kind: "closed"},
	{ID: "go-h2-stream", Match: "stream error * stream id", Stage: Truncated, Rank: RankPhase, Kind: "reset"},
	{ID: "go-h2-lost", Match: "http2 client connection lost", Stage: NoResponse, Rank: RankPhase, Confidence: 0.5},
	{ID: "go-h2-lost", Match: "client connection lost", Stage: NoResponse, Rank: RankPhase, Confidence: 0.5},
	{ID: "go-goaway", Match: "server sent goaway", Stage: NoResponse, Rank: RankRead, Kind: "closed"},
	{ID: "go-body-large", Match: "http request body too large", Stage: SizeExceeded, Rank: RankCode},
	{ID: "go-handler", Match: "http handler timeout", Stage: ServerSide, Phase: "unknown", Rank: RankCode},
	{ID: "go-context", Match: "context deadline exceeded", Stage: TotalDeadline, Rank: RankClock},
	{ID: "go-session", Match: "no active session", And: []string{"{timeout}"}, Stage: QueueWait, Rank: rankQueue},
	{ID: "go-layer-body", Match: "downloading * <received> <declared>", And: []string{"client timeout"}, Stage: TotalDeadline, Phase: "body", Rank: RankCode - 1},

	// gRPC, in its Go, Java and C implementations.
	{ID: "grpc-handshake", Match: "authentication handshake failed", Stage: TLS, Rank: RankCode},
	{ID: "grpc-waiting", Match: "waiting for connection", And: []string{"{timeout}"}, Stage: Connect, Rank: RankPhase + 1},
	{ID: "grpc-resolver", Match: "name resolver error", Stage: Resolve, Rank: RankPhase + 9},
	{ID: "grpc-size", Match: "message larger than max <declared>", Stage: SizeExceeded, Rank: RankCode},
	{ID: "grpc-size", Match: "message exceeds maximum size # <declared>", Stage: SizeExceeded, Rank: RankCode},
	{ID: "grpc-deadline", Match: "deadline exceeded after <elapsed>", Stage: TotalDeadline, Rank: RankClock + 1},
	{ID: "grpc-cancelled", Match: "code canceled|cancelled", Not: []string{"{timeout}"}, Stage: OuterCancelled, Rank: RankOuter + 2},
	{ID: "grpc-sent", Match: "deadline exceeded after <elapsed> ** open remote addr", Stage: NoResponse, Rank: RankBytes, Confidence: 0.6},
	{ID: "grpc-keepalive", Match: "keepalive ping failed|timeout", Stage: NoResponse, Rank: RankPhase, Confidence: 0.5},
	{ID: "grpc-network-closed", Match: "network closed for unknown reason", Stage: NoResponse, Rank: RankRead + 1, Kind: "closed"},
	{ID: "grpc-rst", Match: "rst stream", Stage: Truncated, Rank: RankRead + 1, Kind: "reset", Confidence: 0.5},
}
