package fingerprint

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// Rule says which records it is about and what identifies them. Rules are
// compiled by the caller, for instance from YAML, and are not changed by an
// Identifier; one Rule may serve several of them.
type Rule struct {
	// ID names the rule in Identity.Rule.
	ID string
	// Priority decides which of several matching rules wins: the highest,
	// and among equals the one that comes first in Options.Rules.
	Priority int

	// All conditions below must hold; an empty one holds always.

	// Labels are matched against the stream's labels, and where the stream
	// lacks the label against the structured metadata.
	Labels []LabelMatcher
	// MinLevel is the least level; a record of unknown level passes only
	// LevelUnknown.
	MinLevel ingest.Level
	// Category is a glob over the category: * stands for any text, including
	// none; there is no other special character.
	Category string
	Condition
	// Unless are conditions none of which may hold.
	Unless []Condition
	// None leaves the records that match to the default identity, and no
	// further rule is asked.
	None bool
	// Late asks the rule only about records that neither a rule without Late
	// nor what is built in knows: Polly's events and transfer's lines keep
	// their Source whatever a rule for, say, refused connections would find
	// in them.
	Late bool

	// Source and Event are templates over captures, for instance
	// "<pipeline>/<instance>/<strategy>". An empty Source leaves the default
	// Source, an empty Event the default event. A capture is a name of the
	// Pattern, a named group of the Regexp, the As of a field, or one of
	// "category", "event_id", "service", "exception" or "level".
	Source, Event string
	// Mask and Keep change what is masked in the template. An entry is the
	// name of a capture, which then appears as <name> (Mask) or as it was
	// printed (Keep), or the name of a mask kind, see KindNames, which is
	// then off (Keep). Captures that are part of Source or Event are kept
	// whatever Mask says.
	Mask, Keep []string
	// Apart lists captures that are masked as texts of their own: what
	// stands in quotes is otherwise one value, whatever it says.
	Apart []string
}

// Condition is what a rule asks of a record's text and fields.
type Condition struct {
	// Pattern and Regexp are matched against the message, and when they do
	// not match against the whole text of the record.
	Pattern *Pattern
	Regexp  *regexp.Regexp
	// Fields must all be present with a value that matches.
	Fields []FieldMatcher
}

// LabelMatcher is one matcher of a stream selector.
type LabelMatcher struct {
	Name string
	// Value is compared when Regexp is nil.
	Value string
	// Regexp must be anchored by who compiled it.
	Regexp *regexp.Regexp
	// Negate turns = into != and =~ into !~.
	Negate bool
}

// FieldMatcher asks for a field of a structured record.
type FieldMatcher struct {
	// Name is compared without regard to ASCII case. A name also finds the
	// field that has it behind the prefix "State." or "Properties.", and
	// structured metadata.
	Name string
	// Value is a glob, where * stands for any text; empty asks only that the
	// field is there.
	Value string
	// Regexp, when not nil, must match the value.
	Regexp *regexp.Regexp
	// As names the value as a capture; empty means Name.
	As string
}

func (m *FieldMatcher) capture() string {
	if m.As != "" {
		return m.As
	}
	return m.Name
}

// Match reports whether the stream and the metadata satisfy the matcher. A
// label that is absent has the empty value, as in Prometheus.
func (m *LabelMatcher) Match(r *ingest.Record) bool {
	value := ""
	found := false
	if r.Stream != nil {
		value, found = r.Stream.Get(m.Name)
	}
	if !found {
		for i := range r.Metadata {
			if r.Metadata[i].Name == m.Name {
				value = r.Metadata[i].Value
				break
			}
		}
	}
	ok := value == m.Value
	if m.Regexp != nil {
		ok = m.Regexp.MatchString(value)
	}
	return ok != m.Negate
}

// matchGlob reports whether b matches a glob in which * stands for any text.
func matchGlob(glob string, b []byte) bool {
	head, rest, star := strings.Cut(glob, "*")
	if !star {
		return string(b) == glob
	}
	if len(b) < len(head) || string(b[:len(head)]) != head {
		return false
	}
	b = b[len(head):]
	for {
		var piece string
		piece, rest, star = strings.Cut(rest, "*")
		if !star {
			return len(b) >= len(piece) && string(b[len(b)-len(piece):]) == piece
		}
		at := bytes.Index(b, []byte(piece))
		if at < 0 {
			return false
		}
		b = b[at+len(piece):]
	}
}

// builtinCaptures are the names every template may use.
var builtinCaptures = []string{"category", "event_id", "service", "exception", "level"}

// Captures returns the names that the rule's templates may use, beside the
// built-in ones: those of its pattern, its regular expression and its fields.
func (r *Rule) Captures() []string {
	var names []string
	if r.Pattern != nil {
		names = append(names, r.Pattern.Names()...)
	}
	if r.Regexp != nil {
		for _, n := range r.Regexp.SubexpNames() {
			if n != "" {
				names = append(names, n)
			}
		}
	}
	for i := range r.Fields {
		names = append(names, r.Fields[i].capture())
	}
	return names
}

// Check reports the first thing in the rule that can never work: a template
// or mask entry that names no capture, or a mask of what is part of the Source.
func (r *Rule) Check() error {
	known := map[string]bool{}
	for _, n := range builtinCaptures {
		known[n] = true
	}
	for _, n := range r.Captures() {
		known[n] = true
	}
	inSource := map[string]bool{}
	for _, t := range []struct{ what, text string }{{"source", r.Source}, {"event", r.Event}} {
		for _, part := range splitTemplate(t.text) {
			if part.name == "" {
				continue
			}
			if !known[part.name] {
				return fmt.Errorf("rule %s: %s uses <%s>, which nothing captures", r.ID, t.what, part.name)
			}
			if t.what == "source" {
				inSource[part.name] = true
			}
		}
	}
	for _, n := range r.Mask {
		if inSource[n] {
			return fmt.Errorf("rule %s: mask %q swallows a part of the Source", r.ID, n)
		}
		if !known[n] {
			return fmt.Errorf("rule %s: mask %q names no capture", r.ID, n)
		}
	}
	for _, n := range r.Keep {
		if _, kind := kindByName(n); !kind && !known[n] {
			return fmt.Errorf("rule %s: keep %q names neither a capture nor a kind of mask", r.ID, n)
		}
	}
	for _, n := range r.Apart {
		if !known[n] {
			return fmt.Errorf("rule %s: apart %q names no capture", r.ID, n)
		}
	}
	return nil
}

// templatePart is literal text, or the name of a capture.
type templatePart struct{ literal, name string }

// splitTemplate splits "a<b>c" into its parts.
func splitTemplate(s string) []templatePart {
	var parts []templatePart
	lit := 0
	for i := 0; i < len(s); {
		end := captureAt(s, i)
		if end < 0 {
			i++
			continue
		}
		if i > lit {
			parts = append(parts, templatePart{literal: s[lit:i]})
		}
		parts = append(parts, templatePart{name: s[i+1 : end-1]})
		i, lit = end, end
	}
	if lit < len(s) {
		parts = append(parts, templatePart{literal: s[lit:]})
	}
	return parts
}
