package analyze

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// LineFilter tells, line by line, what an analysis may need of a log: a record
// that becomes part of an incident has at least one line that the filter keeps.
// The lines around those it keeps complete their records.
//
// A line is kept if it matches no expression of Except and holds a text of Fold
// or Exact or, as a word of its own, one of Numbers, or if it holds one of Rules
// whatever else it is. Structured metadata and labels can make a line count,
// too: those of Labels.
type LineFilter struct {
	Except []string // regular expressions (RE2) of lines that are of no concern
	// Indented is one more, which holds only where no line before the kept ones
	// has been left out and the window did not begin between the two.
	Indented    string
	Fold, Exact []string       // texts in any letter case, and as they stand
	Numbers     []string       // see NumberWord
	Rules       []string       // texts that identity rules with an effect need
	Labels      []ingest.Label // names with expressions for the whole value
	// Whole says why lines cannot be left out at all; empty where they can.
	Whole string
}

// minRuleWord is how long a text of a rule must be to be looked for.
const minRuleWord = 4

// LineFilter derives the filter from what records count by: their level, the
// words of failed transfers, and the rules that give a record of any level a
// severity or a stage.
func (c Config) LineFilter() (LineFilter, error) {
	classifier, err := stage.New(stage.Options{Rules: c.StageRules})
	if err != nil {
		return LineFilter{}, err
	}
	needs := classifier.Needs()
	f := LineFilter{
		Except: ingest.HarmlessLines(), Indented: ingest.DotnetMessageLine(),
		Fold:  append(ingest.AlarmFold(), needs.Fold...),
		Exact: append(ingest.AlarmExact(), needs.Exact...), Numbers: needs.Numbers,
		Labels: ingest.AlarmLabels(),
	}
	if needs.All {
		f.Whole = "a stage rule needs no word of five letters"
	}
	for i := range c.Rules {
		r := &c.Rules[i]
		effect, ok := c.Effects[r.ID]
		if !ok || !effect.raises() {
			continue
		}
		word := ruleWord(r)
		if word == "" {
			f.Whole = "rule " + r.ID + " has no literal text by which its lines could be found"
		}
		f.Rules = append(f.Rules, word)
	}
	f.Fold, f.Exact, f.Rules = antichain(f.Fold), antichain(f.Exact), antichain(f.Rules)
	return f, nil
}

// NumberWord returns an expression (RE2) for a line that holds one of Numbers as
// a word of its own: between sizes, ids and durations most of what holds its
// digits does not, and no part of a decimal does. The line is as it was shipped,
// so that an escape of JSON's or a terminal's may stand before the word. Without
// Numbers it is empty.
func (f *LineFilter) NumberWord() string {
	if len(f.Numbers) == 0 {
		return ""
	}
	return `(?:^|[^0-9A-Za-z.]|(?:^|[^0-9])\.|\\[a-z]|\\u[0-9a-fA-F]{4}|\[[0-9;]*[A-Za-z])(?:` + strings.Join(f.Numbers, "|") + `)(?:$|[^0-9A-Za-z.]|\.(?:$|[^0-9]))`
}

// raises reports whether an effect can make a record count that would not by
// its own level and words.
func (e Effect) raises() bool {
	return e.Severity >= ingest.LevelWarn || e.Stage != "" && e.Stage != stage.NotATimeout || len(e.Bounds) > 0
}

// ruleWord returns the longest word that every record of a rule holds as it was
// shipped. Words only: what stands between them may be escaped in JSON, and the
// holes of a template are filled in later.
func ruleWord(r *fingerprint.Rule) string {
	best := ""
	texts := []string{r.Literal()}
	if r.Pattern == nil && r.Regexp == nil {
		texts = strings.Split(r.Category, "*")
	}
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(text, func(c rune) bool { return c >= 0x80 || c != '_' && !isAlnum(byte(c)) }) {
			if len(word) > len(best) {
				best = word
			}
		}
	}
	if len(best) < minRuleWord || slices.Contains([]string{"nginx", "haproxy", "Polly"}, best) {
		return "" // the last are categories that no line need hold
	}
	return best
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// antichain drops the texts that hold another one, and doubles.
func antichain(texts []string) []string {
	slices.SortFunc(texts, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	var out []string
	for _, t := range texts {
		if !slices.ContainsFunc(out, func(o string) bool { return strings.Contains(t, o) }) {
			out = append(out, t)
		}
	}
	return out
}

// Matcher returns a function that reports whether the filter keeps a line with
// its labels and metadata; indented says whether Indented holds.
func (f *LineFilter) Matcher(indented bool) (func(line string, labels []ingest.Label) bool, error) {
	expressions := slices.Clone(f.Except)
	if indented {
		expressions = append(expressions, f.Indented)
	}
	var except []*regexp.Regexp
	for _, e := range expressions {
		re, err := regexp.Compile(e)
		if err != nil {
			return nil, err
		}
		except = append(except, re)
	}
	number := regexp.MustCompile("^$")
	if len(f.Numbers) > 0 {
		var err error
		if number, err = regexp.Compile(f.NumberWord()); err != nil {
			return nil, err
		}
	}
	values := map[string]*regexp.Regexp{}
	for _, l := range f.Labels {
		re, err := regexp.Compile("^(?:" + l.Value + ")$")
		if err != nil {
			return nil, err
		}
		values[l.Name] = re
	}
	return func(line string, labels []ingest.Label) bool {
		holds := func(s string) bool { return strings.Contains(line, s) }
		if f.Whole != "" || slices.ContainsFunc(f.Rules, holds) {
			return true
		}
		for _, l := range labels {
			if re := values[l.Name]; re != nil && re.MatchString(l.Value) {
				return true
			}
		}
		if slices.ContainsFunc(except, func(re *regexp.Regexp) bool { return re.MatchString(line) }) {
			return false
		}
		low := strings.ToLower(line)
		return slices.ContainsFunc(f.Exact, holds) || slices.ContainsFunc(f.Numbers, holds) && number.MatchString(line) || slices.ContainsFunc(f.Fold, func(s string) bool { return strings.Contains(low, s) })
	}, nil
}
