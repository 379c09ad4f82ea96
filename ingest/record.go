package ingest

import "time"

// Level is the severity of a record, on OpenTelemetry's scale of names.
type Level uint8

// The levels, least severe first. LevelUnknown is below all of them.
const (
	LevelUnknown Level = iota
	LevelTrace
	LevelDebug
	LevelInfo
	LevelWarn
	LevelError
	LevelFatal
)

var levelNames = [...]string{"unknown", "trace", "debug", "info", "warn", "error", "fatal"}

// String returns the level's name in lower case.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return levelNames[0]
}

// Field is one named value of a structured record. Values are decoded text;
// nested objects appear under dotted names (State.PipelineName), and other
// JSON values as their JSON text.
type Field struct {
	Name, Value []byte
}

// Exception is one link of a record's exception chain.
type Exception struct {
	Type    []byte // fully qualified where the log says so; may be empty
	Message []byte
	// First and End bound this link's frames in Record.Frames.
	First, End int
}

// Record is one logical log record.
//
// All byte slices, and the slices that hold them, belong to the Assembler and
// are valid only until the call that received the record returns. Clone makes
// a copy that stays.
type Record struct {
	// UnixNano is the time of the record's first entry.
	UnixNano int64
	Stream   *Stream
	Level    Level
	// Category is the logger's name (.NET category, logger, target, class);
	// empty where the format has none.
	Category []byte
	// EventID is the number or name beside the category (.NET: Polly[3]);
	// empty where there is none.
	EventID []byte
	// Message is the message proper: without header, level, time, exception
	// and frames. Lines of a multi-line message are joined by '\n'.
	Message []byte
	// Template is the message template where the record carries one
	// ({OriginalFormat}, @mt); else empty.
	Template []byte
	// Fields are the named values of a structured record, in input order.
	Fields []Field
	// Exceptions is the exception chain, outermost first; empty where the
	// record has none.
	Exceptions []Exception
	// Frames are the stack frames of all exceptions, innermost call first
	// within one exception, without indentation and "at ".
	Frames [][]byte
	// Text is the whole record as it was shipped, entries joined by '\n'.
	Text []byte
	// Metadata is the structured metadata of the first entry that has any.
	Metadata []Label
	// TraceID, SpanID and RequestID as the record or its metadata tell them.
	TraceID, SpanID, RequestID []byte
	// Entries is how many entries the record was assembled from.
	Entries int
	// Arrival is that of the first entry.
	Arrival uint64
	Format  Format
	// TiedFrames says that frames came as entries of one timestamp, so that
	// their order is canonical and not that of the stack.
	TiedFrames bool
	// Headless says that the record is a continuation whose header was not
	// in the input (filtered away, or before the window).
	Headless bool
	// Truncated says that the record was longer than the bound and cut.
	Truncated bool
}

// Time returns the record's time in UTC.
func (r *Record) Time() time.Time { return time.Unix(0, r.UnixNano).UTC() }

// Field returns the value of the first field with this name, compared without
// regard to ASCII case, and whether there is one.
func (r *Record) Field(name string) ([]byte, bool) {
	for i := range r.Fields {
		if equalFoldASCII(r.Fields[i].Name, name) {
			return r.Fields[i].Value, true
		}
	}
	return nil, false
}

func equalFoldASCII(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i := range b {
		x, y := b[i], s[i]
		if x != y {
			if x |= 0x20; x < 'a' || x > 'z' || x != y|0x20 {
				return false
			}
		}
	}
	return true
}

// Format names the shape in which a record was written.
type Format uint8

// The record formats known to the Assembler.
const (
	FormatPlain         Format = iota // a line of no further known form
	FormatDotnetConsole               // "fail: Category[id]" and indented lines
	FormatDotnetJSON                  // .NET JSON console
	FormatSerilog                     // Serilog compact JSON
	FormatJSON                        // other JSON lines: slog, zap, logrus, zerolog, pino ...
	FormatLogfmt                      // key=value lines
	FormatKlog                        // Kubernetes' I0102 15:04:05.000000
	FormatLevelled                    // plain line with time and level words
	FormatNginx                       // nginx error log
	FormatAccess                      // access log of nginx or Apache (common, combined)
	FormatEnvoy                       // access log of Envoy, its own format or Istio's
	FormatHAProxy                     // traffic log of HAProxy
)

var formatNames = [...]string{"plain", "dotnet-console", "dotnet-json", "serilog", "json", "logfmt", "klog", "levelled", "nginx", "access", "envoy", "haproxy"}

// String returns the format's name.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return formatNames[0]
}

// Clone returns a copy of r that shares no memory with the Assembler.
func (r *Record) Clone() *Record {
	c := *r
	c.Category = clone(r.Category)
	c.EventID = clone(r.EventID)
	c.Message = clone(r.Message)
	c.Template = clone(r.Template)
	c.Text = clone(r.Text)
	c.TraceID, c.SpanID, c.RequestID = clone(r.TraceID), clone(r.SpanID), clone(r.RequestID)
	c.Fields = make([]Field, len(r.Fields))
	for i, f := range r.Fields {
		c.Fields[i] = Field{Name: clone(f.Name), Value: clone(f.Value)}
	}
	c.Exceptions = make([]Exception, len(r.Exceptions))
	for i, x := range r.Exceptions {
		c.Exceptions[i] = Exception{Type: clone(x.Type), Message: clone(x.Message), First: x.First, End: x.End}
	}
	c.Frames = make([][]byte, len(r.Frames))
	for i, f := range r.Frames {
		c.Frames[i] = clone(f)
	}
	c.Metadata = append([]Label(nil), r.Metadata...)
	return &c
}

func clone(b []byte) []byte { return append([]byte(nil), b...) }
