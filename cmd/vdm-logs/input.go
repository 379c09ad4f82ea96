package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/logfile"
	"github.com/vdm-logs/vdm-logs/rules"
)

// input is where analyze reads from.
type input interface {
	ingest.Reader
	Window() ingest.Window
	// Describe says in one line what is read, over which window.
	Describe() string
	// Nodes are the old watcher's incident nodes among what was read.
	Nodes() []analyze.Node
	// Traffic is what streams logged in all, where not all of it is read.
	Traffic() []analyze.Traffic
	// Complete adds what was counted instead of being read.
	Complete(*analyze.Analyzer) error
	// Read says what was read, after it was, given the error that ended it.
	Read(err error) analyze.Read
	Close() error
}

func openInput(ctx context.Context, o analyzeOptions, config analyze.Config, std stdio) (input, error) {
	loc, err := parseZone(o.zone)
	if err != nil {
		return nil, err
	}
	w, err := o.window.parse(loc, std.now())
	if err != nil {
		return nil, err
	}
	return watching(std, func() (input, error) {
		if len(o.files) == 0 {
			return openLoki(ctx, o, w, config, std)
		}
		return openFiles(ctx, o, w, std)
	})
}

// joinRecords joins the entries of an input to records, as analyze does, and
// hands them on. What could not be read is told; the error is quiet and of code
// 3 if the rest could.
func joinRecords(ctx context.Context, in input, std stdio, add func(*ingest.Record) error) error {
	asm := ingest.NewAssembler(ingest.AssemblerOptions{}, add)
	var e ingest.Entry
	var err error
	for {
		if err = in.Next(ctx, &e); err != nil {
			break
		}
		if err := asm.Add(&e); err != nil {
			return err
		}
	}
	if err == io.EOF {
		err = nil
	}
	err = errors.Join(err, asm.Flush())
	read := in.Read(err)
	tellProblems(std, read.Problems, err)
	if err == nil && read.Partial {
		return codeError{code: exitPartial}
	}
	return err
}

// loadConfig reads the rule files and aliases, if any, and puts the built-in
// pack behind the rules unless it is not wanted.
func loadConfig(paths, aliases []string, noBuiltin bool) (analyze.Config, error) {
	load := rules.LoadWithBuiltin
	if noBuiltin {
		load = rules.Load
	}
	set, err := load(paths)
	if err != nil {
		return analyze.Config{}, usageError{err: err, hint: "Run 'vdm-logs rules check " + strings.Join(paths, " ") + "' for every problem with its place."}
	}
	config := set.Config
	config.Aliases, err = loadAliases(aliases)
	return config, err
}

// fileInput reads files and pipes.
type fileInput struct {
	*logfile.Reader
}

func openFiles(ctx context.Context, o analyzeOptions, w window, std stdio) (input, error) {
	loc, err := parseZone(o.zone)
	if err != nil {
		return nil, err
	}
	opts := logfile.Options{
		Location: loc, Meter: std.meter(),
		Since: w.since, From: w.from, To: w.to, Format: o.format, Stdin: std.in,
		Reference: std.now(), // for times without a year, in what is no file with a time of its own
	}
	r, err := logfile.Open(ctx, o.files, opts)
	switch {
	case err == nil && !slices.ContainsFunc(r.Sources(), func(s logfile.Source) bool { return s.Format != "" }):
		r.Close()
		return nil, usageError{err: fmt.Errorf("no file of a known log format in %s", strings.Join(o.files, ", ")), hint: unknownFormatHint}
	case err == nil:
		return &fileInput{Reader: r}, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, usageError{err: err, hint: noFileHint(o.files)}
	case errors.Is(err, fs.ErrPermission):
		return nil, codeError{code: exitRefused, err: err, hint: "You may not read it: ask who may, or read a copy."}
	case logfile.IsRefused(err):
		return nil, usageError{err: err, hint: formatHint(err)}
	}
	return nil, err
}

// noFileHint says what was probably meant by a name that is no file's.
func noFileHint(names []string) string {
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, "{"):
			return "A query of Loki goes into a flag: --query '" + name + "'."
		case strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://"):
			return "The address of Loki goes into a flag: --loki " + name + "."
		}
	}
	return "Name files that exist, or - for standard input; without a file, Loki is read."
}

func (f *fileInput) Describe() string {
	names := make([]string, 0, 4)
	sources := f.Sources()
	for _, s := range sources[:min(len(sources), 3)] {
		names = append(names, s.Path)
	}
	if n := len(sources) - len(names); n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	return fmt.Sprintf("reading %s, window %s", strings.Join(names, ", "), describeWindow(f.Window()))
}

func describeWindow(w ingest.Window) string {
	return fmt.Sprintf("[%s, %s)", analyze.At(w.Start), analyze.At(w.End))
}

func (f *fileInput) Nodes() []analyze.Node {
	var out []analyze.Node
	for _, n := range f.Reader.Nodes() {
		out = append(out, analyze.Node{
			MaskedID: n.Fingerprint, Occurrences: n.Occurrences, IssueNumber: int(n.IssueNumber), IssueURL: n.IssueURL,
		})
	}
	return out
}

func (f *fileInput) Read(err error) analyze.Read {
	st := f.Stats()
	read := readOf(st, err)
	for _, s := range f.Sources() {
		read.OutOfOrder += s.OutOfOrder
		read.Sources = append(read.Sources, analyze.ReadSource{Name: s.Path, Format: s.Format, Compression: s.Compression, Entries: s.Entries})
	}
	return read
}

// readOf turns a reader's statistics into what the Analysis says of them.
func readOf(st ingest.ReadStats, err error) analyze.Read {
	read := analyze.Read{Entries: st.Entries, Bytes: st.Bytes, Skipped: st.Skipped, Partial: st.Partial || err != nil}
	for _, p := range st.Problems {
		read.Problems = append(read.Problems, redacted(cmp.Or(p.Place+": ", "")+p.Err.Error()))
	}
	if err != nil && len(read.Problems) == 0 {
		read.Problems = append(read.Problems, told(err))
	}
	return read
}

// tellProblems tells what could not be read, but for the error that ended the
// reading: that is told when the command ends.
func tellProblems(std stdio, problems []string, ended error) {
	for _, p := range problems {
		if ended == nil || p != told(ended) {
			fmt.Fprintf(std.err, "vdm-logs: not read: %s\n", p)
		}
	}
}

// getenv is the environment as the flags' defaults see it.
func getenv(name string) string { return os.Getenv(name) }
