package report

import (
	"cmp"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// incidentQuery returns LogQL that finds the lines of an incident, or nothing
// where no selector or no text is known by which to find them.
//
// The selector is that of base, the query that was read, narrowed to where the
// incident's streams run. The line filters are texts that every sample of the
// incident has on one of its lines, so that they hold as well for records
// whose lines were shipped one by one. That they hold for the records between
// the samples follows from the identity that all of them share.
func incidentQuery(base string, inc *analyze.Incident) string {
	texts := lineTexts(inc)
	if len(texts) == 0 {
		return ""
	}
	sel, rest := incidentSelector(base, inc)
	if sel == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(sel)
	if rest != "" {
		b.WriteByte(' ')
		b.WriteString(rest)
		if strings.Contains(rest, "#") {
			b.WriteByte('\n') // a comment ends with its line
		}
	}
	for _, text := range texts {
		b.WriteString(" |= ")
		b.WriteString(quote(text))
	}
	return b.String()
}

// matcher is one condition of a selector that is being put together.
type matcher struct{ name, op, value string }

// incidentSelector returns the selector in which an incident's lines are
// found, empty where none is known, and what stood behind it in base.
func incidentSelector(base string, inc *analyze.Incident) (sel, rest string) {
	places := placeMatchers(inc)
	query, err := selector.ParseQuery(base)
	if base == "" || err != nil {
		return render(places), ""
	}
	var all []matcher
	for _, m := range query.Matchers {
		// What every stream of the query has says nothing beside a place, and
		// a place of the same label is one of those that the query takes.
		anything := m.Op == "=~" && (m.Value == ".+" || m.Value == ".*")
		narrowed := m.Op == "=~" && slices.ContainsFunc(places, func(p matcher) bool { return p.name == m.Name })
		if !(anything && len(places) > 0) && !narrowed {
			all = append(all, matcher{m.Name, m.Op, m.Value})
		}
	}
	for _, p := range places {
		if !slices.ContainsFunc(all, func(m matcher) bool { return m.name == p.name && m.op == "=" }) {
			all = append(all, p)
		}
	}
	return render(all), query.Rest
}

func render(ms []matcher) string {
	if len(ms) == 0 {
		return ""
	}
	parts := make([]string, len(ms))
	for i, m := range ms {
		parts[i] = m.name + m.op + quote(m.value)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// quote writes a string of LogQL. The character that stands for broken text
// is escaped: some lexers take it for broken text.
func quote(text string) string { return strings.ReplaceAll(strconv.Quote(text), "\uFFFD", `\ufffd`) }

// maxPlaces is how many values of one label a selector lists; more of them
// say no longer where the incident is.
const maxPlaces = 10

// placeMatchers says where an incident's streams run, by labels that all of
// them have: their namespace and their service, or else, since pods do not
// live long, their pods. Further labels are not used: they may be structured
// metadata, which no selector matches.
func placeMatchers(inc *analyze.Incident) []matcher {
	var streams []*ingest.Stream
	for _, s := range inc.Streams {
		labels, ok := parseKey(s.Stream)
		if !ok {
			return nil
		}
		streams = append(streams, ingest.NewStream(labels))
	}
	if len(streams) == 0 {
		return nil
	}
	roles := []func(*ingest.Stream) string{
		func(s *ingest.Stream) string { return s.Namespace },
		func(s *ingest.Stream) string { return s.Service },
		func(s *ingest.Stream) string { return s.Pod },
	}
	var out []matcher
	for i, role := range roles {
		if i == 2 && len(out) > 0 {
			break
		}
		for _, l := range streams[0].Labels {
			m, ok := roleMatcher(l.Name, role, streams)
			if ok && !slices.ContainsFunc(out, func(o matcher) bool { return o.name == m.name }) {
				out = append(out, m)
				break
			}
		}
	}
	return out
}

// roleMatcher matches the values of the label called name, if that is what
// gives every stream its value of a role.
func roleMatcher(name string, role func(*ingest.Stream) string, streams []*ingest.Stream) (matcher, bool) {
	var values []string
	for _, s := range streams {
		v, ok := s.Get(name)
		if !ok || v == "" || v != role(s) || !utf8.ValidString(v) || strings.Contains(v, redact.Mark) {
			return matcher{}, false
		}
		values = append(values, v)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	switch {
	case len(values) == 1:
		return matcher{name, "=", values[0]}, true
	case len(values) > maxPlaces:
		return matcher{}, false
	}
	for i, v := range values {
		values[i] = regexp.QuoteMeta(v)
	}
	return matcher{name, "=~", strings.Join(values, "|")}, true
}

// parseKey reads the labels out of a stream's key, which is how an Analysis
// names streams. The names are spelled as Loki spells them.
func parseKey(key string) ([]ingest.Label, bool) {
	rest, ok := strings.CutPrefix(key, "{")
	if !ok {
		return nil, false
	}
	var labels []ingest.Label
	for rest != "}" {
		name, after, ok := strings.Cut(rest, "=")
		if !ok {
			return nil, false
		}
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil {
			return nil, false
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, false
		}
		labels = append(labels, ingest.Label{Name: lokiName(name), Value: value})
		rest = strings.TrimPrefix(after[len(quoted):], ", ")
		if rest == "" {
			return nil, false
		}
	}
	return labels, true
}

// lokiName spells a label's name as Loki does: other characters than letters,
// digits and underscores are replaced by underscores.
func lokiName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r < utf8.RuneSelf && (r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}, name)
}

const (
	// minText and maxText bound a line filter's text in bytes: shorter ones
	// find everything, longer ones are no better.
	minText, maxText = 4, 120
	// fullText is the length beyond which more of a text makes it no rarer.
	fullText = 48
	// maxPieces bounds the pieces of a template that are weighed.
	maxPieces = 2
	// sharedBytes is how much of their templates records of one fingerprint
	// share; what comes later may differ.
	sharedBytes = 256
)

// lineTexts returns the texts to filter lines by: of those that the identity
// is made of, the set that finds the least else, provided that every sample
// has a line with all of them.
func lineTexts(inc *analyze.Incident) []string {
	candidates := candidateTexts(inc)
	var held [][]uint // of each sample, the sets of candidates that a line has
	for _, s := range inc.Samples {
		var sets []uint
		for line := range strings.Lines(s.Line) {
			set := uint(0)
			for i, c := range candidates {
				if strings.Contains(line, c.text) {
					set |= 1 << i
				}
			}
			if set != 0 && !slices.Contains(sets, set) {
				sets = append(sets, set)
			}
		}
		held = append(held, sets)
	}
	if len(held) == 0 {
		return nil
	}
	best, most := uint(0), 0
	for set := uint(1); set < 1<<len(candidates); set++ {
		if !slices.ContainsFunc(held, func(sets []uint) bool {
			return !slices.ContainsFunc(sets, func(has uint) bool { return has&set == set })
		}) {
			weight := 0
			for i, c := range candidates {
				if set&(1<<i) != 0 {
					weight += c.worth * min(len(c.text), fullText)
				}
			}
			if weight > most || weight == most && bits.OnesCount(set) < bits.OnesCount(best) {
				best, most = set, weight
			}
		}
	}
	var out []string
	for i, c := range candidates {
		if best&(1<<i) != 0 {
			out = append(out, c.text)
		}
	}
	return out
}

// candidate is a text that lines may be found by. What a message says is
// worth twice its length: a Source has many messages, and an exception many
// causes.
type candidate struct {
	text  string
	worth int
}

// candidateTexts lists what the identity of an incident says that may stand
// in its lines: Source, event, exception, and the constant pieces of the
// template. No text is a part of another: where the Source
// stands in a piece of the template, the Source is what to look for.
func candidateTexts(inc *analyze.Incident) []candidate {
	var out []candidate
	add := func(text string, worth int) {
		text = strings.TrimSpace(text)
		for len(text) > maxText {
			_, size := utf8.DecodeLastRuneInString(text[:maxText+1])
			text = strings.TrimSpace(text[:maxText+1-size])
		}
		if len(text) < minText || !utf8.ValidString(text) || strings.Contains(text, redact.Mark) || strings.ContainsAny(text, "\n\r") {
			return
		}
		if !slices.ContainsFunc(out, func(o candidate) bool { return strings.Contains(o.text, text) || strings.Contains(text, o.text) }) {
			out = append(out, candidate{text, worth})
		}
	}
	add(inc.Source, 1)
	add(inc.Event, 1)
	outer, _, _ := strings.Cut(inc.Exception, " < ")
	add(outer, 1)
	template := inc.Template
	if len(template) > sharedBytes {
		template = template[:sharedBytes]
		template = template[:max(0, strings.LastIndexByte(template, ' '))]
	}
	pieces := hole.Split(template, -1)
	for i, p := range pieces {
		pieces[i] = strings.TrimFunc(p, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	named := len(out) > 0
	for _, p := range longest(pieces, maxPieces) {
		if len(inc.Samples) > 0 {
			p = held(p, inc.Samples[0].Line)
		}
		// A short word tells little beside a name.
		if !named || len(p) >= 2*minText {
			add(p, 2)
		}
	}
	return out
}

// hole is a masked or unfilled part of a template, or a character that is
// spelled in another way where a line is quoted.
var hole = regexp.MustCompile(`<[^<>]*>|\{[^{}]*\}|["\\\x00-\x1f]`)

// maxWords is how many words of a piece are looked for one by one.
const maxWords = 12

// held returns the longest run of a piece's words that stands on a line of
// text: a template joins the lines of a message, and may spell what stands
// between words in another way.
func held(piece, text string) string {
	if strings.Contains(text, piece) && !strings.Contains(piece, "\n") {
		return piece
	}
	words := strings.Fields(piece)
	words = words[:min(len(words), maxWords)]
	best := ""
	for i := range words {
		for j := len(words); j > i; j-- {
			run := strings.Join(words[i:j], " ")
			if len(run) > len(best) && strings.Contains(text, run) {
				best = run
				break
			}
		}
	}
	return best
}

// longest returns the n longest texts in the order in which they stand.
func longest(texts []string, n int) []string {
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(texts[b]), len(texts[a])) })
	order = order[:min(len(order), n)]
	slices.Sort(order)
	var out []string
	for _, i := range order {
		out = append(out, texts[i])
	}
	return out
}
