package stage

// A class is a group of phrases that mean the same thing to a transfer. The
// first three are settled by code beside the phrases (see settle): whether a
// "timeout" is an event or a setting depends on what stands around it.
type class struct {
	name    string
	phrases []string
}

// classTimeout is the number of the class of timer events.
const classTimeout = 0

// lexicon is the built-in list of classes.
var lexicon = []class{
	{"timeout", []string{
		"timed out", "time out", "timeout", "timedout", "times out",
		"etimedout", "etimeout", "esockettimedout", "wsaetimedout", "econntimeout",
		"deadline exceeded", "deadline was exceeded", "deadline has elapsed", "deadline elapsed", "deadline reached", "deadline expired", "exceeded deadline",
		"deadline has passed", "deadline passed", "exceeded its deadline", "exceeded the deadline",
		"time limit exceeded", "time limit reached", "max time exceeded", "took too long", "took longer|more than|then", "taking longer than", "taking too long", "queued|waited|waiting|pending|blocked too long",
		"did not complete|finish|respond|answer within", "didn't complete|finish|respond|answer within", "not completed within", "not complete within",
		"did not complete|finish|respond|answer in", "not be completed within", "not be completed in time", "not completed in time", "failed to occur|complete|respond|finish|start|begin|connect|answer within|in", "not responded|answered|replied in|within|for", "no activity within|for",
		"ran out of time", "time expired", "timer expired|fired", "wait time exceeded|expired|elapsed", "exceeded the allotted|allowed|maximum|configured time", "exceeded maximum|max time", "exceeded time limit", "exceeded the specified|configured time limit", "exceeded the user specified time limit",
		"gave|giving up waiting", "no response|reply|answer within", "not ready within|in", "unresponsive",
		"out of time", "time is up", "time budget|allowance exhausted|exceeded|spent|elapsed", "not done|finished|complete|completed within", "not done|finished after", "unfinished after", "not completed|finished|done in time",
		"semaphore timeout period has expired", "timeout period has expired", "elapsed prior to",
	}},
	{"fail", []string{
		"failed|fail|fails|failure|failing", "error|errors|err", "unable", "could not", "couldn't", "cannot", "can't", "can not",
		"exception", "refused", "unreachable", "abort|aborted", "broken", "fatal", "problem", "did not", "not possible", "impossible",
	}},
	{"connect", []string{
		"connect|connecting|connects", "connection attempt", "connection establishment", "connection setup", "connection initiation",
		"establish|establishing|establishes", "dial|dialing|dialling|dialer", "open|opening connection|socket|connections", "new connection",
		"tcp connect", "tcp connection", "attempt to connect", "attempting to connect", "econnect", "connecttimeout",
		"syn sent", "tcp open", "layer4", "create connection", "creating connection", "create a connection", "connect to", "no route",
	}},
	{"resolve", []string{
		"resolve|resolving|resolution|resolver|resolves", "dns", "getaddrinfo", "gethostbyname", "name lookup", "host lookup", "hostname lookup",
		"lookup|lookups", "nameserver|nameservers", "name server|servers",
	}},
	{"tls", []string{
		"tls", "ssl", "handshake|handshaking|handshaker", "https negotiation", "secure channel", "schannel", "openssl", "gnutls", "securetransport", "secure connection",
		"clienthello", "client hello", "serverhello", "server hello", "sslv3|tlsv1", "starttls", "rustls", "boringssl", "mbedtls", "layer6",
	}},
	{"send", []string{
		"send|sending|sent|sends", "write|writing|wrote|written|writes", "upload|uploading|uploads", "request body", "request headers", "request payload",
		"sendrequest", "sendto|sendmsg", "transmit|transmitting|transmitted|transmission", "writev", "put body", "flush|flushing",
	}},
	{"response", []string{
		"response|responses", "headers|header", "first byte", "status line", "reply|replies", "answer|answers|answered", "ttfb", "time to first byte",
		"response start", "layer7", "respond|responding|responded|responds", "http response", "first response", "connack|puback|suback|ack|acknowledgement|acknowledgment",
	}},
	{"read", []string{
		"recvfrom|recvmsg|readv", "read|reading|reads", "receive|receiving|received|recv|receives", "so timeout",
	}},
	{"body", []string{
		"body", "content", "chunk|chunks|chunked", "payload", "response body", "entity", "blob|blobs", "layer|layers",
		"part|parts", "data transfer", "stream|streaming", "object body", "packfile", "pack",
	}},
	{"whole", []string{ // what names the operation and not its phase
		"download|downloading|downloads|downloaded", "archive", "tarball", "copy|copying", "fetching file",
	}},
	{"pool", []string{
		"pool|pooled|pools", "lease|leased|leasing", "acquire|acquiring|acquisition|acquired", "checkout of", "connection checkout", "checking out", "check out a", "slot|slots",
		"permit|permits", "semaphore", "available connection|connections", "free connection|connections|worker|workers", "idle connections", "max clients", "connection limit", "connections in use", "idle connection available", "borrow|borrowing",
		"queue|queued|queuing|queueing", "rate limiter", "bulkhead", "concurrency limit|limiter", "connection from pool", "connection request",
		"throttled|throttle|throttling", "producer buffer", "accumulator",
	}},
	{"stall", []string{
		"stalled|stall|stalls|stalling", "went silent", "fell silent", "gone silent", "no data", "no progress", "inactivity", "too slow", "low speed",
		"no bytes", "speed below", "too long without", "no data received", "transfer rate", "minimum speed", "speed limit", "without receiving data", "without progress", "no traffic",
		"lack of data", "no new data", "without data", "idle for", "stopped responding|sending|receiving",
		"dried|drying up", "ran|runs|run dry", "froze|frozen|freezes", "stuck", "without any|new|further|more data|bytes|byte|progress|activity", "without a byte", "went|gone|goes dead|quiet|dark", "hangs|hanging", "crawling|crawled|trickling|trickled", "slower than", "stopped moving|flowing|arriving|coming|progressing|delivering|transmitting|streaming", "came to a halt|stop|standstill", "of silence", "no further|more bytes|data|byte",
	}},
	{"closed", []string{
		"closed", "close", "closes", "disconnected|disconnect|disconnects", "hang up", "hung up", "eof", "end of file", "end of stream", "terminated", "dropped",
		"connection lost", "lost connection", "lost the|our|its connection", "connection was lost", "goaway", "shut down", "closing", "gone away", "end of input", "broken connection", "connection forced", "forced connection", "went|gone|goes away", "vanished|vanishes", "disappeared",
	}},
	{"reset", []string{
		"connection|socket|stream|tcp|peer reset", "connection|stream|session was reset", "reset by peer|remote|server|client|the|host|upstream|foreign", "resets|reset the|a connection|stream", "reset before|during|while", "received reset", "connection reset error", "econnreset", "wsaeconnreset", "connreset", "forcibly closed", "broken pipe", "epipe", "connection aborted", "rst stream", "connection abort",
	}},
	{"refused", []string{
		"connection refused", "connection was refused", "refused|refuses|refusing connection|connect|connections", "refused the|our connection", "refused to connect", "econnrefused", "wsaeconnrefused", "actively refused", "connrefused", "connect refused", "failed refused",
	}},
	{"denied", []string{ // what people are refused, and why
		"login|logins|logon|signin", "sign in", "password|passwords", "credential|credentials", "permission|permissions", "access", "payment|payments", "order|orders", "offer", "policy", "quota", "appointment|appointments", "booking|bookings", "reservation|reservations", "subscription|subscriptions", "invoice|invoices", "meeting|meetings",
	}},
	{"unreachable", []string{
		"unreachable", "not reachable", "ehostunreach", "enetunreach", "no route to host", "wsaehostunreach", "wsaenetunreach", "network is down", "enetdown", "ehostdown", "host is down", "no path to host",
	}},
	{"nopath", []string{ // what a network stack says, and no conclusion of a client's
		"network unreachable", "network is unreachable", "host is unreachable", "destination host unreachable", "destination unreachable", "ehostunreach", "enetunreach", "no route to host",
		"wsaehostunreach", "wsaenetunreach", "network is down", "enetdown", "ehostdown", "host is down", "no path to host", "unreachable host|network",
	}},
	{"notfound", []string{
		"not known", "not found", "unknown host|hostname", "no such host", "enotfound", "eai again", "eai noname", "eai nodata", "eai fail", "nxdomain", "servfail",
		"temporary failure", "nodename nor servname", "no address associated", "non recoverable failure", "no known address|addresses", "unknown name", "name does not resolve",
		"no such name", "not resolved", "not be resolved", "no addresses", "no records", "notfound",
	}},
	{"dnsfail", []string{
		"name or service not known", "no such host", "unknown host|hostname", "enotfound", "eai again", "eai noname", "eai nodata", "eai fail", "nxdomain", "servfail",
		"temporary failure in name resolution", "nodename nor servname", "no address associated with hostname|name", "non recoverable failure in name resolution",
		"name does not resolve", "host not found", "no such host is known", "name resolution failed|failure|error", "host name lookup failure", "name not resolved", "unknown server", "name not resolvable", "no dns|address record|records", "dns failure|problem|error",
		"host unknown", "gaierror", "unable to find the server|host", "server not found error", "no servers could be reached", "bad address", "unresolvable", "cannot|can't find host|hostname", "hostname not found", "host could not be found", "non existing|existent domain", "nonexistent domain|host", "no such domain", "unknown domain", "domain not found", "unresolved address|host", "wsahost not found",
	}},
	{"status", []string{
		"status|statuscode", "status code", "http|https", "http status", "code", "error code", "http error", "returned error", "response code", "statuscode", "response status", "returned|returns", "result", "fetch", "answered|answers|answer", "replied|replies", "responded|responds", "said|says", "gave", "got",
	}},
	{"awaited", []string{ // what people and controllers wait for that is no answer
		"state|states", "condition|conditions", "pod|pods", "deployment", "approval", "input", "leader", "sync", "caches", "job|jobs", "volume|volumes",
		"process|processes", "exit", "thread|threads", "lock|locks", "user", "resource|resources", "rollout", "election", "container|containers", "worker|workers", "goroutines", "shutdown",
		"button|buttons", "element|elements", "selector", "dialog", "window", "prompt", "screen", "inputs", "signal", "finish", "appear", "processed", "compile", "reboot", "boot", "stack|stacks", "release", "upgrade",
	}},
	{"unnamed", []string{ // what is resolved and is no host's name
		"reference", "image|images", "digest", "source", "manifest", "tag", "dependency|dependencies", "module|modules", "package|packages", "artifact|artifacts", "plugin|plugins",
		"symbol", "path", "revision", "ref", "version", "specifier", "promise", "import", "type", "conflict|conflicts", "placeholder", "property", "bean", "view", "template", "variable",
		"configuration", "metadata", "component", "symlink", "merge", "class", "file", "method", "argument", "parameter", "entity", "schema", "workspace", "secret", "files", "all", "task|tasks", "configurations",
	}},
	{"fully", []string{"fully", "completely"}},
	{"cancel", []string{
		"canceled|cancelled|cancel|canceling|cancelling|cancellation|cancels", "abort|aborted|aborting|aborts", "interrupted", "ecanceled", "ecancelled",
	}},
	{"premature", []string{
		"premature|prematurely", "unexpected|unexpectedly", "early", "incomplete|incompletely", "partial", "truncated|truncation", "short", "too soon", "before complete|completion|completing", "not complete",
		"too few", "fewer bytes", "insufficient bytes|data", "less data|bytes", "not all bytes|data", "abrupt|abruptly", "cut off|short", "broke|broken off",
	}},
	{"size", []string{
		"size|sizes", "length", "content length", "byte|bytes", "body", "entity", "payload", "message", "content", "buffer", "upload", "archive", "request", "response", "file", "object", "layer", "blob", "document", "attachment", "feed", "packet", "packets",
	}},
	{"peer", []string{
		"peer", "server", "remote", "remote host", "remote end", "remote party", "other side", "foreign host", "remote side", "host", "backend", "upstream", "origin", "broker",
	}},
	{"caller", []string{
		"client", "caller", "downstream", "parent", "consumer", "browser",
	}},
	{"before", []string{
		"before", "prior to", "without", "while awaiting|waiting|reading|receiving", "awaiting", "waiting for", "until",
	}},
	{"giveup", []string{ // what a client does that waits no longer
		"gave|giving up", "abort|aborted|aborting", "abandoned|abandoning", "bailed|bailing|bail out", "dropping|dropped", "killed|killing", "stopping|quitting",
		"turned|turning away", "tearing|torn|tore down", "canceling|cancelling", "closing|disconnecting|terminating|terminated", "hanging up", "rejected|rejecting|refused|refusing", "skipping|skipped",
	}},
	{"other", []string{ // things that time out and are no transfer
		"session|sessions", "lock|locks|locking|deadlock|mutex", "transaction|transactions", "test|tests|testcase", "job|jobs", "keepalive|keepalives", "keep alive", "heartbeat|heartbeats",
		"visibility", "shutdown", "debounce", "animation", "leader election",
		"grace|graceful", "drain|draining", "condition|conditions", "rollout", "watchdog", "compaction", "checkpoint", "election",
		"build|builds|building|compilation|compile", "hook|hooks", "statement|statements", "stop|stopping", "sigterm", "barrier", "rebalance", "fixture|fixtures",
	}},
}
