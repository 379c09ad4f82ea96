package analyze

// The modes of a ServerRead.
const (
	// ServerWhole: every line of the query was read.
	ServerWhole = "whole"
	// ServerTwoPhase: the server filtered the lines that matter, then what
	// stands around them was read.
	ServerTwoPhase = "two-phase"
	// ServerPushdown: the server counted, and samples were read.
	ServerPushdown = "pushdown"
)

// ServerRead says what the log server did of the work, and what was counted
// there instead of being read.
type ServerRead struct {
	Mode string `json:"mode"` // whole, two-phase or pushdown
	// Reason says why everything was read although less was asked for.
	Reason string `json:"reason,omitempty"`
	// Filters are the stages that were put behind the selector, each in a query
	// of its own.
	Filters []string `json:"filters"`
	// HitLines and HitBytes are what came through the filters.
	HitLines int64 `json:"hitLines"`
	HitBytes int64 `json:"hitBytes"`
	// Ranges is how many stretches of time were read whole, CoveredNs how long
	// they are together. Read.Entries and Read.Bytes are what that gave.
	Ranges    int   `json:"ranges"`
	CoveredNs int64 `json:"coveredNs"`
	// Counts are the lines that came through the filters by what emitted them,
	// as the server counts them by the minute, sorted by Source; only with
	// pushdown.
	Counts []ServerCount `json:"counts,omitempty"`
	// CountedEntries and CountedStreams are what the server counts in the
	// window, whether it was read or not; 0 where it was not asked.
	CountedEntries int64 `json:"countedEntries"`
	CountedStreams int   `json:"countedStreams"`
	// EstimatedBytes is how large the server takes all of it to be.
	EstimatedBytes int64 `json:"estimatedBytes"`
	// Notes tell what cannot be known this way.
	Notes []string `json:"notes"`
}

// ServerCount is how many lines the server counts of one Source.
type ServerCount struct {
	// Source is what the server takes from the line: what a rule makes the
	// Source, a pipeline's Source, a logger's category, else the service of the
	// stream; empty where none is known.
	Source  string `json:"source"`
	Lines   int64  `json:"lines"`
	Minutes int    `json:"minutes"` // in how many minutes there are any
}
