package ingest

import "slices"

// interleaveGap is how far apart, in nanoseconds, the lines of records that
// two writers wrote at once may arrive.
const interleaveGap = 250e3

// interleaves reports whether an entry of a later time belongs to the group
// all the same: two bare headers of the .NET console came at once, and their
// messages have not come yet. The group is then as one whose order says
// nothing, and each message goes with the header that it fits.
func (t *tieGroup) interleaves(e *Entry) bool {
	if d := e.UnixNano - t.ns; d < 0 || d > interleaveGap || e.Inherited || t.inherited || len(t.units) > maxInterleaved {
		return false
	}
	headers, messages := 0, 0
	for i := range t.units {
		u := &t.units[i]
		if bareHeader(t.text[u.start:u.end]) {
			headers++
		} else if u.start == u.end || t.text[u.start] != ' ' {
			return false
		} else {
			messages++
		}
	}
	switch {
	case headers == 0 || len(e.Line) == 0:
		return false
	case messages == 0 && bareHeader(e.Line):
		return headers == 1
	}
	return headers > 1 && messages < headers && e.Line[0] == ' '
}

// mixes reports whether an entry of the group's last time comes to a group that
// holds earlier times, too. Writers that interleave have no ties: whether the
// first of these entries looked like theirs was a matter of their order.
func (t *tieGroup) mixes(e *Entry) bool {
	return len(t.units) > 1 && t.ns == e.UnixNano && t.units[0].ns != e.UnixNano
}

// splitTies settles what in the group is earlier than its last time and keeps
// the rest.
func (a *Assembler) splitTies(s *openStream) error {
	t := &s.ties
	k := len(t.units) - 1
	for k > 0 && t.units[k-1].ns == t.ns {
		k--
	}
	var tail []Entry
	for i := k; i < len(t.units); i++ {
		e := t.entry(s.stream, i)
		e.Line, e.Metadata = slices.Clone(e.Line), slices.Clone(e.Metadata)
		e.Ordered = !t.unordered
		tail = append(tail, e)
	}
	t.units = t.units[:k]
	t.ns = t.units[k-1].ns
	err := a.settle(s)
	for i := range tail {
		t.add(&tail[i])
	}
	return err
}

// maxInterleaved is how many entries a group of two interleaved records has
// before its last.
const maxInterleaved = 3

// bareHeader reports whether a line looks like a header of the .NET console
// with no message on it, without taking it apart.
func bareHeader(line []byte) bool {
	n := len(line)
	return n > 9 && n < 256 && line[4] == ':' && line[5] == ' ' && line[n-1] == ']' && 'a' <= line[0] && line[0] <= 'z'
}
