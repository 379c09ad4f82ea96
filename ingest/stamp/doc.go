// Package stamp finds the timestamps that loggers put into their lines and
// resolves them to nanoseconds since 1970.
//
// A [Finder] looks where one kind of line has its time: at the start, behind a
// level, in the brackets of an access log, among the members of a JSON object.
// What the text leaves out, the year or the zone, a [Calendar] supplies by
// stated rules. Nothing here allocates or fails: a line without a time has
// none.
package stamp
