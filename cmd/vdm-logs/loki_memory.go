package main

import (
	"os"
	"runtime/debug"
)

// lokiGCPercent is how much the heap may grow between collections while Loki
// is read, in percent of what is in use. Reading allocates next to nothing for
// a line, so that collections are rare, and half the usual growth costs no time
// that could be measured.
const lokiGCPercent = 50

// holdLess has memory collected sooner, until restore is called; GOGC, if it is
// set, decides instead.
func holdLess() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(lokiGCPercent)
	return func() { debug.SetGCPercent(before) }
}
