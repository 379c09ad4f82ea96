// Package ingest holds the words in which log input is spoken of: entries as
// they were shipped, the streams they belong to, the half-open window that is
// read, and the records that are assembled from entries.
//
// The pieces are used in this order. A [Reader] yields entries in the total
// order (time, stream, arrival). An [Assembler] takes them and hands on
// [Record]s: one logical log line each, whether it was shipped as a single
// entry or as a header with continuation lines, each an entry of its own.
// Sub-packages read concrete sources: ingest/logfile files and pipes,
// ingest/loki a Loki server.
//
// The package imports nothing outside the standard library and holds no
// global state. Types are plain data; unless said otherwise a value must not
// be used by two goroutines at once.
package ingest
