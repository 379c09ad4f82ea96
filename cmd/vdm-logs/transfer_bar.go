package main

import (
	"io"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/vdm-logs/vdm-logs/transfer"
)

// transferBar shows a transfer's progress on a terminal: phase, bytes, rate
// and, where the size is declared, how long it will take.
type transferBar struct {
	progress *mpb.Progress
	bar      *mpb.Bar
	phase    atomic.Value // string
	declared int64
}

func newTransferBar(w io.Writer) *transferBar {
	b := &transferBar{progress: mpb.New(mpb.WithOutput(w), mpb.WithWidth(40), mpb.WithAutoRefresh())}
	b.phase.Store("")
	b.bar = b.progress.AddBar(0,
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return b.phase.Load().(string) + " " }), decor.CountersKibiByte("% .1f / % .1f")),
		mpb.AppendDecorators(decor.AverageSpeed(decor.SizeB1024(0), "% .1f"), decor.Name(" "), decor.AverageETA(decor.ET_STYLE_GO)),
	)
	return b
}

func (b *transferBar) observe(e transfer.Event) {
	b.phase.Store(string(e.Phase))
	if e.BytesDeclared >= 0 && e.BytesDeclared != b.declared {
		b.declared = e.BytesDeclared
		b.bar.SetTotal(e.BytesDeclared, false)
	}
	if e.Kind == transfer.EventProgress {
		b.bar.SetCurrent(e.BytesReceived)
	}
}

func (b *transferBar) finish(complete bool) {
	if complete {
		b.bar.SetTotal(-1, true)
	} else {
		b.bar.Abort(false)
	}
	b.progress.Wait()
}
