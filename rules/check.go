package rules

import "time"

// CheckOptions say what Check looks at beyond the files' own text.
type CheckOptions struct {
	// MinSeverity leaves out problems below it.
	MinSeverity Severity
	// Now is the time at which comments that silence a check expire; zero
	// lets none expire.
	Now time.Time
	// Corpus adds what it shows about the rules; nil if there is none.
	Corpus *Corpus
}

// Check reads rule files and folders like Load and returns every problem of
// every file, files of tests included, sorted by file and place. It needs
// nothing but the files.
//
// A comment silences a warning or remark on its line, or on the next if it
// stands alone, and must say why; it may have a last day:
//
//	# vdm-logs: ignore budget/inverted until=2027-01-31 reason=waiting for the new client
func Check(paths []string, o CheckOptions) []Problem {
	problems, _ := CheckFiles(paths, o)
	return problems
}

// CheckFiles is Check that also returns the names of the files that were read.
func CheckFiles(paths []string, o CheckOptions) ([]Problem, []string) {
	return check(disk{}, paths, o)
}

// CheckSources is Check for files held in memory.
func CheckSources(sources []Source, o CheckOptions) []Problem {
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.Name
	}
	problems, _ := check(memory(sources), names, o)
	return problems
}

func check(t tree, paths []string, o CheckOptions) ([]Problem, []string) {
	r := reader{tree: t, tests: true}
	set, problems := r.set(paths, false, true)
	if o.Corpus != nil {
		problems = append(problems, o.Corpus.Problems()...)
	}
	problems = suppress(r.files, problems, o.Now)
	kept := problems[:0]
	for _, p := range sortProblems(problems) {
		if p.Severity >= o.MinSeverity {
			kept = append(kept, p)
		}
	}
	return kept, set.Files
}
