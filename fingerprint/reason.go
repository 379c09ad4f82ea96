package fingerprint

import (
	"bytes"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// A template such as "{What} did not complete. Cause: {Cause}" leaves what
// went wrong to a value. Such a value is a sentence of the program and not
// something that the sentence is about, so it is masked like a message and
// stays; all other holes stay holes.

// reasonWords are parts of the names of holes that take a reason.
var reasonWords = [...]string{"cause", "reason", "error", "exception", "message", "detail", "fault"}

// reasonLeast is how many words make a sentence.
const reasonLeast = 3

// withReasons returns the record's template with the sentences that give a
// reason put in.
func (x *Identifier) withReasons(r *ingest.Record) []byte {
	t := r.Template
	if len(r.Fields) == 0 || bytes.IndexByte(t, '{') < 0 {
		return t
	}
	out := x.text[:0]
	done := 0
	for i := 0; i < len(t); {
		open := bytes.IndexByte(t[i:], '{')
		if open < 0 {
			break
		}
		open += i
		end := bytes.IndexByte(t[open:], '}')
		if end < 0 {
			break
		}
		end += open
		i = end + 1
		name := t[open+1 : end]
		if j := bytes.IndexAny(name, ",:"); j >= 0 {
			name = name[:j]
		}
		name = bytes.TrimLeft(name, "@${")
		if !givesReason(name) {
			continue
		}
		v, ok := fieldOf(r, string(name))
		if !ok || !isSentence(v) {
			continue
		}
		out = append(append(out, t[done:open]...), v[:min(len(v), maxMessage)]...)
		done = end + 1
	}
	if done == 0 {
		return t
	}
	x.text = append(out, t[done:]...)
	return x.text
}

func givesReason(name []byte) bool {
	for _, w := range &reasonWords {
		for i := 0; i+len(w) <= len(name); i++ {
			if equalFold(name[i:i+len(w)], w) {
				return true
			}
		}
	}
	return false
}

// isSentence reports whether a value has words enough to be one, and begins
// with a letter: JSON, numbers and addresses do not.
func isSentence(v []byte) bool {
	if len(v) == 0 || !isLetter(v[0]) {
		return false
	}
	words := 0
	for w := range bytes.FieldsSeq(v[:min(len(v), 512)]) {
		if len(w) > 1 && isLetter(w[0]) && isLetter(w[1]) {
			if words++; words >= reasonLeast {
				return true
			}
		}
	}
	return false
}

// errorFields are the fields in which structured loggers put the error that a
// short message is about.
var errorFields = [...]string{"error", "err"}

// withError returns the message with the text of the error behind it that the
// record tells in a field and not in an exception: the message of such a
// record says what was tried, the field what went wrong.
func (x *Identifier) withError(r *ingest.Record) []byte {
	if len(r.Fields) == 0 || len(r.Exceptions) > 0 || len(r.Message) == 0 {
		return r.Message
	}
	for _, name := range &errorFields {
		v, ok := fieldOf(r, name)
		if !ok || len(v) == 0 || !isLetter(v[0]) || isBool(v) || isNull(v) {
			continue
		}
		if i := bytes.IndexByte(v, '\n'); i >= 0 {
			v = v[:i]
		}
		if bytes.Contains(r.Message, v) {
			break
		}
		x.text = append(append(append(x.text[:0], r.Message[:min(len(r.Message), maxMessage)]...), ": "...), v...)
		return x.text
	}
	return r.Message
}
