package fingerprint

// SourceParts are the three parts of a Polly Source. They are empty for a
// record of another emitter, and Strategy is empty for a pipeline's own event.
type SourceParts struct {
	Pipeline, Instance, Strategy []byte
}

// Identity is what a record is recognised by.
//
// The slices that an Identifier fills in are valid until its next call;
// Clone makes a copy that stays.
type Identity struct {
	// Source is what emitted the record: as a rule composes it, else Polly's
	// pipeline/instance/strategy exactly as printed, else the category, else
	// the stream's service. Never masked; empty when nothing tells.
	Source []byte
	// Parts are the parts of a Polly Source.
	Parts SourceParts
	// Event is Polly's event name, what a rule composes, else the outermost
	// exception's type; empty when the record has neither.
	Event []byte
	// Exception is the outermost exception's type and, where the chain has
	// another root, " < " and the root's type; types are normalised.
	Exception []byte
	// Template is the message with its variable parts masked. Of a template
	// that the record carries, holes stay holes, but for those that take a
	// sentence about what went wrong.
	Template []byte
	// Frame is the topmost application frame, normalised so that a rebuild
	// does not move it; empty when the record has none.
	Frame []byte
	// Rule is the id of the rule that decided, RulePolly or RuleTransfer for
	// built-in knowledge, empty for the default.
	Rule string
}

// RulePolly is the Rule of identities that the built-in Polly extractor made.
const RulePolly = "builtin:polly"

// Clone returns a copy of d that shares no memory with the Identifier.
func (d *Identity) Clone() *Identity {
	c := *d
	c.Source = cloneBytes(d.Source)
	c.Parts = SourceParts{cloneBytes(d.Parts.Pipeline), cloneBytes(d.Parts.Instance), cloneBytes(d.Parts.Strategy)}
	c.Event = cloneBytes(d.Event)
	c.Exception = cloneBytes(d.Exception)
	c.Template = cloneBytes(d.Template)
	c.Frame = cloneBytes(d.Frame)
	return &c
}

func cloneBytes(b []byte) []byte { return append([]byte(nil), b...) }
