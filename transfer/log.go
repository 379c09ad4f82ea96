package transfer

import (
	"context"
	"errors"
	"log/slog"
)

// The messages of the log lines. With the keys listed in the package comment
// they are public API: analyze/stage reads them.
const (
	MsgCompleted = "transfer completed"
	MsgRefused   = "transfer refused"
	MsgFailed    = "transfer failed"
	MsgCancelled = "transfer cancelled"
	MsgRetried   = "transfer tried again"
)

// logEnd writes the one line that every transfer ends with.
func (x *exchange) logEnd(res *Result, err error) {
	logger := x.c.Logger
	if logger == nil {
		return
	}
	message, level := MsgCompleted, slog.LevelInfo
	attrs := make([]slog.Attr, 0, 16)
	if x.req.Name != "" {
		attrs = append(attrs, slog.String("name", x.req.Name))
	}
	attrs = append(attrs, slog.String("target", res.Target))
	var refusal *Error
	kind := KindOf(err)
	switch {
	case errors.As(err, &refusal):
		message, level = MsgRefused, slog.LevelError
		attrs = append(attrs, slog.String("stage", string(refusal.Stage)), slog.String("phase", string(refusal.Phase)))
		if refusal.Timeout() {
			attrs = append(attrs, slog.String("budget", refusal.Budget.Name),
				slog.Int64("budgetNs", int64(refusal.Budget.Duration)), slog.Int64("silenceNs", int64(refusal.Silence)))
		} else {
			attrs = append(attrs, slog.Int64("limitBytes", refusal.Limit))
		}
	case kind == KindCancelled || kind == KindDeadline:
		message, level = MsgCancelled, slog.LevelWarn
		attrs = append(attrs, slog.String("kind", string(kind)), slog.String("phase", string(res.Phase)))
		var outer *BudgetError
		if errors.As(err, &outer) {
			attrs = append(attrs, slog.String("outerBudget", outer.Name), slog.Int64("outerBudgetNs", int64(outer.Duration)))
		}
	case err != nil:
		message, level = MsgFailed, slog.LevelError
		attrs = append(attrs, slog.String("kind", string(kind)), slog.String("phase", string(res.Phase)))
	}
	attrs = append(attrs, slog.Int64("bytesReceived", res.BytesReceived))
	if res.BytesDeclared >= 0 {
		attrs = append(attrs, slog.Int64("bytesDeclared", res.BytesDeclared))
	}
	attrs = append(attrs, slog.Int64("elapsedNs", int64(res.Elapsed)), slog.Int64("bytesPerSecond", res.BytesPerSecond))
	if res.Queued > 0 {
		attrs = append(attrs, slog.Int64("queuedNs", int64(res.Queued)))
	}
	attrs = append(attrs, slog.Int("attempts", res.Attempts))
	if res.Status != 0 {
		attrs = append(attrs, slog.Int("status", res.Status))
	}
	if res.ResumedFrom > 0 {
		attrs = append(attrs, slog.Int64("resumedFrom", res.ResumedFrom))
	}
	if res.Digest != "" {
		attrs = append(attrs, slog.String("digest", res.Digest))
	}
	if err != nil {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	logger.LogAttrs(context.WithoutCancel(x.parent), level, message, attrs...)
}

// logRetry tells of a try that failed and is followed by another.
func (x *exchange) logRetry(e Event) {
	if x.c.Logger == nil {
		return
	}
	attrs := []slog.Attr{slog.String("target", x.res.Target), slog.Int("attempt", x.attempt), slog.Int64("waitNs", int64(e.Wait))}
	if e.Status != 0 {
		attrs = append(attrs, slog.Int("status", e.Status))
	}
	if e.Err != nil {
		attrs = append(attrs, slog.String("kind", string(KindOf(e.Err))), slog.String("error", e.Err.Error()))
	}
	x.c.Logger.LogAttrs(context.WithoutCancel(x.parent), slog.LevelWarn, MsgRetried, attrs...)
}
