package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Layer is where a value comes from. A higher one wins.
type Layer uint8

// The layers, lowest first.
const (
	Default Layer = iota
	FromFile
	FromProfile
	FromEnvironment
	FromFlag
)

// Value is what a key is set to.
type Value struct {
	Key *Key
	// Name is the key's name with the names that * stood for.
	Name string
	// Texts are the parts of a list, or the one text; nil is unset.
	Texts []string
	Layer Layer
	// Origin says where it comes from in words: the flag, the variable, the
	// place in the file.
	Origin string
}

// Secret reports whether the value is never shown.
func (v Value) Secret() bool { return v.Key.Kind.secret() }

// Text is the value as one text. A secret is not shown, nor are a program's
// arguments, among which one may be.
func (v Value) Text() string {
	switch {
	case v.Secret():
		return "<secret>"
	case v.Key.Kind == Command && len(v.Texts) > 1:
		return v.Texts[0] + " ..."
	}
	return strings.Join(v.Texts, " ")
}

// Settings are the values of all keys.
type Settings struct {
	File *File
	// Profile is the one in effect; empty for none.
	Profile string
	values  []Value
}

// Source is what lies above the file.
type Source struct {
	Profile string // chosen by flag or variable; empty leaves the choice to the file
	// Getenv is the environment, Flag the value of a flag that was given.
	Getenv func(string) string
	Flag   func(name string) (texts []string, given bool)
}

// ProfileError is a profile that the file does not have.
type ProfileError struct {
	Profile, Hint string
}

// Error names the profile and those there are.
func (e *ProfileError) Error() string {
	return fmt.Sprintf("there is no profile %q: %s", e.Profile, e.Hint)
}

// VariableError is a variable with a value that its key cannot have.
type VariableError struct {
	Variable string
	Err      error
}

// Error names the variable.
func (e *VariableError) Error() string { return e.Variable + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *VariableError) Unwrap() error { return e.Err }

// Resolve decides every key. Errors are *ProfileError and *VariableError.
func Resolve(f *File, keys []Key, src Source) (*Settings, error) {
	s := &Settings{File: f, Profile: src.Profile}
	if s.Profile == "" {
		s.Profile = f.profile
	}
	if _, ok := f.profiles[s.Profile]; s.Profile != "" && !ok {
		return nil, &ProfileError{s.Profile, meant(s.Profile, f.Profiles())}
	}
	layers := make([][]Value, FromFlag+1)
	for _, set := range f.general {
		layers[FromFile] = append(layers[FromFile], f.value(set, FromFile, ""))
	}
	for _, set := range f.profiles[s.Profile] {
		layers[FromProfile] = append(layers[FromProfile], f.value(set, FromProfile, "profile "+s.Profile+", "))
	}
	for i := range keys {
		k := &keys[i]
		if text := src.Getenv(k.Env); k.Env != "" && text != "" {
			texts := []string{text}
			if k.Kind.list() {
				texts = strings.Split(text, string(os.PathListSeparator))
			}
			for _, t := range texts {
				if err := k.check(t); err != nil {
					return nil, &VariableError{k.Env, err}
				}
			}
			layers[FromEnvironment] = append(layers[FromEnvironment], Value{Key: k, Name: k.Name, Texts: texts, Layer: FromEnvironment, Origin: "environment " + k.Env})
		}
		if k.Flag != "" && src.Flag != nil {
			if texts, given := src.Flag(k.Flag); given {
				layers[FromFlag] = append(layers[FromFlag], Value{Key: k, Name: k.Name, Texts: texts, Layer: FromFlag, Origin: "flag --" + k.Flag})
			}
		}
	}
	s.merge(keys, layers)
	return s, nil
}

func (f *File) value(set setting, layer Layer, before string) Value {
	return Value{Key: set.key, Name: set.name, Texts: set.texts, Layer: layer, Origin: fmt.Sprintf("%s%s:%d:%d", before, f.Path, set.line, set.column)}
}

// merge keeps for every name, and for every group, what the highest layer
// says, in the order of keys.
func (s *Settings) merge(keys []Key, layers [][]Value) {
	taken := map[string]Layer{} // by name and group
	var kept []Value
	for layer := int(FromFlag); layer > int(Default); layer-- {
		for _, v := range layers[layer] {
			id := v.Name
			if v.Key.Group != "" {
				id = "group " + v.Key.Group
			}
			if at, ok := taken[id]; ok && (at != Layer(layer) || v.Key.Group == "") {
				continue
			}
			taken[id] = Layer(layer)
			kept = append(kept, v)
		}
	}
	for i := range keys {
		k := &keys[i]
		var of []Value
		for _, v := range kept {
			if v.Key.Name == k.Name {
				of = append(of, v)
			}
		}
		if len(of) == 0 && !strings.Contains(k.Name, "*") {
			of = []Value{{Key: k, Name: k.Name, Origin: "default"}}
		}
		slices.SortFunc(of, func(a, b Value) int { return strings.Compare(a.Name, b.Name) })
		s.values = append(s.values, of...)
	}
}

// Values lists every value in the order of the keys; those that are unset have
// the layer Default and no texts.
func (s *Settings) Values() []Value { return s.values }

// Get returns the value of a key, which has no * in its name.
func (s *Settings) Get(name string) Value {
	for _, v := range s.values {
		if v.Name == name {
			return v
		}
	}
	return Value{Key: &Key{Name: name}, Name: name}
}

// Text returns the value of a key as one text, secrets and all; empty if it is
// unset.
func (s *Settings) Text(name string) string {
	if v := s.Get(name); len(v.Texts) > 0 {
		return v.Texts[0]
	}
	return ""
}
