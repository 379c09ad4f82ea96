package lokijson

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
)

// log writes down what a Decoder hands on.
type log struct{ lines []string }

func (l *log) Stream(labels []ingest.Label, categorized bool) error {
	l.lines = append(l.lines, fmt.Sprint("stream ", labels, categorized))
	return nil
}

func (l *log) Entry(ns int64, line []byte, cut bool, metadata []ingest.Label) error {
	l.lines = append(l.lines, fmt.Sprintf("%d %q %v %v", ns, line, cut, metadata))
	return nil
}

func (l *log) Bad(offset int64, err error) error {
	l.lines = append(l.lines, fmt.Sprintf("bad %d", offset))
	return nil
}

const answer = `{"status":"success","data":{"resultType":"streams","encodingFlags":["categorize-labels"],"result":[
 {"stream":{"b":"2","a":"\u00e9"},"values":[["5","plain"],["6","q\"\\\u003cé😀\ud83d\ude00\ud800x\u0000",{"structuredMetadata":{"z":"1","y":"2"},"parsed":{"p":"q"}}],["7","",{}]]},
 {"stream":{},"values":[]}],
 "stats":{"ingester":{"x":[1,{"a":"]"}]},"summary":{"totalBytesProcessed":609,"execTime":0.1,"totalLinesProcessed":5,"shards":2}}},"warnings":["careful"]}`

var answerLog = []string{
	"stream [{a é} {b 2}] true",
	`5 "plain" false []`,
	`6 "q\"\\<é😀😀` + "\uFFFD" + `x\x00" false [{y 2} {z 1}]`,
	`7 "" false []`,
	"stream [] true",
}

func TestDecode(t *testing.T) {
	for name, wrap := range map[string]func(string) any{
		"whole": func(s string) any { return strings.NewReader(s) },
		"bytes": func(s string) any { return iotest.OneByteReader(strings.NewReader(s)) },
	} {
		t.Run(name, func(t *testing.T) {
			var d Decoder
			var l log
			sum, err := d.Decode(wrap(answer).(interface{ Read([]byte) (int, error) }), &l)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(answerLog, l.lines); diff != "" {
				t.Errorf("handed on (-want +got):\n%s", diff)
			}
			want := Summary{Status: "success", ResultType: "streams", Streams: 2, Entries: 3, Categorized: true, Warnings: []string{"careful"}, BytesProcessed: 609, LinesProcessed: 5, Shards: 2}
			if diff := cmp.Diff(want, sum); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
		})
	}
}

// TestEveryCut cuts the answer at every byte: an error each time, and what
// was handed on is a prefix of the whole.
func TestEveryCut(t *testing.T) {
	for n := 1; n < len(answer); n++ {
		var d Decoder
		var l log
		_, err := d.Decode(strings.NewReader(answer[:n]), &l)
		var at *jsonscan.Error
		if !errors.As(err, &at) || at.Err != jsonscan.ErrShort {
			t.Fatalf("cut at %d: error %v, want ErrShort", n, err)
		}
		if len(l.lines) > len(answerLog) || !cmp.Equal(l.lines, answerLog[:len(l.lines)]) && len(l.lines) > 0 {
			t.Fatalf("cut at %d: handed on %q", n, l.lines)
		}
	}
}

func TestLongLine(t *testing.T) {
	long := strings.Repeat("é\n", 200_000)
	text, err := json.Marshal(long)
	if err != nil {
		t.Fatal(err)
	}
	doc := `{"streams":[{"stream":{"a":"b"},"values":[["1",` + string(text) + `],["2","after"]]}]}`
	for _, limit := range []int{0, 100_000} {
		d := Decoder{LineLimit: limit}
		var l log
		if _, err := d.Decode(strings.NewReader(doc), &l); err != nil {
			t.Fatal(err)
		}
		want := long
		if limit > 0 {
			want = long[:limit]
		}
		if len(l.lines) != 3 || l.lines[1] != fmt.Sprintf("1 %q %v []", want, limit > 0) {
			t.Errorf("limit %d: the line is not its first %d bytes", limit, len(want))
		}
	}
}

func TestBombs(t *testing.T) {
	for _, doc := range []string{
		strings.Repeat(`{"data":`, 100_000),
		strings.Repeat(`[`, 100_000),
		`{"x":` + strings.Repeat(`[`, 100_000),
		`{"result":` + strings.Repeat(`[{"result":`, 100_000),
		`{"streams":[{"stream":{"a":"b"},"values":[["1","x",` + strings.Repeat(`{"a":`, 100_000),
	} {
		var d Decoder
		_, err := d.Decode(strings.NewReader(doc), &log{})
		if err == nil {
			t.Errorf("no error for %.40s...", doc)
		}
	}
}

func TestLabelText(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []ingest.Label
		ok   bool
	}{
		{`{b="x, y=\"z\"", a="1"}`, []ingest.Label{{Name: "a", Value: "1"}, {Name: "b", Value: `x, y="z"`}}, true},
		{`{}`, nil, true},
		{`{a="1",}`, []ingest.Label{{Name: "a", Value: "1"}}, true},
		{`{a=1}`, nil, false},
		{`a="1"`, nil, false},
		{`{a="1" b="2"}`, nil, false},
	} {
		got, err := ParseLabelText([]byte(c.in))
		if (err == nil) != c.ok || !cmp.Equal(got, c.want) {
			t.Errorf("ParseLabelText(%s) = %v, %v; want %v, ok %v", c.in, got, err, c.want, c.ok)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(answer))
	f.Add([]byte(`{"streams":[{"labels":"{a=\"b\"}","entries":[{"ts":"2026-01-01T00:00:00Z","line":"x"}]}]}`))
	f.Add([]byte(`[{"stream":{},"values":[["1","x",{"a":"b"}]]}] {"data":{"resultType":"matrix"}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		var whole, slow log
		var d Decoder
		_, err := d.Decode(strings.NewReader(string(doc)), &whole)
		var e Decoder
		_, err2 := e.Decode(iotest.OneByteReader(strings.NewReader(string(doc))), &slow)
		if (err == nil) != (err2 == nil) || !cmp.Equal(whole.lines, slow.lines) {
			t.Errorf("%q\nat once: %v %q\nby bytes: %v %q", doc, err, whole.lines, err2, slow.lines)
		}
	})
}
