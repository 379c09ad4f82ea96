package pushdown

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// fake is a server that holds lines in order of time.
type fake struct {
	mu     sync.Mutex
	lines  []fakeLine
	most   int // groups that it counts; 0 is any
	asked  []string
	within func(read int) error // asked before each line that is read near places
}

type fakeLine struct {
	stream *ingest.Stream
	at     int64
	text   string
	level  string
}

var compiledOnce sync.Map

func compiled(e string) *regexp.Regexp {
	re, ok := compiledOnce.Load(e)
	if !ok {
		re, _ = compiledOnce.LoadOrStore(e, regexp.MustCompile(e))
	}
	return re.(*regexp.Regexp)
}

func stream(labels ...string) *ingest.Stream {
	var list []ingest.Label
	for i := 0; i < len(labels); i += 2 {
		list = append(list, ingest.Label{Name: labels[i], Value: labels[i+1]})
	}
	return ingest.NewStream(list)
}

func (f *fake) push(s *ingest.Stream, at time.Duration, level string, lines ...string) {
	for i, text := range lines {
		f.lines = append(f.lines, fakeLine{s, dawn.Start + int64(at) + int64(i)*30_000, text, level})
	}
	slices.SortStableFunc(f.lines, func(a, b fakeLine) int { return int(a.at - b.at) })
}

// dawn is the window of the tests.
var dawn = ingest.Window{Start: 1789840800e9, End: 1789840800e9 + int64(24*time.Hour)}

func (f *fake) streams() []*ingest.Stream {
	var all []*ingest.Stream
	for _, l := range f.lines {
		if !slices.Contains(all, l.stream) {
			all = append(all, l.stream)
		}
	}
	return all
}

func (l *fakeLine) keptBy(k Lines) bool {
	matches := func(e string) bool { return compiled(e).MatchString(l.text) }
	if k.Label != "" {
		value := labelsOf(l.stream)(k.Label)
		if k.Label == levelLabel {
			value = l.level
		}
		if compiled("^(?:"+k.Value+")$").MatchString(value) == k.Not {
			return false
		}
	}
	return (len(k.Any) == 0 || slices.ContainsFunc(k.Any, matches)) && !slices.ContainsFunc(k.None, matches)
}

// labels are the values of labels that a server gives to a line.
func (l *fakeLine) labels(expressions, names []string) []ingest.Label {
	values := map[string]string{}
	for _, e := range expressions {
		re := compiled(e)
		if m := re.FindStringSubmatch(l.text); m != nil {
			for i, name := range re.SubexpNames() {
				values[name] = m[i]
			}
		}
	}
	out := make([]ingest.Label, len(names))
	for i, name := range names {
		v, taken := values[name]
		if !taken {
			v = labelsOf(l.stream)(name)
		}
		out[i] = ingest.Label{Name: name, Value: v}
	}
	return out
}

func (f *fake) CountBy(_ context.Context, keep Lines, expressions, labels []string, w ingest.Window) ([]Count, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, fmt.Sprintf("count %v by %d labels", keep, len(labels)))
	var all []Count
	for _, l := range f.lines {
		minute := l.at - l.at%int64(Bucket)
		if !w.Contains(l.at) || !l.keptBy(keep) {
			continue
		}
		own := l.labels(expressions, labels)
		i := slices.IndexFunc(all, func(c Count) bool { return slices.Equal(c.Labels, own) })
		if i < 0 {
			all, i = append(all, Count{Labels: own}), len(all)
		}
		if n := len(all[i].Minutes); n > 0 && all[i].Minutes[n-1].Window.Start == minute {
			all[i].Minutes[n-1].Lines++
		} else {
			all[i].Minutes = append(all[i].Minutes, Minute{Window: ingest.Window{Start: minute, End: minute + int64(Bucket)}, Lines: 1})
		}
	}
	if f.most > 0 && len(all) > f.most {
		return nil, ErrTooManyGroups
	}
	return all, nil
}

func (f *fake) ReadCounted(_ context.Context, keep Lines, minutes []Minute) (Reader, error) {
	f.asked = append(f.asked, "read "+strings.Join(keep.Any, " "))
	var all []fakeLine
	for _, m := range minutes {
		n := int64(0)
		for _, l := range f.lines {
			if m.Window.Contains(l.at) && l.keptBy(keep) && (m.Streams == nil || slices.Contains(m.Streams, l.stream)) {
				all = append(all, l)
				n++
			}
		}
		if n != m.Lines {
			return nil, fmt.Errorf("%d lines where %d were counted", n, m.Lines)
		}
	}
	return &fakeReader{lines: all}, nil
}

func (f *fake) ReadNear(_ context.Context, places []Place) (Reader, error) {
	f.asked = append(f.asked, fmt.Sprintf("near %d", len(places)))
	var all []fakeLine
	for _, l := range f.lines {
		if slices.ContainsFunc(places, func(p Place) bool {
			return p.Stream == l.stream && max(p.UnixNano-l.at, l.at-p.UnixNano) <= 2*int64(ingest.DefaultMaxGap)
		}) {
			all = append(all, l)
		}
	}
	return &fakeReader{lines: all, within: f.within}, nil
}

type fakeReader struct {
	lines  []fakeLine
	stats  ingest.ReadStats
	within func(read int) error
}

func (r *fakeReader) Next(_ context.Context, e *ingest.Entry) error {
	if r.within != nil {
		if err := r.within(int(r.stats.Entries)); err != nil {
			return err
		}
	}
	n := int(r.stats.Entries)
	if n == len(r.lines) {
		return io.EOF
	}
	l := &r.lines[n]
	*e = ingest.Entry{UnixNano: l.at, Stream: l.stream, Line: []byte(l.text)}
	r.stats.Entries++
	r.stats.Bytes += int64(len(l.text))
	return nil
}

func (r *fakeReader) Stats() ingest.ReadStats { return r.stats }
func (r *fakeReader) Close() error            { return nil }
