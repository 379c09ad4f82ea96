package stage

// Ranks inside RankPhase: where two phases are named, the one that is deeper
// in the connection's life or narrower in meaning wins. "TLS handshake timeout
// on connect" is tls, "timed out waiting for a pooled connection" queue-wait.
const (
	rankResolve = RankPhase + 8
	rankTLS     = RankPhase + 7
	rankQueue   = RankPhase + 6
	rankShort   = RankPhase + 5
	rankBody    = RankPhase + 4
	rankSend    = RankPhase + 3
	rankAnswer  = RankPhase + 2
	rankConnect = RankPhase
)

// genericRules name a stage by mechanism: the words for a phase beside the
// words for a failure, whoever wrote them.
var genericRules = []Rule{
	// The name was not turned into an address.
	{ID: "resolve-timeout", Match: "{resolve} * {timeout}", Not: []string{"{resolve} {timeout} {pool}"}, Stage: Resolve, Rank: rankResolve},
	{ID: "resolve-timeout", Match: "{timeout} * {resolve}", Stage: Resolve, Rank: rankResolve},
	{ID: "resolve-failed", Match: "{resolve} ~ failed|failure|error|fail|fails", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "resolve-failed", Match: "failed|unable|cannot|can't|couldn't|error|failure ~ {resolve}", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "resolve-failed", Match: "could|can not * {resolve}", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "resolve-failed", Match: "couldn't|can't|cannot {resolve}", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},
	{ID: "resolve-failed", Match: "communications error to", Stage: Resolve, Rank: rankResolve},
	{ID: "resolve-not-found", Match: "{dnsfail}", Stage: Resolve, Rank: rankResolve + 1, Kind: "not-found"},
	{ID: "resolve-not-found", Match: "{resolve} * {notfound}", Stage: Resolve, Rank: rankResolve, Kind: "not-found"},

	// The connection was not made.
	{ID: "connect-timeout", Match: "{connect} * {timeout}", Stage: Connect, Rank: rankConnect},
	{ID: "connect-timeout", Match: "{timeout} * {connect}", Stage: Connect, Rank: rankConnect},
	{ID: "connect-refused", Match: "{refused}", Not: []string{"stream refused", "refused stream", "{denied} ** {refused}", "{refused} ** {denied}"}, Stage: Connect, Rank: rankConnect + 1, Kind: "refused"},
	{ID: "connect-unreachable", Match: "{nopath}", Not: []string{"destination unreachable port"}, Stage: Connect, Rank: RankRead + 6, Kind: "unreachable"},
	{ID: "connect-unreachable", Match: "{unreachable}", Not: []string{"destination unreachable port"}, Stage: Connect, Rank: RankRead - 1, Kind: "unreachable"},
	{ID: "connect-not-read", Match: "connect to ** failed {read} {timeout}", Stage: TLS, Rank: RankPhase - 1, Confidence: 0.5},
	{ID: "connect-failed", Match: "failed|unable|cannot|can't|couldn't * connect|establish|dial", Stage: Connect, Rank: RankRead + 4},
	{ID: "connect-failed", Match: "error|exception|problem * while|when|during establishing|connecting|opening", Stage: Connect, Rank: RankRead + 4},
	{ID: "connect-failed", Match: "connection * could not be established|made|opened|completed", Stage: Connect, Rank: RankRead + 4},
	{ID: "connect-failed", Match: "could|can not connect|establish|open", Stage: Connect, Rank: RankRead + 4},
	{ID: "connect-failed", Match: "connect|connecting|connection|dial ~ failed", Stage: Connect, Rank: RankRead + 3},
	{ID: "connection-timed-out", Match: "connection|connections {timeout}", Stage: Connect, Rank: RankRead + 5},
	{ID: "connection-timed-out", Match: "connection ~ {timeout}", Stage: Connect, Rank: RankRead + 2},

	// Connected, and the handshake not finished.
	{ID: "tls-timeout", Match: "{tls} * {timeout}", Stage: TLS, Rank: rankTLS},
	{ID: "tls-timeout", Match: "{timeout} * {tls}", Stage: TLS, Rank: rankTLS},
	{ID: "tls-failed", Match: "handshake|handshaking * {fail}", Stage: TLS, Rank: rankTLS},
	{ID: "tls-failed", Match: "{fail} * handshake|handshaking", Stage: TLS, Rank: rankTLS},
	{ID: "tls-cut", Match: "ssl|tls connect|handshake|accept * {reset}", Stage: TLS, Rank: rankTLS, Kind: "reset"},
	{ID: "tls-cut", Match: "handshake * {closed}", Stage: TLS, Rank: rankTLS, Kind: "closed"},
	{ID: "tls-cut", Match: "{closed} * handshake", Stage: TLS, Rank: rankTLS, Kind: "closed"},
	{ID: "tls-cut", Match: "handshake * {reset}", Stage: TLS, Rank: rankTLS, Kind: "reset"},
	{ID: "tls-cut", Match: "{reset} * handshake", Stage: TLS, Rank: rankTLS, Kind: "reset"},
	{ID: "tls-failed", Match: "unable|failed|could|cannot|couldn't * establish * ssl|tls|secure", Stage: TLS, Rank: rankTLS},
	{ID: "tls-failed", Match: "secure|ssl|tls connection|channel * cannot|can't|not|failed", Stage: TLS, Rank: rankTLS},
	{ID: "tls-failed", Match: "failed|unable|cannot|could * enable crypto|ssl|tls", Stage: TLS, Rank: rankTLS},
	{ID: "tls-before", Match: "{closed} * before * tls|ssl|secure", Stage: TLS, Rank: rankTLS, Kind: "closed"},
	{ID: "tls-certificate", Match: "certificate * expired|invalid|unknown|untrusted|verify|verification|mismatch|signed|revoked|rejected", And: []string{"{fail}"}, Stage: TLS, Rank: rankTLS - 1},
	{ID: "tls-certificate", Match: "unknown|untrusted|invalid|verify|local * certificate|issuer", And: []string{"{fail}", "{tls}"}, Stage: TLS, Rank: rankTLS - 1},
	{ID: "tls-certificate", Match: "x509", And: []string{"certificate"}, Stage: TLS, Rank: rankTLS - 1},
	{ID: "tls-certificate", Match: "pkix path", Stage: TLS, Rank: rankTLS - 1},

	// Waited for a slot; nothing was sent.
	{ID: "pool-timeout", Match: "{pool} * {timeout}", Stage: QueueWait, Rank: rankQueue},
	{ID: "pool-timeout", Match: "{timeout} * {pool}", Stage: QueueWait, Rank: rankQueue},
	{ID: "pool-exhausted", Match: "pool|pools|queue|bulkhead|semaphore|buffer * exhausted|full|overflow|saturated|depleted|limit", And: []string{"{fail}"}, Stage: QueueWait, Rank: rankQueue - 1},
	{ID: "pool-exhausted", Match: "pool|queue|bulkhead|semaphore * exhausted|full|overflow", Stage: QueueWait, Rank: rankQueue - 1},
	{ID: "pool-exhausted", Match: "exhausted * pool|connections|slots|permits", Stage: QueueWait, Rank: rankQueue - 1},
	{ID: "pool-exhausted", Match: "max|maximum|many * pending|queued|waiting * requests|acquires|acquire|connections", Stage: QueueWait, Rank: rankQueue - 1},
	{ID: "limiter-rejected", Match: "rejected|denied by ~ limiter|bulkhead|semaphore|throttle|queue", Stage: QueueWait, Rank: rankQueue},
	{ID: "limiter-rejected", Match: "limiter|bulkhead|semaphore|queue ~ rejected|rejecting|rejects", Stage: QueueWait, Rank: rankQueue},
	{ID: "limiter-deadline", Match: "wait would exceed|exceeds * deadline", Stage: QueueWait, Rank: rankQueue},
	{ID: "circuit-open", Match: "circuit * open|opened", And: []string{"not|rejected|exception|error|reject|short|fail|failed|blocked|prevented"}, Stage: QueueWait, Rank: rankQueue - 2},

	// The request was not written, or not read.
	{ID: "send-timeout", Match: "{send} * {timeout}", Not: []string{"sent * awaiting|waiting", "error sending request for"}, Stage: Send, Rank: rankSend - 2},
	{ID: "send-timeout", Match: "{send} {timeout}", Stage: Send, Rank: rankSend},
	{ID: "send-timeout", Match: "{timeout} * {send}", Stage: Send, Rank: rankSend},
	{ID: "send-timeout", Match: "{send} operation * {timeout}", Stage: Send, Rank: rankSend},
	{ID: "send-cut", Match: "{closed} * while|during|when|before * sending|writing|uploading", Stage: Send, Rank: rankSend, Kind: "closed"},
	{ID: "send-cut", Match: "{reset} * while|during|when * sending|writing|uploading", Stage: Send, Rank: rankSend, Kind: "reset"},
	{ID: "send-cut", Match: "{fail} * sending|writing|uploading|write|send|upload|sendto * {reset}", Stage: Send, Rank: rankSend - 1, Kind: "reset"},
	{ID: "send-cut", Match: "send|write|writev|sendto|upload * {fail} * {reset}", Stage: Send, Rank: rankSend - 1, Kind: "reset"},
	{ID: "send-cut", Match: "write {reset}", Stage: Send, Rank: rankSend, Kind: "reset"},
	{ID: "send-cut", Match: "write tcp ** {reset}", Stage: Send, Rank: rankSend, Kind: "reset"},
	{ID: "send-cut", Match: "write tcp ** {timeout}", Stage: Send, Rank: rankSend},
	{ID: "send-broken-pipe", Match: "broken pipe", Stage: Send, Rank: RankRead + 2, Kind: "reset"},
	{ID: "send-broken-pipe", Match: "epipe", Stage: Send, Rank: RankRead + 2, Kind: "reset"},
	{ID: "send-client-body", Match: "{timeout} * read|reading * client|request", Stage: Send, Rank: rankSend + 2},
	{ID: "send-client-body", Match: "{timeout} * request body", Stage: Send, Rank: rankBody + 1},
	{ID: "send-body", Match: "{timeout} * sending|uploading|writing * body|data|content|file|chunk", Stage: Send, Rank: rankBody + 1},
	{ID: "send-client-body", Match: "request body * {timeout}", Stage: Send, Rank: rankBody + 1},
	{ID: "send-client-body", Match: "read|reading request|client * {timeout}", Stage: Send, Rank: rankSend},

	// Asked, and no response header came.
	{ID: "response-timeout", Match: "{timeout} * {response}", Not: []string{"{response} body"}, Stage: NoResponse, Rank: rankAnswer},
	{ID: "response-timeout", Match: "{response} * {timeout}", Not: []string{"{response} body"}, Stage: NoResponse, Rank: rankAnswer - 1},
	{ID: "response-none", Match: "no|without|zero|empty * response|reply|answer", Not: []string{"no response body"}, And: []string{"{fail}"}, Stage: NoResponse, Rank: rankAnswer - 1},
	{ID: "response-none", Match: "has|have|had not responded|answered|replied", Stage: NoResponse, Rank: rankAnswer - 1},
	{ID: "response-none", Match: "no message|bytes received", Stage: NoResponse, Rank: RankRead},
	{ID: "response-none", Match: "no response|reply|answer * from|received|within|after", Stage: NoResponse, Rank: rankAnswer - 1},
	{ID: "response-none", Match: "did not|never * begin|start|send|return * response|reply|answer|headers", Stage: NoResponse, Rank: rankAnswer + 1},
	{ID: "response-none", Match: "didn't * begin|start|send|return|receive * response|reply|answer|headers", Stage: NoResponse, Rank: rankAnswer + 1},
	{ID: "response-none", Match: "did not|never receive * response|reply|answer|headers", Stage: NoResponse, Rank: rankAnswer + 1},
	{ID: "response-none", Match: "did not|never respond|answer|reply", Stage: NoResponse, Rank: rankAnswer - 1},
	{ID: "response-none", Match: "{peer} * not responding", Stage: NoResponse, Rank: RankRead},
	{ID: "response-closed", Match: "{closed} * before|without * response|reply|header|headers|answer|answering|responding|byte|data", Stage: NoResponse, Rank: rankAnswer + 1, Kind: "closed"},
	{ID: "response-closed", Match: "{closed} * while|during|when * reading|receiving|awaiting * response|header|headers|status", Not: []string{"response body"}, Stage: NoResponse, Rank: rankAnswer + 1, Kind: "closed"},
	{ID: "response-closed", Match: "{closed} * while|during|when reading|receiving|awaiting", Not: []string{"response body"}, Stage: NoResponse, Rank: RankRead, Kind: "closed"},
	{ID: "response-reset", Match: "{reset} * before * response|header|headers", Stage: NoResponse, Rank: rankAnswer + 1, Kind: "reset"},
	{ID: "response-reset", Match: "{reset} * while|during|when * reading|receiving|awaiting * response|header|headers|status", Not: []string{"response body"}, Stage: NoResponse, Rank: rankAnswer + 1, Kind: "reset"},
	{ID: "response-reset", Match: "{reset} * in headers", Stage: NoResponse, Rank: rankAnswer + 1, Kind: "reset"},
	{ID: "response-none", Match: "{response} not received|seen|sent within <budget>", Stage: NoResponse, Rank: rankAnswer},
	{ID: "response-none", Match: "gave|giving up * without * byte|bytes|response|answer", Stage: NoResponse, Rank: rankAnswer - 1},
	{ID: "connect-no-listener", Match: "no endpoint|process|service|server listening", Stage: Connect, Rank: rankConnect, Kind: "refused"},
	{ID: "connect-no-listener", Match: "no listener", Stage: Connect, Rank: rankConnect, Kind: "refused"},
	{ID: "response-empty", Match: "empty reply|response from", Stage: NoResponse, Rank: rankAnswer + 1, Kind: "closed"},
	{ID: "read-timeout", Match: "{read} * {timeout}", Not: []string{"{fully} read"}, Stage: NoResponse, Rank: RankRead},
	{ID: "read-timeout", Match: "{timeout} * {read}", Stage: NoResponse, Rank: RankRead},
	{ID: "read-timeout", Match: "socket ~ {timeout}", Stage: NoResponse, Rank: RankRead},
	{ID: "read-timeout", Match: "{timeout} ~ socket", Stage: NoResponse, Rank: RankRead},
	{ID: "read-reset", Match: "{reset}", Stage: NoResponse, Rank: RankRead - 2, Kind: "reset"},
	{ID: "read-closed", Match: "{closed} * by * {peer}", Stage: NoResponse, Rank: RankRead - 4, Kind: "closed"},
	{ID: "read-closed", Match: "{peer} * closed|disconnected|dropped|terminated * connection|socket|channel", Not: []string{"keepalive", "keep alive"}, Stage: NoResponse, Rank: RankRead - 4, Kind: "closed"},
	{ID: "read-closed", Match: "broken connection", Stage: NoResponse, Rank: RankRead - 4, Kind: "closed"},
	{ID: "read-closed", Match: "unexpectedly|prematurely|abnormally * closed|terminated|dropped", Stage: NoResponse, Rank: RankRead - 4, Kind: "closed"},
	{ID: "read-closed", Match: "closed|terminated|dropped * unexpectedly|prematurely|abnormally", Stage: NoResponse, Rank: RankRead - 4, Kind: "closed"},
	{ID: "hang-up", Match: "hang|hung up", Stage: NoResponse, Rank: RankRead - 1, Kind: "closed"},

	// Began, and went silent.
	{ID: "body-timeout", Match: "{body} * {timeout}", Not: []string{"request body|payload|entity", "client * body", "body|stream|content is"}, Stage: BodyStalled, Rank: rankBody},
	{ID: "body-timeout", Match: "{timeout} * {body}", Not: []string{"request body|payload|entity"}, Stage: BodyStalled, Rank: rankBody},
	{ID: "body-stalled", Match: "{body} * {stall}", Not: []string{"stall|stalls|stalling =timeout", "stall|stalls|stalling budget|detection|detector|limit|threshold"}, Stage: BodyStalled, Rank: rankBody},
	{ID: "body-stalled", Match: "{stall} * {body}", Not: []string{"stall|stalls|stalling =timeout", "stall|stalls|stalling budget|detection|detector|limit|threshold"}, Stage: BodyStalled, Rank: rankBody},
	{ID: "stalled", Match: "{stall}", And: []string{"{timeout}"}, Stage: BodyStalled, Rank: RankRead + 1},
	{ID: "stalled", Match: "went|fell|gone silent", Stage: BodyStalled, Rank: rankBody},
	{ID: "stalled", Match: "transfer|connection|operation * stalled|stalling", Stage: BodyStalled, Rank: rankBody},
	{ID: "low-speed", Match: "too slow * less than", Stage: BodyStalled, Rank: rankBody},
	{ID: "low-speed", Match: "speed|rate * below|under|lower|less * minimum|limit|threshold|than", And: []string{"{fail}"}, Stage: BodyStalled, Rank: rankBody},

	// Over a bound.
	{ID: "too-large", Match: "{size} * too large|big|long", Stage: SizeExceeded, Rank: rankShort},
	{ID: "too-large", Match: "too large|big * {size}", Stage: SizeExceeded, Rank: rankShort},
	{ID: "too-large", Match: "{size} * exceeds|exceeded|exceeding|over|above * limit|maximum|max|bound|allowed|cap|quota", Not: []string{"deadline", "time limit"}, Stage: SizeExceeded, Rank: rankShort},
	{ID: "too-large", Match: "exceeds|exceeded|exceeding|over|above * limit|maximum|max|bound|allowed|cap * size|length|bytes|body|content", Not: []string{"deadline", "time limit"}, Stage: SizeExceeded, Rank: rankShort},
	{ID: "too-large", Match: "size|length|bytes|body|content|payload|message limit|maximum|max|quota exceeded|reached|hit", Stage: SizeExceeded, Rank: rankShort},
	{ID: "too-large", Match: "{size} * larger|bigger|greater than", Stage: SizeExceeded, Rank: rankShort},
	{ID: "too-large", Match: "limit|maximum|max * {size} * exceeded", Not: []string{"deadline", "time limit"}, Stage: SizeExceeded, Rank: rankShort},

	// Ended early.
	{ID: "ended-early", Match: "{premature} * eof|end|close|closed|closure|termination|disconnect|terminated", Not: []string{"{before} response|headers", "unexpected end of input", "unexpected end of json"}, Stage: Truncated, Rank: rankAnswer - 2},
	{ID: "ended-early", Match: "eof|end|ends|ended|closed|stopped|terminated|finished * prematurely|unexpectedly|early", Stage: Truncated, Rank: RankRead - 3},
	{ID: "ended-early", Match: "response|body|stream|transfer|download|content|message * ended|ends|end|terminated|finished|stopped * prematurely|unexpectedly|early|unexpected|premature", Stage: Truncated, Rank: rankShort},
	{ID: "ended-early", Match: "incomplete|partial|truncated|short read|body|message|response|download|file|content|chunk|envelope|data|transfer|stream", And: []string{"{fail}"}, Stage: Truncated, Rank: rankShort - 1},
	{ID: "ended-early", Match: "body|message|response|download|file|content|data|transfer|archive * incomplete|truncated", And: []string{"{fail}"}, Stage: Truncated, Rank: rankShort - 1},
	{ID: "ended-early", Match: "partial|incomplete|truncated message|body", Not: []string{"waiting|wait for more"}, Stage: Truncated, Rank: RankRead - 3},
	{ID: "ended-early", Match: "insufficient|few|fewer bytes|data", And: []string{"{fail}"}, Stage: Truncated, Rank: rankShort - 1},
	{ID: "ended-early", Match: "unexpected end of * file|stream|data|body|content|archive|response|message", Stage: Truncated, Rank: rankShort - 1},
	{ID: "ended-early", Match: "{closed} * bytes|byte * remaining|missing|left|expected", Stage: Truncated, Rank: rankShort},
	{ID: "ended-early", Match: "{closed} * before * complete|completed|completion|body|end|all|entire|full|message|content|message", Not: []string{"before * response", "before * headers"}, Stage: Truncated, Rank: rankShort, Kind: "closed"},
	{ID: "ended-early", Match: "{body} * {closed}", And: []string{"{fail}"}, Not: []string{"request body"}, Stage: Truncated, Rank: rankShort - 2, Kind: "closed"},
	{ID: "ended-early", Match: "{body} * {reset}", Not: []string{"request body", "write * {reset}"}, Stage: Truncated, Rank: rankShort - 2, Kind: "reset"},
	{ID: "ended-early", Match: "{reset} * during|while|when|mid|reading * body|content|download|downloading|transfer|payload", Stage: Truncated, Rank: rankShort, Kind: "reset"},
	{ID: "length-mismatch", Match: "different|wrong length|size", And: []string{"expected|read|received|downloaded"}, Stage: Truncated, Rank: rankShort},
	{ID: "length-mismatch", Match: "length|size differs|differ", And: []string{"expected|read|received|downloaded"}, Stage: Truncated, Rank: rankShort},
	{ID: "length-mismatch", Match: "content length|size mismatch", Stage: Truncated, Rank: rankShort},
	{ID: "length-mismatch", Match: "expected|expecting <declared> * got|received|only|but|read|downloaded|retrieved|actual <received>", Not: []string{"status"}, And: []string{"bytes|byte|length|size|body|content"}, Stage: Truncated, Rank: rankShort},
	{ID: "length-mismatch", Match: "not complete|completed|finished ** transferred|received|downloaded|read|got|copied|fetched <received> of|out <declared>", Not: []string{"{timeout}"}, Stage: Truncated, Rank: rankShort},
	{ID: "length-mismatch", Match: "got|received|read|downloaded|retrieved|transferred|copied|fetched|only <received> * of|expected|out|instead|but|expecting <declared>", And: []string{"bytes|byte|length|size|body|content", "{fail}"}, Not: []string{"{timeout}", "status"}, Stage: Truncated, Rank: rankShort - 1},
	{ID: "length-mismatch", Match: "bytes * still|more expected|remaining", And: []string{"{fail}"}, Stage: Truncated, Rank: rankShort},
	{ID: "length-mismatch", Match: "just|only got|received|read|downloaded <received> of|out <declared>", Stage: Truncated, Rank: rankShort},
	{ID: "length-mismatch", Match: "content length <declared> * bytes|byte received|read <received>", Stage: Truncated, Rank: RankCode},
	{ID: "unexpected-eof", Match: "unexpected eof|eoferror", Stage: Truncated, Rank: RankRead + 7},
	{ID: "eof", Match: "eof", And: []string{"{fail}"}, Stage: NoResponse, Rank: RankRead - 5, Kind: "closed"},

	// The system's error numbers, where the words beside them are in another
	// language or missing: Linux, then Winsock.
	{ID: "errno-refused", Match: "errno|code|winerror|error|wsa 111|10061|61", And: []string{"{fail}"}, Stage: Connect, Rank: RankRead + 3, Kind: "refused"},
	{ID: "errno-timeout", Match: "errno|winerror|wsa 110|10060|60", Stage: Connect, Rank: RankRead + 1},
	{ID: "errno-timeout", Match: "os error 110|10060", Stage: Connect, Rank: RankRead + 1},
	{ID: "errno-unreachable", Match: "errno|winerror|error 113|101|10065|10051", And: []string{"{fail}"}, Stage: Connect, Rank: RankRead + 1, Kind: "unreachable"},
	{ID: "errno-reset", Match: "errno|winerror|error 104|10054|10053", And: []string{"{fail}"}, Stage: NoResponse, Rank: RankRead - 3, Kind: "reset"},
	{ID: "errno-reset", Match: "failed to read|receive * 104", Stage: NoResponse, Rank: RankRead - 3, Kind: "reset"},
	{ID: "errno-pipe", Match: "errno 32", Stage: Send, Rank: RankRead + 1, Kind: "reset"},
	{ID: "errno-resolve", Match: "winerror|errno|error 11001", Stage: Resolve, Rank: RankRead + 5, Kind: "not-found"},

	// The kind of clock, and no more.
	{ID: "deadline", Match: "deadline * exceeded|expired|elapsed|passed|reached", Not: []string{"deadline exceeded|expired 0"}, Stage: TotalDeadline, Rank: RankClock},
	{ID: "deadline", Match: "total|overall|whole|entire|maximum|max|global|call|attempt * {timeout}", Stage: TotalDeadline, Rank: RankClock + 3},
	{ID: "deadline", Match: "{timeout} * total|overall|whole|entire", Stage: TotalDeadline, Rank: RankClock + 3},
	{ID: "operation-timeout", Match: "operation|request|call|command|query|fetch|transfer|task|rpc * {timeout}", Stage: TotalDeadline, Rank: RankClock},
	{ID: "idle-timer", Match: "idle timeout", Stage: NotATimeout, Rank: RankBare + 1},
	{ID: "bare-timeout", Match: "{timeout}", Stage: TotalDeadline, Rank: RankBare},

	// Something outside cancelled.
	{ID: "caller-cancelled", Match: "context canceled|cancelled", Stage: OuterCancelled, Rank: RankOuter + 2},
	{ID: "caller-cancelled", Match: "{caller} * cancelled|canceled|aborted|disconnected|abort|disconnect|gone", Not: []string{"keepalive", "keep alive", "idle"}, Stage: OuterCancelled, Rank: RankOuter + 3},
	{ID: "caller-cancelled", Match: "cancelled|canceled|aborted by * {caller}", Stage: OuterCancelled, Rank: RankOuter + 3},
	{ID: "caller-closed", Match: "{caller} * closed|hung|terminated|dropped * request|prematurely|before|early|unexpectedly|while|during", Not: []string{"keepalive", "keep alive", "idle"}, Stage: OuterCancelled, Rank: RankOuter + 3},
	{ID: "caller-closed", Match: "{caller} prematurely|unexpectedly closed|disconnected", Stage: OuterCancelled, Rank: RankOuter + 3},
	{ID: "caller-cancelled", Match: "operation|request|task|call|fetch|download|transfer|stream|rpc * cancelled|canceled|aborted", Not: []string{"{timeout}"}, Stage: OuterCancelled, Rank: RankOuter},

	// A gateway about its upstream.
	{ID: "upstream-timeout", Match: "coordinator * {timeout}", Stage: ServerSide, Phase: phaseInner, Rank: RankCode},
	{ID: "gateway-timeout", Match: "gateway timeout", Stage: ServerSide, Phase: phaseInner, Rank: RankCode + 5},
	{ID: "gateway-timeout", Match: "gateway time out", Stage: ServerSide, Phase: phaseInner, Rank: RankCode + 5},
	{ID: "upstream-timeout", Match: "upstream|upstreams|backend|backends|origin * {timeout}", Stage: ServerSide, Phase: phaseInner, Rank: RankCode},
	{ID: "upstream-timeout", Match: "{timeout} * upstream|backend|origin", Stage: ServerSide, Phase: phaseInner, Rank: RankCode},
	{ID: "status-timeout", Match: "{status} 500|502|503 * {timeout}", Stage: ServerSide, Phase: phaseInner, Rank: RankCode - 1},
	{ID: "status-504", Match: "{status} 504", Stage: ServerSide, Phase: phaseInner, Rank: RankCode + 5},
	{ID: "status-504", Match: "504 server|error|gateway", Stage: ServerSide, Phase: phaseInner, Rank: RankCode + 5},
	{ID: "status-408", Match: "{status} 408", Stage: Send, Rank: RankPhase},
	{ID: "status-408", Match: "408 request timeout", Stage: Send, Rank: RankPhase},
	{ID: "status-413", Match: "{status} 413", Stage: SizeExceeded, Rank: RankPhase},
	{ID: "status-499", Match: "{status} 499", Stage: OuterCancelled, Rank: RankPhase},
	{ID: "status-499", Match: "499 client", Stage: OuterCancelled, Rank: RankPhase},
}
