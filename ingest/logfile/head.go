package logfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
)

// headLines is how many lines of its head speak for an input.
const headLines = 50

// head is the start of an input as the detection sees it.
type head struct {
	data  []byte   // without a byte order mark
	lines [][]byte // the first lines that are not blank, the last one whole only if the input ends there
	whole bool     // data is the whole input

	keys   map[string]jsonKind // of the first JSON object, at the top or in an array there, or of most of the lines
	cutOff bool                // data ends inside that object
}

// jsonKind is the first byte of a JSON value, 'n' for any number or literal.
type jsonKind byte

// bom is the UTF-8 byte order mark, which some editors and exports write.
var bom = []byte("\xef\xbb\xbf")

func newHead(data []byte, whole bool) *head {
	h := &head{data: bytes.TrimPrefix(data, bom), whole: whole}
	rest := h.data
	for len(rest) > 0 && len(h.lines) < headLines {
		line, after, found := bytes.Cut(rest, []byte("\n"))
		if !found && !whole && len(h.lines) > 0 {
			break
		}
		if line = bytes.TrimRight(line, "\r"); len(bytes.TrimSpace(line)) > 0 {
			h.lines = append(h.lines, line)
		}
		rest = after
	}
	if h.keys, h.cutOff = topKeys(h.data); h.keys == nil || h.lines[0][0] == '{' && json.Valid(h.lines[0]) {
		// Objects one a line: most lines are, or it is chance.
		objects := 0
		for _, line := range h.lines {
			if line = withoutMark(line); !bytes.HasPrefix(line, []byte("{")) {
				continue
			}
			if objects++; h.keys == nil {
				h.keys, _ = topKeys(line)
			}
		}
		if objects*2 < len(h.lines) {
			h.keys = nil
		}
	}
	h.cutOff = h.cutOff && !whole
	return h
}

// topKeys returns the keys of the JSON object at the start of b, or of the
// first one of an array there, with the kind of each value, as far as the
// object goes; nil when there is no object. Cut says that b ends inside it.
func topKeys(b []byte) (keys map[string]jsonKind, cut bool) {
	i := jsonscan.Space(b, 0)
	if i < len(b) && b[i] == '[' {
		i = jsonscan.Space(b, i+1)
	}
	if i >= len(b) || b[i] != '{' {
		return nil, false
	}
	keys = map[string]jsonKind{}
	_, err := jsonscan.Object(b, i, func(key []byte, i int) (int, error) {
		if i < len(b) {
			kind := jsonKind(b[i])
			if kind != '"' && kind != '{' && kind != '[' {
				kind = 'n'
			}
			keys[string(key)] = kind
		}
		return jsonscan.Skip(b, i)
	})
	if err != nil && len(keys) == 0 {
		return nil, false
	}
	return keys, err == jsonscan.ErrShort
}

// needLine is needKeys for a format whose objects stand one a line.
func (h *head) needLine(names ...string) string {
	if len(h.lines) > 0 && h.keys != nil {
		first := withoutMark(h.lines[0])
		if len(first) > 0 && (first[0] == '[' || first[0] == '{' && !h.cutOff && !json.Valid(first) && (len(h.lines) > 1 || h.whole) && bytes.Count(h.data, []byte("\n")) > len(names)) {
			return "its objects do not stand one a line"
		}
	}
	return h.needKeys(names...)
}

// needKeys says which of the keys the first JSON object lacks. Of an object
// that is longer than the head the first of them is enough.
func (h *head) needKeys(names ...string) string {
	if h.keys == nil {
		return "no JSON object at the start of a line"
	}
	if _, ok := h.keys[names[0]]; ok && h.cutOff {
		return ""
	}
	var missing []string
	for _, n := range names {
		if _, ok := h.keys[n]; !ok {
			missing = append(missing, n)
		}
	}
	if len(missing) > 0 {
		return fmt.Sprintf("the first object has no %s", strings.Join(missing, ", "))
	}
	return ""
}

// has reports whether the first JSON object has the key.
func (h *head) has(name string) bool {
	_, ok := h.keys[name]
	return ok
}

// kind tells the kind of the value of a key of the first object; 0 if it has
// none.
func (h *head) kind(name string) jsonKind { return h.keys[name] }

// needKinds is needKeys for one key whose value is of a kind.
func (h *head) needKinds(name string, kind jsonKind) string {
	if reason := h.needKeys(name); reason != "" {
		return reason
	}
	if h.kind(name) != kind {
		return fmt.Sprintf("%q in the first object does not start with %c", name, kind)
	}
	return ""
}

// needShare says how many of the first lines are as they should be, unless
// they are at least so many percent.
func (h *head) needShare(percent int, fits func(line []byte) bool) string {
	matched := 0
	for _, line := range h.lines {
		if fits(line) {
			matched++
		}
	}
	if matched == 0 || matched*100 < len(h.lines)*percent {
		return fmt.Sprintf("%d of the first %d lines have its form", matched, len(h.lines))
	}
	return ""
}
