package logfile

import (
	"bytes"
	"errors"

	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// The pieces of a line as logcli writes it. A quote after a comma is never
// escaped, so labelsEnd, and timeStart before a line's last string, can stand
// only where they are meant.
var (
	labelsStart = []byte(`{"labels":`)
	labelsEnd   = []byte(`},"line":"`)
	timeStart   = []byte(`,"timestamp":"`)
	timeEnd     = []byte(`"}`)
)

var (
	errNoLine = errors.New(`no "line" in the object`)
	errNoTime = errors.New("no timestamp of RFC 3339")
)

// jsonl reads logcli's JSON lines: {"labels":{...},"line":"...",
// "timestamp":"..."} in any order of keys.
type jsonl struct {
	labels *labelCache
	text   []byte // decoded lines that could not be decoded in place
}

// quickTime reads the timestamp at the end of a line as logcli writes it.
func (p *jsonl) quickTime(line []byte) (int64, bool) {
	if !bytes.HasSuffix(line, timeEnd) {
		return 0, false
	}
	line = line[:len(line)-len(timeEnd)]
	start := bytes.LastIndexByte(line, '"') + 1
	if !bytes.HasSuffix(line[:start], timeStart) {
		return 0, false
	}
	return stamp.RFC3339(line[start:])
}

// parse decodes a line, in place.
func (p *jsonl) parse(line []byte, it *item) error {
	if done, err := p.parseUsual(line, it); done {
		return err
	}
	if jsonscan.Space(line, 0) == len(line) {
		return errNoEntry
	}
	return p.parseAny(line, it)
}

// parseUsual decodes a line that has the keys in logcli's order and no white
// space; done is false, and nothing has been changed, when it has not.
func (p *jsonl) parseUsual(line []byte, it *item) (done bool, err error) {
	if !bytes.HasPrefix(line, labelsStart) {
		return false, nil
	}
	i := bytes.Index(line, labelsEnd)
	if i < 0 {
		return false, nil
	}
	rawLabels := line[len(labelsStart) : i+1]
	i += len(labelsEnd)
	end, escaped := jsonscan.StringEnd(line, i)
	if end < 0 || !bytes.HasPrefix(line[end+1:], timeStart) {
		return false, nil
	}
	at := line[end+1+len(timeStart):]
	if !bytes.HasSuffix(at, timeEnd) {
		return false, nil
	}
	ns, ok := stamp.RFC3339(at[:len(at)-len(timeEnd)])
	if !ok {
		return false, nil
	}
	set, err := p.labels.get(rawLabels)
	if err != nil {
		return true, err
	}
	text := line[i:end]
	if escaped {
		if text, err = jsonscan.Unescape(text[:0], text); err != nil {
			return true, err
		}
	}
	it.nano, it.stream, it.metadata, it.line = ns, set.stream, set.metadata, text
	return true, nil
}

// parseAny decodes an object with its keys in any order.
func (p *jsonl) parseAny(line []byte, it *item) error {
	var haveLine, haveTime bool
	set, err := p.labels.get([]byte("{}"))
	if err != nil {
		return err
	}
	end, err := jsonscan.Object(line, 0, func(key []byte, i int) (int, error) {
		end, err := jsonscan.Skip(line, i)
		if err != nil {
			return end, err
		}
		value := line[i:end]
		switch string(key) {
		case "labels":
			set, err = p.labels.get(value)
		case "line":
			if value[0] != '"' {
				return i, errNoLine
			}
			haveLine = true
			p.text, err = jsonscan.Unescape(p.text[:0], value[1:len(value)-1])
		case "timestamp":
			if value[0] == '"' {
				it.nano, haveTime = stamp.RFC3339(value[1 : len(value)-1])
			}
		}
		return end, err
	})
	switch {
	case err != nil:
		return err
	case jsonscan.Space(line, end) != len(line):
		return jsonscan.ErrSyntax
	case !haveLine:
		return errNoLine
	case !haveTime:
		return errNoTime
	}
	it.stream, it.metadata, it.line = set.stream, set.metadata, p.text
	return nil
}
