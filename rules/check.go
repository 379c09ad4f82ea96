package rules

// CheckOptions say what Check looks at beyond the files' own text.
type CheckOptions struct {
	// MinSeverity leaves out problems below it.
	MinSeverity Severity
}

// Check reads rule files and folders like Load and returns every problem of
// every file, sorted by file and place. It needs nothing but the files.
func Check(paths []string, o CheckOptions) []Problem { return check(disk{}, paths, o) }

// CheckFiles is Check that also returns the names of the files that were read.
func CheckFiles(paths []string, o CheckOptions) ([]Problem, []string) {
	set, problems := read(disk{}, paths, false)
	return selected(problems, o), set.Files
}

// CheckSources is Check for files held in memory.
func CheckSources(sources []Source, o CheckOptions) []Problem {
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.Name
	}
	return check(memory(sources), names, o)
}

func check(t tree, paths []string, o CheckOptions) []Problem {
	_, problems := read(t, paths, false)
	return selected(problems, o)
}

// selected sorts problems and leaves out what the options do.
func selected(problems []Problem, o CheckOptions) []Problem {
	kept := problems[:0]
	for _, p := range sortProblems(problems) {
		if p.Severity >= o.MinSeverity {
			kept = append(kept, p)
		}
	}
	return kept
}
