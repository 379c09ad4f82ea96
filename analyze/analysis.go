package analyze

import (
	"strconv"
	"time"
)

// SchemaVersion is the version of the JSON form of an Analysis. Fields may be
// added within a version; none is renamed, removed or given another meaning.
const SchemaVersion = 1

// Analysis is the whole result of one run.
type Analysis struct {
	SchemaVersion int    `json:"schemaVersion"`
	Window        Window `json:"window"`
	Read          Read   `json:"read"`
	// Incidents are sorted by the number of records, most first, then by
	// first seen, then by fingerprint.
	Incidents []Incident `json:"incidents"`
	// MaskedFolds are the old watcher's ids that fold several Sources, sorted
	// by records, most first, then by id.
	MaskedFolds []MaskedFold `json:"maskedFolds"`
	// Findings are sorted by severity, gravest first, then in the order of
	// the kinds' declaration, then by subject and fingerprint.
	Findings []Finding `json:"findings"`
	// Fixes are the verdicts on rolls, sorted by the roll's time, issue,
	// Source and fingerprint.
	Fixes []Fix `json:"fixes"`
	// Marks are the dated events that the rule files name, in the order of
	// time.
	Marks []Mark `json:"marks"`
}

// Window is the half-open range of time that was read.
type Window struct {
	Start Time `json:"start"` // inclusive
	End   Time `json:"end"`   // exclusive
}

// Read says what was read, from where, and what could not be.
type Read struct {
	Query   string `json:"query"`   // the LogQL that was asked; empty where files were read
	Entries int64  `json:"entries"` // log lines as they were shipped
	Records int64  `json:"records"` // logical records that the entries make
	Streams int    `json:"streams"` // distinct label sets
	Bytes   int64  `json:"bytes"`   // of the entries, uncompressed
	Skipped int64  `json:"skipped"` // lines and entries that could not be read
	// Repeated counts the entries that equal an earlier one in stream, time
	// and line; they are among the Entries unless Deduplicated says that they
	// were dropped. OutOfOrder counts the entries that stood in their file
	// before an earlier one; they were put in order.
	Repeated     int64          `json:"repeated,omitempty"`
	Deduplicated bool           `json:"deduplicated,omitempty"`
	Repeats      []StreamRepeat `json:"repeats,omitempty"` // streams with repeated entries
	OutOfOrder   int64          `json:"outOfOrder,omitempty"`
	// Partial says that something in the window was not read, or is known
	// only as a number.
	Partial bool         `json:"partial"`
	Sources []ReadSource `json:"sources"` // the files, pipes or servers
	// Gaps are the ranges that are known not to have been read whole, in the
	// order of time. What else is missing is told in Problems only.
	Gaps []Gap `json:"gaps"`
	// Timeline counts the records read in equal slices of the window.
	Timeline []int64  `json:"timeline"`
	Problems []string `json:"problems,omitempty"` // what could not be read, and where
	// Server says what the server did of the reading, where there is one.
	Server *ServerRead `json:"server,omitempty"`
}

// ReadSource is one file, pipe or server that was read.
type ReadSource struct {
	Name        string `json:"name"`                  // a path, - for standard input, or an address
	Format      string `json:"format"`                // of the file, or loki
	Compression string `json:"compression,omitempty"` // how the file was compressed
	Entries     int64  `json:"entries"`               // read from it
}

// Gap is a range of time that was not read whole.
type Gap struct {
	Start Time `json:"start"` // inclusive
	End   Time `json:"end"`   // exclusive
	// Received is how many entries of the range were read, Counted how many
	// the server says there are; null where it did not say.
	Received int64  `json:"received"`
	Counted  *int64 `json:"counted"`
	Reason   string `json:"reason"` // why it was not read whole
}

// Incident is all records of one fingerprint in the window.
type Incident struct {
	Fingerprint string      `json:"fingerprint"` // fp1: and 16 hexadecimal digits
	MaskedIDs   []string    `json:"maskedIds"`   // the ids that the old formula gives, sorted
	Source      string      `json:"source"`      // what emitted it, never masked; empty where nothing tells
	SourceParts SourceParts `json:"sourceParts"`
	Event       string      `json:"event"`     // the event's name, else the exception's type
	Exception   string      `json:"exception"` // the outermost type, and < and the root's where it is another
	Template    string      `json:"template"`  // the message with its variable parts masked
	TopFrame    string      `json:"topFrame"`  // the topmost application frame
	Level       string      `json:"level"`     // the gravest level of its records
	// Rule is the id of the rule that identified the records, empty where
	// none did.
	Rule    string `json:"rule"`
	Records int64  `json:"records"` // in the window
	// Occurrences are real events: records less those that only repeat what
	// another incident's record says of the same event.
	Occurrences int64 `json:"occurrences"`
	// Attempts are the records that tell of further attempts of an operation
	// whose first attempt is counted, by trace; they are no occurrences.
	Attempts int64 `json:"attempts"`
	// Duplicates are the records of other incidents that tell of this one's
	// occurrences.
	Duplicates int64 `json:"duplicates"`
	// DuplicateOf is the fingerprint of the incident whose occurrences this
	// one's records repeat, where all of them do.
	DuplicateOf string           `json:"duplicateOf"`
	Pods        []string         `json:"pods"`        // sorted
	Namespaces  []string         `json:"namespaces"`  // sorted
	Streams     []IncidentStream `json:"streams"`     // sorted
	FirstSeen   Time             `json:"firstSeen"`   // time of the first record
	LastSeen    Time             `json:"lastSeen"`    // time of the last record
	Recurrences []Recurrence     `json:"recurrences"` // the populations with a fixed period
	Episode     *Episode         `json:"episode"`     // null where it has no shape
	Stage       *Stage           `json:"stage"`       // null where it is no failed transfer
	Issue       *IssueRef        `json:"issue"`       // null where none is known
	Samples     []Sample         `json:"samples"`     // the first, the last, an even spread between
	// Timeline counts the records in equal slices of the window.
	Timeline []int64 `json:"timeline"`
	// Marks are the indices of the Analysis's marks that concern the
	// incident.
	Marks []int `json:"marks"`
	// Query is LogQL that finds the incident's lines; empty where no selector
	// or no text that all of them have is known.
	Query string `json:"query"`
	// Links lead to the incident's data elsewhere.
	Links []Link `json:"links"`
}

// SourceParts are the parts of a resilience pipeline's Source; all empty for
// Sources of another kind.
type SourceParts struct {
	Pipeline string `json:"pipeline"` // the first part
	Instance string `json:"instance"` // the middle part
	Strategy string `json:"strategy"` // the last part
}

// IncidentStream is an incident's share of one stream.
type IncidentStream struct {
	Stream    string `json:"stream"`    // its labels as a selector
	Pod       string `json:"pod"`       // empty where the labels name none
	Namespace string `json:"namespace"` // empty where the labels name none
	Records   int64  `json:"records"`   // of the incident on this stream
	FirstSeen Time   `json:"firstSeen"` // time of the first of them
	LastSeen  Time   `json:"lastSeen"`  // time of the last of them
}

// Recurrence is a fixed-period population of one incident.
type Recurrence struct {
	PeriodNs int64  `json:"periodNs"` // in nanoseconds
	Period   string `json:"period"`   // the same as text
	// LowNs and HighNs bound the period with 95 % confidence.
	LowNs    int64  `json:"lowNs"`
	HighNs   int64  `json:"highNs"`
	JitterNs int64  `json:"jitterNs"` // standard deviation about the slots, in nanoseconds
	Jitter   string `json:"jitter"`   // the same as text
	Kind     string `json:"kind"`     // fixed-rate, fixed-delay, cron or unknown-kind
	// PhaseNs is the phase of the first pod: the time of its slots modulo the
	// period, counted from 1970.
	PhaseNs int64    `json:"phaseNs"`
	Pods    []string `json:"pods"`   // sorted
	Phases  []Phase  `json:"phases"` // one a stream and phase
	Events  int64    `json:"events"` // that fall into slots
	Slots   int64    `json:"slots"`  // from the first event to the last
	Missed  int64    `json:"missed"` // slots without an event
	// Confidence is one less the probability of finding such a recurrence in
	// any stream of this incident by chance.
	Confidence float64 `json:"confidence"`
	NextDue    *Time   `json:"nextDue"` // null where none is
	Pass       *Pass   `json:"pass"`    // null where the events come singly
	Matches    []Match `json:"matches"` // what has that length
}

// Phase is a recurrence's place on one stream.
type Phase struct {
	Stream  string `json:"stream"`  // its labels as a selector
	Pod     string `json:"pod"`     // empty where the labels name none
	PhaseNs int64  `json:"phaseNs"` // time of the slots modulo the period, counted from 1970
	Events  int64  `json:"events"`  // that fall into slots
	Slots   int64  `json:"slots"`   // from the first event to the last
	Missed  int64  `json:"missed"`  // slots without an event
	NextDue *Time  `json:"nextDue"` // null where none is
	Ticks   Ticks  `json:"ticks"`
}

// Pass tells that the events come in runs one period apart, which come again
// after a pause.
type Pass struct {
	CycleNs   int64  `json:"cycleNs"`   // from the start of one run to the next, in nanoseconds; 0 where runs do not recur
	Cycle     string `json:"cycle"`     // the same as text
	RunLength int64  `json:"runLength"` // how many events a run has at most
}

// Match names something that has the length of a period.
type Match struct {
	Name       string `json:"name"`       // of the budget or schedule
	Expression string `json:"expression"` // how its length was written
	// Kind is budget, schedule or clock.
	Kind string `json:"kind"`
	// Compound says that Name is a multiple or a sum of named lengths. Such a
	// match is a hint: configured lengths are round numbers, and so are their
	// multiples.
	Compound bool `json:"compound,omitempty"`
}

// Stage is the transfer stage at which an incident's records failed.
type Stage struct {
	Name          string           `json:"name"`          // as in the package transfer and analyze/stage
	Confidence    float64          `json:"confidence"`    // between 0 and 1
	Phase         string           `json:"phase"`         // the finer phase inside the stage; empty where it is not told
	Candidates    []string         `json:"candidates"`    // the stages it may be, where it is not decided
	Budget        string           `json:"budget"`        // the budget that ended it; empty where none is known
	BytesReceived Spread           `json:"bytesReceived"` // of the body
	BytesDeclared Spread           `json:"bytesDeclared"` // what the peer said the body has
	ElapsedNs     Spread           `json:"elapsedNs"`     // of the transfer, in nanoseconds
	Counts        map[string]int64 `json:"counts"`        // how many records speak for which stage
	Evidence      []string         `json:"evidence"`      // the words and rules that it is known by
}

// Spread is the spread of a number that some records state. The values are
// null where no record states one; Unknown counts the records that do not.
type Spread struct {
	Min     *int64 `json:"min"`     // null where no record states one
	Median  *int64 `json:"median"`  // null where no record states one
	Max     *int64 `json:"max"`     // null where no record states one
	Unknown int64  `json:"unknown"` // records that do not state it
}

// IssueRef is the tracker's issue about an incident.
type IssueRef struct {
	Number int    `json:"number"`        // the tracker's
	State  string `json:"state"`         // open or closed
	URL    string `json:"url,omitempty"` // left out where it is not known
}

// Sample is one record as it was shipped, secrets redacted.
type Sample struct {
	Time Time   `json:"time"` // of the record
	Pod  string `json:"pod"`  // empty where the labels name none
	Line string `json:"line"` // all of its lines, secrets redacted
}

// MaskedFold is an id of the old watcher that folds several Sources.
type MaskedFold struct {
	MaskedID     string   `json:"maskedId"`     // 16 hexadecimal digits
	Sources      []string `json:"sources"`      // sorted
	Fingerprints []string `json:"fingerprints"` // of the incidents, sorted
	Records      int64    `json:"records"`      // of all of them
	// Counter is what the watcher's own incident node counts, where one was
	// read; it is not the sum of what its samples show.
	Counter *int64 `json:"counter,omitempty"`
}

// Time is an instant that prints in RFC 3339, UTC, with all nine digits.
type Time struct{ time.Time }

// At returns the Time ns nanoseconds after 1970.
func At(ns int64) Time { return Time{time.Unix(0, ns).UTC()} }

// timeLayout has all digits, so that every time has the same width.
const timeLayout = "2006-01-02T15:04:05.000000000Z07:00"

// String returns the time as it stands in the JSON form.
func (t Time) String() string { return t.UTC().Format(timeLayout) }

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, t.String()), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(b []byte) error { return t.Time.UnmarshalJSON(b) }
