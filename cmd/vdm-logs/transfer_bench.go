package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/vdm-logs/vdm-logs/analyze/report"
)

// transferBenchOptions is what the command line of transfer bench says.
type transferBenchOptions struct {
	tasks, segments, slots int
	size, limitRate        byteSize
	limiter                string
	stallBudget            durationFlag
	check                  bool
	format                 string
}

const transferBenchLong = `Bench loads the limiter: it starts a server on loopback, gets one object of
--size bytes per task from it, in --segments parts each, over --slots slots and
under one limit of --limit-rate, and measures how even the shares were.

  fair   the limiter that transfer uses: by bytes, in order, under nested limits
  peek   one bucket that tells each caller when to look again, and sets nothing
         aside: what not to do
  none   no limit; the measures that need one are then not given

What must hold for a limiter to be fair:

  slowest over ideal       at most 1.05   the last task's end over all bytes ÷ rate
  longest wait over fair   at most 2      one wait over slots × 16 KiB ÷ rate
  Jain index               at least 0.99  of the tasks' bytes when the first is complete,
                                          where there are as many slots as tasks
  least over mean          at least 0.9   of the same
  rate error               within 0.01    of bytes ÷ time over the limit, until then
  false stalls             none           the server is never silent, waiting is no silence

The first alone shows nothing: an unfair limiter passes it. A wait that is too
long on a machine that is busy with something else accuses the machine.`

const transferBenchExample = `  vdm-logs transfer bench
  vdm-logs transfer bench --limiter peek
  vdm-logs transfer bench --slots 160 --check -o json`

func newTransferBenchCommand(std stdio) *cobra.Command {
	o := transferBenchOptions{size: 1 << 20, limitRate: 4 << 20, stallBudget: durationFlag(500 * time.Millisecond)}
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Load the bandwidth limiter and measure its fairness",
		Long:    transferBenchLong + "\n\n" + exitCodesHelp,
		Example: transferBenchExample,
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runTransferBench(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.tasks, "tasks", 20, "objects that are got at the same time")
	f.IntVar(&o.segments, "segments", 8, "parts in which each is got")
	f.IntVar(&o.slots, "slots", 32, "segments of all tasks that are active at the same time")
	f.Var(&o.size, "size", "size of each object (64KiB, 1MiB)")
	f.Var(&o.limitRate, "limit-rate", "limit for all together, in bytes a second (500k, 4MiB)")
	f.StringVar(&o.limiter, "limiter", "fair", "which limiter: fair, peek or none")
	f.Var(&o.stallBudget, "stall-budget", "silence at which a transfer is refused (500ms); waiting for the limiter is none")
	f.BoolVar(&o.check, "check", false, "exit with 1 unless all that must hold does")
	f.StringVarP(&o.format, "format", "o", "text", "how to report: text or json")
	return cmd
}

func (o *transferBenchOptions) validate() error {
	wrong := func(format string, args ...any) error { return usageError{err: fmt.Errorf(format, args...)} }
	const most = 10_000
	switch {
	case o.format != "text" && o.format != "json":
		return wrong("-o %s: the formats are text and json", o.format)
	case o.limiter != "fair" && o.limiter != "peek" && o.limiter != "none":
		return wrong("--limiter %s: fair, peek or none", o.limiter)
	case o.tasks < 1 || o.tasks > most:
		return wrong("--tasks %d: from 1 to %d", o.tasks, most)
	case o.segments < 1 || o.segments > most:
		return wrong("--segments %d: from 1 to %d", o.segments, most)
	case o.slots < 1 || o.slots > most:
		return wrong("--slots %d: from 1 to %d", o.slots, most)
	case o.size < 1 || int64(o.size) > math.MaxInt64/most:
		return wrong("--size %d: at least 1 byte, and less than %d", o.size, int64(math.MaxInt64/most))
	case o.limiter != "none" && o.limitRate < 1:
		return wrong("--limit-rate %d: at least 1 byte a second, or --limiter none", o.limitRate)
	}
	return nil
}

func runTransferBench(ctx context.Context, o transferBenchOptions, std stdio) error {
	if err := o.validate(); err != nil {
		return err
	}
	b, err := runBench(ctx, o)
	if err != nil {
		return codeError{code: exitUnreachable, err: err}
	}
	r := b.report()
	if o.format == "json" {
		enc := json.NewEncoder(std.out)
		enc.SetIndent("", "  ")
		err = enc.Encode(r)
	} else {
		err = r.writeText(std.out)
	}
	if err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return codeError{code: exitInterrupted, err: errors.New("interrupted: what is reported had come until then")}
	case b.failures() > 0:
		first := b.firstError()
		return codeError{code: transferCode(first), err: fmt.Errorf("%d transfers failed, the first with: %w", b.failures(), first)}
	case o.check && !r.Fair:
		return codeError{code: exitNo, err: fmt.Errorf("the limiter %s missed a bar", o.limiter)}
	}
	return nil
}

// benchReport is what transfer bench measured, as -o json prints it. A measure
// that needs a limit is null without one, jain and minOverMean are null with
// fewer slots than tasks, and so is what was not measured to its end.
type benchReport struct {
	SchemaVersion int    `json:"schemaVersion"`
	OK            bool   `json:"ok"` // all transfers completed
	Limiter       string `json:"limiter"`
	Tasks         int    `json:"tasks"`
	Segments      int    `json:"segments"`
	Slots         int    `json:"slots"`
	Size          int64  `json:"size"`
	LimitRate     *int64 `json:"limitRate"` // bytes per second

	Bytes          int64  `json:"bytes"`
	Elapsed        string `json:"elapsed"`
	ElapsedNs      int64  `json:"elapsedNs"`
	BytesPerSecond int64  `json:"bytesPerSecond"`
	IdealNs        *int64 `json:"idealNs"`
	FairWaitNs     *int64 `json:"fairWaitNs"`
	LongestWaitNs  *int64 `json:"longestWaitNs"`

	SlowestOverIdeal    *float64 `json:"slowestOverIdeal"`
	LongestWaitOverFair *float64 `json:"longestWaitOverFair"`
	Jain                *float64 `json:"jain"`
	MinOverMean         *float64 `json:"minOverMean"`
	RateError           *float64 `json:"rateError"` // 0.01 is 1 % above the limit
	FalseStalls         int      `json:"falseStalls"`
	Fair                bool     `json:"fair"` // all bars are kept

	PerTask []benchTaskReport `json:"perTask"`
}

// benchTaskReport is one task's part of a benchReport.
type benchTaskReport struct {
	Task           int    `json:"task"` // from 1
	Bytes          int64  `json:"bytes"`
	SteadyBytes    int64  `json:"steadyBytes"` // when the first task was complete
	ElapsedNs      int64  `json:"elapsedNs"`
	BytesPerSecond int64  `json:"bytesPerSecond"`
	Waits          int    `json:"waits"`
	WaitedNs       int64  `json:"waitedNs"`
	LongestWaitNs  int64  `json:"longestWaitNs"`
	FalseStalls    int    `json:"falseStalls"`
	Failures       int    `json:"failures"`
	Error          string `json:"error"` // the first, or empty
}

// report turns what was measured into numbers.
func (b *bench) report() benchReport {
	o := b.o
	r := benchReport{SchemaVersion: 1, OK: b.failures() == 0, Limiter: o.limiter, Tasks: o.tasks, Segments: o.segments,
		Slots: o.slots, Size: int64(o.size), PerTask: []benchTaskReport{}}
	var elapsed, longest time.Duration
	var steady []int64
	for i, t := range b.tasks {
		elapsed, longest = max(elapsed, t.elapsed), max(longest, t.longest)
		steady = append(steady, t.steady)
		r.Bytes += t.bytes
		r.FalseStalls += t.stalls
		p := benchTaskReport{Task: i + 1, Bytes: t.bytes, SteadyBytes: t.steady, ElapsedNs: int64(t.elapsed),
			BytesPerSecond: perSecond(t.bytes, t.elapsed), Waits: t.waits, WaitedNs: int64(t.waited),
			LongestWaitNs: int64(t.longest), FalseStalls: t.stalls, Failures: t.failures}
		if t.err != nil {
			p.Error = t.err.Error()
		}
		r.PerTask = append(r.PerTask, p)
	}
	r.Elapsed, r.ElapsedNs, r.BytesPerSecond = elapsed.String(), int64(elapsed), perSecond(r.Bytes, elapsed)
	if !b.complete.IsZero() && o.slots >= o.tasks { // else not all tasks were active
		jain, least := evenness(steady)
		r.Jain, r.MinOverMean = measured(jain), measured(least)
	}
	if o.limiter != "none" {
		rate, ideal, fair, wait := int64(o.limitRate), int64(o.ideal()), int64(o.fairWait()), int64(longest)
		r.LimitRate, r.IdealNs, r.FairWaitNs, r.LongestWaitNs = &rate, &ideal, &fair, &wait
		r.LongestWaitOverFair = measured(float64(longest) / float64(fair))
		if r.OK {
			r.SlowestOverIdeal = measured(float64(elapsed) / float64(ideal))
		}
		if !b.complete.IsZero() {
			r.RateError = measured(float64(sumOf(steady))/b.complete.Sub(b.first).Seconds()/float64(rate) - 1)
		}
	}
	r.Fair = r.OK
	for _, bar := range r.bars() {
		r.Fair = r.Fair && bar.kept()
	}
	return r
}

func sumOf(xs []int64) (sum int64) {
	for _, x := range xs {
		sum += x
	}
	return sum
}

// measured returns v rounded to what is worth printing, and nil if it is no
// number.
func measured(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	v = math.Round(v*1e6) / 1e6
	return &v
}

// perSecond returns a rate, and 0 where less than a millisecond passed.
func perSecond(bytes int64, d time.Duration) int64 {
	if d < time.Millisecond {
		return 0
	}
	return int64(float64(bytes) / d.Seconds())
}

// benchBar is a measure and the bounds that it must keep.
type benchBar struct {
	name     string
	value    *float64
	from, to float64
	bound    string
	applies  bool
}

// kept reports whether the bar holds; one that was not measured does not.
func (b benchBar) kept() bool { return b.value != nil && b.from <= *b.value && *b.value <= b.to }

// bars returns the bars that apply.
func (r *benchReport) bars() []benchBar {
	stalls := float64(r.FalseStalls)
	limited := r.LimitRate != nil
	together := limited && r.Slots >= r.Tasks // all tasks are active at the same time
	all := []benchBar{
		{"slowest over ideal", r.SlowestOverIdeal, 0, 1.05, "at most 1.05", limited},
		{"longest wait over fair", r.LongestWaitOverFair, 0, 2, "at most 2", limited},
		{"Jain index", r.Jain, 0.99, 1, "at least 0.99", together},
		{"least over mean", r.MinOverMean, 0.9, 1, "at least 0.9", together},
		{"rate error", r.RateError, -0.01, 0.01, "within 0.01", limited},
		{"false stalls", &stalls, 0, 0, "none", true},
	}
	return slices.DeleteFunc(all, func(bar benchBar) bool { return !bar.applies })
}

// writeText prints the measures beside their bars.
func (r *benchReport) writeText(w io.Writer) error {
	screen := screenOf(w, "auto")
	limit := "no limit"
	if r.LimitRate != nil {
		limit = fmt.Sprintf("%s/s, limiter %s", formatBytes(*r.LimitRate), r.Limiter)
	}
	head := fmt.Sprintf("%d tasks of %s in %d segments over %d slots, %s", r.Tasks, formatBytes(r.Size), r.Segments, r.Slots, limit)
	did := fmt.Sprintf("%d bytes in %s, %s/s", r.Bytes, time.Duration(r.ElapsedNs).Round(time.Millisecond), formatBytes(r.BytesPerSecond))
	for _, l := range []string{head, did} {
		if err := screen.Paragraph(w, "", 0, "", l); err != nil {
			return err
		}
	}
	var rows [][]string
	for _, bar := range r.bars() {
		verdict, value := "kept", "not measured"
		if !bar.kept() {
			verdict = "missed"
		}
		if bar.value != nil {
			value = fmt.Sprintf("%.4g", *bar.value)
		}
		rows = append(rows, []string{bar.name, value, bar.bound, verdict})
	}
	verdict := func(cell string) string {
		if cell == "kept" {
			return report.Green
		}
		return report.Red
	}
	return screen.Table(w, 2, []report.Column{{}, {}, {}, {Style: verdict}}, rows)
}

// failures returns how many transfers failed.
func (b *bench) failures() (n int) {
	for _, t := range b.tasks {
		n += t.failures
	}
	return n
}

// firstError returns the error of the first task that has one.
func (b *bench) firstError() error {
	for _, t := range b.tasks {
		if t.err != nil {
			return t.err
		}
	}
	return nil
}
