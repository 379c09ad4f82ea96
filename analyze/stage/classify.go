package stage

import (
	"bytes"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// phaseInner as a rule's Phase stands for the stage that the rest of the
// record tells of: a proxy's report about its upstream.
const phaseInner = "inner"

// phaseWhere as a rule's Phase stands for the phase in which the frames of a
// record stand: a clock's own frame says nothing of it.
const phaseWhere = "where"

// Classify attributes a record and fills a. It returns false, and leaves in a
// nothing of worth, if the record tells of no failed transfer; most records
// hold none of the words for that, which takes a nanosecond a byte to see.
//
// a is overwritten; what a holds afterwards shares no memory with r. Calls on
// one Classifier must not overlap.
func (c *Classifier) Classify(r *ingest.Record, a *Attribution) bool {
	a.reset()
	if !c.gate.passes(r.Text) {
		return false
	}
	if decided, failed := transferLine(r, a); decided {
		return failed
	}
	v := &c.view
	if isStructured(r) {
		v.buf = appendStructured(v.buf[:0], r)
		v.text = v.buf[:min(len(v.buf), maxText)]
	} else {
		v.text = r.Text[:min(len(r.Text), maxText)]
	}
	return c.attribute(r, a)
}

// ClassifyEvent attributes several records that are known to tell of one
// event, such as all lines of one program's run, as if they were one record.
func (c *Classifier) ClassifyEvent(records []*ingest.Record, a *Attribution) bool {
	if len(records) == 1 {
		return c.Classify(records[0], a)
	}
	a.reset()
	v := &c.view
	v.buf = v.buf[:0]
	var first *ingest.Record
	for _, r := range records {
		if len(v.buf) > 0 {
			v.buf = append(v.buf, '\n')
		}
		if isStructured(r) {
			v.buf = appendStructured(v.buf, r)
		} else {
			v.buf = append(v.buf, r.Text...)
		}
		if first == nil || len(r.Fields) > 0 {
			first = r
		}
	}
	if first == nil {
		return false
	}
	v.text = v.buf[:min(len(v.buf), maxText)]
	return c.attribute(first, a)
}

// isStructured reports whether a record is read by its parts. Text records
// are read as they were shipped.
func isStructured(r *ingest.Record) bool {
	switch r.Format {
	case ingest.FormatDotnetJSON, ingest.FormatSerilog, ingest.FormatJSON:
		return true
	}
	return false
}

// appendStructured puts message, exceptions, fields and frames of a structured
// record together at the end of buf.
func appendStructured(buf []byte, r *ingest.Record) []byte {
	start := len(buf)
	if string(r.Message) != string(r.Text) { // else there is no message, and the fields say it all
		buf = append(buf, r.Message...)
	}
	for _, x := range r.Exceptions {
		buf = append(buf, '\n')
		buf = append(buf, x.Type...)
		buf = append(buf, ": "...)
		buf = append(buf, x.Message...)
	}
	for _, f := range r.Fields {
		if len(buf)-start > maxText {
			break
		}
		if len(f.Value) == 0 || string(f.Value) == string(r.Message) {
			continue
		}
		buf = append(buf, '\n')
		buf = append(buf, f.Name...)
		buf = append(buf, '=')
		buf = append(buf, f.Value...)
	}
	for _, f := range r.Frames {
		buf = append(buf, "\n   at "...)
		buf = append(buf, f...)
	}
	return buf
}

// attribute runs the rules over the view's text.
func (c *Classifier) attribute(r *ingest.Record, a *Attribution) bool {
	v := &c.view
	if verdict, evidence, elapsed, ok := accessFields(r); ok {
		return a.setAccess(verdict, evidence, elapsed)
	}
	if verdict, evidence, elapsed, ok := v.accessLog(); ok {
		return a.setAccess(verdict, evidence, elapsed)
	}
	c.read()
	c.collect(false)
	best := c.best()
	if best < 0 {
		return false
	}
	rule := &c.rules[c.found[best].rule]
	if rule.Frame && v.mask&c.failures == 0 { // frames say where, not that anything failed
		c.collect(true)
		if best = c.bestOf(func(r *compiledRule) bool { return !r.Frame }); best < 0 {
			return false
		}
		rule = &c.rules[c.found[best].rule]
	}
	if rule.Phase == phaseInner || rule.Phase == phaseWhere {
		c.collect(true)
		best = c.best()
	}
	if rule.Stage == NotATimeout {
		return false
	}
	caps := c.found[best].caps
	a.Stage, a.Phase, a.Kind, a.Role = rule.Stage, rule.Phase, rule.Kind, rule.role
	a.Confidence, a.Rule = rule.Confidence, rule.ID
	a.Evidence = append(a.Evidence, c.evidence(best))
	if rule.Frame {
		c.ended(a)
	}
	switch rule.Phase {
	case phaseInner:
		c.inner(a)
	case phaseWhere:
		c.where(a)
	}
	c.measure(&caps)
	a.setNumbers(&caps)
	if a.Stage == TotalDeadline && a.Phase == "" && a.BytesReceived > 0 {
		a.Phase = "body"
	}
	if v.url > 0 {
		v.spare = appendURL(v.spare[:0], v.word(v.url-1))
		a.Target = v.kept.string(v.spare)
	}
	v.resilience(r, a)
	return true
}

// read cuts the view's text into words and finds the phrases of the classes.
func (c *Classifier) read() {
	v := &c.view
	v.tokenize(c.words)
	c.tree.find(v)
	c.settle.settle(v)
	clear(c.asked)
}

// setAccess fills a from an access log's verdict and reports whether it tells
// of a failed transfer.
func (a *Attribution) setAccess(d accessVerdict, evidence string, millis int64) bool {
	if d.stage == "" {
		return false
	}
	a.Stage, a.Phase, a.Kind, a.Role = d.stage, d.phase, d.kind, d.role
	if a.Role == "" {
		a.Role = Cause
	}
	a.Confidence, a.Rule = RankCode.confidence(), "access-log"
	a.Evidence = append(a.Evidence, evidence)
	if millis >= 0 {
		a.Elapsed = time.Duration(millis) * time.Millisecond
	}
	return true
}

// ended says how a transfer ended of which the frames say where: where no timer
// ran out and the peer closed or reset, a body was cut and did not stall.
func (c *Classifier) ended(a *Attribution) {
	v := &c.view
	if v.mask&(1<<classTimeout) != 0 {
		return
	}
	switch {
	case v.mask&c.refused != 0:
		a.Kind = "refused"
	case v.mask&c.reset != 0:
		a.Kind = "reset"
	case v.mask&c.closed != 0:
		a.Kind = "closed"
	default:
		return
	}
	if a.Stage == BodyStalled {
		a.Stage = Truncated
	}
}

// inner gives a proxy's report the stage or the phase of what it tells about
// its upstream: the upstream's own act where it closed, reset or refused, else
// the phase in which its timer ran out.
func (c *Classifier) inner(a *Attribution) {
	a.Phase = "unknown"
	i := c.bestOf(func(r *compiledRule) bool {
		switch r.Stage {
		case Resolve, Connect, TLS, Send, NoResponse, BodyStalled, Truncated:
			return r.Rank >= RankRead
		}
		return false
	})
	if i < 0 {
		return
	}
	r := &c.rules[c.found[i].rule]
	a.Phase = string(r.Stage)
	a.Evidence = append(a.Evidence, c.evidence(i))
	if r.Kind != "" {
		a.Stage, a.Kind, a.Rule = r.Stage, r.Kind, r.ID
	}
}

// where gives a clock over the whole the phase in which the frames stand.
func (c *Classifier) where(a *Attribution) {
	a.Phase = ""
	i := c.bestOf(func(r *compiledRule) bool { return r.Frame && r.Stage != TotalDeadline })
	if i < 0 {
		return
	}
	switch s := c.rules[c.found[i].rule].Stage; s {
	case BodyStalled:
		a.Phase = "body"
	case NoResponse:
		a.Phase = "pre-headers"
	default:
		a.Phase = string(s)
	}
}

// evidence returns the words that a candidate matched.
func (c *Classifier) evidence(i int) string {
	v, f := &c.view, &c.found[i]
	last := max(int(f.end)-1, int(f.start))
	start, end := v.tokens[f.start].start, v.tokens[last].unitEnd
	return v.kept.string(v.text[start:min(end, start+160)])
}

func (a *Attribution) setNumbers(c *captures) {
	if c.has[fieldMissing] && !c.has[fieldDeclared] && c.has[fieldReceived] {
		c.has[fieldDeclared], c.value[fieldDeclared] = true, c.value[fieldReceived]+c.value[fieldMissing]
	}
	if c.has[fieldReceived] {
		a.BytesReceived = int64(c.value[fieldReceived] + 0.5)
	}
	if c.has[fieldDeclared] {
		a.BytesDeclared = int64(c.value[fieldDeclared] + 0.5)
	}
	if c.has[fieldElapsed] && c.value[fieldElapsed] > 0 { // after 0 ms: not measured
		a.Elapsed = time.Duration(c.value[fieldElapsed] + 0.5)
	}
	if c.has[fieldBudget] {
		a.Budget = time.Duration(c.value[fieldBudget] + 0.5)
	}
}

// target returns the first URL with a scheme that a text line holds, as
// cleanURL has it, or nothing.
func (v *view) target() string {
	if v.url == 0 {
		return ""
	}
	return cleanURL(v.word(v.url - 1))
}

// cleanURL returns a URL without user, query and fragment.
func cleanURL(u []byte) string { return string(appendURL(nil, u)) }

// appendURL appends a URL without user, query and fragment to buf.
func appendURL(buf, u []byte) []byte {
	if i := bytes.IndexAny(u, "?#"); i >= 0 {
		u = u[:i]
	}
	scheme, host := 0, 0
	if i := bytes.Index(u, []byte("://")); i >= 0 {
		scheme = i + 3
	}
	for i := scheme; i < len(u) && u[i] != '/'; i++ {
		if u[i] == '@' {
			host = i + 1
		}
	}
	if host == 0 {
		return append(buf, u...)
	}
	return append(append(buf, u[:scheme]...), u[host:]...)
}
