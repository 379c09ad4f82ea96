// Package loki reads log entries from a Loki server over HTTP.
//
// A [Config], usually filled from logcli's environment variables by
// [FromEnv], makes a [Client]. [Client.Read] answers a log query over a window
// as an [ingest.Reader] in the total order.
//
// Reading is verified: the server is asked to count the lines of the window
// bucket by bucket, ranges are then read whose lines fit one page, and what
// was received is compared with what was counted. This is the only safe way:
// released servers return pages with gaps, ends and limits of pages fall
// between lines of one nanosecond, and a look-back limit answers with nothing
// and status 200. A difference that stays after reading again is a Problem of
// the Reader's Stats that names the range, and the answer is partial. Where
// the server does not count (or [ReadOptions.Unverified]), pages are read one
// after the other, correct with ties, and the Stats say so.
//
// What stands around places ([Client.ReadNear]) is counted only where an answer
// is full or made of several shards: gaps come from those.
//
// [Client.ReadAround] reads in two phases, first the lines that matter, filtered
// by the server, then what stands around them; [Client.CountBy] sends nothing
// but counts. So a large Loki does the work and this process stays small.
//
// A Client may be used by several goroutines; a Reader by one.
package loki
