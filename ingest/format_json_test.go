package ingest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// reference flattens an object with the standard library's decoder, by the
// rules of jsonScanner.
func reference(src []byte) (out []string, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(src))
	if _, err := dec.Token(); err != nil {
		return nil, false
	}
	ok = referenceMembers(dec, "", 0, &out)
	return out, ok
}

func referenceMembers(dec *json.Decoder, prefix string, depth int, out *[]string) bool {
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return false
		}
		name := prefix + t.(string)
		var raw json.RawMessage
		if dec.Decode(&raw) != nil || !referenceValue(raw, name, depth, out) {
			return false
		}
	}
	_, err := dec.Token()
	return err == nil
}

func referenceValue(raw json.RawMessage, name string, depth int, out *[]string) bool {
	raw = bytes.Trim(raw, " \t\r\n")
	switch {
	case raw[0] == '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return false
		}
		*out = append(*out, name+"="+s)
	case raw[0] == '{' && depth < maxJSONDepth:
		dec := json.NewDecoder(bytes.NewReader(raw))
		if _, err := dec.Token(); err != nil {
			return false
		}
		return referenceMembers(dec, name+".", depth+1, out)
	case raw[0] == '[' && depth < maxJSONDepth && bytes.HasPrefix(bytes.TrimLeft(raw[1:], " \t\r\n"), []byte("{")):
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return false
		}
		for _, v := range items {
			if !referenceValue(v, name, depth+1, out) {
				return false
			}
		}
	default:
		*out = append(*out, name+"="+string(raw))
	}
	return true
}

func FuzzJSONFields(f *testing.F) {
	for _, s := range []string{
		`{"a":"b\u0027\n\ud83d\ude00\ud83d","c":{"d":[1,2,{"e":"]"}],"f":[{"g":1},{"g":"\""},3]},"h":null}`,
		`{ "a" : [ { "b" : [ [ { "c":1 } ] ] } ] , "x\"y" : -1.5e3 , "":"" }`,
		`{"a":"\\","b":"\\\\\"","c":"[{","d":[],"e":{}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var j jsonScanner
		j.object(append([]byte("{"), bytes.TrimPrefix(src, []byte("{"))...), nil, nil)
		if !json.Valid(src) || !utf8.Valid(src) || len(src) == 0 || src[0] != '{' || bytes.ContainsRune(src, utf8.RuneError) {
			return
		}
		want, ok := reference(src)
		if !ok || len(want) > maxFields {
			return
		}
		j.object(src, nil, nil)
		var got []string
		for _, f := range j.fields {
			got = append(got, string(f.Name)+"="+string(f.Value))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s\n(-standard library +scanner):\n%s", src, d)
		}
	})
}

// A line that is cut anywhere keeps the members before the cut.
func TestCutJSON(t *testing.T) {
	const line = `{"level":"error","msg":"it \"failed\"","nested":{"a":[{"b":1}],"c":"d"},"last":true}`
	var whole jsonScanner
	whole.object([]byte(line), nil, nil)
	for n := range line {
		var j jsonScanner
		j.object([]byte(line[:n]), nil, nil)
		for i, f := range j.fields {
			if w := whole.fields[i]; string(f.Name) != string(w.Name) || string(f.Value) != string(w.Value) {
				t.Errorf("cut at %d: field %d is %s=%s, want %s=%s", n, i, f.Name, f.Value, w.Name, w.Value)
			}
		}
		if strings.Contains(line[:n], `error",`) && len(j.fields) == 0 {
			t.Errorf("cut at %d: nothing kept", n)
		}
	}
}

func TestEscapeSequencesAreRemoved(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"\x1b[31;1mred\x1b[0m text", "red text"},
		{"\x1b]0;title\x07text\r", "text"},
		{"\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\ end", "link end"},
		{"a\x1b", "a"},
		{"a\x1b[", "a"},
		{"a\x1b[31", "a"},
		{"\x1bMup", "up"},
		{"\x1b]never ends", ""},
		{"plain\r\r", "plain"},
	} {
		if got := string(appendClean(nil, []byte(c.in))); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}
