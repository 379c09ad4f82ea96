package logfile

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// windowBounds are the resolved bounds; an open side is at the end of the
// range of int64.
type windowBounds struct {
	start, end int64
}

// opener holds what is shared while the inputs are looked at.
type opener struct {
	opts    Options
	streams *ingest.StreamTable
	spool   *spool
	files   []*fileSource
	bounds  windowBounds
	newest  int64 // entry seen so far
	any     bool  // an entry has been seen
}

// Open looks at every path and returns a Reader over their entries. "-" is
// Options.Stdin; a directory is the files below it, of which those of no known
// format are left out and told as a problem; a path with *, ? or [ that names
// no file is a pattern. An input that cannot be opened or is of no known format is
// an error (*FormatError, *PackedError, *NameError, fs errors), unless it was
// found in a directory; one that cannot be read to
// its end is a problem of the Reader's Stats.
func Open(ctx context.Context, paths []string, opts Options) (*Reader, error) {
	o := &opener{opts: opts, streams: &ingest.StreamTable{}, spool: newSpool(opts.memoryLimit(), opts.TempDir)}
	o.bounds = windowBounds{start: math.MinInt64, end: math.MaxInt64}
	if !opts.From.IsZero() {
		o.bounds.start = stamp.Nanos(opts.From)
	}
	if !opts.To.IsZero() {
		o.bounds.end = stamp.Nanos(opts.To)
	}
	inputs, err := expand(paths)
	if err != nil {
		return nil, err
	}
	nameStreams(inputs)
	r := &Reader{spool: o.spool, inputs: inputs}
	for _, in := range inputs {
		in.meter = opts.Meter
		if st, err := os.Stat(in.path); err == nil && st.Mode().IsRegular() {
			opts.Meter.expect(st.Size())
		}
	}
	for _, in := range inputs {
		err := o.look(ctx, in)
		var unknown *FormatError
		var packed *PackedError
		switch {
		case err == nil:
		case in.found && errors.As(err, &unknown):
			// Other files lie in directories of logs: no reason to stop.
			in.note("", errors.New("left out: no known log format"))
		case in.found && errors.As(err, &packed):
			in.partial = true
			in.note("", fmt.Errorf("left out: %s", packed.Kind))
		case isCutOff(err):
			in.fail(err)
		case in.found && errors.As(err, new(*fs.PathError)):
			in.fail(err)
		default:
			r.Close()
			return nil, err
		}
	}
	o.resolve(r)
	o.start(r)
	return r, nil
}

// look opens an input, finds its format, and surveys or spools it.
func (o *opener) look(ctx context.Context, in *input) error {
	defer in.close()
	plain, err := in.open(o.opts.Stdin)
	if err != nil {
		return err
	}
	data, err := plain.Peek(sniffSize)
	if err != nil && err != io.EOF && !isCutOff(err) {
		return fmt.Errorf("reading %s: %w", in.name(), err)
	}
	start := newHead(data, err != nil)
	if err := o.choose(in, start); err != nil {
		return err
	}
	if in.padding > 0 {
		in.note("", fmt.Errorf("%d NUL bytes at its beginning left out", in.padding))
	}
	env := o.environment(in)
	in.lead, in.above = firstTimed(in.format, env, start.lines)
	if in.format.lines == nil || !in.streamable() {
		return o.pour(ctx, in, in.format.open(&plainReader{r: plain, in: in}, env))
	}
	lines := newLineReader(io.LimitReader(plain, in.size), in.format.lineBound(env))
	found, err := survey(ctx, in, lines, in.format.lines(env))
	if err != nil {
		return fmt.Errorf("reading %s: %w", in.name(), err)
	}
	if in.format.whole {
		found.marks = nil
	}
	backward := in.descents > 0 && in.ascents == 0 && in.format.fromLoki && !found.cut
	if in.descents > 0 && !backward {
		return o.reread(ctx, in)
	}
	o.see(in)
	o.files = append(o.files, &fileSource{in: in, env: env, surveyed: found, backward: backward})
	return nil
}

// choose finds the input's format. An empty input has the first one: nothing
// contradicts it.
func (o *opener) choose(in *input, h *head) (err error) {
	switch {
	case o.opts.Format != "":
		in.format, err = named(o.opts.Format)
	case len(h.lines) == 0 && h.whole:
		in.format = formats()[0]
	default:
		in.format, err = detect(in.name(), h)
	}
	return err
}

// firstTimed returns copies of the first line that has a time of its own, and
// of those before it.
func firstTimed(f *Format, env *environment, lines [][]byte) (first []byte, above [][]byte) {
	if f.lines == nil {
		return nil, nil
	}
	format := f.lines(env)
	for _, line := range lines {
		if _, ok := format.quickTime(line); ok {
			return bytes.Clone(line), above
		}
		above = append(above, bytes.Clone(line))
	}
	return nil, nil
}

func (o *opener) environment(in *input) *environment {
	near := in.changed
	if near.IsZero() {
		near = o.opts.Reference
	}
	labels := &labelCache{streams: o.streams, limit: o.opts.maxStreams()}
	labels.full = func() {
		if !in.manyStreams {
			in.manyStreams = true
			in.note("", fmt.Errorf("more than %d streams, or longer labels than are kept of them: from here on they are told apart by pod, namespace, service and container only, and not at all beyond twice as many", labels.limit))
		}
	}
	return &environment{
		in: in, streams: o.streams, labels: labels,
		maxLine: o.opts.maxLine(), zone: o.opts.location(), near: near,
	}
}

// reread decodes a file from its beginning into the spool.
func (o *opener) reread(ctx context.Context, in *input) error {
	in.close()
	changed, size := in.changed, in.size
	plain, err := in.open(nil)
	if err != nil {
		return err
	}
	in.changed, in.size = changed, size
	in.first, in.last, in.count, in.ascents, in.descents = 0, 0, 0, 0, 0
	return o.pour(ctx, in, in.format.open(&plainReader{r: plain, in: in, left: size, bounded: true}, o.environment(in)))
}

// pour decodes an input into the spool.
func (o *opener) pour(ctx context.Context, in *input, d document) error {
	watch := order{in: in}
	err := d.each(func(it *item) error {
		if watch.see(it.nano); in.count%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		o.see(in)
		if it.nano < o.bounds.start || it.nano >= o.bounds.end || it.nano < o.sinceStart() {
			return nil
		}
		it.source = in.index
		return o.spool.add(it)
	}, in.skip)
	in.descending = in.format.fromLoki && in.descents > in.ascents
	switch {
	case err == nil:
		return nil
	case isCutOff(err):
		in.fail(fmt.Errorf("the %s data ends or breaks: %w", in.compression, err))
		return nil
	}
	return fmt.Errorf("reading %s: %w", in.name(), err)
}

// see notes the newest time seen in an input.
func (o *opener) see(in *input) {
	if in.count > 0 && (!o.any || in.last > o.newest) {
		o.newest, o.any = in.last, true
	}
}

// sinceStart is the earliest start that Since can still mean, by what has
// been seen so far: it only grows.
func (o *opener) sinceStart() int64 {
	if o.opts.Since <= 0 || !o.any {
		return math.MinInt64
	}
	end := o.bounds.end
	if o.opts.To.IsZero() {
		end = o.newest + 1
	}
	if end < math.MinInt64+int64(o.opts.Since) {
		return math.MinInt64
	}
	return end - int64(o.opts.Since)
}

// resolve fixes the window.
func (o *opener) resolve(r *Reader) {
	oldest, any := int64(0), false
	for _, in := range r.inputs {
		if in.count > 0 && (!any || in.first < oldest) {
			oldest, any = in.first, true
		}
	}
	start := max(o.bounds.start, o.sinceStart())
	o.bounds.start = start
	if o.opts.To.IsZero() && o.any {
		o.bounds.end = max(o.newest+1, start)
	}
	r.window = ingest.Window{Start: o.bounds.start, End: o.bounds.end}
	if start == math.MinInt64 {
		r.window.Start = min(oldest, r.window.End)
	}
	if o.bounds.end == math.MaxInt64 && o.opts.To.IsZero() {
		r.window.End = max(r.window.Start, 0)
	}
}

// start puts the sources together.
func (o *opener) start(r *Reader) {
	rank(r.inputs)
	slices.SortFunc(o.files, func(a, b *fileSource) int { return cmp.Compare(a.in.rank, b.in.rank) })
	var sources []source
	for _, f := range o.files {
		f.window = o.bounds
		if f.in.count > 0 || f.in.size > 0 {
			sources = append(sources, f)
		}
	}
	for _, s := range o.spool.sources() {
		sources = append(sources, &clipped{source: s, window: o.bounds})
	}
	r.merged = newMerger(sources)
	r.ties = &ties{from: r.merged, inputs: r.inputs, limit: tieLimit}
}

// rank orders the inputs by what they hold, so that the order in which they
// were given makes no difference.
func rank(inputs []*input) {
	sorted := slices.Clone(inputs)
	digest := func(in *input) uint64 {
		if in.digest == 0 && in.count > 0 && in.streamable() {
			in.digest = contentDigest(in.path, in.size)
		}
		return in.digest
	}
	slices.SortStableFunc(sorted, func(a, b *input) int {
		if c := cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last), cmp.Compare(a.count, b.count)); c != 0 {
			return c
		}
		return cmp.Compare(digest(a), digest(b))
	})
	for i, in := range sorted {
		in.rank = i
	}
}

// clipped yields what lies in the window of a source.
type clipped struct {
	source
	window windowBounds
}

func (c *clipped) firstTime() int64 { return max(c.source.firstTime(), c.window.start) }

func (c *clipped) next(it *item) error {
	for {
		if err := c.source.next(it); err != nil {
			return err
		}
		if it.nano >= c.window.end {
			return io.EOF
		}
		if it.nano >= c.window.start {
			return nil
		}
	}
}

// plainReader is the decompressed input on its way to the decoder; it hashes
// what passes.
type plainReader struct {
	r       *bufio.Reader
	in      *input
	hash    *xxhash.Digest
	left    int64
	bounded bool
}

func (p *plainReader) Read(b []byte) (int, error) {
	if p.hash == nil {
		p.hash = xxhash.New()
	}
	if p.bounded {
		if p.left <= 0 {
			p.in.digest = p.hash.Sum64()
			return 0, io.EOF
		}
		b = b[:min(int64(len(b)), p.left)]
	}
	n, err := p.r.Read(b)
	p.left -= int64(n)
	p.hash.Write(b[:n])
	if err != nil {
		p.in.digest = p.hash.Sum64()
	}
	return n, err
}

// IsRefused reports whether err says that the inputs cannot be read as they
// were given, as opposed to a failure of the machine.
func IsRefused(err error) bool {
	var format *FormatError
	var name *NameError
	var packed *PackedError
	return errors.As(err, &format) || errors.As(err, &name) || errors.As(err, &packed)
}
