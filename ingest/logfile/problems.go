package logfile

import (
	"fmt"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// keptProblems is how many problems are kept of one input, and of all.
const (
	keptProblemsPerInput = 5
	keptProblems         = 20
)

// problem is a place of an input that could not be read.
type problem struct {
	at  string
	err error
}

// skip counts a piece that was no entry.
func (in *input) skip(p *pieceError) {
	if !p.kept {
		in.skipped++
	}
	in.partial = true
	in.note(p.place, p.err)
}

// fail notes that reading the input ended before its end.
func (in *input) fail(err error) {
	in.partial = true
	in.note("", fmt.Errorf("read up to here and no further: %w", err))
}

func (in *input) note(at string, err error) {
	if len(in.problems) < keptProblemsPerInput {
		in.problems = append(in.problems, problem{at: at, err: err})
	}
}

// collectProblems returns the first problems of all inputs, in the order in
// which the inputs were given.
func collectProblems(inputs []*input) []ingest.Problem {
	var all []ingest.Problem
	for _, in := range inputs {
		for _, p := range in.problems {
			if len(all) < keptProblems {
				all = append(all, ingest.Problem{Place: in.place(p.at), Err: p.err})
			}
		}
	}
	return all
}

// FormatError says that an input is of no known format.
type FormatError struct {
	Path string
	// Tried names the formats that were tried and why each was refused.
	Tried []Tried
}

// Tried is one format that did not fit an input.
type Tried struct {
	Format, Reason string
}

// Error names the input and every format that was tried.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s: no known log format: %d were tried", e.Path, len(e.Tried))
}
