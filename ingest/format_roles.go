package ingest

import "bytes"

// role is what a named value tells about its record.
type role uint8

const (
	roleNone role = iota
	roleMessage
	roleTemplate
	roleLevel
	roleSyslogLevel
	roleOtelLevel
	roleLetter // MongoDB's one-letter level
	roleCategory
	roleEvent
	roleStack   // an exception with its stack, as text
	roleExcType // the parts of an exception in fields of their own
	roleExcText
	roleTrace
	roleSpan
	roleRequest
	roleCount
)

// roleOf names the role of a field, and how sure its name makes it: of
// several fields with one role the highest counts, of equal ones the first.
// Names are those of .NET's JSON console, Serilog, NLog, log4j2, logback's
// encoders, ECS, OpenTelemetry, GELF, journald, Google Cloud, slog, zap,
// zerolog, logrus, pino, bunyan, winston, structlog, python-json-logger,
// tracing (Rust) and MongoDB.
func roleOf(name []byte) (role, int) {
	k, sure := plainRole(name)
	if k != roleNone {
		return k, sure
	}
	// Loggers put the values a program added into an object of their own.
	dot := bytes.IndexByte(name, '.')
	if dot <= 0 {
		return roleNone, 0
	}
	for _, p := range valueObjects {
		if equalFoldASCII(name[:dot], p) {
			switch k, sure := plainRole(name[dot+1:]); k {
			case roleCategory, roleEvent, roleTrace, roleSpan, roleRequest:
				if sure >= 7 {
					return k, sure - 2
				}
			}
			break
		}
	}
	return roleNone, 0
}

// valueObjects are the names of objects that hold the values of a program.
var valueObjects = [...]string{"properties", "state", "scopes", "scope", "fields", "attributes", "mdc", "contextmap", "context", "labels", "extra", "jsonpayload", "resource"}

func plainRole(name []byte) (role, int) {
	if len(name) > 40 {
		return roleNone, 0
	}
	var low [40]byte
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		} else if c == '-' {
			c = '_'
		}
		low[i] = c
	}
	switch string(low[:len(name)]) {
	case "@m", "renderedmessage":
		return roleMessage, 9
	case "message", "msg":
		return roleMessage, 8
	case "short_message", "textpayload", "jsonpayload.message", "fields.message", "body.stringvalue":
		return roleMessage, 6
	case "body", "log", "event":
		return roleMessage, 4
	case "text", "full_message", "description":
		return roleMessage, 2

	case "@mt", "state.{originalformat}":
		return roleTemplate, 9
	case "messagetemplate", "message_template", "{originalformat}", "messagetemplate.text":
		return roleTemplate, 8

	case "loglevel", "@l", "log.level", "severity_text", "severitytext":
		return roleLevel, 9
	case "level", "lvl", "levelname", "severity", "jsonpayload.level":
		return roleLevel, 8
	case "level_name", "log_level", "levelstr", "log_severity", "level.name":
		return roleLevel, 6
	case "s":
		return roleLetter, 5
	case "c":
		return roleCategory, 2
	case "priority", "syslog.severity.code":
		return roleSyslogLevel, 7
	case "severity_number", "severitynumber":
		return roleOtelLevel, 7

	case "category", "sourcecontext", "logger", "logger_name", "loggername", "log.logger":
		return roleCategory, 9
	case "target", "logger.name", "categoryname", "instrumentationscope.name", "scope.name":
		return roleCategory, 7
	case "name", "module", "component", "subsystem", "syslog_identifier", "class":
		return roleCategory, 4

	case "eventid", "eventid.id", "event_id":
		return roleEvent, 9
	case "@i", "event.code":
		return roleEvent, 6
	case "eventid.name", "event.name", "eventname":
		return roleEvent, 3

	case "@x", "exception", "exc_info", "stack_trace", "error.stack_trace", "exception.stacktrace", "err.stack", "error.stack":
		return roleStack, 9
	case "stacktrace", "stack", "thrown.extendedstacktrace", "thrown", "errorverbose", "exc_text", "backtrace", "traceback", "exception.stack_trace",
		"exceptions.stacktracestring", "exception.stacktracestring", "attributes.exception.stacktrace":
		return roleStack, 7
	case "error", "err":
		return roleStack, 2

	case "error.type", "exception.type", "err.type", "thrown.name", "exception_class", "exception.class", "error.name", "err.name", "exception.exception_class", "error.kind",
		"exceptions.classname", "exception.classname", "context.exception.class", "exception.name", "attributes.exception.type":
		return roleExcType, 8
	case "error.message", "exception.message", "err.message", "thrown.message", "thrown.localizedmessage", "exception.exception_message",
		"exceptions.message", "attributes.exception.message", "context.exception.message":
		return roleExcText, 8

	case "trace_id", "traceid", "trace.id", "@tr", "oteltraceid", "dd.trace_id", "logging.googleapis.com/trace":
		return roleTrace, 9
	case "trace":
		return roleTrace, 3 // Google Cloud's projects/NAME/traces/ID
	case "span_id", "spanid", "span.id", "@sp", "otelspanid", "dd.span_id", "logging.googleapis.com/spanid":
		return roleSpan, 9
	case "request_id", "requestid", "req_id", "reqid", "x_request_id", "http.request.id", "req.id", "request.id":
		return roleRequest, 9
	case "correlation_id", "correlationid", "x_correlation_id":
		return roleRequest, 6
	}
	return roleNone, 0
}

// roles are the fields that play each role; nil where none does.
type roles [roleCount]*Field

// rolesOf finds the field of each role.
func rolesOf(fields []Field) roles {
	var (
		best roles
		sure [roleCount]int
	)
	for i := range fields {
		f := &fields[i]
		k, n := roleOf(f.Name)
		if k == roleNone || n <= sure[k] || len(f.Value) == 0 || isNull(f.Value) {
			continue
		}
		if k == roleLevel && levelValue(f.Value) == LevelUnknown {
			continue // of another scale
		}
		if k == roleTrace && n < 5 && !bytes.Contains(f.Value, []byte("/traces/")) {
			continue
		}
		if k == roleCategory && bytes.Contains(f.Value, []byte("://")) {
			continue // the address of something, not the name of a logger
		}
		best[k], sure[k] = f, n
	}
	return best
}

func isNull(v []byte) bool { return string(v) == "null" }

// fromFields fills what the named values tell into r.
func (b *builder) fromFields(r *Record) {
	ro := rolesOf(r.Fields)
	if f := ro[roleMessage]; f != nil {
		r.Message = f.Value
	}
	if f := ro[roleTemplate]; f != nil {
		r.Template = f.Value
		if ro[roleMessage] == nil {
			r.Message = b.render(r.Template, r.Fields)
		}
	}
	if f := ro[roleLevel]; f != nil && r.Level == LevelUnknown {
		r.Level = levelValue(f.Value)
	}
	if f := ro[roleSyslogLevel]; f != nil && r.Level == LevelUnknown {
		if v := f.Value; len(v) == 1 && '0' <= v[0] && v[0] <= '7' {
			r.Level = syslogLevel(int(v[0] - '0'))
		} else {
			r.Level, _ = levelWord(v)
		}
	}
	if f := ro[roleOtelLevel]; f != nil && r.Level == LevelUnknown {
		r.Level = otelLevel(f.Value)
	}
	if f := ro[roleLetter]; f != nil && r.Level == LevelUnknown && len(f.Value) == 1 {
		r.Level, _ = levelLetter(f.Value[0])
	}
	if f := ro[roleCategory]; f != nil && len(r.Category) == 0 {
		r.Category = f.Value
	}
	if f := ro[roleEvent]; f != nil && len(r.EventID) == 0 {
		r.EventID = f.Value
	}
	if f := ro[roleTrace]; f != nil {
		r.TraceID = f.Value
		if i := bytes.LastIndexByte(f.Value, '/'); i >= 0 {
			r.TraceID = f.Value[i+1:] // projects/NAME/traces/ID
		}
	}
	if f := ro[roleSpan]; f != nil {
		r.SpanID = f.Value
	}
	if f := ro[roleRequest]; f != nil {
		r.RequestID = f.Value
	}
	b.exceptionFields(&ro, r)
}

// exceptionFields reads the exception that fields tell of: a text with a
// stack, or type and message in fields of their own.
func (b *builder) exceptionFields(ro *roles, r *Record) {
	b.trace.reset()
	if f := ro[roleStack]; f != nil {
		b.stackText(f.Value, r)
	}
	typ, text := ro[roleExcType], ro[roleExcText]
	if typ != nil && len(r.Exceptions) == 0 && typeLength(typ.Value) == len(typ.Value) {
		x := Exception{Type: typ.Value, End: len(r.Frames)}
		if text != nil {
			x.Message = text.Value
		}
		r.Exceptions = append(r.Exceptions, x)
	}
	if len(r.Message) == 0 && text != nil {
		r.Message = text.Value
	}
}
