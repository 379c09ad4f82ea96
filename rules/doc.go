// Package rules reads rule files: what on-call knows beside the logs, written
// as YAML, compiled into the types of analyze and fingerprint.
//
// The language is described in package rules/syntax and, to the letter, in
// the JSON Schema that [Schema] returns; files are validated with that same
// schema, so the two cannot differ.
//
// [Load] reads files and folders, follows their includes, merges them and
// returns a [Set], whose Config goes to analyze. [Check] reads the same way
// and returns every [Problem] of every file, with positions down to the
// character inside a quoted text. Both need nothing but the files.
//
// Ids of checks, of rules in the built-in pack, and keys of the language are
// stable: they are added, never renamed. A rule file of version 1 keeps its
// meaning.
package rules

import "github.com/vdm-logs/vdm-logs/rules/internal/ruleschema"

// Schema returns the JSON Schema (2020-12) of rule files. It is the schema
// that Load and Check validate with. The caller must not change it.
func Schema() []byte { return ruleschema.Rules() }
