package fingerprint

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ID is the identity of a fault: the first 8 bytes of a SHA-256 over the parts
// of an Identity, as the package comment defines it.
type ID [8]byte

// idPrefix carries the version of the definition.
const idPrefix = "fp1"

// headBytes is how much of a template takes part in the id.
const headBytes = 256

// ErrBadID is wrapped by the errors of ParseID.
var ErrBadID = errors.New("not a fingerprint")

// String returns "fp1:" and 16 lower-case hex digits.
func (id ID) String() string {
	var b [len(idPrefix) + 1 + 16]byte
	return string(id.Append(b[:0]))
}

// Append appends the text form to dst.
func (id ID) Append(dst []byte) []byte {
	dst = append(dst, idPrefix...)
	dst = append(dst, ':')
	return hex.AppendEncode(dst, id[:])
}

// MarshalText implements encoding.TextMarshaler with the form of String.
func (id ID) MarshalText() ([]byte, error) { return id.Append(nil), nil }

// UnmarshalText implements encoding.TextUnmarshaler; it accepts what ParseID does.
func (id *ID) UnmarshalText(b []byte) error {
	p, err := ParseID(string(b))
	if err == nil {
		*id = p
	}
	return err
}

// IsZero reports whether id is the zero value, which no record has in practice.
func (id ID) IsZero() bool { return id == ID{} }

// ParseID reads the text form of an id. Its errors wrap ErrBadID.
func ParseID(s string) (ID, error) {
	var id ID
	digits, ok := strings.CutPrefix(s, idPrefix+":")
	if !ok {
		return id, fmt.Errorf("%w: %q does not begin with %q", ErrBadID, s, idPrefix+":")
	}
	if len(digits) != 2*len(id) {
		return id, fmt.Errorf("%w: %q has %d hex digits, want %d", ErrBadID, s, len(digits), 2*len(id))
	}
	for i := 0; i < len(digits); i++ {
		if c := digits[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return id, fmt.Errorf("%w: %q has %q where a lower-case hex digit belongs", ErrBadID, s, c)
		}
	}
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return id, fmt.Errorf("%w: %q: %v", ErrBadID, s, err)
	}
	return id, nil
}

// ID computes the id of the parts.
func (d *Identity) ID() ID { return hashID(d.appendPreimage(nil)) }

func hashID(preimage []byte) ID {
	sum := sha256.Sum256(preimage)
	return ID(sum[:8])
}

// appendPreimage appends the bytes that are hashed.
func (d *Identity) appendPreimage(buf []byte) []byte {
	buf = append(buf, idPrefix...)
	buf = append(buf, ';')
	buf = appendNetstring(buf, d.Source)
	buf = appendNetstring(buf, d.Event)
	buf = appendNetstring(buf, d.Exception)
	buf = appendNetstring(buf, templateHead(d.Template))
	return appendNetstring(buf, d.Frame)
}

func appendNetstring(dst, s []byte) []byte {
	dst = strconv.AppendInt(dst, int64(len(s)), 10)
	dst = append(dst, ':')
	dst = append(dst, s...)
	return append(dst, ',')
}

// templateHead returns the part of a template that takes part in the id.
func templateHead(t []byte) []byte {
	if len(t) <= headBytes {
		return t
	}
	for i := headBytes; i > 0; i-- {
		if t[i-1] == ' ' {
			return t[:i-1]
		}
	}
	i := headBytes
	for i > 0 && !utf8.RuneStart(t[i]) {
		i--
	}
	return t[:i]
}
