// Package builtin holds the rules that are shipped inside the program, one
// file for each emitter. They are written in the language of rule files, each
// with tests; package rules loads them.
//
// The rules name events and leave the Source to its default wherever the
// category or the service is the better Source: a rule must not fold what
// services emit apart. Their priorities are negative, so that any rule of a
// user's decides first; a user's rule of the same id replaces the built-in one.
package builtin

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed *.yaml
var files embed.FS

// Each calls f with the name and text of every file, sorted by name.
func Each(f func(name string, text []byte)) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic(fmt.Sprintf("embedded rules: %v", err))
	}
	for _, e := range entries {
		text, err := fs.ReadFile(files, e.Name())
		if err != nil {
			panic(fmt.Sprintf("embedded rules: %v", err))
		}
		f(e.Name(), text)
	}
}
