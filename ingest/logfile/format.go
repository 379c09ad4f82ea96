package logfile

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// Format is one way in which log entries stand in a file.
type Format struct {
	// Name is what Options.Format and Source.Format call it.
	Name string
	// Title says in a few words what writes it.
	Title string
	// Example is one entry of it; empty for one that is no text.
	Example string

	// detect says why the head of an input is not of this format; an empty
	// reason says that it is.
	detect func(head *head) string
	// lines makes the reader of an input whose lines can be read one by one,
	// document that of any other; one of them is nil.
	lines    func(env *environment) lineFormat
	document func(r io.Reader, env *environment) document
	// whole says that what a line means depends on lines long before it, so
	// that reading cannot begin in the middle.
	whole bool
	// longLines is how many bytes of the input a byte of an entry may take:
	// escapes are longer than what they mean.
	longLines int
	// fromLoki says that the entries are an answer of Loki: written newest
	// first it is the whole order turned round, ties included, and there is
	// no order between the parts into which metadata splits a stream.
	fromLoki bool
}

// lineDecoder makes the decoder of an input of lines.
func (f *Format) lineDecoder(r io.Reader, env *environment) *lineDecoder {
	return f.decoderOf(newLineReader(r, f.lineBound(env)), env)
}

// decoderOf makes the decoder of lines.
func (f *Format) decoderOf(lines lineInput, env *environment) *lineDecoder {
	return &lineDecoder{lines: lines, format: f.lines(env), maxLine: env.maxLine, in: env.in}
}

// lineBound is how long a line of the input may be.
func (f *Format) lineBound(env *environment) int { return max(f.longLines, 1) * env.maxLine }

// open makes the document of an input of any kind.
func (f *Format) open(r io.Reader, env *environment) document {
	if f.lines != nil {
		return lineDocument{f.lineDecoder(r, env)}
	}
	return f.document(r, env)
}

// environment is what decoders may need beside the bytes.
type environment struct {
	in      *input
	streams *ingest.StreamTable
	labels  *labelCache
	maxLine int
	zone    *time.Location
	near    time.Time // a timestamp without a year lies near it
}

// formats are the known formats in the order in which they are tried: those
// with the most telling marks first.
func formats() []*Format {
	return slices.Concat(
		[]*Format{jsonlFormat(), responseFormat(), pushFormat(), nodeFormat(), grafanaJSONFormat(),
			dockerFormat(), criFormat(), journaldFormat(), journalExportFormat(), journalVerboseFormat(), syslogFramesFormat(), otlpFormat(), csvFormat(), pushProtoFormat(), jsonValuesFormat()},
		stampedFormats(),
		textFormats(),
		[]*Format{linesFormat()},
	)
}

// Formats lists the known formats in the order in which they are tried.
func Formats() []Format {
	all := formats()
	list := make([]Format, len(all))
	for i, f := range all {
		list[i] = *f
	}
	return list
}

// formatNames lists the names for a message.
func formatNames() string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// NameError says that Options.Format names no format.
type NameError struct{ Name string }

// Error names the known formats.
func (e *NameError) Error() string {
	return fmt.Sprintf("unknown format %q; known: %s", e.Name, formatNames())
}

// named finds a format by name.
func named(name string) (*Format, error) {
	for _, f := range formats() {
		if f.Name == name {
			return f, nil
		}
	}
	return nil, &NameError{Name: name}
}

// detect finds the format of an input by the head of its content.
func detect(path string, head *head) (*Format, error) {
	var tried []Tried
	for _, f := range formats() {
		reason := f.detect(head)
		if reason == "" {
			return f, nil
		}
		tried = append(tried, Tried{Format: f.Name, Reason: reason})
	}
	return nil, &FormatError{Path: path, Tried: tried}
}

func jsonlFormat() *Format {
	return &Format{
		Name:    "logcli",
		Title:   "logcli -o jsonl: one Loki entry a line",
		Example: `{"labels":{"pod":"portal-0"},"line":"fail: Polly[0]","timestamp":"2026-09-19T08:10:16.049626825Z"}`,
		detect: func(h *head) string {
			return h.needLine("labels", "line", "timestamp")
		},
		lines:     func(env *environment) lineFormat { return &jsonl{labels: env.labels} },
		longLines: 4,
		fromLoki:  true,
	}
}
