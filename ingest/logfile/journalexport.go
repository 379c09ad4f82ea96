package logfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// journalExport reads the journal's export format, of journalctl -o export and
// systemd-journal-remote: an entry is fields, one a line as NAME=value, or
// NAME, a little-endian length of eight bytes and the value where it holds
// what a line cannot; a blank line ends the entry.
type journalExport struct {
	r *bufio.Reader
	pieces

	entry journalEntry
	seq   uint64
	at    int64 // bytes read
}

// journalEntry is what is kept of an entry's fields.
type journalEntry struct {
	text     []byte
	haveText bool
	nano     int64
	haveTime bool
	level    string
	labels   []ingest.Label
	fields   int
	cut      bool
	piece    journalPiece
}

// maxJournalName bounds the name of a field.
const maxJournalName = 256

func (j *journalExport) each(entry func(*item) error, bad func(*pieceError)) error {
	for {
		begin := j.at
		err := j.read()
		if j.entry.fields > 0 {
			if err := j.hand(begin, entry, bad); err != nil {
				return err
			}
		}
		switch {
		case err == nil:
		case err == io.EOF:
			var it item
			for j.flush(&it) == nil {
				it.seq = j.seq
				j.seq++
				if err := entry(&it); err != nil {
					return err
				}
			}
			return nil
		case errors.Is(err, errJournal) || err == io.ErrUnexpectedEOF:
			bad(&pieceError{place: fmt.Sprintf("byte %d", j.at), err: err})
			return nil
		default:
			return err
		}
	}
}

var errJournal = errors.New("no field of a journal's export")

// read reads the fields of an entry. What came before an error is kept.
func (j *journalExport) read() error {
	j.entry = journalEntry{text: j.entry.text[:0], labels: j.entry.labels[:0]}
	for {
		name, end, err := j.name()
		switch {
		case err != nil:
			return err
		case end == '\n' && len(name) == 0:
			return nil
		}
		value, cut, err := j.value(name, end)
		if err != nil {
			return err
		}
		j.entry.fields++
		j.entry.take(string(name), value, cut)
	}
}

// name reads up to the first '=' or line break.
func (j *journalExport) name() (name []byte, end byte, err error) {
	var b []byte
	for len(b) <= maxJournalName {
		c, err := j.r.ReadByte()
		if err != nil {
			if err == io.EOF && len(b) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, 0, err
		}
		j.at++
		if c == '=' || c == '\n' {
			return b, c, nil
		}
		b = append(b, c)
	}
	return nil, 0, errJournal
}

// value reads a value in either form, of which the head is kept.
func (j *journalExport) value(name []byte, end byte) (value []byte, cut bool, err error) {
	limit := j.env.maxLine
	if end == '=' {
		for {
			piece, err := j.r.ReadSlice('\n')
			j.at += int64(len(piece))
			room := max(limit-len(value), 0)
			cut = cut || len(bytes.TrimSuffix(piece, []byte("\n"))) > room
			value = append(value, piece[:min(len(piece), room)]...)
			if err == bufio.ErrBufferFull {
				continue
			}
			if err == io.EOF && len(value) > 0 {
				err = nil // the last line of a cut file
			}
			return bytes.TrimSuffix(value, []byte("\n")), cut, err
		}
	}
	if !journalName(name) {
		return nil, false, errJournal
	}
	var size [8]byte
	if _, err := io.ReadFull(j.r, size[:]); err != nil {
		return nil, false, io.ErrUnexpectedEOF
	}
	n := binary.LittleEndian.Uint64(size[:])
	if n > 1<<32 {
		return nil, false, errJournal
	}
	keep := min(int64(n), int64(limit))
	var b bytes.Buffer
	if _, err := io.CopyN(&b, j.r, keep); err != nil {
		return nil, false, io.ErrUnexpectedEOF
	}
	if _, err := io.CopyN(io.Discard, j.r, int64(n)-keep); err != nil {
		return nil, false, io.ErrUnexpectedEOF
	}
	c, err := j.r.ReadByte()
	j.at += 8 + int64(n) + 1
	if err == io.EOF || err == nil && c == '\n' {
		return b.Bytes(), int64(n) > keep, nil
	}
	if err == nil {
		err = errJournal
	}
	return nil, false, err
}

// journalName reports whether b is the name of a field.
func journalName(b []byte) bool {
	for _, c := range b {
		if c != '_' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return len(b) > 0
}

// take keeps what a field tells.
func (e *journalEntry) take(name string, value []byte, cut bool) {
	switch name {
	case "__REALTIME_TIMESTAMP":
		if micros, err := strconv.ParseInt(string(value), 10, 64); err == nil && micros >= 0 && micros <= 9e15 {
			e.nano, e.haveTime = micros*1000, true
		}
	case "MESSAGE":
		e.text, e.haveText, e.cut = append(e.text[:0], value...), true, cut
	case "PRIORITY":
		if len(value) == 1 && '0' <= value[0] && value[0] <= '7' {
			e.level = journalLevels[value[0]-'0']
		}
	default:
		e.piece.take(name, value)
		if label := journalLabels[name]; label != "" && len(e.labels) < 2*len(journalLabels) {
			e.labels = append(e.labels, ingest.Label{Name: label, Value: string(value)})
		}
	}
}

// hand hands on the entry that was read.
func (j *journalExport) hand(begin int64, entry func(*item) error, bad func(*pieceError)) error {
	e := &j.entry
	place := fmt.Sprintf("byte %d", begin)
	switch {
	case !e.haveTime:
		bad(&pieceError{place: place, err: errors.New("no __REALTIME_TIMESTAMP")})
		return nil
	case !e.haveText:
		return nil
	case e.cut:
		bad(&pieceError{place: place, err: fmt.Errorf("entry cut after %d bytes", len(e.text)), kept: true})
	}
	it := e.item(j.env)
	if e.piece.part || j.isOpen(e.piece.id) {
		if j.addTo(e.piece.id, it.stream, it.nano, e.text, e.piece.part && !e.piece.last, &it) == errNoEntry {
			return nil
		}
	}
	it.seq = j.seq
	j.seq++
	return entry(&it)
}

// item is the entry of what was read.
func (e *journalEntry) item(env *environment) item {
	sortLabels(e.labels)
	it := item{nano: e.nano, stream: env.labels.stream(e.labels), line: e.text}
	if e.level != "" {
		it.metadata = []ingest.Label{{Name: "detected_level", Value: e.level}}
	}
	return it
}

func journalExportFormat() *Format {
	return &Format{
		Name:    "journal-export",
		Title:   "journalctl -o export, with binary fields",
		Example: "__REALTIME_TIMESTAMP=1789805416049626\n_HOSTNAME=node-1\n_SYSTEMD_UNIT=portal.service\nPRIORITY=3\nMESSAGE=download failed\n",
		detect: func(h *head) string {
			if bytes.HasPrefix(h.data, []byte("__CURSOR=")) || bytes.HasPrefix(h.data, []byte("__REALTIME_TIMESTAMP=")) {
				return ""
			}
			return "it does not begin with __CURSOR or __REALTIME_TIMESTAMP"
		},
		document: func(r io.Reader, env *environment) document {
			return &journalExport{r: bufio.NewReaderSize(&withoutBOM{r: r}, 64<<10), pieces: pieces{env: env}}
		},
	}
}
