package config

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Kind is what a key holds.
type Kind uint8

// The kinds of values.
const (
	Text    Kind = iota
	Bool         // true or false
	Int          // a whole number
	List         // texts
	Path         // a path, relative to the file's folder
	Paths        // several of them
	Secret       // a text that is never shown
	Secrets      // several of them
	Command      // a program and its arguments, relative to the file's folder if it holds a slash
)

var kindWords = [...]string{"a text", "true or false", "a whole number", "a list of texts", "a path", "a list of paths", "a text", "a list of texts", "a list: a program and its arguments"}

// String says what is wanted of a value of the kind.
func (k Kind) String() string { return kindWords[k] }

// list reports whether a value of the kind has several parts.
func (k Kind) list() bool {
	return k == List || k == Paths || k == Secrets || k == Command
}

// secret reports whether a value of the kind is never shown.
func (k Kind) secret() bool { return k == Secret || k == Secrets }

// Key is one thing that can be set.
type Key struct {
	// Name is where it stands in the file, dotted: loki.tls_config.ca_file. A
	// part that is * stands for any name.
	Name string
	Kind Kind
	// Env names the environment variable that sets it, Flag the flag; empty
	// for none. Lists are written in a variable with the system's path-list
	// separator.
	Env, Flag string
	// Help says in a few words what it is; Default what holds without it.
	Help, Default string
	// Check refuses values; nil takes all of the kind.
	Check func(string) error
	// Group names keys that exclude each other or belong together: all of
	// them are taken from one layer, the highest that says anything of them.
	Group string
}

// matches reports whether the key stands for the name of these parts.
func (k *Key) matches(parts []string) bool {
	want := strings.Split(k.Name, ".")
	return len(want) == len(parts) && hasPrefix(want, parts)
}

// children returns the names that may follow a prefix of parts, in the order
// of keys; "*" among them is any.
func children(keys []Key, prefix []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, k := range keys {
		parts := strings.Split(k.Name, ".")
		if len(parts) <= len(prefix) || !hasPrefix(parts, prefix) {
			continue
		}
		if next := parts[len(prefix)]; !seen[next] {
			seen[next] = true
			out = append(out, next)
		}
	}
	return out
}

func hasPrefix(parts, prefix []string) bool {
	for i := range prefix {
		if parts[i] != "*" && parts[i] != prefix[i] {
			return false
		}
	}
	return true
}

// Nearest returns the candidate that was probably meant by name, or "": at
// most a third of its letters may differ, one at least.
func Nearest(name string, candidates []string) string {
	if len(name) > 100 {
		return ""
	}
	fold := strings.NewReplacer("-", "_")
	want := fold.Replace(strings.ToLower(name))
	best, bound := "", max(1, len([]rune(name))/3)+1
	for _, c := range candidates {
		got := fold.Replace(strings.ToLower(c))
		d := levenshtein.ComputeDistance(want, got)
		if d == 2 && letters(want) == letters(got) {
			d = 1 // two letters changed places
		}
		if d < bound && c != name {
			best, bound = c, d
		}
	}
	return best
}

// letters are the letters of s in order of the alphabet.
func letters(s string) string {
	r := []rune(s)
	slices.Sort(r)
	return string(r)
}
