package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// stageOptions is what the command line of stage says.
type stageOptions struct {
	file   string // "-" is standard input
	format string
	all    bool
	look   look
}

const stageLong = `Stage says of every record at which stage a transfer failed: the name was not
resolved, the connection not made, the answer never begun, the body went
silent, and so on, with the words that decided and the numbers they carry.

Without a file, or with -, it reads standard input. Text is read line by line;
lines that belong together (a console header and its message, a stack trace)
become one record, and each is answered by the number of its first line. Input
whose first line is a JSON object with "lines" is read as events, one a line:

  {"id": "e1", "lines": ["curl: (28) Connection timed out after 5001 ms"]}

all lines of an event are taken together, and it is answered by its id.

Records that tell of no failed transfer are left out unless --all is given;
events are all answered with -o jsonl. With -o jsonl every answer is an object
with id, stage, confidence, phase, role, kind, bytesReceived, bytesDeclared,
elapsedNs, budgetNs, target, source, rule and evidence; what is not known is
left out. Secrets are redacted.`

const stageExample = `  kubectl logs deploy/portal | vdm-logs stage
  vdm-logs stage -o jsonl events.jsonl`

func newStageCommand(std stdio) *cobra.Command {
	var o stageOptions
	cmd := &cobra.Command{
		Use:     "stage [FILE|-]",
		Short:   "Say at which stage the transfers in these lines failed",
		Long:    stageLong + "\n\n" + exitCodesHelp,
		Example: stageExample,
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file = "-"
			if len(args) == 1 {
				o.file = args[0]
			}
			return runStage(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.format, "format", "o", "text", "how to print: text for people, or jsonl with one object a line for programs")
	f.BoolVar(&o.all, "all", false, "also print the records that tell of no failed transfer, as not-a-timeout")
	o.look.register(f)
	return cmd
}

// maxStageLine bounds one line of input; what is longer ends the run.
const maxStageLine = 16 << 20

func runStage(ctx context.Context, o stageOptions, std stdio) error {
	if o.format != "text" && o.format != "jsonl" {
		return usageError{err: fmt.Errorf("-o %s: the formats are text and jsonl", o.format)}
	}
	if err := o.look.parse(""); err != nil {
		return err
	}
	in, name := std.in, "standard input"
	if o.file != "-" {
		f, err := os.Open(o.file)
		if err != nil {
			return usageError{err: err}
		}
		defer f.Close()
		in, name = f, o.file
	}
	classify, err := stage.New(stage.Options{})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(std.out)
	s := &stager{opt: o, name: name, out: out, std: std, classify: classify, screen: o.look.screen(std.out)}
	runErr := s.run(ctx, in)
	if err := out.Flush(); runErr == nil {
		runErr = err
	}
	return runErr
}

// stager attributes what it reads and prints it.
type stager struct {
	opt      stageOptions
	name     string // of the input, for errors
	out      *bufio.Writer
	std      stdio
	classify *stage.Classifier
	screen   report.Screen
	at       stage.Attribution

	records, failed, skipped int
}

func (s *stager) run(ctx context.Context, in io.Reader) error {
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 64<<10), maxStageLine)
	text := newLineAssembler(func(r *ingest.Record) error {
		return s.answer(strconv.FormatUint(r.Arrival, 10), s.classify.Classify(r, &s.at), false)
	})
	events, decided := false, false
	n := uint64(0)
	for sc.Scan() {
		n++
		if ctx.Err() != nil {
			break
		}
		line := sc.Bytes()
		if !decided && len(bytes.TrimSpace(line)) > 0 {
			_, err := parseEvent(line)
			events, decided = err == nil, true
		}
		var err error
		switch {
		case !events:
			err = text.add(line, n)
		case len(bytes.TrimSpace(line)) > 0:
			err = s.event(line, n)
		}
		if err != nil {
			return err
		}
	}
	if err := text.flush(); err != nil {
		return err
	}
	s.std.note("%s: %d of %d records tell of a failed transfer", s.name, s.failed, s.records)
	if err := sc.Err(); err != nil {
		return codeError{code: exitPartial, err: fmt.Errorf("%s: after line %d: %w", s.name, n, err)}
	}
	if s.skipped > 0 {
		return codeError{code: exitPartial, err: fmt.Errorf("%s: %d lines are no event and were skipped", s.name, s.skipped)}
	}
	return ctx.Err()
}

// stageEvent is one line of JSONL input.
type stageEvent struct {
	ID    string   `json:"id"`
	Lines []string `json:"lines"`
}

func parseEvent(line []byte) (stageEvent, error) {
	var e stageEvent
	if err := json.Unmarshal(line, &e); err != nil {
		return e, err
	}
	if e.Lines == nil {
		return e, errors.New(`no "lines"`)
	}
	return e, nil
}

func (s *stager) event(line []byte, n uint64) error {
	e, err := parseEvent(line)
	if err != nil {
		if s.skipped++; s.skipped <= 3 {
			fmt.Fprintf(s.std.err, "vdm-logs: %s:%d: %s\n", s.name, n, redacted(err.Error()))
		}
		return nil
	}
	if e.ID == "" {
		e.ID = strconv.FormatUint(n, 10)
	}
	var records []*ingest.Record
	a := newLineAssembler(func(r *ingest.Record) error {
		records = append(records, r.Clone())
		return nil
	})
	for i, l := range e.Lines {
		if err := a.add([]byte(l), uint64(i+1)); err != nil {
			return err
		}
	}
	if err := a.flush(); err != nil {
		return err
	}
	return s.answer(e.ID, s.classify.ClassifyEvent(records, &s.at), s.opt.format == "jsonl")
}

// answer prints the verdict on one record or event.
func (s *stager) answer(id string, failed, always bool) error {
	s.records++
	if failed {
		s.failed++
	} else if !s.opt.all && !always {
		return nil
	}
	if s.opt.format == "jsonl" {
		return s.writeJSON(id, failed)
	}
	return s.writeText(id, failed)
}

// stageAnswer is one line of -o jsonl.
type stageAnswer struct {
	ID            string   `json:"id"`
	Stage         string   `json:"stage"`
	Confidence    float64  `json:"confidence,omitempty"`
	Phase         string   `json:"phase,omitempty"`
	Role          string   `json:"role,omitempty"`
	Kind          string   `json:"kind,omitempty"`
	BytesReceived *int64   `json:"bytesReceived,omitempty"`
	BytesDeclared *int64   `json:"bytesDeclared,omitempty"`
	ElapsedNs     *int64   `json:"elapsedNs,omitempty"`
	BudgetNs      *int64   `json:"budgetNs,omitempty"`
	Target        string   `json:"target,omitempty"`
	Source        string   `json:"source,omitempty"`
	Rule          string   `json:"rule,omitempty"`
	Evidence      []string `json:"evidence,omitempty"`
}

func (s *stager) writeJSON(id string, failed bool) error {
	v := stageAnswer{ID: id, Stage: string(stage.NotATimeout)}
	if a := &s.at; failed {
		v = stageAnswer{ID: id, Stage: string(a.Stage), Confidence: a.Confidence, Phase: a.Phase, Role: string(a.Role), Kind: a.Kind,
			BytesReceived: known(a.BytesReceived), BytesDeclared: known(a.BytesDeclared), ElapsedNs: known(int64(a.Elapsed)), BudgetNs: known(int64(a.Budget)),
			Target: redacted(a.Target), Source: redacted(a.Source), Rule: a.Rule, Evidence: redactedAll(a.Evidence)}
	}
	enc := json.NewEncoder(report.PlainJSON(s.out))
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

func redactedAll(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = redacted(list[i])
	}
	return list
}

// lineAssembler makes records of lines that have no time but their order.
type lineAssembler struct {
	stream *ingest.Stream
	asm    *ingest.Assembler
}

func newLineAssembler(emit func(*ingest.Record) error) *lineAssembler {
	return &lineAssembler{stream: ingest.NewStream(nil), asm: ingest.NewAssembler(ingest.AssemblerOptions{}, emit)}
}

// add takes line n; the times are made up so that only the order counts.
func (a *lineAssembler) add(line []byte, n uint64) error {
	return a.asm.Add(&ingest.Entry{UnixNano: int64(n), Stream: a.stream, Line: bytes.TrimSuffix(line, []byte("\r")), Arrival: n, Ordered: true})
}

func (a *lineAssembler) flush() error { return a.asm.Flush() }
