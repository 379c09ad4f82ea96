package analyze

import (
	"testing"
	"time"
)

// TestIssuesShareSources: of several issues whose patterns match a Source the
// one that names it most closely has it, and an open one before a closed one.
func TestIssuesShareSources(t *testing.T) {
	closedAt := day.Add(time.Hour)
	for _, c := range []struct {
		name   string
		issues []Issue
		want   string
		not    string
		number int // of the incident of shop
	}{
		{"a closed glob over an open name", []Issue{
			{Number: 7, State: "closed", ClosedAt: closedAt, Sources: []Glob{"*//Standard-AttemptTimeout"}, Masked: true, MaskedIDs: []string{"4c7856a2414c6b32"}},
			{Number: 8, State: "open", Sources: []Glob{shop}}, {Number: 9, State: "open", Sources: []Glob{depot}}}, "issue-do-not-reopen 7", "issue-reopen", 8},
		{"a closed name under an open glob", []Issue{
			{Number: 7, State: "closed", ClosedAt: closedAt, Sources: []Glob{shop}},
			{Number: 8, State: "open", Sources: []Glob{"*"}}}, "issue-reopen 7", "issue-do-not-reopen", 7},
		{"both name it, one is open", []Issue{
			{Number: 7, State: "closed", ClosedAt: closedAt, Sources: []Glob{shop}},
			{Number: 8, State: "open", Sources: []Glob{shop}}}, "source-folded 4c7856a2414c6b32", "issue-reopen", 8},
	} {
		s := newScript(t)
		s.timeouts("p", 0, 8, shop)
		s.timeouts("p", 30*time.Minute, 8, depot)
		an := s.analyze(Options{Config: Config{Issues: c.issues}})
		if !has(an, c.want) {
			t.Errorf("%s: no %s among %v", c.name, c.want, told(an))
		}
		for _, f := range an.Findings {
			if string(f.Kind) == c.not {
				t.Errorf("%s: %s %s: %s", c.name, f.Kind, f.Subject, f.Message)
			}
		}
		if is := an.of(t, shop).Issue; is == nil || is.Number != c.number {
			t.Errorf("%s: issue %+v, want #%d", c.name, is, c.number)
		}
	}
}
