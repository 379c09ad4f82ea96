package rules

import (
	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Set is a number of rule files, merged and compiled. It is immutable and may
// be shared between goroutines.
type Set struct {
	// Config is what analyze works with. Its Rules are in the order in which
	// they are tried among equal priorities: that of the files, then that
	// within a file.
	Config analyze.Config
	// Rules are the same rules with what the files say beside the identity.
	Rules []*Rule
	// Tests are the tests that belong to no rule, from sections of their own
	// and from annotated logs.
	Tests []Test
	// Files are the names of the files that were read, in order.
	Files []string
	// Problems are the warnings and remarks of the load, sorted.
	Problems []Problem
}

// Rule is one compiled rule.
type Rule struct {
	fingerprint.Rule
	Description string
	// File, Line and Col are where the rule's id stands.
	File      string
	Line, Col int
	// Text is the rule as it is written, an element of a list.
	Text string
	// Builtin says that the rule is part of the program.
	Builtin bool
	// Effect is what a match says beyond the identity.
	Effect Effect
	// Tests are the rule's own tests.
	Tests []Test
}

// Effect is what a rule says of the records it matches, beyond what they are.
type Effect struct {
	// Stage is the stage that the records tell of; empty if the rule does not
	// say.
	Stage stage.Name
	// Bounds are the stages of which the records may tell, as with a budget.
	Bounds []stage.Name
	// Severity replaces the records' level; LevelUnknown if it does not.
	Severity ingest.Level
}

// IsZero reports whether the effect changes nothing.
func (e Effect) IsZero() bool {
	return e.Stage == "" && len(e.Bounds) == 0 && e.Severity == ingest.LevelUnknown
}

// Load reads rule files, and the folders' files that end in .yaml or .yml,
// with everything they include, and merges them. Files whose names end in
// _test.yaml hold tests and are passed over in folders.
//
// If any file has an error, Load returns a *ProblemsError that tells of all
// of them, and no Set. Warnings are in the Set.
func Load(paths []string) (*Set, error) { return load(disk{}, paths, false) }

// LoadWithBuiltin is Load with the rules that are shipped inside the program
// behind those of the files. A rule of a file replaces the built-in rule of
// the same id. Without paths, the Set is the built-in pack.
func LoadWithBuiltin(paths []string) (*Set, error) { return load(disk{}, paths, true) }

// LoadSources is Load for files held in memory. Includes are looked up among
// the sources, with slashes in their names.
func LoadSources(sources []Source) (*Set, error) {
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.Name
	}
	return load(memory(sources), names, false)
}

// LoadTests is LoadWithBuiltin for running tests: in folders, files named
// *_test.yaml are read too, and logs named *_test.log, in which a comment
// above a record says what it must come to:
//
//	# rule: shop.lease-lost        the rule that must decide
//	# ok: shop.lease-lost          a rule that must not
//	# todo-rule: shop.lease-lost   a rule that does not decide yet and should
func LoadTests(paths []string) (*Set, error) {
	r := reader{tree: disk{}, tests: true}
	set, problems := r.set(paths, true, false)
	return finish(set, problems)
}

func load(t tree, paths []string, builtin bool) (*Set, error) {
	r := reader{tree: t}
	set, problems := r.set(paths, builtin, false)
	return finish(set, problems)
}

func finish(set *Set, problems []Problem) (*Set, error) {
	problems = sortProblems(problems)
	if worst, ok := Worst(problems); ok && worst == Error {
		return nil, &ProblemsError{Problems: problems}
	}
	set.Problems = problems
	return set, nil
}

// set reads and compiles, whatever problems there are; deep runs the checks
// that run the rules, too.
func (r *reader) set(paths []string, builtin, deep bool) (*Set, []Problem) {
	r.readPaths(paths)
	if builtin {
		r.readBuiltin()
	}
	c := compile(r.files, deep)
	c.set.Tests = append(c.set.Tests, r.logs...)
	c.checkLogs(r.logs)
	return c.set, append(r.problems, c.problems...)
}
