package transfer

import (
	"fmt"
	"strconv"
	"strings"
)

// span is the part [from, to) of an object; a negative to is the object's end.
type span struct {
	from, to int64
	// validator goes into If-Range, and tells whether the answer is of the
	// same object: a strong entity tag, or a date.
	validator validator
	// total is the object's size where it is known, else Unknown.
	total int64
}

// header returns the value of the Range header.
func (s *span) header() string {
	if s.to < 0 {
		return fmt.Sprintf("bytes=%d-", s.from)
	}
	return fmt.Sprintf("bytes=%d-%d", s.from, s.to-1)
}

// contentRange is a parsed Content-Range: bytes first-last/total. For an
// unsatisfied range first and last are -1; an unknown total is Unknown.
type contentRange struct {
	first, last, total int64
}

// parseContentRange reads the header's value. It refuses what cannot be: an
// end before its start, an end beyond the total, a unit other than bytes.
func parseContentRange(value string) (contentRange, bool) {
	none := contentRange{-1, -1, Unknown}
	unit, rest, ok := strings.Cut(strings.TrimSpace(value), " ")
	if !ok || !strings.EqualFold(unit, "bytes") {
		return none, false
	}
	span, size, ok := strings.Cut(strings.TrimSpace(rest), "/")
	if !ok {
		return none, false
	}
	r := none
	if size != "*" {
		if r.total, ok = parseDigits(size); !ok {
			return none, false
		}
	}
	if span == "*" {
		return r, r.total != Unknown
	}
	first, last, ok := strings.Cut(span, "-")
	if !ok {
		return none, false
	}
	var ok1, ok2 bool
	r.first, ok1 = parseDigits(first)
	r.last, ok2 = parseDigits(last)
	if !ok1 || !ok2 || r.last < r.first || r.total != Unknown && r.last >= r.total {
		return none, false
	}
	return r, true
}

// parseRange reads a Range header that asks for the bytes first-last or, with
// a last of -1, first-. Other forms, of which there are two, it does not know.
func parseRange(value string) (first, last int64, ok bool) {
	unit, rest, ok := strings.Cut(strings.TrimSpace(value), "=")
	if !ok || !strings.EqualFold(strings.TrimSpace(unit), "bytes") {
		return 0, 0, false
	}
	a, b, ok := strings.Cut(strings.TrimSpace(rest), "-")
	if !ok {
		return 0, 0, false
	}
	if first, ok = parseDigits(a); !ok {
		return 0, 0, false
	}
	if b == "" {
		return first, -1, true
	}
	last, ok = parseDigits(b)
	return first, last, ok && last >= first
}

// parseDigits reads an unsigned decimal number without sign or spaces.
func parseDigits(s string) (int64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}
