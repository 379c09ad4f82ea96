// Package report writes an analyze.Analysis for people and for programs:
// [Text] for a terminal, [JSON] for everything else. Both are functions of the
// Analysis and of what they are told of the screen; they look at no terminal,
// environment or clock themselves.
package report
