// Package logfile reads log entries from files and pipes, whatever their
// format, compression and order, as one [ingest.Reader].
//
// [Open] looks at every input once before the first entry is read. The format
// and the compression are told by content. A regular, uncompressed file of
// lines is surveyed: a cheap pass over the timestamps says whether it is in
// order of time, where it starts and where it ends. A file in order is then
// decoded while it is read. Everything else (newest first, which is what
// logcli writes by default; compressed; a pipe; a document that is no sequence
// of lines) is decoded once into a spool that is sorted by time in memory and,
// beyond [Options.MemoryLimit], in a temporary file that is gone when the
// Reader is closed, whatever happened. So memory does not grow with the input.
//
// The order of the inputs does not matter: what they yield is merged by time,
// stream and, for entries of one stream and nanosecond, by the place in their
// input. Where entries of one stream and nanosecond come from several inputs,
// or from parts of a Loki answer between which there is no order, nobody knows
// which was first and [ingest.Entry.Ordered] is false.
package logfile
