// Package stage reads log records and says at which stage a transfer failed:
// the name was not resolved, the connection not made, the answer never begun,
// the body went silent, and so on, each with its evidence.
//
// The pieces are used in this order. [New] compiles the built-in rules, and
// any of the caller's, into a [Classifier]. [Classifier.Classify] attributes
// one record; [Classifier.ClassifyEvent] reads several records that are known
// to tell of one event, such as the lines of one program's run; [Combine]
// settles on one of several attributions of one occurrence.
//
// # How it reads
//
// A record is cut into words: CamelCase and snake_case names fall apart, so
// that ConnectTimeoutError, connect_timeout and "connect timeout" are the same
// two words. Word groups that mean the same thing (a timer ran out, a name was
// looked up, a pool was waited for) are declared once, in the lexicon, and the
// rules combine them: "name lookup" beside "timer ran out" is stage resolve
// whichever program wrote it. Rules for the codes and flags of single programs
// stand beside them in tables of their own. All rules are data; see [Rule] for
// their language.
//
// When several rules match, the order of preference is that of the
// vocabulary's definition: an explicit phase word or code, then a stack frame,
// then byte counts, then the kind of clock; between equals the innermost link
// of the exception chain wins. A line that only mentions a timeout (a setting,
// a help text, a test's name, a session or lock that expired) is attributed to
// nothing.
//
// The package knows nothing of incidents, budgets or rule files and is pure:
// same record, same answer. It promises that stage names are never renamed;
// confidences and rule identifiers may change between versions.
package stage
