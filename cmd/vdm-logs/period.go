package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// periodOptions is what the command line of period says.
type periodOptions struct {
	file       string // "-" is standard input
	format     string
	look       look
	resolution time.Duration
	falseAlarm float64
	zone       string
	until      string
	names      []string
	clocks     bool
}

const periodLong = `Period reads event times and says whether they recur with a fixed period: how
long it is, how sure that is, whether the next event is timed from a grid or
from the one before, which slots were missed, and when the next one is due.

Without a file, or with -, it reads standard input: one time a line, as
RFC 3339 (2026-09-19T19:00:52.047Z; without a zone it is UTC) or as Unix time
in seconds, milliseconds, microseconds or nanoseconds, which is told from the
size of the number. A name before or after the time is the stream; streams that
share a period are told together with a phase each. Lines that start with #
are comments. How many digits the times have says how coarse their clock is.

Input whose first line is a JSON object is read as cases, one a line:

  {"id": "a", "timestamps_ns": [...], "streams": ["x", "y"], "stream": [0, 1],
   "resolution_ns": 1000000}

stream gives the index of each event's stream and may be left out when there is
one; resolution_ns may be left out as well.

With -o jsonl every case is answered by an object with id, periodic and
periods; a period has periodNs, lowNs, highNs, jitterNs, kind (fixed-rate,
fixed-delay, cron or unknown-kind), kindConfidence, falseAlarm, evidenceNats,
events, slots, missed, explained, streams, phases, segments, pass and matches.
The order is by events, then by period.`

const periodExample = `  grep 'timed out' app.log | cut -d' ' -f1 | vdm-logs period
  vdm-logs period --name TransferStallBudget=2m times.txt
  vdm-logs period -o jsonl cases.jsonl`

func newPeriodCommand(std stdio) *cobra.Command {
	var o periodOptions
	cmd := &cobra.Command{
		Use:     "period [FILE|-]",
		Short:   "Find fixed-period recurrences in event times",
		Long:    periodLong + "\n\n" + exitCodesHelp,
		Example: periodExample,
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file = "-"
			if len(args) == 1 {
				o.file = args[0]
			}
			return runPeriod(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.format, "format", "o", "text", "how to print: text for people, or jsonl with one object a case for programs")
	o.look.register(f)
	f.DurationVar(&o.resolution, "resolution", 0, "step of the clock that wrote the times, such as 1s or 1ms, where it is coarser than their digits show")
	f.Float64Var(&o.falseAlarm, "false-alarm", period.DefaultFalseAlarm, "accepted probability that events without any structure are called periodic, between 0 and 1")
	f.StringVar(&o.zone, "zone", "UTC", "time zone whose wall clock the schedules follow, such as Europe/Zurich; it decides what counts as cron")
	f.StringVar(&o.until, "until", "", "end of the observation, such as 2026-09-19T20:00:00Z: next due times are after it (the newest event without it)")
	f.StringArrayVar(&o.names, "name", nil, "a length that has a name, NAME=DURATION such as AdoptBudget=3m; may be repeated: periods of that length, or a multiple or sum, are told by it")
	f.BoolVar(&o.clocks, "clocks", true, "also name well-known clocks: scrape intervals, minutes, hours, days")
	return cmd
}

func runPeriod(ctx context.Context, o periodOptions, std stdio) error {
	if o.format != "text" && o.format != "jsonl" {
		return usageError{err: fmt.Errorf("-o %s: the formats are text and jsonl", o.format)}
	}
	if err := o.look.parse(""); err != nil {
		return err
	}
	opt, err := o.searchOptions()
	if err != nil {
		return err
	}
	named, err := o.named()
	if err != nil {
		return err
	}
	in := std.in
	if o.file != "-" {
		f, err := os.Open(o.file)
		if err != nil {
			return usageError{err: err}
		}
		defer f.Close()
		in = f
	}
	p := periodPrinter{out: std.out, format: o.format, named: named, screen: o.look.screen(std.out)}
	name := o.file
	if name == "-" {
		name = "stdin"
	}
	skipped, err := readPeriodCases(in, name, func(c periodCase) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if o.resolution > 0 {
			for i := range c.series {
				c.series[i].Resolution = max(c.series[i].Resolution, o.resolution)
			}
		}
		return p.print(c, period.Find(c.series, opt))
	})
	skipped.report(std.err, name)
	switch {
	case errors.Is(err, context.Canceled):
		return codeError{code: exitInterrupted, err: errors.New("interrupted; the cases printed are complete")}
	case err != nil:
		return codeError{code: exitPartial, err: fmt.Errorf("reading %s: %w", name, err)}
	case skipped.lines > 0:
		return codeError{code: exitPartial}
	}
	return nil
}

func (o periodOptions) searchOptions() (period.Options, error) {
	opt := period.Options{FalseAlarm: o.falseAlarm}
	if !(o.falseAlarm > 0 && o.falseAlarm < 1) {
		return opt, usageError{err: fmt.Errorf("--false-alarm %v: a probability between 0 and 1 is wanted", o.falseAlarm)}
	}
	if o.resolution < 0 {
		return opt, usageError{err: fmt.Errorf("--resolution %v: a clock's step is not negative", o.resolution)}
	}
	var err error
	if opt.Location, err = time.LoadLocation(o.zone); err != nil {
		return opt, usageError{err: fmt.Errorf("--zone %s: %w", o.zone, err), hint: "Names are those of the IANA database, such as Europe/Zurich."}
	}
	if o.until != "" {
		t, _, err := parseEventTime(o.until)
		if err != nil {
			return opt, usageError{err: fmt.Errorf("--until: %w", err)}
		}
		opt.Until = t
	}
	return opt, nil
}

func (o periodOptions) named() ([]period.Named, error) {
	var out []period.Named
	for _, s := range o.names {
		name, text, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return nil, usageError{err: fmt.Errorf("--name %s: NAME=DURATION is wanted", s), hint: "For example: --name AdoptBudget=3m"}
		}
		d, err := parseLength("--name "+name, text)
		if err != nil {
			return nil, err
		}
		out = append(out, period.Named{Name: name, Expression: text, Length: d})
	}
	if o.clocks {
		out = append(out, period.Clocks()...)
	}
	return out, nil
}

// skippedLines counts the lines that could not be read, and keeps the first.
type skippedLines struct {
	lines int
	first []string // at most maxShownLines
}

const maxShownLines = 3

func (s *skippedLines) add(line int, err error) {
	s.lines++
	if len(s.first) < maxShownLines {
		s.first = append(s.first, fmt.Sprintf("%d: %v", line, err))
	}
}

func (s *skippedLines) report(w io.Writer, name string) {
	for _, f := range s.first {
		fmt.Fprintf(w, "vdm-logs: %s:%s\n", name, f)
	}
	if more := s.lines - len(s.first); more > 0 {
		fmt.Fprintf(w, "vdm-logs: %s: %d more lines could not be read\n", name, more)
	}
}
