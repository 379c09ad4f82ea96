package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// The exit codes of every command.
const (
	exitOK          = 0   // fine
	exitNo          = 1   // the answer is "no"
	exitUsage       = 2   // wrong use, or an unusable rule file
	exitPartial     = 3   // something could not be read
	exitRefused     = 4   // authentication or permission
	exitUnreachable = 5   // unreachable, stalled or timed out
	exitInterrupted = 130 // interrupted
)

const exitCodesHelp = `Exit codes: 0 fine; 1 the answer is "no" (findings at or above --fail-on,
failing tests, a transfer refused for size, status, digest or truncation);
2 wrong use or an unusable rule file; 3 partial; 4 refused (authentication,
permission); 5 unreachable, stalled or timed out; 130 interrupted. When
several hold: 130, 2, 4, 5, 1, 3 in this order.`

// precedence orders the codes: of several that hold, the earliest wins.
var precedence = []int{exitInterrupted, exitUsage, exitRefused, exitUnreachable, exitNo, exitPartial}

// codeError is an error that names the exit code its kind maps to. A nil err
// means that everything has been said already and only the code remains.
type codeError struct {
	code int
	err  error
	hint string // a line that shows the way out, or empty
}

func (e codeError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e codeError) Unwrap() error { return e.err }

// usageError is a mistake in how the program was called.
type usageError struct {
	err  error
	hint string
}

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// usageArgs makes a failing argument check a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err: err, hint: fmt.Sprintf("Run '%s --help' for its arguments.", cmd.CommandPath())}
		}
		return nil
	}
}

// spoken takes joined errors apart and leaves out those that carry an exit
// code and have nothing left to say.
func spoken(err error) []error {
	switch e := err.(type) {
	case nil:
		return nil
	case codeError:
		if e.err == nil {
			return nil
		}
	case interface{ Unwrap() []error }:
		var out []error
		for _, inner := range e.Unwrap() {
			out = append(out, spoken(inner)...)
		}
		return out
	}
	return []error{err}
}

// hintOf returns the hint of the first error in err's chain that has one.
func hintOf(err error) string {
	var ue usageError
	if errors.As(err, &ue) && ue.hint != "" {
		return ue.hint
	}
	var ce codeError
	if errors.As(err, &ce) {
		return ce.hint
	}
	return ""
}

// exitCode chooses the exit code of a run; it is the only place that does.
// Errors joined with errors.Join are weighed by precedence.
func exitCode(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	held := map[int]bool{}
	collectCodes(err, held)
	if ctx.Err() != nil {
		held[exitInterrupted] = true
	}
	for _, code := range precedence {
		if held[code] {
			return code
		}
	}
	return exitUsage
}

// collectCodes walks the tree of err and notes every code in it.
func collectCodes(err error, held map[int]bool) {
	switch e := err.(type) {
	case codeError:
		held[e.code] = true
	case usageError:
		held[exitUsage] = true
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			collectCodes(inner, held)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			collectCodes(inner, held)
		}
	}
}
