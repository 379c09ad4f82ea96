// Package report writes an analyze.Analysis for people and for programs.
//
// [Text] is for a terminal, [HTML] for a browser, [Markdown] for what people
// paste, [IssueBody] for an issue; [JSON] and [JSONL] are for programs, and
// [ReadAnalysis] reads either back. All are functions of the Analysis and of
// what they are told of the reader's screen and zone: they look at no terminal,
// environment or clock themselves, and write the same bytes for the same
// Analysis. What logs say is shown as text in every form, whatever it says.
package report
