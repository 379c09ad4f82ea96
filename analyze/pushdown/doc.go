// Package pushdown analyzes a log by what its server counts: the lines that
// matter are counted there by Source and minute, only they are read, for their
// times, and what stands around a few of them is read whole. What looks like
// those samples is taken to be like them.
//
// [Run] does it in this order: it asks a few short slices of the window what
// the server's own level is worth ([LinesOf] says which lines matter), counts,
// reads what was counted, gathers those lines to groups as records are written,
// reads samples of the groups that look alike, and gives every group the
// records of a sample at its own time. A line that is a whole record by itself,
// as JSON is, is taken as it is.
//
// What it cannot know is said in the notes of the result; what could not be
// read is a problem in its statistics. The package knows nothing of the
// server's language: a [Server] is asked in expressions (RE2) and labels.
package pushdown
