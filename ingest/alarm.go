package ingest

import "strings"

// What a line shows by itself of its record's level, for sources that can
// leave lines out: see [AlarmFold], [AlarmExact], [HarmlessLines].

// AlarmFold returns texts, to be found in any letter case. A record that the
// Assembler gives a level of error or above has a line that holds one of them
// or one of [AlarmExact], unless its structured metadata or its stream's labels
// alone say so; see [AlarmLabels]. So has the header of one with a warning.
func AlarmFold() []string {
	words := strings.Fields(`error eror fail severe fatal ftl crit alert emerg panic
exception interrupt cancel disconnect timeout traceback backtrace stacktrace stack_trace thrown exc_ [cause]:
err: err] err| "err =err [err |err (err :err .err /err merr`)
	// Below a header that states a warning, what tells more may not be kept.
	words = append(words, "warn", "wrn", " err", "\terr", "err ", "err\t", "caused by", "suppressed: ", `stack"`, "stack=")
	// A field that states the level in a way that is not known to be harmless.
	for _, name := range []string{"level", "lvl", "severity", "priority", "@l", "levelname", "level_name", "level.name", "levelstr",
		"severity_text", "severitytext", "severity_number", "severitynumber", "severity.code"} {
		words = append(words, name+`":`, name+`\":`, name+"=")
	}
	return words
}

// AlarmExact returns the texts of which the letter case counts: the letters of
// klog, glog and Android, syslog's priorities, the forms of stack traces.
func AlarmExact() []string {
	words := []string{"Fault", "tackTrace", "raceBack", "ackTrace", "** (", ":in `", ":in '", "---> ", `"@x"`, `s":"E`, `s":"F`, `s":"C`, `s": "E`, `s": "F`, `s": "C`, "s=E", "s=F", "s=C"}
	for _, letter := range "EFC" {
		l := string(letter)
		for month := 1; month <= 12; month++ {
			words = append(words, l+string(rune('0'+month/10))+string(rune('0'+month%10)))
		}
		words = append(words, l+"/", " "+l+" ")
	}
	for digit := '0'; digit <= '9'; digit++ {
		words = append(words, "<"+string(digit))
	}
	return words
}

// HarmlessLines returns regular expressions (RE2). A line that matches one of
// them states by itself that its record is below the level of a warning. They
// know the common loggers only: a line that matches none says nothing. All are
// anchored, so that most lines fail at their first character.
func HarmlessLines() []string {
	const (
		word    = `(?i:info|information|informational|inf|notice|success|debug|dbug|dbg|verbose|vrb|fine|config|trace|trce|trc|finest|finer|silly)`
		text    = `"(?:[^"\\]|\\.)*"`
		flat    = `[^\[\]{}"]*(?:` + text + `[^\[\]{}"]*)*`
		value   = `(?:` + text + `|[-+.\w]+|\{` + flat + `\}|\[` + flat + `\])`
		key     = `(?i:level|loglevel|log\.level|lvl|severity|severity_text|@l)`
		level   = `(?:"` + word + `"|"?(?:[567]|[0-3]\d)"?)`
		pair    = `[\w.@/-]+=(?:` + text + `|[^\s"]*)\s+`
		instant = `\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?`
		upper   = `(?:INFO|DEBUG|TRACE|INF|DBG|VRB)`
	)
	return []string{
		"^(?:info|dbug|trce): [A-Za-z_][\\w.+`]*\\[-?\\d+\\](?: |$)",
		`^[ID]\d{4} \d\d:\d\d:\d\d(?:\.\d+)? +\d+ [\w.-]+:\d+\] `,
		`^` + instant + ` +(?:` + upper + ` |\[` + upper + `\] )`,
		`^\{\s*(?:` + text + `\s*:\s*` + value + `\s*,\s*)*?"` + key + `"\s*:\s*` + level + `\s*[,}]`,
		`^(?:` + pair + `)*?(?:level|lvl|severity)="?` + word + `"?(?:\s|$)`,
	}
}

// DotnetMessageLine returns a regular expression (RE2) for lines that belong to
// the header of the .NET console before them, which states the level.
func DotnetMessageLine() string { return `^ {6}[^ ]` }

// AlarmLabels returns the names of labels and structured metadata that may give
// a record a level of error or above, each with a regular expression (RE2)
// that matches the whole of such a value.
func AlarmLabels() []Label {
	const level = `(?i:e|f|c|err|error.*|eror|fail|severe|fatal.*|ftl|crit|critical.*|alert|emerg|emergency|d?panic.*|err[+-].*|[0-3]|[5-9]\d)`
	all := []Label{{"severity_number", `1[7-9]|2[0-4]`}, {"SeverityNumber", `1[7-9]|2[0-4]`}, {"exception_type", `.+`}, {"exception_stacktrace", `.+`}}
	for _, name := range []string{"level", "severity", "severity_text", "SeverityText"} {
		all = append(all, Label{name, level})
	}
	return all
}
