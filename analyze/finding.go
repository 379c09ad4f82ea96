package analyze

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Kind is the stable name of a kind of finding. Kinds are added, never renamed.
type Kind string

// The kinds of findings; the comment of each says what its subject is.
const (
	KindIssueReopen               Kind = "issue-reopen"                // the issue's number
	KindIssueDoNotReopen          Kind = "issue-do-not-reopen"         // the issue's number
	KindIssueRepoint              Kind = "issue-repoint"               // the number of the issue to point at
	KindIssueClose                Kind = "issue-close"                 // the issue's number
	KindIssueUndecided            Kind = "issue-undecided"             // the issue's number
	KindSourceFolded              Kind = "source-folded"               // the masked id
	KindBudgetsInverted           Kind = "budgets-inverted"            // the outer budget
	KindRecurrenceMatchesBudget   Kind = "recurrence-matches-budget"   // the Source
	KindRecurrenceMatchesSchedule Kind = "recurrence-matches-schedule" // the Source
	KindRecurrence                Kind = "recurrence"                  // the Source
	KindSequentialPass            Kind = "sequential-pass"             // the Source
	KindBurst                     Kind = "burst"                       // the Source
	KindRollWave                  Kind = "roll-wave"                   // the Source
	KindBlame                     Kind = "blame"                       // what is to blame, see Blamed
	KindStageUnrecoverable        Kind = "stage-unrecoverable"         // the Source
	KindDuplicateLayers           Kind = "duplicate-layers"            // the Source
	KindFixRefuted                Kind = "fix-refuted"                 // the Source
	KindFixConfirmed              Kind = "fix-confirmed"               // the Source
	KindFixUndecided              Kind = "fix-undecided"               // the Source
	KindUnboundedSource           Kind = "unbounded-source"            // the Source with its unbounded part masked
	KindClockSkew                 Kind = "clock-skew"                  // the stream's name
	KindTimeZone                  Kind = "time-zone"                   // the stream's name
	KindShippedTwice              Kind = "shipped-twice"               // the stream's name
	KindLimitReached              Kind = "limit-reached"               // the limit
)

// Kinds lists every kind in the order in which findings of one severity are
// sorted.
var Kinds = []Kind{
	KindIssueReopen, KindIssueDoNotReopen, KindIssueRepoint, KindIssueClose, KindIssueUndecided, KindSourceFolded, KindBudgetsInverted,
	KindRecurrenceMatchesBudget, KindRecurrenceMatchesSchedule, KindRecurrence, KindSequentialPass, KindBurst, KindRollWave, KindBlame,
	KindStageUnrecoverable, KindDuplicateLayers, KindFixRefuted, KindFixConfirmed, KindFixUndecided, KindUnboundedSource,
	KindClockSkew, KindTimeZone, KindShippedTwice, KindLimitReached,
}

// The subjects of a blame finding.
const (
	BlameServer       = "server"        // asked, and it did not begin to answer
	BlameNetwork      = "network"       // connections or bodies that go silent
	BlameDNS          = "dns"           // names that do not resolve
	BlameProxy        = "proxy"         // a gateway whose upstream failed
	BlameThroughput   = "throughput"    // cut while bytes were still moving
	BlameArchiveSize  = "archive-size"  // larger than a bound
	BlameClientBudget = "client-budget" // the client's own bounds or queues
)

// Severity says how much a finding demands of its reader.
type Severity uint8

// The severities, least first.
const (
	SeverityInfo    Severity = iota // worth knowing
	SeverityWarning                 // somebody should act in time
	SeverityError                   // somebody must act, or something will go wrong
)

var severityNames = [...]string{"info", "warning", "error"}

// String returns the severity's name.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// ParseSeverity returns the severity of that name.
func ParseSeverity(name string) (Severity, bool) {
	i := slices.Index(severityNames[:], name)
	return Severity(max(i, 0)), i >= 0
}

// MarshalJSON implements json.Marshaler.
func (s Severity) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// UnmarshalJSON implements json.Unmarshaler.
func (s *Severity) UnmarshalJSON(b []byte) error {
	var name string
	if err := json.Unmarshal(b, &name); err != nil {
		return err
	}
	got, ok := ParseSeverity(name)
	if !ok {
		return fmt.Errorf("unknown severity %q", name)
	}
	*s = got
	return nil
}

// Finding is a sentence for a human.
type Finding struct {
	Kind     Kind     `json:"kind"`     // its stable name
	Severity Severity `json:"severity"` // how much it demands
	Subject  string   `json:"subject"`  // what it is about, as its kind says
	// Fingerprint names the incident that the finding is about, where it is
	// about one.
	Fingerprint string `json:"fingerprint"`
	Message     string `json:"message"` // the sentence
	// Action says what to do; empty where nothing follows.
	Action   string   `json:"action"`
	Evidence []string `json:"evidence"` // what it follows from
}

// sortFindings puts findings in their documented order and drops repetitions.
func sortFindings(fs []Finding) []Finding {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)),
			strings.Compare(a.Subject, b.Subject),
			strings.Compare(a.Fingerprint, b.Fingerprint),
			strings.Compare(a.Message, b.Message),
		)
	})
	if fs == nil {
		return []Finding{}
	}
	return slices.CompactFunc(fs, func(a, b Finding) bool {
		return a.Kind == b.Kind && a.Subject == b.Subject && a.Fingerprint == b.Fingerprint && a.Message == b.Message
	})
}
