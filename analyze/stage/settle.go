package stage

// The word lists that decide whether a "timeout" tells of an event. They are
// looked at beside the word only; see settle.
var (
	// failsAfter: words after the noun, in the same joined name or next to
	// it, that make it an event.
	failsAfter = []string{"error", "errors", "exception", "exceptions", "exceeded", "expired", "elapsed", "reached", "rejected", "occurred", "fired", "hit", "failure",
		"awaiting", "waiting", "while", "during", "reading", "writing", "connecting", "sending", "receiving", "performing", "fetching", "exceed", "triggered", "passed", "happened", "on", "after", "at", "trying", "executing", "getting", "talking", "communicating", "due", "for", "in", "from", "with", "and", "or", "to", "before", "by", "client", "server"}
	// proseAfter: those of them that are as common where nothing happened.
	proseAfter = []string{"for", "in", "from", "with", "and", "to", "on", "before", "by", "client", "server"}
	// articles: words before the noun that make it a thing spoken of, unless
	// the word before them blames it.
	articles = []string{"a", "an", "the", "any", "this", "each", "its", "that", "another", "to"}
	// blames: words before an article that blame what follows.
	blames = []string{"of", "by", "with", "after", "got", "hit", "due", "to", "owing", "encountered", "received", "had", "exceeded"}
	// setsBefore: words before the noun that make it a setting.
	setsBefore = []string{"default", "set", "sets", "setting", "configured", "configure", "custom", "using", "increase", "increasing", "raise", "specify", "apply", "current", "new",
		"no", "optional", "your", "max", "longer", "higher", "larger", "shorter", "lower", "within", "allowed", "change", "adjust", "use"}
	// setsAfter: words after the noun that make it a setting.
	setsAfter = []string{"set", "sets", "setting", "settings", "value", "values", "configured", "configuration", "option", "options", "policy", "property", "parameter", "must",
		"should", "is", "not", "seconds", "milliseconds", "ms", "duration", "interval", "defaults", "can", "may", "strategy", "handler", "limit", "none", "off", "will", "would", "could", "might", "enabled", "disabled", "null", "nil", "false", "true", "config", "override", "infinite", "unlimited", "header", "timer", "handling", "support", "feature", "bug", "issue", "logic", "behavior", "behaviour", "specified", "used", "allowed", "defined", "supported", "needed", "required", "added", "changed", "removed", "increased", "reduced", "provided", "created", "measured", "based", "applied", "supplied", "given", "called", "named", "documented", "deprecated", "ignored"}
	// overs: words that say a bound was passed, some words after it.
	overs = []string{"exceeded", "exceed", "expired", "elapsed", "elapsing", "reached", "passed", "waiting", "occurred", "has", "was"}
	// errorNames: the last words of names that name errors.
	errorNames = []string{"error", "exception", "timeout", "failure", "failed", "refused", "reset", "closed", "aborted", "cancelled", "canceled", "fault", "rejected", "unreachable", "exceeded", "exhausted", "expired", "disconnected", "eof", "mismatch", "read", "terminated"}
	// auxiliaries: words between a noun and what is said of it.
	auxiliaries = []string{"has", "have", "been", "was", "were", "being"}
	// conditions: words that make the rest of the sentence hypothetical.
	conditions = []string{"if", "whether", "unless", "may", "might", "would", "should", "could", "will", "whenever"}
)

// settleWords are the word lists as sets over the vocabulary.
type settleWords struct {
	failsAfter, setsBefore, setsAfter, overs, conditions, errorName, errorWord, auxiliary, prose, article, blame, timers, trying, exceeded, because, ifs, rounds, sendable, gits wordSet
	test, of, to, on, not, be, wait, waiting                                                                                                                                     uint16
	transfers                                                                                                                                                                    uint64
	other, awaited, resolve, unnamed, fail, status, while, elapsed, now, peer                                                                                                    uint16
}

// wordSet is a set of vocabulary words.
type wordSet []uint64

func (s wordSet) has(id uint16) bool {
	return id != 0 && int(id>>6) < len(s) && s[id>>6]&(1<<(id&63)) != 0
}

func (c *compiler) set(words []string) wordSet {
	var s wordSet
	for _, w := range words {
		id := c.word(w)
		for int(id>>6) >= len(s) {
			s = append(s, 0)
		}
		s[id>>6] |= 1 << (id & 63)
	}
	return s
}

// classSet returns the bits of some classes.
func (c *compiler) classSet(names ...string) (mask uint64) {
	for _, n := range names {
		mask |= 1 << c.classes[n]
	}
	return mask
}

func newSettleWords(c *compiler) settleWords {
	return settleWords{
		failsAfter: c.set(failsAfter), setsBefore: c.set(setsBefore), setsAfter: c.set(setsAfter), overs: c.set(overs), conditions: c.set(conditions), errorName: c.set(errorNames), errorWord: c.set([]string{"error", "exception", "errors", "exceptions"}), prose: c.set(proseAfter), article: c.set(articles), blame: c.set(blames), timers: c.set([]string{"when", "once", "whenever", "until", "before", "that"}), auxiliary: c.set(auxiliaries),
		transfers: c.classSet("whole", "body", "response", "connect", "resolve", "tls", "pool", "read", "send", "peer"),
		sendable:  c.set([]string{"data", "bytes", "packet", "packets", "message", "messages", "request", "requests", "ack", "confirm", "confirmation", "service", "url", "socket", "channel", "frame", "datagram", "query", "call", "rpc", "result", "results", "connection", "connections"}),
		rounds:    c.set([]string{"iterations", "steps", "rounds", "turns", "polls", "days", "weeks", "months", "years"}),
		gits:      c.set([]string{"fetch", "push", "pull", "clone"}),
		ifs:       c.set([]string{"if", "unless", "whether"}),
		because:   c.set([]string{"because", "due", "owing"}), be: c.word("be"), on: c.word("on"),
		exceeded: c.set([]string{"exceeded", "expired", "elapsed", "reached", "passed"}),
		trying:   c.set([]string{"to", "acquiring", "obtaining", "taking", "getting", "acquire", "obtain", "a", "the"}),
		test:     c.word("test"), of: c.word("of"), to: c.word("to"), wait: c.word("wait"), waiting: c.word("waiting"),
		while: c.word("while"), elapsed: c.word("elapsed"), not: c.word("not"), now: c.word("now"),
		peer: uint16(c.classes["peer"]), other: uint16(c.classes["other"]), awaited: uint16(c.classes["awaited"]), resolve: uint16(c.classes["resolve"]), fail: uint16(c.classes["fail"]), status: uint16(c.classes["status"]), unnamed: uint16(c.classes["unnamed"]),
	}
}

// settle takes the timer class away from every token where the words speak of
// a setting, a name in code, a hypothesis, or the timer of something that is
// no transfer, and everything from what stands in a condition, up to the comma
// behind it; and it gathers the classes that are left.
func (w *settleWords) settle(v *view) {
	after := 0 // the token behind a condition
	for _, known := range v.known {
		i := int(known)
		t := &v.tokens[i]
		if t.lineKind != lineText {
			continue
		}
		if i < after {
			t.id, t.mask = 0, 0
			continue
		}
		if w.ifs.has(t.id) && t.part == 0 && v.onlySpace(i) {
			after = v.conditionEnd(i)
		}
		if t.pre == '.' && t.post == '.' && t.part == 0 && t.kind == kindWord && isLetter(v.at(int(t.end)+1)) && !w.errorWord.has(t.id) {
			t.id = 0 // of a package's name: com.example.upstream.Source
		}
		if t.mask == 0 {
			continue
		}
		if t.mask&(1<<classTimeout) != 0 && !w.isEvent(v, i) {
			t.mask &^= 1 << classTimeout
		}
		if t.mask&^(1<<classTimeout) != 0 && w.isName(v, i) {
			if w.errorWord.has(t.id) && t.post == '.' {
				t.mask &= 1<<classTimeout | 1<<w.status | 1<<w.fail // client.errors.Lost is an error
			} else {
				t.mask &= 1<<classTimeout | 1<<w.status
			}
		}
		if t.mask&(1<<w.peer) != 0 && t.pre == '"' && t.post == '"' && v.at(int(t.end)+1) == ':' {
			t.id, t.mask = 0, 0 // a field's name in JSON, behind another's value
			continue
		}
		if t.mask&(1<<w.peer) != 0 && i > 0 && v.onlySpace(i-1) && w.gits.has(v.tokens[i-1].id) {
			t.id, t.mask = 0, 0 // git fetch origin
		}
		if first, _ := v.joined(i); first < i && v.tokens[first].id == w.test {
			t.id, t.mask = 0, 0 // the name of a test
			continue
		}
		if v.flag(i) {
			t.mask = 0 // --retry-connrefused
		}
		if t.post == '=' || v.keyed(i) {
			t.mask &= 1<<w.fail | 1<<w.status // a key: only its value says something
		}
		if t.mask != 0 && i > 1 && v.tokens[i-1].id == w.be && w.conditions.has(v.tokens[i-2].id) {
			t.mask = 0 // it may be unreachable
		}
		if t.mask&(1<<w.resolve) != 0 && w.ofUnnamed(v, i) {
			t.mask &^= 1 << w.resolve
		}
		v.mask |= t.mask
	}
}

// conditionEnd returns the token behind the condition that token i begins.
func (v *view) conditionEnd(i int) int {
	j := i + 1
	for j < len(v.tokens) && v.tokens[j].line == v.tokens[i].line && !v.clauseEnds(j-1) && !v.sentenceEnds(j-1) {
		j++
	}
	return j
}

// ofUnnamed reports whether what is resolved at token i is no host's name: an
// image's reference, a module, a conflict.
func (w *settleWords) ofUnnamed(v *view, i int) bool {
	for j := i + 1; j < len(v.tokens) && j <= i+2 && v.tokens[j].line == v.tokens[i].line; j++ {
		if v.tokens[j].mask&(1<<w.unnamed) != 0 {
			return true
		}
	}
	if v.coordinate(int(v.tokens[i].end)) {
		return true
	}
	return i > 0 && v.tokens[i-1].line == v.tokens[i].line && v.tokens[i-1].mask&(1<<w.unnamed) != 0
}

// coordinate reports whether what stands behind the blank at p is an artifact's
// name of several parts with colons: org.json:json:20090211.
func (v *view) coordinate(p int) bool {
	if v.at(p) != ' ' {
		return false
	}
	colons := 0
	for p++; !isSpace(v.at(p)); p++ {
		if v.at(p) == ':' {
			if v.at(p+1) == ':' || v.at(p+1) == '/' {
				return false // an address, or a URL
			}
			if !isSpace(v.at(p + 1)) {
				colons++
			}
		}
	}
	return colons > 1
}

// isEvent reports whether the timer phrase at token i says that a timer ran
// out on a transfer.
func (w *settleWords) isEvent(v *view, i int) bool {
	t := &v.tokens[i]
	end := i + 1
	for h := int(t.first); h < len(v.hits) && v.hits[h].token == int32(i); h++ {
		if v.hits[h].class == classTimeout {
			end = int(v.hits[h].end)
		}
	}
	first, last := v.joined(i)
	if v.tokens[first].id == w.test {
		return false
	}
	if w.ofOther(v, first, end) {
		return false
	}
	noun := end == i+1 && w.isNoun(v, i)
	if !noun {
		return !w.hypothetical(v, i) && !w.timesOut(v, i) && !v.counted(last) && !w.insideName(v, end-1)
	}
	if w.caused(v, first) {
		return true
	}
	if !w.nameIsEvent(v, i, first, last) || v.assigned(last) && !w.errorWord.has(v.tokens[last].id) {
		return false
	}
	if first > 0 && v.tokens[first-1].line == t.line {
		p := &v.tokens[first-1]
		if w.setsBefore.has(p.id) && v.onlySpace(first-1) && !w.failsNext(v, last) {
			return false
		}
	}
	if w.errorName.has(v.tokens[last].id) && last > i {
		return true // the name of an error
	}
	if w.passed(v, last) && !w.hypothetical(v, i) {
		return true
	}
	if w.spokenOf(v, first) || v.quoted(first, last) {
		return false
	}
	return w.nextIsEvent(v, last)
}

// caused reports whether what stands before the noun at token i makes it the
// reason of something: because of timeout 5000, due to timeout.
func (w *settleWords) caused(v *view, i int) bool {
	if i < 2 || v.tokens[i-2].line != v.tokens[i].line || !v.onlySpace(i-1) || !v.onlySpace(i-2) {
		return false
	}
	word := v.tokens[i-1].id
	return w.because.has(v.tokens[i-2].id) && (word == w.of || word == w.to)
}

// passed reports whether the words behind the noun say that the bound was
// passed: "the timeout period of 5 s has been exceeded".
func (w *settleWords) passed(v *view, last int) bool {
	for j := last + 1; j < len(v.tokens) && j < last+8 && v.tokens[j].line == v.tokens[last].line && !v.clauseEnds(j-1); j++ {
		if w.exceeded.has(v.tokens[j].id) {
			return v.tokens[j-1].id != w.not && (w.auxiliary.has(v.tokens[j-1].id) || j == last+1)
		}
	}
	return false
}

// spokenOf reports whether an article before the noun at token i makes it a
// thing that is spoken of: "a timeout", but not "because of a timeout".
func (w *settleWords) spokenOf(v *view, i int) bool {
	if i == 0 || v.tokens[i-1].line != v.tokens[i].line || !w.article.has(v.tokens[i-1].id) || !v.onlySpace(i-1) {
		return false
	}
	if _, last := v.joined(i); v.pastNext(last) && !w.setsAfter.has(v.tokens[last+1].id) {
		return false // a timeout surfaced
	}
	return i < 2 || v.tokens[i-2].line != v.tokens[i].line || !w.blame.has(v.tokens[i-2].id)
}

// gerund reports whether token i is a word such as calling.
func (v *view) gerund(i int) bool {
	if i >= len(v.tokens) || v.tokens[i].kind != kindWord {
		return false
	}
	b := v.word(i)
	return len(b) > 5 && string(b[len(b)-3:]) == "ing"
}

// pastNext reports whether a verb in the past tense stands behind token i.
func (v *view) pastNext(i int) bool {
	if i+1 >= len(v.tokens) || v.tokens[i+1].line != v.tokens[i].line || v.tokens[i+1].kind != kindWord {
		return false
	}
	b := v.word(i + 1)
	return len(b) > 4 && b[len(b)-2] == 'e' && b[len(b)-1] == 'd'
}

func (w *settleWords) failsNext(v *view, last int) bool {
	return last+1 < len(v.tokens) && v.tokens[last+1].line == v.tokens[last].line && w.failsAfter.has(v.tokens[last+1].id)
}

// nextIsEvent judges the word after the noun.
func (w *settleWords) nextIsEvent(v *view, last int) bool {
	n := last + 1
	if n >= len(v.tokens) || v.tokens[n].line != v.tokens[last].line {
		return true
	}
	for n+1 < len(v.tokens) && v.tokens[n+1].line == v.tokens[last].line && w.auxiliary.has(v.tokens[n].id) {
		n++
	}
	t := &v.tokens[n]
	if !v.onlySpace(last) && t.kind != kindNumber && t.kind != kindSpan {
		return true // a clause ends behind the noun
	}
	if t.id == w.to && n+1 < len(v.tokens) && v.tokens[n+1].kind != kindWord && v.tokens[n+1].kind != kindURL {
		return false // timeout to 5 s
	}
	for j := n; j < len(v.tokens) && j < n+7 && v.tokens[j].line == t.line; j++ {
		if w.overs.has(v.tokens[j].id) && v.tokens[j-1].id != w.not && !w.setsAfter.has(v.tokens[min(j+1, len(v.tokens)-1)].id) {
			return true
		}
	}
	if p := int(v.tokens[last].unitEnd); t.kind == kindNumber && v.at(p) == ' ' && (v.at(p+1) == '-' || v.at(p+1) == '(') && w.failsBefore(v, last) {
		return true // failed (timeout - 5 s)
	}
	switch {
	case t.kind == kindNumber || t.kind == kindSpan || t.id == w.of || w.setsAfter.has(t.id):
		return false
	case t.kind == kindURL || t.kind == kindAddr, t.kind == kindWord && w.failsAt(v, last):
		return true
	case v.gerund(n), (w.timers.has(t.id) || t.id == w.now) && v.gerund(n+1):
		return true // timeout contacting x, timeout when calling y, timeout now trying z
	case w.prose.has(t.id):
		return w.failsBefore(v, last) // as common in documentation
	}
	return w.failsAfter.has(t.id) || n == last+1 && v.pastNext(last)
}

// failsAt reports whether the noun that ends with token i starts what an error
// says of itself: Error: timeout load.
func (w *settleWords) failsAt(v *view, i int) bool {
	first, _ := v.joined(i)
	for first > 0 && v.tokens[first-1].line == v.tokens[i].line && v.onlySpace(first-1) && (v.tokens[first-1].mask&w.transfers != 0 || w.sendable.has(v.tokens[first-1].id)) {
		first-- // Error: connection timeout code
	}
	return first > 0 && v.tokens[first-1].line == v.tokens[i].line && v.tokens[first-1].post == ':' && v.tokens[first-1].mask&(1<<w.fail) != 0
}

// failsBefore reports whether the line has said that something failed, or
// starts with the noun's own name.
func (w *settleWords) failsBefore(v *view, i int) bool {
	first, _ := v.joined(i)
	if first > 0 && v.tokens[first-1].line == v.tokens[i].line && w.blame.has(v.tokens[first-1].id) {
		return true
	}
	for j := first - 1; j >= 0 && v.tokens[j].line == v.tokens[i].line; j-- {
		if v.tokens[j].mask&(1<<w.fail) != 0 {
			return true
		}
	}
	if v.tokens[i].line == v.tokens[min(i+1, len(v.tokens)-1)].line && v.tokens[min(i+1, len(v.tokens)-1)].id == w.on {
		// Connect timeout on endpoint x: the words before the noun are of its name.
		for first > 0 && v.tokens[first-1].line == v.tokens[first].line && v.onlySpace(first-1) && v.tokens[first-1].mask&w.transfers != 0 {
			first--
		}
	}
	if first == 0 || v.tokens[first-1].line != v.tokens[first].line {
		return true
	}
	switch v.tokens[first-1].post {
	case ':', ']', '"', '=', '|', '(':
		return true
	}
	return false
}

// timesOut reports whether the present tense at token i tells of a rule and not
// of an event: "when a query times out".
func (w *settleWords) timesOut(v *view, i int) bool {
	if !equalLower(v.word(i), "times") {
		return false
	}
	for j := i - 1; j >= 0 && j >= i-6 && v.tokens[j].line == v.tokens[i].line && !v.clauseEnds(j); j-- {
		if w.timers.has(v.tokens[j].id) {
			return true
		}
	}
	return false
}

// hypothetical reports whether the sentence up to token i makes it a case that
// may come.
func (w *settleWords) hypothetical(v *view, i int) bool {
	for j := i - 1; j >= 0 && j >= i-8 && v.tokens[j].line == v.tokens[i].line && !v.clauseEnds(j); j-- {
		if w.conditions.has(v.tokens[j].id) && v.tokens[j+1].id != w.not {
			return true
		}
	}
	return false
}

// ofAwaited reports whether what is waited for from token i on is no transfer:
// what people and controllers wait for, and what is known to be neither.
func (w *settleWords) ofAwaited(v *view, i int) bool {
	unknown := false
	for j := i; j < len(v.tokens) && j < i+7 && v.tokens[j].line == v.tokens[i].line; j++ {
		t := &v.tokens[j]
		if t.mask&(1<<w.other|1<<w.awaited) != 0 {
			return true
		}
		if t.mask&w.transfers != 0 || t.kind == kindURL || t.kind == kindAddr || w.sendable.has(t.id) {
			return false // for a download to finish
		}
		unknown = unknown || j > i+1
		if v.clauseEnds(j) {
			break
		}
	}
	return unknown
}

// ofCount reports whether what stands behind a timer's phrase counts rounds or
// days: not complete within 5 iterations, no activity for 60 days.
func (w *settleWords) ofCount(v *view, end int) bool {
	for j := end; j < len(v.tokens) && j < end+5 && v.tokens[j].line == v.tokens[end].line; j++ {
		if w.rounds.has(v.tokens[j].id) {
			return true
		}
		if v.clauseEnds(j) {
			break
		}
	}
	return false
}

// tries reports whether the words from token i on tell of an attempt at
// something that is no transfer: "occurred while trying to lock a resource".
func (w *settleWords) tries(v *view, i int) bool {
	trying := false
	for j := i; j < len(v.tokens) && j < i+6 && v.tokens[j].line == v.tokens[i].line; j++ {
		if v.tokens[j].mask&(1<<w.other) != 0 {
			return trying
		}
		trying = trying || w.trying.has(v.tokens[j].id)
		if v.clauseEnds(j) {
			break
		}
	}
	return false
}

// clauseEnds reports whether a clause ends behind token i.
func (v *view) clauseEnds(i int) bool {
	switch v.tokens[i].post {
	case ':':
		return !isDigit(v.at(int(v.tokens[i].unitEnd) + 1)) // a port belongs to its host
	case ',', '(', ')', ';':
		return true
	case '.':
		return isSpace(v.at(int(v.tokens[i].unitEnd) + 1))
	}
	return false
}

// ofOther reports whether the timer at [first, end) is that of a session, a
// lock, a test: of something that is no transfer.
func (w *settleWords) ofOther(v *view, first, end int) bool {
	line := v.tokens[first].line
	if v.tokens[first].mask&(1<<w.other) != 0 {
		return true
	}
	for j := first; j < end; j++ {
		if v.tokens[j].mask&(1<<w.other) != 0 {
			return true
		}
	}
	for j, words := first-1, 0; j >= 0 && words < 3 && v.tokens[j].line == line && !v.clauseEnds(j); words++ {
		start, _ := v.joined(j)
		for start > 0 && (v.dotted(start) || v.at(int(v.tokens[start].start)-1) == '-' && int(v.tokens[start-1].unitEnd) == int(v.tokens[start].start)-1) {
			start-- // an id of many parts is one word, and so is a dotted name
		}
		for ; j >= start; j-- {
			if v.tokens[j].mask&(1<<w.other) != 0 {
				return true
			}
		}
	}
	if end+1 < len(v.tokens) && v.tokens[end].line == line && w.tries(v, end) || w.ofCount(v, end) {
		return true
	}
	if end < len(v.tokens) && v.tokens[end].id == w.while {
		end++
	}
	if end < len(v.tokens) && v.tokens[end].line == line && (v.tokens[end].id == w.waiting || v.tokens[end].id == w.wait) {
		return w.ofAwaited(v, end)
	}
	return false
}
