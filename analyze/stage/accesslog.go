package stage

import (
	"bytes"
	"strings"
)

// accessVerdict is what a status or a flag of an access log says.
type accessVerdict struct {
	stage Name
	phase string
	kind  string
	role  Role
}

// statusVerdicts are the HTTP statuses that tell of a transfer cut by a clock
// or a bound, from RFC 9110 and the manuals of nginx (499), the AWS balancers
// (460) and Cloudflare (52x). Other statuses say nothing of the kind.
var statusVerdicts = map[string]accessVerdict{
	"408": {stage: Send},
	"413": {stage: SizeExceeded},
	"460": {stage: OuterCancelled, role: Outer},
	"499": {stage: OuterCancelled, role: Outer},
	"504": {stage: ServerSide, phase: "unknown"},
	"522": {stage: ServerSide, phase: "connect"},
	"524": {stage: ServerSide, phase: "no-response"},
	"525": {stage: TLS},
	"598": {stage: ServerSide, phase: "no-response"},
	"599": {stage: ServerSide, phase: "connect"},
}

// envoyFlags are Envoy's response flags, in the order in which they decide
// when several are set. A stage of NotATimeout: the flag is no transfer's
// failure and the status decides.
var envoyFlags = []struct {
	flag string
	accessVerdict
}{
	{"DC", accessVerdict{stage: OuterCancelled, role: Outer}},
	{"DF", accessVerdict{stage: Resolve, kind: "not-found"}},
	{"UF", accessVerdict{stage: Connect, phase: "connect"}},
	{"UT", accessVerdict{stage: ServerSide, phase: "no-response"}},
	{"UMSDR", accessVerdict{stage: TotalDeadline}},
	{"DT", accessVerdict{stage: TotalDeadline}},
	{"SI", accessVerdict{stage: BodyStalled}},
	{"UO", accessVerdict{stage: QueueWait}},
	{"RL", accessVerdict{stage: QueueWait}},
	{"UC", accessVerdict{stage: NoResponse, phase: "no-response", kind: "closed"}},
	{"UR", accessVerdict{stage: NoResponse, phase: "no-response", kind: "reset"}},
	{"LR", accessVerdict{stage: NoResponse, phase: "no-response", kind: "reset"}},
	{"UH", accessVerdict{stage: Connect, phase: "connect"}},
}

// haproxyStates are HAProxy's termination states, cause and session state,
// from the configuration manual's section on logging. A state that is not
// listed tells of no failed transfer.
var haproxyStates = map[string]accessVerdict{
	"sQ": {stage: QueueWait},
	"sC": {stage: ServerSide, phase: "connect"},
	"sH": {stage: ServerSide, phase: "no-response"},
	"sD": {stage: ServerSide, phase: "body-stalled"},
	"sL": {stage: ServerSide, phase: "body-stalled"},
	"SC": {stage: Connect, phase: "connect", kind: "refused"},
	"SH": {stage: NoResponse, phase: "no-response", kind: "closed"},
	"SD": {stage: Truncated, phase: "body", kind: "closed"},
	"SL": {stage: Truncated, phase: "body", kind: "closed"},
	"cR": {stage: Send},
	"cD": {stage: BodyStalled},
	"cL": {stage: BodyStalled},
	"cH": {stage: Send},
	"cC": {stage: Send},
	"cQ": {stage: QueueWait},
	"CR": {stage: OuterCancelled, role: Outer},
	"CQ": {stage: OuterCancelled, role: Outer},
	"CC": {stage: OuterCancelled, role: Outer},
	"CH": {stage: OuterCancelled, role: Outer},
	"CD": {stage: OuterCancelled, role: Outer},
	"CL": {stage: OuterCancelled, role: Outer},
	"PC": {stage: QueueWait},
	"PQ": {stage: QueueWait},
	"RC": {stage: QueueWait},
}

// accessLog reads a record that is a line of an access log: a quoted request
// with a status behind it, and the flags of Envoy or HAProxy. It reports
// whether the record is one; the verdict's stage is empty if it tells of no
// failure.
func (v *view) accessLog() (verdict accessVerdict, evidence string, elapsed int64, ok bool) {
	text := v.text
	if len(text) > 0 && (isDigit(text[0]) || text[0] == '#') {
		if d, evidence, millis, ok := w3c(text); ok {
			return d, evidence, millis, true
		}
	}
	if bytes.IndexByte(text, '\n') >= 0 && bytes.IndexByte(text, '\n') < len(text)-1 {
		return verdict, "", Unknown, false
	}
	if !hasTimers(text) {
		// nothing like HAProxy's timers and counters
	} else if state, status, millis, ok := haproxy(text); ok {
		if d, ok := haproxyStates[state]; ok {
			return d, state, millis, true
		}
		return statusVerdicts[status], status, millis, true // the server's own answer
	}
	if code, millis, ok := squid(text); ok {
		return squidVerdict(code), code, millis, true
	}
	end, ok := requestEnd(text)
	if !ok {
		return verdict, "", Unknown, false
	}
	rest := bytes.TrimLeft(text[end:], " \t")
	status, rest := cutField(rest)
	if !isStatus(status) {
		if status, ok := balancerStatus(text[:end]); ok {
			return statusVerdicts[status], status, Unknown, true
		}
		return verdict, "", Unknown, false
	}
	flags, details := cutField(rest)
	if !isFlags(flags) {
		return statusVerdicts[string(status)], v.kept.string(status), Unknown, true
	}
	elapsed = thirdOfThree(details)
	if d, flag := envoyVerdict(flags, details); flag != "" {
		v.spare = append(append(append(v.spare[:0], status...), ' '), flag...)
		return d, v.kept.string(v.spare), elapsed, true
	}
	return statusVerdicts[string(status)], v.kept.string(status), elapsed, true
}

// envoyVerdict judges response flags with the details that stand behind them;
// no flag is returned if none of those set tells of a failed transfer.
func envoyVerdict(flags, details []byte) (accessVerdict, string) {
	for _, f := range envoyFlags {
		if !hasFlag(flags, f.flag) {
			continue
		}
		d := f.accessVerdict
		if d.phase == "connect" && containsFold(details, "timeout") {
			d.stage, d.kind = ServerSide, ""
		}
		if d.stage == NoResponse && containsFold(details, "after_response_started") {
			d.stage, d.phase = Truncated, "body"
		}
		if f.flag == "UT" && containsFold(details, "per_try_idle") {
			d.phase = "body-stalled"
		}
		return d, f.flag
	}
	return accessVerdict{}, ""
}

func isStatus(b []byte) bool {
	return len(b) == 3 && '1' <= b[0] && b[0] <= '5' && isDigit(b[1]) && isDigit(b[2])
}

// balancerStatus finds the status in a log of AWS' load balancers: behind the
// three times of request, target and response, of which -1 is unknown.
func balancerStatus(text []byte) (string, bool) {
	if !holdsTime(text) {
		return "", false
	}
	times := 0
	for len(text) > 0 {
		var f []byte
		f, text = cutField(text)
		switch {
		case isTime(f):
			times++
		case times >= 3 && isStatus(f):
			return string(f), true
		default:
			times = 0
		}
	}
	return "", false
}

// isTime reports whether a field is seconds with a fraction, or -1.
func isTime(f []byte) bool {
	return string(f) == "-1" || bytes.IndexByte(f, '.') > 0 && bytes.Count(f, []byte(".")) == 1 && isDigit(f[0]) && isDigit(f[len(f)-1])
}

// holdsTime reports whether a field of the text is a time: most are passed by
// without looking at each.
func holdsTime(text []byte) bool {
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], '.')
		if n < 0 {
			return bytes.Contains(text, []byte("-1"))
		}
		i += n
		start, end := i, i
		for start > 0 && text[start-1] != ' ' && text[start-1] != '\t' {
			start--
		}
		for end < len(text) && text[end] != ' ' && text[end] != '\t' {
			end++
		}
		if isTime(text[start:end]) {
			return true
		}
		i = max(i, end-1)
	}
}

// requestEnd returns where the quoted request of an access log ends.
func requestEnd(text []byte) (int, bool) {
	for i := 0; ; {
		q := bytes.IndexByte(text[i:], '"')
		if q < 0 {
			return 0, false
		}
		i += q + 1
		e := bytes.IndexByte(text[i:], '"')
		if e < 0 {
			return 0, false
		}
		if isRequest(text[i : i+e]) {
			return i + e + 1, true
		}
		i += e + 1
	}
}

// isRequest reports whether b is a method and a target, and mostly a version.
func isRequest(b []byte) bool {
	n := 0
	for n < len(b) && isUpper(b[n]) {
		n++
	}
	return n >= 3 && n+1 < len(b) && b[n] == ' ' && (b[n+1] == '/' || b[n+1] == '*' || bytes.HasPrefix(b[n+1:], []byte("http")) || bytes.Contains(b[n+1:], []byte(" HTTP/")))
}

// hasTimers reports whether text holds numbers with four slashes between them.
func hasTimers(text []byte) bool {
	slashes := 0
	for i := bytes.IndexByte(text, '/'); i >= 0 && i < len(text); i++ {
		switch c := text[i]; {
		case c == '/':
			if slashes++; slashes == 4 {
				return true
			}
		case isDigit(c) || c == '-' || c == '+':
		default:
			slashes = 0
			next := bytes.IndexByte(text[i:], '/')
			if next < 0 {
				return false
			}
			i += next - 1
		}
	}
	return false
}

func cutField(b []byte) (field, rest []byte) {
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	for j := i; j < len(b); j++ {
		if b[j] == ' ' || b[j] == '\t' {
			return b[i:j], b[j+1:]
		}
	}
	return b[i:], nil
}

// isFlags reports whether b looks like Envoy's response flags: capitals and
// commas, or a lone hyphen.
func isFlags(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	for _, c := range b {
		if !isUpper(c) && c != ',' && !(c == '-' && len(b) == 1) {
			return false
		}
	}
	return true
}

func hasFlag(flags []byte, f string) bool {
	for len(flags) > 0 {
		one := flags
		if i := bytes.IndexByte(flags, ','); i >= 0 {
			one, flags = flags[:i], flags[i+1:]
		} else {
			flags = nil
		}
		if string(one) == f {
			return true
		}
	}
	return false
}

// thirdOfThree returns the third of the first three bare numbers that follow
// each other: bytes received, bytes sent, and the duration in milliseconds.
func thirdOfThree(b []byte) int64 {
	run := 0
	for len(b) > 0 {
		var f []byte
		f, b = cutField(b)
		n, ok := parseDigits(f)
		if !ok {
			run = 0
			continue
		}
		if run++; run == 3 {
			return n
		}
	}
	return Unknown
}

func parseDigits(b []byte) (int64, bool) {
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// haproxy finds HAProxy's termination state: two or four characters between
// the captured cookies and the five connection counters. The total time is the
// last of the timers that stand before status and bytes.
func haproxy(text []byte) (state, status string, totalMillis int64, ok bool) {
	var prev, field, code []byte
	totalMillis = Unknown
	for rest := text; len(rest) > 0; {
		prev = field
		field, rest = cutField(rest)
		slashes := bytes.Count(field, []byte("/"))
		if code == nil && totalMillis != Unknown && isStatus(field) {
			code = field
		}
		if slashes < 2 || !isDigit(field[len(field)-1]) {
			continue
		}
		if slashes == 4 && (len(prev) == 2 || len(prev) == 4) && isState(prev) {
			return string(prev[:2]), string(code), totalMillis, true
		}
		last := bytes.TrimPrefix(field[bytes.LastIndexByte(field, '/')+1:], []byte("+"))
		if n, ok := parseDigits(last); ok && (isDigit(field[0]) || field[0] == '-') {
			totalMillis = n
		}
	}
	return "", "", Unknown, false
}

// squid reads Squid's native log: time, duration in milliseconds, client, and
// the result code with the status behind a slash.
func squid(text []byte) (code string, millis int64, ok bool) {
	when, rest := cutField(text)
	if i := bytes.IndexByte(when, '.'); i < 9 || len(when)-i != 4 || !isDigit(when[0]) {
		return "", Unknown, false
	}
	took, rest := cutField(rest)
	_, rest = cutField(rest)
	result, _ := cutField(rest)
	millis, ok = parseDigits(took)
	slash := bytes.IndexByte(result, '/')
	if !ok || slash < 4 || !isUpper(result[0]) {
		return "", Unknown, false
	}
	return string(result), millis, true
}

// squidVerdict judges a result such as TCP_MISS_ABORTED/000.
func squidVerdict(code string) accessVerdict {
	result, status, _ := strings.Cut(code, "/")
	switch {
	case strings.HasSuffix(result, "_ABORTED"):
		return statusVerdicts["499"]
	case strings.HasSuffix(result, "_TIMEDOUT"):
		return statusVerdicts["504"]
	}
	return statusVerdicts[status]
}

func isState(b []byte) bool {
	for _, c := range b {
		if c != '-' && !isLetter(c) {
			return false
		}
	}
	return true
}

func containsFold(b []byte, lower string) bool {
	for i := 0; i+len(lower) <= len(b); i++ {
		if equalLower(b[i:i+len(lower)], lower) {
			return true
		}
	}
	return false
}
