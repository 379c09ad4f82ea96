// Package analyze turns records into an [Analysis]: incidents keyed by what
// emitted them, their recurrences and transfer stages, and the findings a
// human acts on.
//
// The pieces are used in this order. [New] makes an [Analyzer] from [Options];
// [Analyzer.Add] takes each record once, in the order of an ingest.Assembler;
// [Analyzer.Finish] joins occurrences across layers, asks analyze/period and
// analyze/stage, and returns the Analysis, which is plain data: every output,
// the history and the tests read the same struct, and its JSON form is the
// command's -o json.
//
// An incident is every fingerprint with a record at error level or above, or
// at warning level or above when that record tells of a failed transfer.
// Records whose level nobody stated count when they tell of a failed
// transfer. An incident's records are those and no others: an informational
// record that shares the template of an error (Polly's "Execution attempt")
// is no part of it.
//
// The result is a function of the multiset of records and of the Options.
// Secrets are redacted before anything enters an Analysis. Memory is bounded
// by [Limits]; reaching a limit is a finding.
//
// The package is part of the public API: fields are added, never renamed.
package analyze
