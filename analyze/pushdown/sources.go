package pushdown

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// sources says how a server takes from a line what emitted it, in the order in
// which an Identifier does: rules, Polly's events, rules that are late, the
// logger's category, the service.
type sources struct {
	expressions []string // with named groups
	labels      []string // to count by: the streams' and the groups'
	service     []string // those of the streams that tell the service
	apart       []string // those that tell the streams apart; none with many streams
	notes       []string

	early, late []*ruleSource
	services    map[string]string         // by the values of service, joined by NUL
	streams     map[string]*ingest.Stream // by the values of apart
	identify    *fingerprint.Identifier
	builtin     *fingerprint.Identifier // without rules
}

func newSources(rules []fingerprint.Rule, streams []*ingest.Stream) *sources {
	s := &sources{identify: fingerprint.NewIdentifier(fingerprint.Options{Rules: rules}), builtin: fingerprint.NewIdentifier(fingerprint.Options{})}
	s.serviceLabels(streams)
	s.streamLabels(streams)
	s.labels = slices.Clone(s.service)
	add := func(expression string, names ...string) {
		s.expressions = append(s.expressions, expression)
		s.labels = append(s.labels, names...)
	}
	s.addRules(rules, add)
	add(pollySentence, "vdm_polly_source")
	add(pollyFields, "vdm_polly_pipeline", "vdm_polly_instance", "vdm_polly_strategy")
	add(categoryExpression, categoryLabels()...)
	s.labels = compact(s.labels)
	return s
}

// compact drops doubles and keeps the order.
func compact(names []string) []string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// serviceLabels chooses the labels whose values together tell the service of
// every stream.
func (s *sources) serviceLabels(streams []*ingest.Stream) {
	tells := map[string]int{} // how many streams have the service as the label's value
	for _, st := range streams {
		for _, l := range st.Labels {
			if l.Value == st.Service && st.Service != "" {
				tells[l.Name]++
			}
		}
	}
	left := slices.DeleteFunc(slices.Clone(streams), func(st *ingest.Stream) bool { return st.Service == "" })
	for len(left) > 0 {
		best := ""
		for _, name := range slices.Sorted(maps.Keys(tells)) {
			if best == "" || tells[name] > tells[best] {
				best = name
			}
		}
		if best == "" {
			break
		}
		delete(tells, best)
		before := len(left)
		left = slices.DeleteFunc(left, func(st *ingest.Stream) bool { return labelsOf(st)(best) == st.Service })
		if len(left) < before {
			s.service = append(s.service, best)
		}
	}
	s.services = map[string]string{}
	for _, st := range streams {
		s.services[key(s.service, labelsOf(st))] = st.Service
	}
}

// maxApart is up to how many streams lines are counted by stream: what is read
// is then asked of those that have them only, and more streams would be too many
// groups for the server.
const maxApart = 64

// streamLabels chooses the labels that tell the streams apart, if there are not
// too many.
func (s *sources) streamLabels(streams []*ingest.Stream) {
	if len(streams) > maxApart {
		return
	}
	values := map[string]map[string]bool{}
	for _, st := range streams {
		for _, l := range st.Labels {
			if values[l.Name] == nil {
				values[l.Name] = map[string]bool{}
			}
			values[l.Name][l.Value] = true
		}
	}
	names := slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(values[b]), len(values[a])), strings.Compare(a, b))
	})
	for n := range names {
		s.streams = map[string]*ingest.Stream{}
		for _, st := range streams {
			s.streams[key(names[:n+1], labelsOf(st))] = st
		}
		if len(s.streams) == len(streams) {
			s.apart = names[:n+1]
			return
		}
	}
	s.streams = nil
}

// stream returns the stream of a group; nil where it is not known, as where it
// was not counted by the labels that tell streams apart.
func (s *sources) stream(c *Count) *ingest.Stream {
	for _, name := range s.apart {
		if !slices.ContainsFunc(c.Labels, func(l ingest.Label) bool { return l.Name == name }) {
			return nil
		}
	}
	return s.streams[key(s.apart, c.value)]
}

// labelsOf returns the values of a stream's labels; those that it has not are
// empty.
func labelsOf(s *ingest.Stream) func(name string) string {
	return func(name string) string {
		if v, ok := s.Get(name); ok {
			return v
		}
		return ""
	}
}

// key joins the values of labels.
func key(names []string, get func(name string) string) string {
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = get(name)
	}
	return strings.Join(values, "\x00")
}

// add adds counts to those of Sources, which are sorted by Source.
func (s *sources) add(to []analyze.ServerCount, counts []Count) []analyze.ServerCount {
	type tally struct {
		lines   int64
		minutes map[int64]bool
	}
	tallies := map[string]*tally{}
	for i := range counts {
		source := s.of(&counts[i])
		t := tallies[source]
		if t == nil {
			t = &tally{minutes: map[int64]bool{}}
			tallies[source] = t
		}
		t.lines += counts[i].lines()
		for _, m := range counts[i].Minutes {
			t.minutes[m.Window.Start] = true
		}
	}
	for source, t := range tallies {
		i := slices.IndexFunc(to, func(c analyze.ServerCount) bool { return c.Source == source })
		if i < 0 {
			to, i = append(to, analyze.ServerCount{Source: source}), len(to)
		}
		to[i].Lines, to[i].Minutes = to[i].Lines+t.lines, max(to[i].Minutes, len(t.minutes))
	}
	slices.SortFunc(to, func(a, b analyze.ServerCount) int { return cmp.Compare(a.Source, b.Source) })
	return to
}

// of returns the Source of a group.
func (s *sources) of(c *Count) string {
	category := categoryOf(c)
	service := s.services[key(s.service, c.value)]
	for _, stage := range []func() string{
		func() string { return ruleSourceOf(s.early, c, category, service) },
		func() string { return s.polly(c) },
		func() string { return ruleSourceOf(s.late, c, category, service) },
	} {
		if source := stage(); source != "" {
			return source
		}
	}
	return cmp.Or(category, service)
}

// Polly's Source stands in its sentences, whose quotes JSON may escape, or in
// fields of their own.
const (
	quote         = `(?:'|\\u0027)`
	pollySentence = `Source: ` + quote + `(?P<vdm_polly_source>.*?)` + quote + `, Operation Key: ` + quote
	fieldValue    = `(?:null|"(?:[^"\\]|\\.)*")`
	pollyState    = `"PipelineName":\s*(?P<vdm_polly_pipeline>V),\s*"PipelineInstance":\s*(?P<vdm_polly_instance>V)(?:,\s*"StrategyName":\s*(?P<vdm_polly_strategy>V))?`
)

var pollyFields = strings.ReplaceAll(pollyState, "V", fieldValue)

// polly returns the Source of one of Polly's events: that of the fields, or
// what an Identifier makes of the sentence.
func (s *sources) polly(c *Count) string {
	part := func(label string) string {
		if v := c.value(label); v != "null" {
			return unquote(v)
		}
		return "(null)"
	}
	if c.value("vdm_polly_pipeline") != "" {
		source := part("vdm_polly_pipeline") + "/" + part("vdm_polly_instance")
		if c.value("vdm_polly_strategy") != "" {
			source += "/" + part("vdm_polly_strategy")
		}
		return source
	}
	text := c.value("vdm_polly_source")
	if text == "" {
		return ""
	}
	if strings.Contains(text, `\`) {
		text = unquote(`"` + text + `"`)
	}
	var id fingerprint.Identity
	s.builtin.Identify(&ingest.Record{Message: []byte("Execution attempt. Source: '" + text + "', Operation Key: '', Result: ''")}, &id)
	if id.Rule != fingerprint.RulePolly {
		return ""
	}
	return string(id.Source)
}

// unquote undoes JSON's quoting where there is any.
func unquote(v string) string {
	var text string
	if strings.HasPrefix(v, `"`) && json.Unmarshal([]byte(v), &text) == nil {
		return text
	}
	return v
}
