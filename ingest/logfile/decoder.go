package logfile

import (
	"errors"
	"fmt"
	"io"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// item is one decoded entry with its place in the inputs. Its bytes belong to
// whatever yielded it and are valid until it yields the next.
type item struct {
	nano      int64
	stream    *ingest.Stream
	line      []byte
	metadata  []ingest.Label
	seq       uint64 // place in its input
	source    int    // index of the input
	inherited bool
	ordered   bool // the order among its ties is known; set by ties
}

// document is an input that is no sequence of lines: it is decoded as a whole,
// from front to back. each calls entry with every entry and bad with every
// skipped piece, stops at an error of entry, and returns what the input
// failed with.
type document interface {
	each(entry func(*item) error, bad func(*pieceError)) error
}

// lineDocument reads a lineDecoder as a document.
type lineDocument struct{ lines *lineDecoder }

// pieceError is a piece of an input that was skipped, or kept in part.
type pieceError struct {
	place string // what follows "file:" in the problem's place
	err   error
	kept  bool // an entry was made of it all the same: it is in the item
}

func (e *pieceError) Error() string { return e.place + ": " + e.err.Error() }

// errNoEntry is what a lineFormat returns for a line that yields nothing and
// is nothing to complain of, such as a blank line of a JSON lines file.
var errNoEntry = errors.New("no entry")

// lineFormat is a format in which each line can be read by itself, or with
// what the format remembers of the lines before.
type lineFormat interface {
	// parse fills it from line, whose bytes it may change and hand on. It
	// sets nano, stream, line, metadata and inherited.
	parse(line []byte, it *item) error
	// quickTime tells the time of a line without decoding the rest, where
	// that can be done. It does not change the line.
	quickTime(line []byte) (ns int64, ok bool)
}

// flusher is a lineFormat that may hold back an entry at the end.
type flusher interface {
	// flush is like parse, and returns io.EOF when nothing is held.
	flush(it *item) error
}

// lineDecoder is the decoder of a lineFormat.
type lineDecoder struct {
	lines   lineInput
	format  lineFormat
	maxLine int // of an entry
	in      *input
	seq     uint64
	ended   error
}

// next fills it and returns nil, io.EOF after the last entry, a *pieceError
// for a piece that is no entry (call again for the rest), or what the input
// failed with.
func (d *lineDecoder) next(it *item) error {
	for d.ended == nil {
		line, err := d.lines.next()
		if err != nil {
			d.ended = err
			if l, ok := d.lines.(*lineReader); ok && l.padding > 0 {
				d.in.note("", fmt.Errorf("%d NUL bytes at the beginnings of lines left out", l.padding))
			}
			break
		}
		at := d.lines.place()
		if len(line) == 0 && !at.cut {
			continue
		}
		*it = item{}
		err = d.format.parse(line, it)
		switch {
		case err == errNoEntry && at.cut:
			return d.piece(fmt.Errorf("line cut after %d bytes", d.lines.bound()), false)
		case err == errNoEntry:
			continue
		case err != nil && at.cut:
			return d.piece(fmt.Errorf("line longer than %d bytes", d.lines.bound()), false)
		case err != nil && at.open:
			return d.piece(fmt.Errorf("the input ends inside a line: %w", err), false)
		case err != nil:
			return d.piece(err, false)
		}
		return d.finish(it)
	}
	if f, ok := d.format.(flusher); ok {
		*it = item{}
		if err := f.flush(it); err == nil {
			return d.finish(it)
		}
	}
	return d.ended
}

// finish numbers an entry and bounds its line.
func (d *lineDecoder) finish(it *item) error {
	it.seq = d.seq
	d.seq++
	if len(it.line) > d.maxLine {
		it.line = it.line[:d.maxLine]
		return d.piece(fmt.Errorf("entry cut after %d bytes", d.maxLine), true)
	}
	if d.lines.place().cut {
		return d.piece(fmt.Errorf("entry cut after %d bytes", len(it.line)), true)
	}
	return nil
}

func (d *lineDecoder) piece(err error, kept bool) error {
	return &pieceError{place: fmt.Sprint(d.lines.place().number), err: err, kept: kept}
}

func (l lineDocument) each(entry func(*item) error, bad func(*pieceError)) error {
	var it item
	for {
		switch err := l.lines.next(&it).(type) {
		case nil:
		case *pieceError:
			bad(err)
			if !err.kept {
				continue
			}
		default:
			if err == io.EOF {
				return nil
			}
			return err
		}
		if err := entry(&it); err != nil {
			return err
		}
	}
}
