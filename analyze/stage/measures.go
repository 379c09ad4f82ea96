package stage

// measures lists the patterns that read numbers out of a record whose stage
// has been decided by a rule that does not read them itself. A number is taken
// only where the words around it say what it counts.
func measures() []Rule {
	return []Rule{
		{ID: "of-bytes", Match: "did not complete after <elapsed> <received> of <declared> byte|bytes"},
		{ID: "of-bytes", Match: "did not complete after <elapsed> <received> of an undeclared"},
		{ID: "response-within", Match: "did not begin * within <budget>"},
		{ID: "silent-for", Match: "went silent for <budget>"},
		{ID: "received-of", Match: "received|downloaded|read|got|transferred|arrived <received> of|out <declared> bytes|byte|b"},
		{ID: "received-of", Match: "received|downloaded|read|got|transferred of <declared> bytes|byte"},
		{ID: "received-expected", Match: "received <received> expected <declared>"},
		{ID: "received-expected", Match: "expected <declared> * received <received>", Not: []string{"status"}},
		{ID: "downloading", Match: "downloading <received> <declared>"},
		{ID: "exceeds", Match: "declared <declared> ~ over|above|exceeds"},
		{ID: "timed-after", Match: "timed out after <elapsed> milliseconds with"},
		{ID: "after-ms", Match: "after <elapsed> ms {timeout}"},
		{ID: "after", Match: "{timeout} ~ after <after>"},
		{ID: "ends-at", Match: "prematurely|early|premature at|after <received> ~ should|expected|of|instead ~ <declared>"},
		{ID: "over-bound", Match: "size|length|entity|body|payload|content|file <declared> ~ exceeded|exceeds|larger|greater|over|above", Not: []string{"max|maximum|limit size|length"}},
		{ID: "currently", Match: "=timeout currently|current <budget>"},
		{ID: "currently", Match: "=timeout current value <budget>"},
		{ID: "progress", Match: "copying|downloading|pulling|fetching|uploading|transferring ** <received> <declared>", If: []string{"declared>0"}},
		{ID: "within", Match: "within <budget>"},
		{ID: "within", Match: "responded|answered|replied in <budget>"},
		{ID: "before", Match: "before =timeout <budget>"},
		{ID: "in-time", Match: "the last <budget>", Not: []string{"packet"}},
		{ID: "allowed", Match: "allowed =timeout of <budget>"},
		{ID: "configured", Match: "configured * =timeout of <budget>"},
		{ID: "configured", Match: "configured|allotted|allowed|specified =timeout <budget>"},
		{ID: "timeout-is-of", Match: "=timeout is|was <budget>"},
		{ID: "after-reading", Match: "after reading|receiving <received> bytes"},
		{ID: "lengths", Match: "data|actual|received|read length|size <received> ** expected|declared length|size <declared>"},
		{ID: "timeout-of", Match: "=timeout of <budget>"},
		{ID: "timeout-is", Match: "connect|connection|read|write|request|response|idle|socket =timeout <budget:s>", Not: []string{"=timeout # ms"}},
		{ID: "awaiting-for", Match: "timeout awaiting * for <budget>"},
		{ID: "over", Match: "trying to fetch ** over <budget>"},
		{ID: "execution-time", Match: "execution time <elapsed>", Not: []string{"event name"}},
		{ID: "elapsed", Match: "elapsed|took|elapsedms <elapsed>"},
		{ID: "elapsed", Match: "elapsed ms <elapsed:ms>"},
		{ID: "elapsed", Match: "duration|latency <elapsed>"},
		{ID: "elapsed", Match: "total|request time <elapsed>"},
		{ID: "elapsed", Match: "total|request time ms <elapsed:ms>"},
		{ID: "inactivity", Match: "inactivity <budget>"},
		{ID: "out-of-in", Match: "{timeout} ** out of ** in <elapsed>"},
	}
}
