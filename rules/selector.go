package rules

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// query checks a LogQL query: a selector and what may stand behind it.
func (c *compiler) query(f *file, n *yamlnode.Node) bool {
	_, ok := c.parseQuery(f, n)
	return ok
}

// parseQuery reports an error at its place inside the text.
func (c *compiler) parseQuery(f *file, n *yamlnode.Node) (selector.Query, bool) {
	q, err := selector.ParseQuery(n.Value)
	if err == nil {
		return q, true
	}
	span, msg := n.Span, err.Error()
	var se *selector.Error
	if errors.As(err, &se) {
		msg = se.Message
		if se.Start < len(n.Value) {
			span = n.Sub(se.Start, min(max(se.End, se.Start+1), len(n.Value)))
		} else {
			span = n.Sub(len(n.Value), len(n.Value))
		}
	}
	c.report(f, span, Error, "selector/syntax", "", "%s", msg)
	return selector.Query{}, false
}

// selector parses a selector with nothing behind it.
func (c *compiler) selector(f *file, n *yamlnode.Node) (selector.Query, bool) {
	q, ok := c.parseQuery(f, n)
	if ok && q.Rest != "" {
		at := strings.LastIndex(n.Value, q.Rest)
		span := n.Span
		if at >= 0 {
			span = n.Sub(at, at+len(q.Rest))
		}
		c.report(f, span, Error, "selector/filter", "match lines with pattern or regexp", "a selector of streams has no line filters")
		return selector.Query{}, false
	}
	return q, ok
}

// streamMatcher compiles a selector to a function over streams.
func (c *compiler) streamMatcher(f *file, n *yamlnode.Node) func(*ingest.Stream) bool {
	q, ok := c.selector(f, n)
	if !ok {
		return nil
	}
	return func(s *ingest.Stream) bool {
		return q.Matches(func(name string) string {
			v, _ := s.Get(name)
			return v
		})
	}
}

// labelMatchers compiles a selector to the matchers of a rule.
func (c *compiler) labelMatchers(f *file, n *yamlnode.Node) []fingerprint.LabelMatcher {
	q, ok := c.selector(f, n)
	if !ok {
		return nil
	}
	var list []fingerprint.LabelMatcher
	for _, m := range q.Matchers {
		lm := fingerprint.LabelMatcher{Name: m.Name, Value: m.Value, Negate: m.Op[0] == '!'}
		if strings.HasSuffix(m.Op, "~") {
			re, err := regexp.Compile(fmt.Sprintf("^(?s:%s)$", m.Value))
			if err != nil { // the parser has accepted it
				c.report(f, n.Span, Error, "selector/syntax", "", "%v", err)
				return nil
			}
			lm.Value, lm.Regexp = "", re
		}
		list = append(list, lm)
	}
	return list
}
