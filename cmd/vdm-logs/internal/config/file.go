package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxFileBytes bounds a configuration file.
const maxFileBytes = 1 << 20

// Problem is something wrong at a place of the file.
type Problem struct {
	File         string
	Line, Column int // from 1; 0 is unknown
	Message      string
	Hint         string // what was probably meant, or empty
}

// Error tells the place, what is wrong, and what was probably meant.
func (p Problem) Error() string {
	place := p.File
	if p.Line > 0 {
		place += ":" + strconv.Itoa(p.Line)
		if p.Column > 0 {
			place += ":" + strconv.Itoa(p.Column)
		}
	}
	if p.Hint != "" {
		return place + ": " + p.Message + " (" + p.Hint + ")"
	}
	return place + ": " + p.Message
}

// Error is a file that cannot be used: all that is wrong with it, in order.
type Error struct{ Problems []Problem }

// Error tells every problem on a line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// setting is one key that the file sets.
type setting struct {
	key          *Key
	name         string
	texts        []string
	line, column int
}

// File is a configuration file that was read. The zero value says nothing.
type File struct {
	// Path is where it was read from; empty for none.
	Path string

	profile  string // the one that the file chooses
	general  []setting
	profiles map[string][]setting
}

// Profiles lists the names of the profiles, sorted.
func (f *File) Profiles() []string {
	names := make([]string, 0, len(f.profiles))
	for name := range f.profiles {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Chosen is the profile that the file chooses; empty for none.
func (f *File) Chosen() string { return f.profile }

// InlineSecret reports the first place at which the file itself holds a
// secret, rather than the name of a file or command that does.
func (f *File) InlineSecret() (Problem, bool) {
	all := slices.Clone(f.general)
	for _, name := range f.Profiles() {
		all = append(all, f.profiles[name]...)
	}
	for _, s := range all {
		if s.key.Kind.secret() {
			return Problem{File: f.Path, Line: s.line, Column: s.column, Message: s.name + " is a secret"}, true
		}
	}
	return Problem{}, false
}

// Load reads a file. Errors are *Error for what stands in it, else those of
// reading.
func Load(path string, keys []Key) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return Parse(path, text, keys)
}

// Parse reads the text of a file; the path is for messages, and its folder is
// where relative paths start.
func Parse(path string, text []byte, keys []Key) (*File, error) {
	r := &reader{file: &File{Path: path, profiles: map[string][]setting{}}, keys: keys, dir: filepath.Dir(path)}
	if len(text) > maxFileBytes {
		r.report(nil, fmt.Sprintf("larger than %d bytes", maxFileBytes), "is this the right file?")
		return nil, &Error{r.problems}
	}
	root, ok := r.document(text)
	if ok && root != nil {
		r.top(root)
	}
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Line - b.Line })
		return nil, &Error{r.problems}
	}
	return r.file, nil
}

// reader walks the nodes of a file.
type reader struct {
	file     *File
	keys     []Key
	dir      string
	problems []Problem
}

func (r *reader) report(n *yaml.Node, message, hint string) {
	p := Problem{File: r.file.Path, Message: message, Hint: hint}
	if n != nil {
		p.Line, p.Column = n.Line, n.Column
	}
	r.problems = append(r.problems, p)
}

// yamlLine finds the line in a message of the YAML module, which has no other
// place for it.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// document returns the root of the only document, nil if it is empty.
func (r *reader) document(text []byte) (*yaml.Node, bool) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	err := dec.Decode(&doc)
	if err == io.EOF {
		return nil, true
	}
	if err == nil {
		if err = dec.Decode(&second); err == nil {
			r.report(&second, "a second document", "only one is read; leave out the ---")
			return nil, false
		}
	}
	if !errors.Is(err, io.EOF) {
		message := err.Error()
		p := Problem{File: r.file.Path}
		if m := yamlLine.FindStringSubmatch(message); m != nil {
			p.Line, _ = strconv.Atoi(m[1])
			message = message[len(m[0]):]
		}
		p.Message = "no YAML: " + message
		r.problems = append(r.problems, p)
		return nil, false
	}
	if len(doc.Content) == 0 {
		return nil, true
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, true
	}
	return root, true
}

// pair is a name of a map and what it names.
type pair struct{ name, value *yaml.Node }

// pairs lists what a map holds; what is no map, and what stands there twice,
// is reported.
func (r *reader) pairs(n *yaml.Node, of string) []pair {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.report(n, of+" must be a map", "write name: value")
		return nil
	}
	var out []pair
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		switch {
		case name.Kind != yaml.ScalarNode || name.Tag == "!!merge":
			r.report(name, "a name must be a plain text", "")
		case value.Kind == yaml.AliasNode:
			r.report(value, "aliases are not read", "write the value out")
		case seen[name.Value] > 0:
			r.report(name, fmt.Sprintf("%q is already on line %d", name.Value, seen[name.Value]), "keep one of the two")
		default:
			seen[name.Value] = name.Line
			out = append(out, pair{name, value})
		}
	}
	return out
}

func (r *reader) top(root *yaml.Node) {
	var chosen *yaml.Node
	for _, p := range r.pairs(root, "the file") {
		switch p.name.Value {
		case "profile":
			if p.value.Kind != yaml.ScalarNode {
				r.report(p.value, "profile must be the name of a profile", "")
				continue
			}
			chosen, r.file.profile = p.value, p.value.Value
		case "profiles":
			for _, q := range r.pairs(p.value, "profiles") {
				r.file.profiles[q.name.Value] = r.walk(nil, q.value, nil)
			}
		default:
			r.file.general = r.step(r.file.general, p, nil)
		}
	}
	if chosen == nil || r.file.profile == "" {
		return
	}
	if _, ok := r.file.profiles[r.file.profile]; !ok {
		r.report(chosen, fmt.Sprintf("there is no profile %q", r.file.profile), meant(r.file.profile, r.file.Profiles()))
	}
}

func meant(name string, candidates []string) string {
	if n := Nearest(name, candidates); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	if len(candidates) == 0 {
		return "there are none"
	}
	return "there are: " + strings.Join(candidates, ", ")
}

// walk appends the settings below a map.
func (r *reader) walk(out []setting, n *yaml.Node, prefix []string) []setting {
	of := strings.Join(prefix, ".")
	if of == "" {
		of = "a profile"
	}
	for _, p := range r.pairs(n, of) {
		out = r.step(out, p, prefix)
	}
	return out
}

// step appends what one name sets.
func (r *reader) step(out []setting, p pair, prefix []string) []setting {
	parts := append(slices.Clone(prefix), p.name.Value)
	for i := range r.keys {
		if k := &r.keys[i]; k.matches(parts) {
			name := strings.Join(parts, ".")
			if texts, ok := r.value(k, p.value, name); ok {
				out = append(out, setting{key: k, name: name, texts: texts, line: p.value.Line, column: p.value.Column})
			}
			return out
		}
	}
	if len(children(r.keys, parts)) > 0 {
		return r.walk(out, p.value, parts)
	}
	known := children(r.keys, prefix)
	if len(prefix) == 0 {
		known = append(known, "profile", "profiles")
	}
	r.report(p.name, fmt.Sprintf("unknown key %q", p.name.Value), meant(p.name.Value, known))
	return out
}
