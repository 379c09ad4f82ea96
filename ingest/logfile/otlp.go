package logfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// otlpDocument reads OTLP in JSON, as the OpenTelemetry collector's file
// exporter writes it: one ExportLogsServiceRequest a line.
//
// The resource's attributes tell the stream; those of the record and its
// severity, trace and scope are metadata, under the names that Loki gives
// them. A stack trace among the attributes follows the body on lines of its
// own, where every other logger prints it.
type otlpDocument struct {
	r   io.Reader
	env *environment
	seq uint64
}

type otlpRequest struct {
	ResourceLogs []struct {
		Resource  struct{ Attributes []otlpAttribute }
		ScopeLogs []struct {
			Scope      struct{ Name, Version string }
			LogRecords []otlpRecord
		}
	}
}

type otlpRecord struct {
	TimeUnixNano         otlpInt
	ObservedTimeUnixNano otlpInt
	SeverityNumber       json.RawMessage
	SeverityText         string
	Body                 otlpValue
	Attributes           []otlpAttribute
	TraceID              string
	SpanID               string
	EventName            string
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

// otlpInt is a 64-bit integer, in JSON a string or a number.
type otlpInt int64

// UnmarshalJSON reads either form.
func (n *otlpInt) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	if err != nil {
		return fmt.Errorf("%s is no integer", b)
	}
	*n = otlpInt(v)
	return nil
}

func (d *otlpDocument) each(entry func(*item) error, bad func(*pieceError)) error {
	bounded := &rowReader{r: d.r}
	dec := json.NewDecoder(bounded)
	for {
		bounded.next()
		at := fmt.Sprintf("byte %d", dec.InputOffset())
		var req otlpRequest
		err := dec.Decode(&req)
		var wrongType *json.UnmarshalTypeError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &wrongType):
			bad(&pieceError{place: at, err: err})
			continue
		case err != nil:
			bad(&pieceError{place: at, err: err})
			return readError(err)
		}
		if err := d.request(&req, at, entry, bad); err != nil {
			return err
		}
	}
}

func (d *otlpDocument) request(req *otlpRequest, at string, entry func(*item) error, bad func(*pieceError)) error {
	for _, rl := range req.ResourceLogs {
		stream := d.env.labels.stream(otlpLabels(rl.Resource.Attributes))
		for _, sl := range rl.ScopeLogs {
			for i := range sl.LogRecords {
				rec := &sl.LogRecords[i]
				ns := int64(rec.TimeUnixNano)
				if ns == 0 {
					ns = int64(rec.ObservedTimeUnixNano)
				}
				if ns <= 0 {
					bad(&pieceError{place: at, err: errNoTime})
					continue
				}
				text, metadata := rec.render(sl.Scope.Name)
				it := item{nano: ns, stream: stream, line: []byte(text), metadata: metadata, seq: d.seq}
				d.seq++
				if len(it.line) > d.env.maxLine {
					it.line = it.line[:d.env.maxLine]
					bad(&pieceError{place: at, err: fmt.Errorf("entry cut after %d bytes", d.env.maxLine), kept: true})
				}
				if err := entry(&it); err != nil {
					return err
				}
			}
		}
	}
	return nil
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

// render makes a record's line and its metadata.
func (r *otlpRecord) render(scope string) (string, []ingest.Label) {
	var metadata []ingest.Label
	add := func(name, value string) {
		if value != "" {
			metadata = append(metadata, ingest.Label{Name: name, Value: value})
		}
	}
	text := r.Body.text
	for _, a := range r.Attributes {
		if a.Key == "exception.stacktrace" {
			text = strings.TrimRight(text+"\n"+a.Value.text, "\r\n")
			continue
		}
		add(otlpName(a.Key), a.Value.text)
	}
	add("scope_name", scope)
	add("severity_text", r.SeverityText)
	add("severity_number", strings.Trim(string(r.SeverityNumber), `"`))
	add("trace_id", r.TraceID)
	add("span_id", r.SpanID)
	add("event_name", r.EventName)
	sortLabels(metadata)
	return text, metadata
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
