// Package syntax describes the language of rule files; it holds no code.
//
// A rule file is YAML: one map with the key version and any of the sections
// below. Several files are merged as if they were one; names must differ
// across all of them. Every key that is not listed here is an error, and so
// is every name that nothing defines.
//
//	version: 1
//	include: [common/, clocks.yaml]   # files and folders, relative to this file
//	defaults:
//	  query: '{namespace=~"shop|shop-eu"}'
//
// # Rules
//
// A rule names records and says what identifies them. All conditions of match
// must hold. Of the rules that match a record the one with the highest
// priority decides, and among equals the first: by the order of files on the
// command line, then by that in the file.
//
//	version: 1
//	rules:
//	  - id: shop.lease-lost
//	    description: A worker lost the lease of its shard.
//	    priority: 10
//	    match:
//	      selector: '{namespace="shop"}'  # of the stream; metadata counts, too
//	      level: warn                     # at least
//	      category: Shop.Leases.*         # the logger; * is any text
//	      pattern: "Lease '<shard>' lost to <_> after <_>"
//	      unless:
//	        - pattern: "<_>during shutdown<_>"
//	    identity:
//	      source: "<category>/<shard>"
//	      event: LeaseLost
//	    severity: error
//	    tests:
//	      - log: |
//	          warn: Shop.Leases.Keeper[7]
//	                Lease 'orders' lost to shop-3 after 30 s
//	        want: {source: Shop.Leases.Keeper/orders, event: LeaseLost}
//	      - log: "warn: Shop.Leases.Keeper[7]\n      Lease 'orders' renewed"
//	        none: true
//
// Behind the rules of files the program asks what it knows without rules, the
// events of Polly's pipelines and the lines of package transfer, and then the
// built-in pack ('vdm-logs rules list'). A rule of a file decides before all of
// these whatever its priority; one with the id of a built-in rule replaces it.
// A change of the pack that would move a fingerprint raises their version.
//
// A match has a pattern or a regexp, or neither:
//
//   - pattern is Loki's pattern syntax, so that what works in LogQL can be
//     pasted. Text stands for itself, <name> captures, <_> skips. A pattern
//     begins at the start of the text unless it begins with a capture.
//   - regexp is RE2 with named groups, found anywhere in the text.
//
// Both look at the record's message and, if that does not fit, at the whole
// text of the record. Beside them:
//
//   - selector: Prometheus matchers over the stream's labels.
//   - level: trace, debug, info, warn, error or fatal; the least level.
//   - category: a glob over the logger's name.
//   - fields: names of a structured record's fields, each with a glob over
//     its value, or <name> to capture the value.
//   - unless: a list of exceptions, each with pattern, regexp or fields.
//   - none: true: records that match keep their default identity, whatever
//     rules of lower priority say.
//
// identity.source and identity.event are texts in which <name> stands for a
// capture, or for one of category, event_id, service, exception and level. A
// missing one leaves the default: Source is the category, else the service;
// the event is the exception's type.
//
// mask and keep change the template, never the Source: a capture named in
// mask appears as <name>, one named in keep as it was printed; keep also
// takes kinds of mask to switch off: num, dur, size, time, uuid, hex, ip, mac,
// email, url, url.host, host, path, str, pod, blob, ver, value, bool, user.
// A capture named in apart is masked as a text of its own: what stands in
// quotes is one value otherwise.
//
// stage names the transfer stage that the records tell of; bounds lists
// several of which they may. severity replaces the records' level.
//
// # Tests
//
// A test has a log: the lines of one record as they are shipped. want lists
// what must come of it: rule, source, event, exception, template, fingerprint,
// stage, level, captures, recurrence, records, incidents. none: true says that
// the rule must not match. The log can be repeated to make a clock:
//
//	version: 1
//	rules:
//	  - id: shop.cart-timeout
//	    match: {pattern: "cart <_> timed out"}
//	    identity: {event: CartTimeout}
//	    tests:
//	      - log: cart 17 timed out
//	        labels: {pod: shop-0}
//	        every: 180s
//	        count: 10
//	        jitter: 5ms
//	        seed: 1
//	        want: {records: 10, incidents: 1, recurrence: {period: 180s, tolerance: 1s}}
//
// A file named *_test.yaml holds tests in a section of its own; they name the
// rule in want. So does a log named *_test.log, by comments above records:
// "# rule: ID", "# ok: ID" (that rule must not decide), "# todo-rule: ID".
//
// # Budgets, schedules, rolls, issues
//
// A duration is a number with a unit (ns us ms s m h d w; 1h30m, 1.5s) or an
// expression over budgets with + - * and parentheses. A minus has a space on
// both sides, for names may hold one.
//
//	version: 1
//	budgets:
//	  - name: TransferStallBudget
//	    duration: 120s
//	    attempts: 3                            # how often the inner work is tried
//	    bounds: [no-response, body-stalled]    # stages that it can end
//	    sources: ["registry-*/Timeout"]        # records of these Sources are it firing
//	  - name: PerPackageBudget
//	    duration: 3 * TransferStallBudget + 1m
//	    contains: [TransferStallBudget]        # without bounds: outer-cancelled
//	schedules:
//	  - name: reconcile pass
//	    every: 3h
//	rolls:
//	  - name: streaming transfer
//	    at: 2026-09-19T08:05:00Z
//	    selector: '{namespace="shop"}'
//	    fixes: [4222]
//	issues:
//	  - number: 4222
//	    state: closed
//	    closed_at: 2026-09-19T17:30:00Z
//	    sources: ["registry-listing/*"]
//	    incident: masked
//
// bounds with one stage: a record of the budget is that stage; with several:
// total-deadline with candidates. sources are globs: * is any text, ? any one
// character, and a backslash takes the next character literally. An issue can
// also name fingerprints and masked_ids. incident: masked says that the
// tracker's incident of the folded masked id points at the issue.
//
// # Checks
//
// 'vdm-logs rules check' reports, by the ids of checks: what is no YAML that
// rule files may be (yaml/...), what the schema refuses (schema/...), what a
// file cannot be read for (file/...), and
//
//   - budget/duplicate, rule/duplicate, schedule/duplicate, roll/duplicate,
//     issue/duplicate, test/duplicate, defaults/duplicate, capture/duplicate:
//     two things of one name.
//   - duration/syntax, duration/zero, time/value, glob/syntax, pattern/syntax,
//     regexp/syntax, selector/syntax, selector/filter: a text that is none,
//     with the place inside it.
//   - budget/unknown-name, budget/cycle, budget/too-many, capture/undefined,
//     roll/unknown-issue, test/unknown-rule: a name that nothing defines, or that defines itself.
//   - identity/masked: a mask swallows a part of the Source.
//   - mask/kept, rule/none-with-identity, issue/open-with-closing-time: two
//     things that contradict each other.
//   - pattern/matches-empty, match/too-wide: a match that everything fits.
//
// Those are errors, but for roll/unknown-issue, match/too-wide and
// issue/open-with-closing-time. Warnings and remarks are, further:
//
//   - budget/inverted: an inner budget is not shorter than the one around it.
//   - budget/total-over-body: a clock over the whole of a streamed body.
//   - capture/unused: a capture that nothing uses.
//   - pattern/no-literal: nothing rules a line out quickly, so that the rule is
//     tried on every line; the steps of a try are counted on the lines of the
//     built-in rules, the same on every machine. With a corpus, the time that
//     a record costs there is told as well.
//   - cardinality/unbounded: a Source of which there is no end of values.
//   - order/ambiguous: two rules of one priority fit one record.
//   - rule/dead, rule/shadowed, rule/overlapping, issue/unknown-source: what
//     a corpus of logs shows.
//   - suppress/syntax, suppress/expired, suppress/unused: a comment that
//     silences nothing, or no longer.
//
// A comment silences a warning or remark on its line or, alone, on the next
// that is no comment. It must say why, and may have a last day:
//
//	# vdm-logs: ignore budget/inverted until=2027-01-31 reason=waiting for the new client
//
// # YAML
//
// A file has one document, of UTF-8 text, with no tags, no merge keys and no
// key twice. Anchors and aliases work as long as what they stand for stays
// small. Quote what begins with { [ * & ! % @ ` or holds ': '. Patterns are
// best put in single quotes, where a backslash is just a backslash.
package syntax
