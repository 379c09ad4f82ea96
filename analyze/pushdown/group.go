package pushdown

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// oneWrite is how far apart the lines of one record may come.
const oneWrite = int64(250 * time.Millisecond)

// line is a line that matters.
type line struct {
	at     int64
	stream *ingest.Stream
	text   string
	source string         // what emitted it, as far as it tells
	bare   bool           // it is a header without a message
	whole  *ingest.Record // where the line is a record by itself
}

// group is the lines of one stream that matter and came at once, as one record
// is written.
type group struct {
	stream *ingest.Stream
	at     int64
	lines  []line
	look   string
}

// readLines reads lines that matter. What was read before an error counts.
func (r *run) readLines(ctx context.Context, reader Reader) ([]line, error) {
	var all []line
	var one line
	var id fingerprint.Identity
	asm := ingest.NewAssembler(ingest.AssemblerOptions{Lines: true}, func(rec *ingest.Record) error {
		r.sources.identify.Identify(rec, &id)
		one.source, one.bare = string(id.Source), len(rec.Message) == 0
		switch rec.Format {
		case ingest.FormatJSON, ingest.FormatDotnetJSON, ingest.FormatSerilog:
			one.whole = rec.Clone()
			one.whole.Stream = one.stream
		}
		return nil
	})
	var e ingest.Entry
	for {
		err := reader.Next(ctx, &e)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		one = line{at: e.UnixNano, stream: r.intern(e.Stream), text: string(e.Line)}
		e.Stream = one.stream
		if err := errors.Join(asm.Add(&e), asm.Flush()); err != nil {
			return all, err
		}
		all = append(all, one)
		if r.own != nil {
			r.own[one.source]++
		}
	}
}

// intern returns one Stream for all of the same labels: each reader has its
// own.
func (r *run) intern(s *ingest.Stream) *ingest.Stream {
	if known := r.streams[s.Key]; known != nil {
		return known
	}
	r.streams[s.Key] = s
	r.Streams = append(r.Streams, s)
	return s
}

// groupLines gathers the lines of each stream to groups: a line that is not
// indented begins one, and so does a pause. Lines of one time have no order and
// stay together. Lines that are records by themselves are none of it.
func groupLines(lines []line) []*group {
	var all []*group
	open := map[*ingest.Stream]*group{}
	for _, l := range lines {
		if l.whole != nil {
			continue
		}
		g := open[l.stream]
		pause := int64(1)
		if g != nil {
			pause = l.at - g.lines[len(g.lines)-1].at
		}
		if g == nil || pause > oneWrite || pause > 0 && !indented(l.text) {
			g = &group{stream: l.stream, at: l.at}
			open[l.stream] = g
			all = append(all, g)
		}
		g.lines = append(g.lines, l)
	}
	var masked []byte
	for _, g := range all {
		masked = masked[:0]
		for _, l := range g.lines {
			masked = append(fingerprint.Mask(masked, []byte(l.text), 0), '\n')
			// What emitted the line is never masked.
			masked = append(masked, l.source...)
		}
		g.look = string(masked)
	}
	return all
}

func indented(text string) bool { return text != "" && (text[0] == ' ' || text[0] == '\t') }

// several reports whether more than one record may have been written at once:
// which line is whose is then not the same each time.
func (g *group) several() bool {
	heads, sources := 0, 0
	for _, l := range g.lines {
		if l.text != "" && !indented(l.text) {
			heads++
		}
		if strings.Contains(l.text, "Source: '") {
			sources++
		}
	}
	return heads > 1 || sources > 1
}

// silent reports whether the group's lines are headers alone, so that what was
// said below them is not known.
func (g *group) silent() bool {
	return !slices.ContainsFunc(g.lines, func(l line) bool { return !l.bare })
}

// spread chooses samples among groups, which are in order of time: the first
// and the last, one of each stream, and some between.
func spread(all []*group, most int) []*group {
	if len(all) <= most {
		return all
	}
	chosen := map[*group]bool{all[0]: true, all[len(all)-1]: true}
	seen := map[*ingest.Stream]bool{all[0].stream: true, all[len(all)-1].stream: true}
	for _, g := range all {
		if len(chosen) < most && !seen[g.stream] {
			seen[g.stream], chosen[g] = true, true
		}
	}
	for i := 1; i < most; i++ {
		if g := all[i*(len(all)-1)/most]; len(chosen) < most {
			chosen[g] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(g *group) bool { return !chosen[g] })
}
