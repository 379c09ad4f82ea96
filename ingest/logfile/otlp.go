package logfile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
)

// otlpDocument reads OTLP in JSON, as the OpenTelemetry collector's file
// exporter writes it: one ExportLogsServiceRequest a line.
//
// The resource's attributes tell the stream; those of the record and its
// severity, trace and scope are metadata, under the names that Loki gives
// them. A stack trace among the attributes follows the body on lines of its
// own, where every other logger prints it.
//
// Requests are read member by member, so that one of any size costs no more
// than its longest record. What breaks ends the request; the next begins on
// the next line.
type otlpDocument struct {
	r   io.Reader
	env *environment
	seq uint64

	scan      jsonscan.Scanner
	entry     func(*item) error
	bad       func(*pieceError)
	stream    *ingest.Stream // nil: the resource was not told yet
	scope     string
	text, raw []byte
}

// otlpRecord is a record as it is read.
type otlpRecord struct {
	time, observed int64
	severity       string
	severityNumber string
	attributes     []otlpAttribute
	trace, span    string
	event          string
	cut            bool // the body, or an attribute
}

type otlpAttribute struct {
	Key   string
	Value otlpValue
}

// otlpValue is an AnyValue as text.
type otlpValue struct{ text string }

// UnmarshalJSON reads a value of any kind; what is no scalar keeps its JSON.
func (v *otlpValue) UnmarshalJSON(b []byte) error {
	var kinds map[string]json.RawMessage
	if err := json.Unmarshal(b, &kinds); err != nil {
		v.text = string(b)
		return nil
	}
	for _, raw := range kinds {
		if json.Unmarshal(raw, &v.text) != nil {
			v.text = string(raw)
		}
	}
	return nil
}

// otlpShort bounds an attribute, and anything else but a body, in bytes.
const otlpShort = 64 << 10

// maxAttributes bounds the attributes of a record or a resource.
const maxAttributes = 1000

func (d *otlpDocument) each(entry func(*item) error, bad func(*pieceError)) error {
	d.entry, d.bad = entry, bad
	d.scan.Reset(&withoutBOM{r: d.r})
	for {
		if _, err := d.scan.Peek(); err == io.EOF {
			return nil
		}
		err := d.members("resourceLogs", func() error { return d.scan.Elements(d.resource) })
		var at *jsonscan.Error
		switch {
		case err == nil:
		case errors.As(err, &at) && (at.Err == jsonscan.ErrSyntax || at.Err == jsonscan.ErrShort || at.Err == jsonscan.ErrDepth):
			bad(&pieceError{place: fmt.Sprintf("byte %d", at.Offset), err: at.Err})
			if !d.scan.SkipLine() {
				return nil
			}
		default:
			return err
		}
	}
}

// members reads an object of which one member, an array or object, counts.
func (d *otlpDocument) members(name string, read func() error) error {
	return d.scan.Members(func(key []byte) error {
		if string(key) != name {
			return d.scan.Skip()
		}
		if c, err := d.scan.Peek(); err == nil && c != '[' {
			d.bad(&pieceError{place: d.place(), err: fmt.Errorf("%q is no array", name)})
			return d.scan.Skip()
		}
		return read()
	})
}

func (d *otlpDocument) place() string { return fmt.Sprintf("byte %d", d.scan.Offset()) }

// resource reads an element of resourceLogs.
func (d *otlpDocument) resource() error {
	d.stream = nil
	return d.scan.Members(func(key []byte) error {
		switch string(key) {
		case "resource":
			var attributes []otlpAttribute
			err := d.members("attributes", func() error { return d.attributes(&attributes) })
			d.stream = d.env.labels.stream(otlpLabels(attributes))
			return err
		case "scopeLogs", "instrumentationLibraryLogs":
			if d.stream == nil {
				d.stream = d.env.labels.stream(nil)
			}
			return d.scan.Elements(d.scopeLogs)
		}
		return d.scan.Skip()
	})
}

// scopeLogs reads an element of scopeLogs.
func (d *otlpDocument) scopeLogs() error {
	d.scope = ""
	return d.scan.Members(func(key []byte) error {
		switch string(key) {
		case "scope", "instrumentationLibrary":
			return d.scan.Members(func(key []byte) error {
				if string(key) == "name" {
					return d.short(&d.scope)
				}
				return d.scan.Skip()
			})
		case "logRecords", "logs":
			return d.scan.Elements(d.record)
		}
		return d.scan.Skip()
	})
}

// attributes reads an array of keys and values.
func (d *otlpDocument) attributes(list *[]otlpAttribute) error {
	return d.scan.Elements(func() error {
		raw, cut, err := d.scan.Raw(d.raw[:0], otlpShort)
		d.raw = raw
		if err != nil {
			return err
		}
		var one otlpAttribute
		if cut || json.Unmarshal(raw, &one) != nil {
			d.bad(&pieceError{place: d.place(), err: fmt.Errorf("an attribute left out: longer than %d bytes, or not of the usual form", otlpShort), kept: true})
			return nil
		}
		if len(*list) < maxAttributes {
			*list = append(*list, one)
		}
		return nil
	})
}

// short reads a text of no great length, whatever kind of value it is.
func (d *otlpDocument) short(s *string) error {
	raw, _, err := d.scan.Raw(d.raw[:0], otlpShort)
	d.raw = raw
	if len(raw) > 1 && raw[0] == '"' && raw[len(raw)-1] == '"' {
		if raw, err = jsonscan.Unescape(raw[:0], raw[1:len(raw)-1]); err != nil {
			return err
		}
	}
	*s = string(raw)
	return err
}

func (d *otlpDocument) integer(n *int64) error {
	var s string
	if err := d.short(&s); err != nil {
		return err
	}
	*n, _ = strconv.ParseInt(s, 10, 64)
	return nil
}

// record reads a record and hands it on.
func (d *otlpDocument) record() error {
	var rec otlpRecord
	at := d.place()
	d.text = d.text[:0]
	err := d.scan.Members(func(key []byte) error {
		switch string(key) {
		case "timeUnixNano":
			return d.integer(&rec.time)
		case "observedTimeUnixNano":
			return d.integer(&rec.observed)
		case "severityText":
			return d.short(&rec.severity)
		case "severityNumber":
			return d.short(&rec.severityNumber)
		case "traceId":
			return d.short(&rec.trace)
		case "spanId":
			return d.short(&rec.span)
		case "eventName":
			return d.short(&rec.event)
		case "attributes":
			return d.attributes(&rec.attributes)
		case "body":
			return d.body(&rec)
		}
		return d.scan.Skip()
	})
	if err != nil {
		return err
	}
	ns := rec.time
	if ns == 0 {
		ns = rec.observed
	}
	if ns <= 0 {
		d.bad(&pieceError{place: at, err: errNoTime})
		return nil
	}
	metadata := rec.metadata(d)
	it := item{nano: ns, stream: d.stream, line: d.text, metadata: metadata, seq: d.seq}
	d.seq++
	if rec.cut || len(it.line) > d.env.maxLine {
		it.line = it.line[:min(len(it.line), d.env.maxLine)]
		d.bad(&pieceError{place: at, err: fmt.Errorf("entry cut after %d bytes", len(it.line)), kept: true})
	}
	return d.entry(&it)
}

// body reads the body: a text, or an AnyValue of any kind, which keeps its
// JSON where it is no scalar.
func (d *otlpDocument) body(rec *otlpRecord) error {
	c, err := d.scan.Peek()
	if err == nil && c == '"' {
		d.text, rec.cut, err = d.scan.String(d.text, d.env.maxLine)
		return err
	}
	if err != nil || c != '{' {
		return d.scan.Skip()
	}
	return d.scan.Members(func(key []byte) error {
		c, err := d.scan.Peek()
		if err == nil && c == '"' {
			d.text, rec.cut, err = d.scan.String(d.text[:0], d.env.maxLine)
			if err == nil && string(key) == "bytesValue" {
				if plain, err := base64.StdEncoding.DecodeString(string(d.text)); err == nil {
					d.text = plain
				}
			}
			return err
		}
		kind := string(key)
		d.text, rec.cut, err = d.scan.Raw(d.text[:0], d.env.maxLine)
		if !rec.cut && err == nil && (kind == "kvlistValue" || kind == "arrayValue") {
			if plain, ok := plainValue(kind, d.text); ok {
				d.text = plain
			}
		}
		return err
	})
}

// otlpLabels makes labels of a resource's attributes, with underscores where
// label names have no dots.
func otlpLabels(attributes []otlpAttribute) []ingest.Label {
	var labels []ingest.Label
	for _, a := range attributes {
		labels = append(labels, ingest.Label{Name: otlpName(a.Key), Value: a.Value.text})
	}
	sortLabels(labels)
	return labels
}

func otlpName(key string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, key)
}

// metadata makes a record's metadata; a stack trace among the attributes goes
// behind the text.
func (r *otlpRecord) metadata(d *otlpDocument) []ingest.Label {
	var metadata []ingest.Label
	add := func(name, value string) {
		if value != "" {
			metadata = append(metadata, ingest.Label{Name: name, Value: value})
		}
	}
	for _, a := range r.attributes {
		if a.Key == "exception.stacktrace" {
			d.text = bytes.TrimRight(append(append(d.text, '\n'), a.Value.text...), "\r\n")
			continue
		}
		add(otlpName(a.Key), a.Value.text)
	}
	add("scope_name", d.scope)
	add("severity_text", r.severity)
	add("severity_number", r.severityNumber)
	add("trace_id", r.trace)
	add("span_id", r.span)
	add("event_name", r.event)
	sortLabels(metadata)
	return metadata
}

func otlpFormat() *Format {
	return &Format{
		Name:     "otlp",
		Title:    "OTLP in JSON, from the OpenTelemetry collector's file exporter",
		Example:  `{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"portal"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1789805416049626825","severityText":"Error","body":{"stringValue":"download failed"}}]}]}]}`,
		detect:   func(h *head) string { return h.needKinds("resourceLogs", '[') },
		document: func(r io.Reader, env *environment) document { return &otlpDocument{r: r, env: env} },
	}
}
