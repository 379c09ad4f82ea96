package logfile

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
)

// journald reads journalctl -o json: one entry a line, its message a string
// or, where it is not UTF-8, an array of bytes.
type journald struct {
	pieces
	text   []byte
	labels []ingest.Label
}

// journalLabels are the fields that tell the stream, with the labels they
// become.
var journalLabels = map[string]string{
	"_HOSTNAME": "host", "_SYSTEMD_UNIT": "unit", "_SYSTEMD_USER_UNIT": "unit", "SYSLOG_IDENTIFIER": "syslog_identifier",
	"CONTAINER_NAME": "container",
}

// journalPiece tells of an entry that docker cut off a longer line. Last says
// that no more follow.
type journalPiece struct {
	part, last bool
	id         string
}

func (p *journalPiece) take(name string, value []byte) {
	switch name {
	case "CONTAINER_PARTIAL_MESSAGE":
		p.part = string(value) == "true"
	case "CONTAINER_PARTIAL_LAST":
		p.last = string(value) == "true"
	case "CONTAINER_ID_FULL", "CONTAINER_ID", "CONTAINER_TAG", "CONTAINER_NAME":
		p.id += string(value) + " "
	}
}

// journalLevels are syslog's priorities as levels.
var journalLevels = [...]string{"fatal", "fatal", "fatal", "error", "warn", "info", "info", "debug"}

func (j *journald) quickTime(line []byte) (int64, bool) {
	line = withoutMark(line)
	var ns int64
	found := false
	jsonscan.Object(line, 0, func(key []byte, i int) (int, error) {
		end, err := jsonscan.Skip(line, i)
		if err == nil && string(key) == "__REALTIME_TIMESTAMP" {
			ns, found = journalTime(line[i:end])
		}
		return end, err
	})
	return ns, found
}

// journalTime reads microseconds since 1970 in quotes.
func journalTime(value []byte) (int64, bool) {
	if len(value) < 2 {
		return 0, false
	}
	value = firstValue(value)
	us, err := strconv.ParseInt(string(bytes.Trim(value, `"`)), 10, 64)
	if err != nil || us < 0 || us > 9e15 {
		return 0, false
	}
	return us * 1000, true
}

// firstValue is a value, or the first of an array of strings: what a field has
// that an entry holds more than once.
func firstValue(value []byte) []byte {
	if len(value) > 1 && value[0] == '[' {
		if start := jsonscan.Space(value, 1); start < len(value) && value[start] == '"' {
			if end, err := jsonscan.Skip(value, start); err == nil {
				return value[start:end]
			}
		}
	}
	return value
}

func (j *journald) parse(line []byte, it *item) error {
	line = withoutMark(line)
	j.labels = j.labels[:0]
	haveTime, haveText := false, false
	var level string
	var piece journalPiece
	end, err := jsonscan.Object(line, 0, func(key []byte, i int) (int, error) {
		end, err := jsonscan.Skip(line, i)
		if err != nil {
			return end, err
		}
		value := firstValue(line[i:end])
		switch name := string(key); name {
		case "__REALTIME_TIMESTAMP":
			it.nano, haveTime = journalTime(value)
		case "MESSAGE":
			value = line[i:end]
			haveText = true
			j.text, err = journalText(j.text[:0], value)
		case "PRIORITY":
			if len(value) == 3 && '0' <= value[1] && value[1] <= '7' {
				level = journalLevels[value[1]-'0']
			}
		default:
			if value[0] == '"' {
				piece.take(name, value[1:len(value)-1])
			}
			if label := journalLabels[name]; label != "" && value[0] == '"' {
				text, unescapeErr := jsonscan.Unescape(nil, value[1:len(value)-1])
				j.labels, err = append(j.labels, ingest.Label{Name: label, Value: string(text)}), unescapeErr
			}
		}
		return end, err
	})
	switch {
	case err != nil:
		return err
	case jsonscan.Space(line, end) != len(line):
		return jsonscan.ErrSyntax
	case !haveTime:
		return errNoTime
	case !haveText:
		return errNoEntry
	}
	sortLabels(j.labels)
	it.stream, it.line = j.env.labels.stream(j.labels), j.text
	if level != "" {
		it.metadata = []ingest.Label{{Name: "detected_level", Value: level}}
	}
	if piece.part || j.isOpen(piece.id) {
		return j.addTo(piece.id, it.stream, it.nano, j.text, piece.part && !piece.last, it)
	}
	return nil
}

// journalText reads a message.
func journalText(dst, value []byte) ([]byte, error) {
	switch value[0] {
	case '"':
		return jsonscan.Unescape(dst, value[1:len(value)-1])
	case '[':
		var numbers []uint16
		if err := json.Unmarshal(value, &numbers); err != nil {
			return journalTexts(dst, value)
		}
		for _, n := range numbers {
			dst = append(dst, byte(n))
		}
	}
	return dst, nil
}

// journalTexts reads the messages of an entry that has several, as lines.
func journalTexts(dst, value []byte) ([]byte, error) {
	var several []json.RawMessage
	if err := json.Unmarshal(value, &several); err != nil {
		return dst, err
	}
	var err error
	for i, one := range several {
		if one[0] != '"' && one[0] != '[' {
			continue
		}
		if one[0] == '[' && bytes.ContainsAny(one, "\"{") {
			return dst, jsonscan.ErrSyntax
		}
		if i > 0 {
			dst = append(dst, '\n')
		}
		if dst, err = journalText(dst, one); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func journaldFormat() *Format {
	return &Format{
		Name:      "journald",
		Title:     "journalctl -o json",
		Example:   `{"__REALTIME_TIMESTAMP":"1789805416049626","_HOSTNAME":"node-1","_SYSTEMD_UNIT":"portal.service","PRIORITY":"3","MESSAGE":"download failed"}`,
		detect:    func(h *head) string { return h.needLine("__REALTIME_TIMESTAMP") },
		lines:     func(env *environment) lineFormat { return &journald{pieces: pieces{env: env}} },
		whole:     true,
		longLines: 4,
	}
}
