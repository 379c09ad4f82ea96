package analyze

import (
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Config is what on-call knows beside the logs, compiled from rule files. The
// zero Config is valid: everything is then decided by built-in knowledge.
type Config struct {
	// Rules identify records, StageRules attribute them to stages; both are
	// tried before what is built in.
	Rules      []fingerprint.Rule
	StageRules []stage.Rule
	// Effects are what Rules say beyond the identity, by the rule's ID.
	Effects map[string]Effect
	// Aliases map fingerprints to those that took their place when rules
	// changed, so that issues attributed by the old ones are still found.
	Aliases   map[string]string
	Budgets   []Budget
	Schedules []Schedule
	Rolls     []Roll
	Issues    []Issue
	// Query is defaults.query: the LogQL selector to read when none is given.
	Query string
}

// Budget is a named time bound.
type Budget struct {
	Name string
	// Duration is the bound, Expression the text that it was computed from.
	Duration   time.Duration
	Expression string
	// Attempts is how often the inner work is tried within the bound; at
	// least 1.
	Attempts int
	// Bounds are the stages that this budget can end.
	Bounds []stage.Name
	// Contains names the budgets that run inside this one.
	Contains []string
	// Sources are globs: records of these Sources are this budget firing.
	Sources []Glob
}

// Schedule is a configured clock.
type Schedule struct {
	Name  string
	Every time.Duration
	// Expression is the text that Every was computed from.
	Expression string
}

// Roll is a deployment: when it happened, to which streams, and which issues
// it claims to fix.
type Roll struct {
	Name     string
	At       time.Time
	Selector string                    // as written; empty means every stream
	Match    func(*ingest.Stream) bool // compiled Selector; nil means every stream
	Fixes    []int
}

// Issue is an issue of the tracker and the Sources it is about.
type Issue struct {
	Number   int
	State    string    // "open" or "closed"
	ClosedAt time.Time // zero where unknown
	Title    string
	URL      string
	// Sources are globs over Sources; Fingerprints and MaskedIDs name
	// incidents outright.
	Sources      []Glob
	Fingerprints []string
	MaskedIDs    []string
	// Masked says that the tracker's incident node of the folded masked id
	// points at this issue.
	Masked bool
}
