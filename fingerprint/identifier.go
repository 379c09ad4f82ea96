package fingerprint

import (
	"bytes"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// Options are what an Identifier is made with; the zero value gives the
// default identity.
type Options struct {
	// Rules decide before anything built in, except those that are Late.
	// Which of several matching rules wins depends on their priority and
	// order alone.
	Rules []Rule
}

// maxMessage is how many bytes of a message are looked at. The id depends on
// the first 256 bytes of the masked text, which never need more.
const maxMessage = 4096

// Identifier computes identities. It owns buffers that are reused, so it is
// for one goroutine; the identity of a record does not depend on the records
// before it.
type Identifier struct {
	rules    *ruleSet
	arena    []byte
	preimage []byte
	text     []byte // a template with its reasons put in
	spans    []Span
	captures captures
	cache    idCache
}

// NewIdentifier makes an Identifier. It keeps o.Rules, which must not change.
func NewIdentifier(o Options) *Identifier {
	return &Identifier{rules: newRuleSet(o.Rules)}
}

// Identify fills in what identifies r and returns the id. The slices in into
// point into r or into the Identifier and are valid until the next call of
// Identify or the end of r. A record of a kind seen before costs no allocation.
func (x *Identifier) Identify(r *ingest.Record, into *Identity) ID {
	*into = Identity{}
	x.arena = x.arena[:0]
	x.exception(r, into)
	x.frame(r, into)
	if !x.known(r, into) {
		into.Source = defaultSource(r)
		into.Event = outermost(into.Exception)
		into.Template = x.template(r)
	}
	var id ID
	id, x.preimage = x.cache.of(into, x.preimage)
	return id
}

// defaultSource is the category, else the service.
func defaultSource(r *ingest.Record) []byte {
	if len(r.Category) > 0 || r.Stream == nil {
		return r.Category
	}
	return []byte(r.Stream.Service)
}

// template masks the message: by the template the record carries where it has
// words of its own, else the message, else the outermost exception's message.
func (x *Identifier) template(r *ingest.Record) []byte {
	text := x.message(r)
	return x.keep(func(dst []byte) []byte { return Mask(dst, text, 0) })
}

// message returns the text a template is made of, cut to maxMessage.
func (x *Identifier) message(r *ingest.Record) []byte {
	text := r.Message
	switch {
	case hasWords(r.Template):
		text = x.withReasons(r)
	case len(text) == 0 && len(r.Exceptions) > 0:
		text = r.Exceptions[0].Message
	default:
		text = x.withError(r)
	}
	return text[:min(len(text), maxMessage)]
}

// hasWords reports whether a message template has a letter outside its holes:
// one that is a hole alone, such as {Message}, tells nothing.
func hasWords(t []byte) bool {
	depth := 0
	for _, c := range t {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth == 0 && (isLetter(c) || c >= 0x80):
			return true
		}
	}
	return false
}

// keep runs a function that appends to the arena and returns what it appended.
func (x *Identifier) keep(appendTo func(dst []byte) []byte) []byte {
	n := len(x.arena)
	x.arena = appendTo(x.arena)
	return x.arena[n:len(x.arena):len(x.arena)]
}

// exception fills in the types of the exception chain's ends.
func (x *Identifier) exception(r *ingest.Record, into *Identity) {
	if len(r.Exceptions) == 0 {
		return
	}
	into.Exception = x.keep(func(dst []byte) []byte {
		n := len(dst)
		dst = appendType(dst, r.Exceptions[0].Type)
		outer := dst[n:]
		if last := len(r.Exceptions) - 1; last > 0 {
			m := len(dst)
			dst = append(dst, exceptionArrow...)
			k := len(dst)
			dst = appendType(dst, r.Exceptions[last].Type)
			if k == len(dst) || bytes.Equal(dst[k:], outer) {
				dst = dst[:m]
			}
		}
		return dst
	})
}

// exceptionArrow stands between the outermost and the root type.
const exceptionArrow = " < "

// outermost returns the first type of an Identity's Exception.
func outermost(exception []byte) []byte {
	if i := bytes.Index(exception, []byte(exceptionArrow)); i >= 0 {
		return exception[:i:i]
	}
	return exception
}

// appendType appends an exception's type without generic arguments, arity,
// addresses and serial numbers.
func appendType(dst, t []byte) []byte {
	if i := bytes.IndexAny(t, "`[("); i > 0 {
		t = t[:i]
	}
	return Mask(dst, t, 1<<KindHost)
}
