// Package fingerprint gives log records stable identities.
//
// An [Identifier] looks at one [ingest.Record] and says what emitted it (its
// Source), which event it tells of, the exception chain's types, the message
// with its variable parts replaced by typed placeholders, and the topmost
// application frame of the stack. The [ID] is a hash of exactly these parts:
// a function of the record and of the rules alone, the same on any machine,
// in any order and in any version that does not raise the "fp1" it carries.
//
// The Source leads. It is decided by a [Rule] where one matches, by the
// built-in knowledge of Polly's telemetry events and of the lines of this
// module's transfer client, else it is the logger's category, else the
// service. It is never masked, so faults of two emitters never share an id.
//
// [Mask] replaces the variable parts of one text; it is what templates are
// made with and can be used alone. [Families] learns, over a whole window,
// which templates differ only in words that no mask can know; a family is for
// display and statistics and never an id. [Masked] computes the id that the
// old log watcher gave, which masks the Source, so that its incidents can be
// found again. [SourceGuard] finds Sources whose parts have no bound.
//
// # The id, byte by byte
//
// Let netstring(x) be the decimal number of bytes in x, a colon, the bytes of
// x, and a comma. The id is the first 8 bytes of the SHA-256 of
//
//	"fp1;" netstring(Source) netstring(Event) netstring(Exception)
//	       netstring(Head) netstring(Frame)
//
// where the five parts are those of an [Identity] and Head is the first 256
// bytes of its Template, cut back to before the last space among them when
// the template is longer (to the last whole UTF-8 sequence when there is no
// space). Its text form is "fp1:" and the 16 lower-case hex digits.
// testdata/id-vectors.json holds parts and their ids, testdata/mask-vectors.jsonl
// texts and their masked forms, for other implementations to check against.
//
// # Compatibility
//
// Whatever changes the id of an existing record (a mask, the normal form of a
// frame, the list of framework prefixes) raises the version in the prefix.
// The package imports nothing outside the standard library but the record
// type, does no input or output, and holds no global state that changes. Types
// are not safe for use by several goroutines unless they say so.
package fingerprint
