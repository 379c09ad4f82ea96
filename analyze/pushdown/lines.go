package pushdown

import (
	"regexp"
	"slices"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// Lines says which lines matter, so that a server finds them at the price of
// a few plain texts: labels are compared first, then Any is looked for, and
// None only in what holds one of Any.
type Lines struct {
	// Label, if not empty, is a label or a piece of structured metadata whose
	// value the expression Value must match as a whole, or with Not must not.
	// What is absent has the empty value.
	Label, Value string
	Not          bool
	// Any are expressions (RE2) of which one must match, None ones of which
	// none may. Most are plain texts, which servers search fastest.
	Any, None []string
}

// The server's own level of a line, as Loki detects it when it takes the line
// in. Where it does not, nothing has the label, and nothing is left out by it.
const (
	levelLabel = "detected_level"
	calmLevel  = "info"
	redLevels  = "warn|error|critical|fatal"
)

// alarms are the texts that make a line matter: the words of levels, as loggers
// write them, and the commonest words of failures. Each costs the server a
// search of every line, so that none is here that the others do well without,
// and letters are left out with which both cases of a word begin.
var alarms = []string{
	"rror", "ERROR", "warn", "Warn", "WARN", "fail", "Fail", "FAIL", "fatal", "Fatal", "FATAL", "crit", "Crit", "CRIT",
	"SEVERE", "panic", "xception", "imeout", "TIMEOUT", "imed out", "eadline", "efused", "ancel",
	// The letters of klog and glog, the rarer levels of nginx and Apache, the
	// numbers of pino and bunyan.
	`^[EF][0-9]{4} `, `\[alert\]`, `\[emerg\]`, `"level":50`, `"level":60`,
}

// calmHead is what stands at the head of lines that klog and glog write below
// a warning.
const calmHead = `^[ID][0-9]{4} [0-9]{2}:`

// LinesOf derives the filters from what an analysis needs of a log. No line is
// kept by two of them. The first leaves out lines that the server says are of
// level info, if trusted, or else those that state a harmless level themselves,
// which costs the server more. The second, with levels set, keeps those whose
// level is red by structured metadata or labels alone. Further ones keep what
// rules look for.
func LinesOf(f analyze.LineFilter, trusted, levels bool) []Lines {
	var own []string
	for _, text := range f.Rules {
		own = append(own, regexp.QuoteMeta(text))
	}
	words := Lines{Any: alarms, None: slices.Concat(f.Except, own)}
	if trusted {
		words = Lines{Label: levelLabel, Value: calmLevel, Not: true, Any: alarms, None: append([]string{calmHead}, own...)}
	}
	all := []Lines{words}
	if levels {
		all = append(all, Lines{Label: levelLabel, Value: redLevels, None: slices.Concat(alarms, own)})
	}
	if len(own) > 0 {
		all = append(all, Lines{Any: own})
	}
	return all
}

// only returns the filter with fewer expressions in Any.
func (l Lines) only(any []string) Lines {
	l.Any = any
	return l
}
