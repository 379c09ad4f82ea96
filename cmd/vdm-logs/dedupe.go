package main

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// dedupeFlag says what becomes of entries that were shipped twice.
type dedupeFlag struct{ drop bool }

func (d *dedupeFlag) register(f *pflag.FlagSet) {
	f.BoolVar(&d.drop, "dedupe", false, "count entries that equal an earlier one in stream, time and line once; without it they are counted each and told")
}

// repeatsInput is an input whose repeated entries are counted, or dropped.
type repeatsInput struct {
	input
	repeats *ingest.Repeats
	drop    bool
}

func (d dedupeFlag) wrap(in input) *repeatsInput {
	return &repeatsInput{input: in, repeats: ingest.NewRepeats(in, d.drop), drop: d.drop}
}

// Next fills e with the next entry; see [ingest.Reader].
func (r *repeatsInput) Next(ctx context.Context, e *ingest.Entry) error {
	return r.repeats.Next(ctx, e)
}

// Stats tells what has been read; dropped entries are not among the entries.
func (r *repeatsInput) Stats() ingest.ReadStats { return r.repeats.Stats() }

// Read says what was read, and how much of it was repeated.
func (r *repeatsInput) Read(err error) analyze.Read {
	read := r.input.Read(err)
	read.Repeated, read.Deduplicated = r.repeats.Repeated(), r.drop && r.repeats.Repeated() > 0
	if r.drop {
		read.Entries -= read.Repeated
	}
	for _, s := range r.repeats.Streams() {
		read.Repeats = append(read.Repeats, analyze.Repeat(s))
	}
	return read
}

// tellOrder says on standard error what was wrong with the order and the
// number of the entries.
func tellOrder(std stdio, read analyze.Read) {
	say := func(n int64, one, many string) {
		if n == 1 {
			std.note("1 entry %s", one)
		} else if n > 1 {
			std.note("%d entries %s", n, many)
		}
	}
	say(read.OutOfOrder, "stood in its file before an earlier one, and was put in order", "stood in their files before earlier ones, and were put in order")
	if read.Deduplicated {
		say(read.Repeated, "equals an earlier one in stream, time and line, and was left out (--dedupe)", "equal earlier ones in stream, time and line, and were left out (--dedupe)")
		return
	}
	const why = ": shipped twice, or their clock is too coarse to tell them apart; --dedupe counts each once"
	say(read.Repeated, "equals an earlier one in stream, time and line"+why, "equal earlier ones in stream, time and line"+why)
}
