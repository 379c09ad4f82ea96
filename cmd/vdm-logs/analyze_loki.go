package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/pushdown"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// lokiFlags say which Loki to read and what of it.
type lokiFlags struct {
	addr, query, maxRead string
	batch, parallel      int
	noFilters, pushdown  bool
}

func (l *lokiFlags) register(f *pflag.FlagSet) {
	f.StringVar(&l.addr, "loki", "", "`address` of Loki, such as http://loki.example:3100; LOKI_ADDR or loki.addr of the configuration without it, and logcli's other LOKI_* variables for tenant, credentials and TLS")
	f.StringVar(&l.query, "query", "", "LogQL `selector`, with line filters if wanted, of what to read from Loki; without it VDM_LOGS_QUERY, loki.query of the configuration, defaults.query of the rules, or {service_name=~\".+\"}")
	f.StringVar(&l.maxRead, "max-read", "5GiB", "read no more than this `size` from Loki: nothing where more is expected, and what lies before where that shows on the way; lines that the server counts or filters away do not count; 0 for no bound")
	f.IntVar(&l.batch, "batch", 0, "entries to ask Loki for at once; as many as it gives, up to 5000, without it")
	f.IntVar(&l.parallel, "parallel", 4, "ranges of time to read from Loki at once")
	f.BoolVar(&l.pushdown, "pushdown", false, "have Loki count the lines that matter by Source and minute, and read only those and what stands around a few of them; the result says what was counted and what cannot be known so")
	f.BoolVar(&l.noFilters, "no-push-filters", false, "read every line from Loki, instead of having it filter those that may matter and reading what stands around them")
}

// unused refuses flags that say something of Loki when files are read.
func (l *lokiFlags) unused() error {
	for _, f := range []struct{ name, value string }{{"--loki", l.addr}, {"--query", l.query}} {
		if f.value != "" {
			return usageError{err: fmt.Errorf("%s has no meaning when files are read", f.name), hint: "Leave out the files to read Loki, or the flag to read the files."}
		}
	}
	return nil
}

func (l *lokiFlags) check() error {
	if l.batch < 0 || l.parallel < 1 || l.parallel > 64 {
		return usageError{err: fmt.Errorf("--batch must not be negative, and --parallel lies between 1 and 64")}
	}
	if l.pushdown && l.noFilters {
		return usageError{err: errors.New("--pushdown and --no-push-filters exclude each other"), hint: "Leave one of them out."}
	}
	if _, err := parseBytes(l.maxRead); err != nil {
		return usageError{err: fmt.Errorf("--max-read: %w", err)}
	}
	return nil
}

var errNoInput = errors.New("nothing to read: no file is named, and neither --loki nor LOKI_ADDR nor a profile says where Loki is")

const noInputHint = `Either of these would work:
  vdm-logs analyze logs.jsonl
  vdm-logs analyze --loki http://loki.example:3100 --since 1h`

// lokiInput reads a Loki server.
type lokiInput struct {
	*loki.Reader
	client  *loki.Client
	query   selector.Query
	window  ingest.Window
	about   string // the server's estimate
	restore func() // what was changed of this process
	bound   int64  // of what is read, in bytes; 0 is none
	most    string // the same as the user wrote it
	lines   int64  // by the server's estimate

	server  analyze.ServerRead
	traffic []analyze.Traffic
	counted pushdown.Result // by the server, instead of being read
	gaps    []loki.Gap      // of readers before the last
}

func openLoki(ctx context.Context, o analyzeOptions, w window, config analyze.Config, std stdio) (input, error) {
	if err := o.loki.check(); err != nil {
		return nil, err
	}
	set, err := std.settings()
	if err != nil {
		return nil, err
	}
	settings, err := std.lokiSettings(ctx)
	if err != nil {
		return nil, err
	}
	if settings.Addr = cmp.Or(o.loki.addr, settings.Addr); settings.Addr == "" {
		return nil, usageError{err: errNoInput, hint: noInputHint}
	}
	// What the user wrote is refused before the server is asked for anything.
	chosen := cmp.Or(o.loki.query, set.Text("loki.query"), config.Query)
	var query selector.Query
	if chosen != "" {
		if query, err = parseQuery(chosen); err != nil {
			return nil, err
		}
	}
	in := &lokiInput{query: query, window: resolveWindow(w, set.Text("loki.since"), settings.Now())}
	if err := checkBegun(in.window, settings.Now()); err != nil {
		return nil, err
	}
	client, err := loki.New(settings)
	if err != nil {
		return nil, usageError{err: err}
	}
	in.client, in.restore = client, holdLess()
	if err := in.open(ctx, o.loki, config, chosen == ""); err != nil {
		in.Close()
		return nil, lokiError(err)
	}
	return in, nil
}

func parseQuery(text string) (selector.Query, error) {
	q, err := selector.ParseQuery(text)
	var bad *selector.Error
	if errors.As(err, &bad) {
		return q, usageError{err: err, hint: bad.Pointer()}
	}
	return q, err
}

func (l *lokiInput) open(ctx context.Context, flags lokiFlags, config analyze.Config, anyQuery bool) error {
	if anyQuery {
		q, err := l.commonest(ctx)
		if err != nil {
			return err
		}
		l.query = q
	}
	l.most = flags.maxRead
	l.bound, _ = parseBytes(flags.maxRead)
	if err := l.estimate(ctx); err != nil {
		return err
	}
	return l.begin(ctx, flags, config)
}

// maxLabelsAsked bounds how many labels are weighed for the default query.
const maxLabelsAsked = 24

// commonest chooses the selector for a user who named none: service_name,
// which Loki gives to every stream that has any of the usual labels, or else
// the label that most streams have.
func (l *lokiInput) commonest(ctx context.Context) (selector.Query, error) {
	names, err := l.client.Labels(ctx, l.window)
	if err != nil {
		return selector.Query{}, err
	}
	best, most := "", int64(0)
	asked := 0
	for _, name := range names {
		if name == "service_name" {
			best = name
			break
		}
		if strings.HasPrefix(name, "__") || asked == maxLabelsAsked {
			continue
		}
		asked++
		stats, err := l.client.IndexStats(ctx, anyOf(name), l.window)
		if err != nil {
			return selector.Query{}, err
		}
		if stats.Streams > most {
			best, most = name, stats.Streams
		}
	}
	if best == "" {
		if len(names) == 0 {
			return selector.Query{}, usageError{
				err:  fmt.Errorf("%s has no label in window %s: nothing was logged then, or it is another tenant's", l.client.Addr(), describeWindow(l.window)),
				hint: "Look further back with --since 24h, or name the tenant in LOKI_ORG_ID.",
			}
		}
		best = names[0]
	}
	return parseQuery(anyOf(best))
}

// anyOf selects the streams that have a label.
func anyOf(name string) string { return "{" + name + `=~".+"}` }

// estimate asks the server how much there is.
func (l *lokiInput) estimate(ctx context.Context) error {
	stats, err := l.client.IndexStats(ctx, l.query.Selector, l.window)
	var status *loki.StatusError
	switch {
	case errors.As(err, &status) && !status.Refused():
		l.about = "size unknown"
		return nil // an older server, or one that does not tell
	case err != nil:
		return err
	}
	l.server.EstimatedBytes, l.lines = stats.Bytes, stats.Entries
	l.about = fmt.Sprintf("about %s in %d streams", formatBytes(stats.Bytes), stats.Streams)
	return nil
}

// fits refuses to read about so many bytes where that is more than the user
// would want to wait for. What says what they are.
func (l *lokiInput) fits(bytes int64, what string) error {
	if l.bound == 0 || bytes <= l.bound {
		return nil
	}
	return usageError{
		err:  fmt.Errorf("%s over window %s would read about %s, more than --max-read %s; %s", l.query, describeWindow(l.window), formatBytes(bytes), l.most, what),
		hint: wayOut(bytes + bytes/4),
	}
}

// fitsWhole refuses to read every line of the query where they are too many. Of
// a query that filters, the server counts how many lines that leaves.
func (l *lokiInput) fitsWhole(ctx context.Context, reason string) error {
	bytes := l.server.EstimatedBytes
	if l.bound > 0 && bytes > l.bound && l.query.Rest != "" && l.lines > 0 {
		if n, err := l.client.Count(ctx, l.query.String(), l.window); err == nil {
			bytes = n * (bytes / l.lines)
		}
	}
	return l.fits(bytes, "it reads every line: "+reason)
}

// matterTooMuch refuses a query of which the lines that matter alone are more
// than may be read; any other error stays as it is.
func (l *lokiInput) matterTooMuch(err error) error {
	if !errors.As(err, new(*loki.OverBudgetError)) {
		return err
	}
	return usageError{
		err:  fmt.Errorf("%s over window %s has more lines that may matter than --max-read %s", l.query, describeWindow(l.window), l.most),
		hint: wayOut(4 * l.bound),
	}
}

// wayOut says what to do where more would be read than may be.
func wayOut(enough int64) string {
	return `Narrow it: a shorter --since, or --query '{namespace="..."} |= "timeout"'.
Or allow it: --max-read ` + compact(enough) + ", or --max-read 0 for no bound."
}

// compact writes a size as a flag takes it.
func compact(bytes int64) string { return strings.ReplaceAll(formatBytes(bytes), " ", "") }

// lokiError gives an error of the server its exit code and the way out.
func lokiError(err error) error {
	var unreachable *loki.UnreachableError
	var status *loki.StatusError
	var other *loki.NotLokiError
	var over *loki.OverBudgetError
	switch {
	case errors.As(err, &over):
		return codeError{code: exitPartial, err: err, hint: wayOut(4 * over.Bytes)}
	case errors.As(err, &unreachable):
		return codeError{code: exitUnreachable, err: err, hint: "Is the address right, and can it be reached from here? 'curl ADDRESS/ready' tells."}
	case errors.As(err, &other):
		return codeError{code: exitUnreachable, err: err, hint: "A path prefix or a gateway's sign-in page in between would look like this."}
	case errors.As(err, &status) && status.Refused():
		return codeError{code: exitRefused, err: err, hint: "Credentials come from LOKI_USERNAME and LOKI_PASSWORD, LOKI_BEARER_TOKEN or LOKI_BEARER_TOKEN_FILE, the tenant from LOKI_ORG_ID."}
	case errors.As(err, &status) && status.Code >= 500, errors.As(err, &status) && status.Code == 429:
		return codeError{code: exitUnreachable, err: err, hint: "The server is overloaded or times out: a shorter window, a narrower query, or --parallel 1 asks less of it."}
	case errors.As(err, &status) && status.Code == 400:
		return usageError{err: err}
	}
	return err
}

// Next gives errors of the server their exit codes.
func (l *lokiInput) Next(ctx context.Context, e *ingest.Entry) error {
	err := l.Reader.Next(ctx, e)
	if err != nil {
		return lokiError(err)
	}
	return nil
}

func (l *lokiInput) Window() ingest.Window { return l.window }

func (l *lokiInput) Describe() string {
	return fmt.Sprintf("reading %s, query %s, window %s, %s; %s", l.client.Addr(), l.query, describeWindow(l.window), l.about, l.how())
}

// Nodes returns none: Loki holds log lines.
func (l *lokiInput) Nodes() []analyze.Node { return nil }

func (l *lokiInput) Read(err error) analyze.Read {
	st := l.Stats()
	more := l.counted.Stats
	st.Entries, st.Bytes, st.Skipped = st.Entries+more.Entries, st.Bytes+more.Bytes, st.Skipped+more.Skipped
	st.Partial, st.Problems = st.Partial || more.Partial, append(st.Problems, more.Problems...)
	read := readOf(st, err)
	read.Query, read.Server = l.query.String(), &l.server
	read.Gaps = gapsOf(append(l.gaps, l.Gaps()...))
	read.Sources = []analyze.ReadSource{{Name: l.client.Addr(), Format: "loki", Entries: st.Entries}}
	return read
}

func (l *lokiInput) Close() error {
	var err error
	if l.Reader != nil {
		err = l.Reader.Close()
	}
	l.client.Close()
	if l.restore != nil {
		l.restore()
	}
	return err
}
