package stage

import (
	"bytes"
	"math"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/transfer"
)

// Completion is what a record tells of a transfer that ended well.
type Completion struct {
	Bytes  int64
	Took   time.Duration
	Target string // the address, where stated
}

// Rate returns the bytes per second.
func (c *Completion) Rate() int64 {
	return int64(min(float64(c.Bytes)/c.Took.Seconds(), 1e18)) // no faster than that, so that it fits
}

// ended are words of which a record of a completed transfer holds one.
var ended = []string{"complet", "download", "upload", "fetch", "transfer", "received", "sent", "saved", "pulled", "read", "finish", "done", "copied", "loaded", "retrieved", "got ", "response"}

// unended are words of records that tell of a transfer that did not complete,
// or not yet.
var unended = []string{"not ", "n't ", "fail", "error", "timeout", "timed out", "abort", "cancel", "incomplete", "partial", "retry", "remaining", "so far", "expected", "refused", "%"}

// Completed reads a record that says how many bytes a transfer moved in which
// time, both with their units: "fetched 12.5 MB in 3.1 s", the line of this
// module's own client, or fields whose names carry the units. It reports
// whether r is such a record; one that was cut, failed or goes on is none.
// Most records are passed by within some tens of nanoseconds.
func (c *Classifier) Completed(r *ingest.Record) (Completion, bool) {
	if string(r.Message) == transfer.MsgCompleted || isStructured(r) && len(r.Fields) > 0 {
		if done, ok := completedFields(r); ok {
			return done, true
		}
	}
	text := r.Message
	if len(text) == 0 {
		text = r.Text
	}
	if !saysSize(text) || !holdsAny(text, ended) || holdsAny(text, unended) {
		return Completion{}, false
	}
	v := &c.view
	v.text = text[:min(len(text), maxText)]
	v.tokenize(c.words)
	for i := range v.tokens {
		t := &v.tokens[i]
		if t.lineKind != lineText || t.kind != kindNumber {
			continue
		}
		size, end, ok := v.withUnit(i, fieldReceived)
		if !ok || size < 1 {
			continue
		}
		for j := end; j < len(v.tokens) && j < end+5 && v.tokens[j].line == t.line; j++ {
			if took, _, ok := v.withUnit(j, fieldElapsed); ok && took > 0 {
				return Completion{Bytes: int64(size + 0.5), Took: time.Duration(took + 0.5), Target: v.target()}, true
			}
			if again, _, ok := v.withUnit(j, fieldReceived); ok && math.Abs(again-size) > size/20 {
				return Completion{}, false // a part of a whole, or a rate
			}
		}
	}
	return Completion{}, false
}

// withUnit reads a number that states its unit.
func (v *view) withUnit(i int, f field) (float64, int, bool) {
	if k := v.tokens[i].kind; k != kindNumber && (k != kindSpan || !f.isTime()) {
		return 0, 0, false
	}
	x, end, ok := v.quantity(i, f, "")
	stated := v.tokens[i].kind == kindSpan || v.tokens[i].unitEnd > v.tokens[i].end || end > i+1
	return x, end, ok && stated
}

// saysSize reports whether text holds what a size is written with.
func saysSize(text []byte) bool {
	return bytes.Contains(text, []byte("byte")) || bytes.Contains(text, []byte("B in ")) || bytes.Contains(text, []byte("B (")) || bytes.Contains(text, []byte("B, ")) || bytes.Contains(text, []byte("iB"))
}

func holdsAny(text []byte, words []string) bool {
	for _, w := range words {
		if containsFold(text, w) {
			return true
		}
	}
	return false
}

// Names of fields that say how much was moved, and in which time by the unit in
// the name.
var (
	sizeFields = []string{"bytesReceived", "bytes_received", "bytesSent", "bytes_sent", "bytes", "sizeBytes", "size_bytes", "responseBytes", "response_bytes", "contentLength", "content_length"}
	timeFields = []struct {
		name string
		unit time.Duration
	}{
		{"elapsedNs", 1}, {"elapsed_ns", 1}, {"durationNs", 1}, {"duration_ns", 1},
		{"elapsedMs", time.Millisecond}, {"elapsed_ms", time.Millisecond}, {"durationMs", time.Millisecond}, {"duration_ms", time.Millisecond}, {"took_ms", time.Millisecond},
		{"elapsedMilliseconds", time.Millisecond}, {"elapsed_seconds", time.Second}, {"duration_seconds", time.Second},
	}
)

// completedFields reads the fields of a structured record; one that names an
// error, or a status other than success, tells of none.
func completedFields(r *ingest.Record) (Completion, bool) {
	if r.Level > ingest.LevelInfo || len(r.Exceptions) > 0 || holdsAny(r.Message, unended) {
		return Completion{}, false
	}
	for _, name := range []string{"error", "err", "exception"} {
		if f, ok := r.Field(name); ok && len(f) > 0 && string(f) != "null" && string(f) != "false" {
			return Completion{}, false
		}
	}
	if status, ok := r.Field("status"); ok && (len(status) != 3 || status[0] != '2') {
		return Completion{}, false
	}
	done := Completion{Bytes: Unknown}
	for _, name := range sizeFields {
		if n := intField(r, name); n > 0 {
			done.Bytes = n
			break
		}
	}
	if done.Bytes <= 0 {
		return Completion{}, false
	}
	if declared := intField(r, "bytesDeclared"); declared > done.Bytes {
		return Completion{}, false
	}
	for _, f := range timeFields {
		b, ok := r.Field(f.name)
		if !ok {
			continue
		}
		if x, ok := parseNumber(b); ok && x > 0 && x*float64(f.unit) < maxQuantity {
			done.Took = time.Duration(x*float64(f.unit) + 0.5)
			break
		}
	}
	if done.Took <= 0 {
		return Completion{}, false
	}
	for _, name := range []string{"target", "url", "uri"} {
		if u, ok := r.Field(name); ok {
			done.Target = cleanURL(u)
			break
		}
	}
	return done, true
}
