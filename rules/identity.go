package rules

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// template checks a text in which <name> stands for a capture, and returns it.
func (c *compiler) template(f *file, n *yamlnode.Node, names captureNames, what string) string {
	if !isText(n) {
		return ""
	}
	misspelt := false
	for _, ref := range templateNames(n.Value) {
		if used := names[ref.name]; used != nil {
			used.used = true
		} else if names[unknown] == nil && !slices.Contains(builtinCaptures, ref.name) {
			hint := c.didYouMean(ref.name, names.list())
			if hint == "" {
				hint = "captured here: " + strings.Join(names.list(), ", ")
			}
			misspelt = true
			c.report(f, n.Sub(ref.from, ref.to), Error, "capture/undefined", hint, "%s uses <%s>, which nothing captures", what, ref.name)
		}
	}
	if misspelt { // what was meant is not unused as well
		for _, name := range names {
			name.used = true
		}
	}
	return n.Value
}

// templateName is one <name> in a template, with its brackets' place.
type templateName struct {
	name     string
	from, to int
}

func templateNames(s string) []templateName {
	var refs []templateName
	for i := 0; i < len(s); i++ {
		if s[i] != '<' {
			continue
		}
		end := strings.IndexByte(s[i:], '>')
		if end < 0 {
			break
		}
		if name := s[i+1 : i+end]; isName(name) {
			refs = append(refs, templateName{name, i, i + end + 1})
			i += end
		}
	}
	return refs
}

// maskNames checks the entries of mask or keep; kinds are the further names
// that keep knows.
func (c *compiler) maskNames(f *file, nodes []*yamlnode.Node, names captureNames, kinds []string) []string {
	var list []string
	for _, n := range nodes {
		if !isText(n) {
			continue
		}
		known := append(names.list(), kinds...)
		switch {
		case names[n.Value] != nil:
			names[n.Value].used = true
		case names[unknown] == nil && !slices.Contains(known, n.Value):
			hint := c.didYouMean(n.Value, known)
			if hint == "" {
				hint = "known here: " + strings.Join(known, ", ")
			}
			c.report(f, n.Span, Error, "capture/undefined", hint, "nothing captures <%s>", n.Value)
		}
		list = append(list, n.Value)
	}
	return list
}

// checkMask reports masks that would swallow the Source or contradict keep.
func (c *compiler) checkMask(f *file, n *yamlnode.Node, r *Rule) {
	var inSource []string
	for _, ref := range templateNames(r.Source) {
		inSource = append(inSource, ref.name)
	}
	for _, m := range n.Elements("mask") {
		switch {
		case !isText(m):
		case slices.Contains(inSource, m.Value):
			c.report(f, m.Span, Error, "identity/masked", "a Source is never masked: drop the mask, or bound the capture in the pattern",
				"the mask swallows <%s>, a part of the Source", m.Value)
			// The rules cannot be used like this; what the author asks for is
			// still compiled, to be shown by a comparison.
			r.Source = strings.ReplaceAll(r.Source, "<"+m.Value+">", "*")
			r.Mask = slices.DeleteFunc(r.Mask, func(name string) bool { return name == m.Value })
		case slices.Contains(r.Keep, m.Value):
			c.report(f, m.Span, Error, "mask/kept", "keep one of the two", "<%s> is both masked and kept", m.Value)
		case slices.Contains(r.Apart, m.Value):
			c.report(f, m.Span, Error, "mask/kept", "keep one of the two", "<%s> is both masked and apart", m.Value)
		default:
			for _, s := range inSource {
				if r.Regexp != nil && nested(r.Regexp.String(), m.Value, s) {
					c.report(f, m.Span, Error, "identity/masked", "a Source is never masked: drop the mask, or bound the capture in the expression",
						"the mask of <%s> swallows <%s>, a part of the Source: one group lies inside the other", m.Value, s)
				}
			}
		}
	}
}

// nested reports whether one of two named groups of an expression lies inside
// the other.
func nested(expr, a, b string) bool {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil || a == b {
		return false
	}
	var within func(re *syntax.Regexp, outer, inner string, inside bool) bool
	within = func(re *syntax.Regexp, outer, inner string, inside bool) bool {
		if re.Op == syntax.OpCapture {
			if inside && re.Name == inner {
				return true
			}
			inside = inside || re.Name == outer
		}
		for _, sub := range re.Sub {
			if within(sub, outer, inner, inside) {
				return true
			}
		}
		return false
	}
	return within(re, a, b, false) || within(re, b, a, false)
}

// checkUnused reports captures that nothing uses.
func (c *compiler) checkUnused(f *file, names captureNames, r *Rule) {
	if names[unknown] != nil {
		return
	}
	for name, n := range names {
		if n.named && !n.used && !r.None {
			hint := fmt.Sprintf("write <_>, or use <%s> in identity, mask, keep or apart", name)
			if r.Regexp != nil && slices.Contains(r.Regexp.SubexpNames(), name) {
				hint = fmt.Sprintf("write (?:, or use <%s> in identity, mask, keep or apart", name)
			}
			c.report(f, n.span, Warning, "capture/unused", hint, "nothing uses the capture <%s>", name)
		}
	}
}
