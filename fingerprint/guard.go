package fingerprint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// SourceGuard finds Sources that have no bound: a part of them takes a new
// value again and again, such as a GUID in the instance of a pipeline, and
// every value makes an incident of its own. Such Sources are reported with
// the rule that bounds them, never masked silently.
//
// What it reports depends on the set of identities only. It holds one small
// sketch for every shape of a Source, and of shapes those with the smallest
// hashes, up to a limit. The zero value is not ready; use NewSourceGuard.
type SourceGuard struct {
	shapes map[string]*sourceShape
	seen   map[string]struct{}
	floor  uint64
	buf    []byte
	text   []byte
}

// sourceShape counts the values of one part of the Sources that are alike in
// the others.
type sourceShape struct {
	part    string
	pattern string
	polly   bool
	hash    uint64
	values  sketch
}

const (
	// maxShapes is how many shapes are kept.
	maxShapes = 1 << 12
	// maxSeen is how many Sources are remembered to skip them quickly.
	maxSeen = 1 << 14
	// unboundedFrom is the distinct values from which a part has no bound:
	// when its values hold digits or the like, and when they are words.
	unboundedFrom      = 32
	unboundedWordsFrom = sketchExact
)

// NewSourceGuard makes an empty guard.
func NewSourceGuard() *SourceGuard {
	return &SourceGuard{shapes: map[string]*sourceShape{}, seen: map[string]struct{}{}, floor: ^uint64(0)}
}

// Add notes the Source of an identity. A Source seen before costs no
// allocation.
func (g *SourceGuard) Add(d *Identity) {
	if _, ok := g.seen[asString(d.Source)]; ok || len(d.Source) == 0 {
		return
	}
	if len(g.seen) >= maxSeen {
		clear(g.seen)
	}
	g.seen[string(d.Source)] = struct{}{}
	p := d.Parts
	if len(p.Pipeline) > 0 || len(p.Strategy) > 0 {
		tail := ""
		if len(p.Strategy) > 0 {
			tail = "/" + string(p.Strategy)
		}
		g.note("pipeline", wildcard+"/"+string(p.Instance)+tail, true, p.Pipeline)
		g.note("instance", string(p.Pipeline)+"/"+wildcard+tail, true, p.Instance)
		return
	}
	g.text = Mask(g.text[:0], d.Source, 0)
	if string(g.text) != string(d.Source) {
		g.note("text", string(AppendFamilyKey(nil, g.text)), false, d.Source)
	}
}

func (g *SourceGuard) note(part, pattern string, polly bool, value []byte) {
	name := part + "\x00" + pattern
	s, ok := g.shapes[name]
	if !ok {
		h := hash64(name)
		if h >= g.floor {
			return
		}
		s = &sourceShape{part: part, pattern: pattern, polly: polly, hash: h}
		g.shapes[name] = s
	}
	g.buf = append(g.buf[:0], value...)
	variable := string(Mask(g.text[:0], value, 0)) != string(value)
	s.values.add(hash64(string(g.buf)), variable)
	if len(g.shapes) >= 2*maxShapes {
		g.shrink()
	}
}

// shrink drops the shapes with the largest hashes.
func (g *SourceGuard) shrink() {
	hashes := make([]uint64, 0, len(g.shapes))
	for _, s := range g.shapes {
		hashes = append(hashes, s.hash)
	}
	slices.Sort(hashes)
	if len(hashes) <= maxShapes {
		return
	}
	g.floor = hashes[maxShapes]
	for name, s := range g.shapes {
		if s.hash >= g.floor {
			delete(g.shapes, name)
		}
	}
}

// Merge adds what another guard has seen.
func (g *SourceGuard) Merge(o *SourceGuard) {
	g.floor = min(g.floor, o.floor)
	for name, s := range o.shapes {
		mine, ok := g.shapes[name]
		if !ok {
			mine = &sourceShape{part: s.part, pattern: s.pattern, polly: s.polly, hash: s.hash}
			g.shapes[name] = mine
		}
		mine.values.merge(&s.values)
	}
	for name, s := range g.shapes {
		if s.hash >= g.floor {
			delete(g.shapes, name)
		}
	}
	g.shrink()
}

// UnboundedSource is a part of a Source that has no bound.
type UnboundedSource struct {
	// Part is "pipeline", "instance", or "text" for a Source without parts.
	Part string
	// Pattern is the Source with <*> for what varies.
	Pattern string
	// Distinct is about how many values there were; off by 5 % or so.
	Distinct int64
	// Rule is a rule, in YAML, that bounds the Source.
	Rule string
}

// Unbounded returns the parts without a bound, most values first, then by
// pattern.
func (g *SourceGuard) Unbounded() []UnboundedSource {
	g.shrink()
	var out []UnboundedSource
	for _, s := range g.shapes {
		n := s.values.count()
		if n < unboundedFrom || n < unboundedWordsFrom && s.values.marked() < unboundedFrom/2 {
			continue
		}
		out = append(out, UnboundedSource{Part: s.part, Pattern: s.pattern, Distinct: n, Rule: s.rule()})
	}
	slices.SortFunc(out, func(a, b UnboundedSource) int {
		return cmp.Or(cmp.Compare(b.Distinct, a.Distinct), strings.Compare(a.Pattern, b.Pattern), strings.Compare(a.Part, b.Part))
	})
	return out
}

// rule composes the rule that bounds a shape: the part that varies is not
// captured, and a star stands in the Source.
func (s *sourceShape) rule() string {
	id := ruleID(s.pattern)
	if !s.polly {
		return fmt.Sprintf("rules:\n  - id: %s\n    match:\n      category: %s\n    identity:\n      source: %s\n",
			id, yamlQuote(strings.ReplaceAll(s.pattern, wildcard, "*")), yamlQuote(strings.ReplaceAll(s.pattern, wildcard, "*")))
	}
	head, tail, _ := strings.Cut(s.pattern, wildcard)
	return fmt.Sprintf("rules:\n  - id: %s\n    match:\n      pattern: %s\n    identity:\n      source: %s\n      event: %s\n",
		id, yamlQuote("Resilience event occurred. EventName: '<event>', Source: '"+head+"<_>"+tail+"', Operation Key<_>"), yamlQuote(head+"*"+tail), yamlQuote("<event>"))
}

// ruleID makes the id of a rule of a pattern.
func ruleID(pattern string) string {
	var b strings.Builder
	b.WriteString("bound")
	dash := true
	for i := 0; i < len(pattern) && b.Len() < 60; i++ {
		c := lower(pattern[i])
		if isAlnum(c) {
			if dash {
				b.WriteByte('-')
			}
			b.WriteByte(c)
		}
		dash = !isAlnum(c)
	}
	return b.String()
}

// yamlQuote writes a text as a double-quoted YAML scalar.
func yamlQuote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
