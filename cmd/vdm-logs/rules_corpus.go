package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// corpusFlags say which logs rules are held against: files of --corpus, or,
// when a window, an address or a query is given without any, Loki.
type corpusFlags struct {
	paths  []string
	window windowFlags
	loki   lokiFlags
	format string
	zone   string
}

func (c *corpusFlags) register(f *pflag.FlagSet) {
	f.StringArrayVar(&c.paths, "corpus", nil, "log `file`, or folder of log files, to hold the rules against; may be given several times; without it, --since, --from, --loki or --query reads Loki")
	c.window.register(f)
	c.loki.register(f)
	// A rule may be about lines that no incident needs: all are read.
	f.Lookup("no-push-filters").Hidden = true
	f.StringVar(&c.format, "format", "", "`name` of the corpus files' format, instead of detecting it by content; 'vdm-logs formats' lists them")
	f.StringVar(&c.zone, "tz", "", "`zone` of times in corpus files that name none, such as Europe/Berlin; UTC without it")
}

// given reports whether any flag asks for a corpus.
func (c *corpusFlags) given() bool {
	return len(c.paths) > 0 || c.window != windowFlags{} || c.loki.addr != "" || c.loki.query != ""
}

// open opens the corpus. query is the rule files' own, for where no flag
// names one.
func (c *corpusFlags) open(ctx context.Context, query string, std stdio) (input, error) {
	o := analyzeOptions{window: c.window, loki: c.loki, format: c.format, zone: c.zone}
	o.loki.noFilters = true
	if len(c.paths) > 0 {
		if err := c.loki.unused(); err != nil {
			return nil, err
		}
		var err error
		if o.files, err = corpusFiles(c.paths); err != nil {
			return nil, err
		}
	}
	in, err := openInput(ctx, o, analyze.Config{Query: query}, std)
	if errors.Is(err, errNoInput) {
		return nil, usageError{err: errors.New("there is no corpus: no file is named, and neither --loki nor LOKI_ADDR nor a profile says where Loki is"),
			hint: "Name log files or folders of them with --corpus, or give --loki ADDRESS --since 24h."}
	}
	return in, err
}

// read joins the entries of the corpus to records, as analyze does, and hands
// them on. The error is quiet and of code 3 if something could not be read and
// the rest could.
func (c *corpusFlags) read(ctx context.Context, query string, std stdio, add func(*ingest.Record) error) error {
	in, err := c.open(ctx, query, std)
	if err != nil {
		return err
	}
	defer in.Close()
	std.note("%s", in.Describe())
	return joinRecords(ctx, in, std, add)
}

// isPartial reports whether an error says no more than that something could
// not be read.
func isPartial(err error) bool {
	var partial codeError
	return errors.As(err, &partial) && partial.code == exitPartial
}

// corpusFiles lists the files of a corpus, those of folders sorted by name.
func corpusFiles(paths []string) ([]string, error) {
	var files []string
	for _, p := range paths {
		root := p
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			root = strings.TrimSuffix(p, string(filepath.Separator)) + string(filepath.Separator) // a link is walked, too
		}
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && name != root && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case name == root && !d.IsDir(), (d.Type().IsRegular() || d.Type()&fs.ModeSymlink != 0) && !strings.HasPrefix(d.Name(), "."):
				files = append(files, filepath.Clean(name))
			}
			return nil
		})
		if err != nil {
			return nil, usageError{err: fmt.Errorf("--corpus: %w", err), hint: "Name log files or folders of them."}
		}
	}
	if len(files) == 0 {
		return nil, usageError{err: fmt.Errorf("--corpus: there is no file in %s", strings.Join(paths, ", ")), hint: "Name log files or folders of them."}
	}
	return files, nil
}
