package fingerprint

import (
	"bytes"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// Polly writes four messages, all under one category; what tells its events
// apart are the event's name and the Source, pipeline/instance/strategy. The
// Source arrives in the sentence or as structured state.

// pollyShape is one of the four messages.
type pollyShape struct {
	prefix string // how the sentence begins, up to the first value
	event  string // event name, empty where the sentence has it
	name   string // name of the logger message, as EventId tells it
	parts  int    // parts of its Source
}

var pollyShapes = [...]pollyShape{
	{"Resilience event occurred. EventName: '", "", "ResilienceEvent", 3},
	{"Execution attempt. Source: '", "ExecutionAttempt", "ExecutionAttempt", 3},
	{"Resilience pipeline executing. Source: '", "PipelineExecuting", "StrategyExecuting", 2},
	{"Resilience pipeline executed. Source: '", "PipelineExecuted", "StrategyExecuted", 2},
}

// The texts between the values of Polly's sentences.
const (
	pollySource  = "', Source: '"
	pollyKey     = "', Operation Key: '"
	pollyResult  = "', Result: '"
	pollyHandled = "', Handled: '"
	pollyTime    = "', Execution Time: "
	nullPart     = "(null)"
)

// pollyEvent is what one record of Polly says.
type pollyEvent struct {
	shape                    *pollyShape
	event, source            []byte
	result, handled          []byte
	pipeline, inst, strategy []byte
}

// polly identifies the telemetry events of Polly v8. Structured state comes
// first: a sentence that was rendered from it may have lost what was null.
func (x *Identifier) polly(r *ingest.Record, into *Identity) bool {
	var e pollyEvent
	if !x.pollyFields(r, &e) && !x.pollyText(r, &e) {
		return false
	}
	into.Rule = RulePolly
	into.Source = e.source
	into.Event = e.event
	into.Parts = SourceParts{e.pipeline, e.inst, e.strategy}
	into.Template = x.keep(func(dst []byte) []byte {
		dst = append(dst, e.shape.prefix...)
		if e.shape.event == "" {
			dst = append(dst, e.event...)
			dst = append(dst, pollySource...)
		}
		dst = append(dst, e.source...)
		dst = append(dst, pollyKey...)
		dst = append(dst, kindPlaceholders[KindQuoted]...)
		if e.result != nil {
			dst = append(dst, pollyResult...)
			dst = Mask(dst, e.result, 0)
		}
		if e.handled != nil {
			dst = append(dst, pollyHandled...)
			dst = append(dst, e.handled...)
		}
		return append(dst, '\'')
	})
	return true
}

// pollyText reads the sentence.
func (x *Identifier) pollyText(r *ingest.Record, e *pollyEvent) bool {
	text := r.Message
	for len(text) > 0 && class[text[0]]&cSpace != 0 {
		text = text[1:]
	}
	if len(text) == 0 || text[0] != 'R' && text[0] != 'E' {
		return false
	}
	for i := range pollyShapes {
		shape := &pollyShapes[i]
		n := len(shape.prefix) - 1 // the quote may be escaped
		if len(text) <= n || string(text[:n]) != shape.prefix[:n] {
			continue
		}
		if bytes.Contains(text, []byte(`\u0027`)) {
			escaped := text
			text = x.keep(func(dst []byte) []byte { return appendReplaced(dst, escaped, `\u0027`, "'") })
		}
		if text[n] != '\'' || bytes.Contains(text, []byte("{PipelineName}")) {
			return false
		}
		e.shape = shape
		return x.pollySentence(text[n+1:], e)
	}
	return false
}

// pollySentence reads the values behind a sentence's prefix.
func (x *Identifier) pollySentence(rest []byte, e *pollyEvent) bool {
	var ok bool
	e.event = []byte(e.shape.event)
	if e.shape.event == "" {
		if e.event, rest, ok = bytes.Cut(rest, []byte(pollySource)); !ok {
			return false
		}
		e.event = unquoted(e.event)
	}
	if e.source, rest, ok = bytes.Cut(rest, []byte(pollyKey)); !ok {
		return false
	}
	if bytes.IndexByte(e.source, '"') >= 0 {
		x.renderedSource(e)
	} else {
		e.split()
	}
	if _, rest, ok = bytes.Cut(rest, []byte(pollyResult)); !ok {
		return true
	}
	switch e.shape.name {
	case "ExecutionAttempt":
		if i := bytes.LastIndex(rest, []byte(pollyHandled)); i >= 0 {
			e.handled, _, _ = bytes.Cut(rest[i+len(pollyHandled):], []byte("'"))
			rest = rest[:i]
		}
	case "StrategyExecuted":
		if i := bytes.LastIndex(rest, []byte(pollyTime)); i >= 0 {
			rest = rest[:i]
		}
	}
	e.result = unquoted(bytes.TrimSuffix(rest, []byte("'")))
	return true
}

// renderedSource reads a Source whose parts a structured logger rendered with
// double quotes, and null as a bare word.
func (x *Identifier) renderedSource(e *pollyEvent) {
	printed := e.source
	e.source = x.keep(func(dst []byte) []byte {
		quoted := false
		for i := 0; i < len(printed); i++ {
			switch {
			case printed[i] == '"':
				quoted = !quoted
			case !quoted && bytes.HasPrefix(printed[i:], []byte("null")):
				dst = append(dst, nullPart...)
				i += len("null") - 1
			default:
				dst = append(dst, printed[i])
			}
		}
		return dst
	})
	e.split()
}

func unquoted(b []byte) []byte {
	if len(b) >= 2 && b[0] == '"' && b[len(b)-1] == '"' {
		return b[1 : len(b)-1]
	}
	return b
}

// split cuts the Source into its parts: the pipeline reaches to the first
// slash, the strategy begins behind the last, the instance, which may hold
// slashes itself, is what lies between.
func (e *pollyEvent) split() {
	first := bytes.IndexByte(e.source, '/')
	if first < 0 {
		e.pipeline = e.source
		return
	}
	e.pipeline = e.source[:first]
	if e.shape.parts == 2 {
		e.inst = e.source[first+1:]
		return
	}
	last := bytes.LastIndexByte(e.source, '/')
	e.strategy = e.source[last+1:]
	if last > first {
		e.inst = e.source[first+1 : last]
	}
}

// pollyFields reads structured state: fields named like the placeholders,
// perhaps below State, or structured metadata.
func (x *Identifier) pollyFields(r *ingest.Record, e *pollyEvent) bool {
	if len(r.Fields) == 0 && len(r.Metadata) == 0 {
		return false
	}
	pipeline, ok := fieldOf(r, "PipelineName")
	if !ok {
		return false
	}
	event, hasEvent := fieldOf(r, "EventName")
	strategy, hasStrategy := fieldOf(r, "StrategyName")
	instance, hasInstance := fieldOf(r, "PipelineInstance")
	if !hasEvent && !hasStrategy && !hasInstance {
		return false
	}
	e.shape = &pollyShapes[0]
	e.event = event
	if !hasEvent {
		e.shape = pollyShapeOf(r, hasStrategy)
		e.event = []byte(e.shape.event)
	}
	e.pipeline = orNull(pipeline, true)
	e.inst = orNull(instance, hasInstance)
	if e.shape.parts == 3 {
		e.strategy = orNull(strategy, hasStrategy)
	}
	e.source = x.keep(func(dst []byte) []byte {
		dst = append(dst, e.pipeline...)
		dst = append(dst, '/')
		dst = append(dst, e.inst...)
		if e.shape.parts == 3 {
			dst = append(dst, '/')
			dst = append(dst, e.strategy...)
		}
		return dst
	})
	if e.shape.name != "StrategyExecuting" {
		if e.result, ok = fieldOf(r, "Result"); !ok || isNull(e.result) {
			e.result = []byte{}
		}
	}
	if e.shape.name == "ExecutionAttempt" {
		if h, ok := fieldOf(r, "Handled"); ok && len(h) > 0 {
			e.handled = x.keep(func(dst []byte) []byte {
				dst = append(dst, h...)
				dst[len(dst)-len(h)] &^= 0x20 // true is printed True
				return dst
			})
		}
	}
	return true
}

// pollyShapeOf tells the message of an event without an event name.
func pollyShapeOf(r *ingest.Record, hasStrategy bool) *pollyShape {
	for i := range pollyShapes {
		s := &pollyShapes[i]
		head := []byte(s.prefix[:len(s.prefix)-len("Source: '")])
		if string(r.EventID) == s.name || bytes.HasPrefix(r.Template, head) || bytes.HasPrefix(r.Message, head) {
			return s
		}
	}
	if hasStrategy {
		return &pollyShapes[1]
	}
	return &pollyShapes[3]
}

// orNull returns what Polly prints for a part.
func orNull(b []byte, present bool) []byte {
	if !present || isNull(b) {
		return []byte(nullPart)
	}
	return b
}

// isNull reports whether b is null as JSON, or a collector written in Go,
// spells it.
func isNull(b []byte) bool { return string(b) == "null" || string(b) == "<nil>" }

// statePrefixes are the objects below which loggers keep named values.
var statePrefixes = [...]string{"State.", "Properties.", "attributes."}

// fieldOf finds a named value: a field, a field below a state object, or
// structured metadata.
func fieldOf(r *ingest.Record, name string) ([]byte, bool) {
	for i := range r.Fields {
		f := r.Fields[i].Name
		if len(f) > len(name) {
			for _, p := range &statePrefixes {
				if len(f) == len(p)+len(name) && equalFold(f[:len(p)], p) {
					f = f[len(p):]
					break
				}
			}
		}
		if equalFold(f, name) {
			return r.Fields[i].Value, true
		}
	}
	for i := range r.Metadata {
		if n := r.Metadata[i].Name; len(n) == len(name) && equalFold([]byte(n), name) {
			return []byte(r.Metadata[i].Value), true
		}
	}
	return nil, false
}

func appendReplaced(dst, src []byte, old, with string) []byte {
	for {
		i := bytes.Index(src, []byte(old))
		if i < 0 {
			return append(dst, src...)
		}
		dst = append(append(dst, src[:i]...), with...)
		src = src[i+len(old):]
	}
}
