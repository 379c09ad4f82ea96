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
	Start Time `json:"start"`
	End   Time `json:"end"`
}

// Read says what was read, from where, and what could not be.
type Read struct {
	Query   string `json:"query"`
	Entries int64  `json:"entries"`
	Records int64  `json:"records"`
	Streams int    `json:"streams"`
	Bytes   int64  `json:"bytes"`
	Skipped int64  `json:"skipped"`
	// Repeated counts the entries that equal an earlier one in stream, time
	// and line; they are among the Entries unless Deduplicated says that they
	// were dropped. OutOfOrder counts the entries that stood in their file
	// before an earlier one; they were put in order.
	Repeated     int64          `json:"repeated,omitempty"`
	Deduplicated bool           `json:"deduplicated,omitempty"`
	Repeats      []StreamRepeat `json:"repeats,omitempty"`
	OutOfOrder   int64          `json:"outOfOrder,omitempty"`
	// Partial says that something in the window was not read, or is known
	// only as a number.
	Partial bool         `json:"partial"`
	Sources []ReadSource `json:"sources"`
	// Gaps are the ranges that are known not to have been read whole, in the
	// order of time. What else is missing is told in Problems only.
	Gaps []Gap `json:"gaps"`
	// Timeline counts the records read in equal slices of the window.
	Timeline []int64  `json:"timeline"`
	Problems []string `json:"problems,omitempty"`
	// Server says what the server did of the reading, where there is one.
	Server *ServerRead `json:"server,omitempty"`
}

// ReadSource is one file, pipe or server that was read.
type ReadSource struct {
	Name        string `json:"name"`
	Format      string `json:"format"`
	Compression string `json:"compression,omitempty"`
	Entries     int64  `json:"entries"`
}

// Gap is a range of time that was not read whole.
type Gap struct {
	Start Time `json:"start"`
	End   Time `json:"end"`
	// Received is how many entries of the range were read, Counted how many
	// the server says there are; null where it did not say.
	Received int64  `json:"received"`
	Counted  *int64 `json:"counted"`
	Reason   string `json:"reason"`
}

// Incident is all records of one fingerprint in the window.
type Incident struct {
	Fingerprint string      `json:"fingerprint"`
	MaskedIDs   []string    `json:"maskedIds"`
	Source      string      `json:"source"`
	SourceParts SourceParts `json:"sourceParts"`
	Event       string      `json:"event"`
	Exception   string      `json:"exception"`
	Template    string      `json:"template"`
	TopFrame    string      `json:"topFrame"`
	Level       string      `json:"level"`
	// Rule is the id of the rule that identified the records, empty where
	// none did.
	Rule    string `json:"rule"`
	Records int64  `json:"records"`
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
	Pods        []string         `json:"pods"`
	Namespaces  []string         `json:"namespaces"`
	Streams     []IncidentStream `json:"streams"`
	FirstSeen   Time             `json:"firstSeen"`
	LastSeen    Time             `json:"lastSeen"`
	Recurrences []Recurrence     `json:"recurrences"`
	Episode     *Episode         `json:"episode"`
	Stage       *Stage           `json:"stage"`
	Issue       *IssueRef        `json:"issue"`
	Samples     []Sample         `json:"samples"`
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
	Pipeline string `json:"pipeline"`
	Instance string `json:"instance"`
	Strategy string `json:"strategy"`
}

// IncidentStream is an incident's share of one stream.
type IncidentStream struct {
	Stream    string `json:"stream"`
	Pod       string `json:"pod"`
	Namespace string `json:"namespace"`
	Records   int64  `json:"records"`
	FirstSeen Time   `json:"firstSeen"`
	LastSeen  Time   `json:"lastSeen"`
}

// Recurrence is a fixed-period population of one incident.
type Recurrence struct {
	PeriodNs int64  `json:"periodNs"`
	Period   string `json:"period"`
	// LowNs and HighNs bound the period with 95 % confidence.
	LowNs    int64  `json:"lowNs"`
	HighNs   int64  `json:"highNs"`
	JitterNs int64  `json:"jitterNs"`
	Jitter   string `json:"jitter"`
	Kind     string `json:"kind"`
	// PhaseNs is the phase of the first pod: the time of its slots modulo the
	// period, counted from 1970.
	PhaseNs int64    `json:"phaseNs"`
	Pods    []string `json:"pods"`
	Phases  []Phase  `json:"phases"`
	Events  int64    `json:"events"`
	Slots   int64    `json:"slots"`
	Missed  int64    `json:"missed"`
	// Confidence is one less the probability of finding such a recurrence in
	// any stream of this incident by chance.
	Confidence float64 `json:"confidence"`
	NextDue    *Time   `json:"nextDue"`
	Pass       *Pass   `json:"pass"`
	Matches    []Match `json:"matches"`
}

// Phase is a recurrence's place on one stream.
type Phase struct {
	Stream  string `json:"stream"`
	Pod     string `json:"pod"`
	PhaseNs int64  `json:"phaseNs"`
	Events  int64  `json:"events"`
	Slots   int64  `json:"slots"`
	Missed  int64  `json:"missed"`
	NextDue *Time  `json:"nextDue"`
	Ticks   Ticks  `json:"ticks"`
}

// Pass tells that the events come in runs one period apart, which come again
// after a pause.
type Pass struct {
	CycleNs   int64  `json:"cycleNs"`
	Cycle     string `json:"cycle"`
	RunLength int64  `json:"runLength"`
}

// Match names something that has the length of a period.
type Match struct {
	Name       string `json:"name"`
	Expression string `json:"expression"`
	// Kind is budget, schedule or clock.
	Kind string `json:"kind"`
	// Compound says that Name is a multiple or a sum of named lengths. Such a
	// match is a hint: configured lengths are round numbers, and so are their
	// multiples.
	Compound bool `json:"compound,omitempty"`
}

// Stage is the transfer stage at which an incident's records failed.
type Stage struct {
	Name          string           `json:"name"`
	Confidence    float64          `json:"confidence"`
	Phase         string           `json:"phase"`
	Candidates    []string         `json:"candidates"`
	Budget        string           `json:"budget"`
	BytesReceived Spread           `json:"bytesReceived"`
	BytesDeclared Spread           `json:"bytesDeclared"`
	ElapsedNs     Spread           `json:"elapsedNs"`
	Counts        map[string]int64 `json:"counts"`
	Evidence      []string         `json:"evidence"`
}

// Spread is the spread of a number that some records state. The values are
// null where no record states one; Unknown counts the records that do not.
type Spread struct {
	Min     *int64 `json:"min"`
	Median  *int64 `json:"median"`
	Max     *int64 `json:"max"`
	Unknown int64  `json:"unknown"`
}

// IssueRef is the tracker's issue about an incident.
type IssueRef struct {
	Number int    `json:"number"`
	State  string `json:"state"`
	URL    string `json:"url,omitempty"`
}

// Sample is one record as it was shipped, secrets redacted.
type Sample struct {
	Time Time   `json:"time"`
	Pod  string `json:"pod"`
	Line string `json:"line"`
}

// MaskedFold is an id of the old watcher that folds several Sources.
type MaskedFold struct {
	MaskedID     string   `json:"maskedId"`
	Sources      []string `json:"sources"`
	Fingerprints []string `json:"fingerprints"`
	Records      int64    `json:"records"`
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
