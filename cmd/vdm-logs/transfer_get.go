package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/transfer"
	"github.com/vdm-logs/vdm-logs/transfer/limiter"
)

// transferGetOptions is what the command line of transfer get says.
type transferGetOptions struct {
	url       string
	client    clientFlags
	file      string
	digest    string
	resume    bool
	segments  int
	attempts  int
	limitRate byteSize
	format    string
	progress  string
}

const transferGetLong = `Get gets one object. Without --output it goes to standard output, or nowhere
with -o json, whose one object describes the transfer, complete or not.

With --output FILE the object is written beside FILE, verified, synced and then
renamed: FILE is never a part of an object. Large objects come in parallel
segments where the server has ranges. With --resume what had arrived before a
fault stays in FILE.part, and the next call goes on from there if the server
proves that the object is the same.`

const transferGetExample = `  vdm-logs transfer get https://registry.example/bundles/index.json
  vdm-logs transfer get --output b.zip --resume --digest sha256:9f86d08... https://registry.example/b.zip
  vdm-logs transfer get -o json --stall-budget 30s https://registry.example/b.zip`

func newTransferGetCommand(std stdio) *cobra.Command {
	var o transferGetOptions
	cmd := &cobra.Command{
		Use:     "get URL",
		Short:   "Get one object, bounded by silence",
		Long:    transferGetLong + "\n\n" + transferExitCodes,
		Example: transferGetExample,
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.url = args[0]
			return runTransferGet(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	o.client.register(f)
	f.StringVar(&o.file, "output", "", "write the object to this `FILE`, whole or not at all; - is standard output")
	f.StringVar(&o.digest, "digest", "", "what the object must be: `sha256:HEX`, sha384:, sha512:, sha1: or md5:; an algorithm alone computes the digest")
	f.BoolVar(&o.resume, "resume", false, "keep what arrived before a fault, and go on from there; needs --output")
	f.IntVar(&o.segments, "segments", 0, "get this many `parts` at once where the server has ranges; 0 is 8 for large objects, 1 never; only with --output")
	f.IntVar(&o.attempts, "attempts", 3, "send the request at most this often when it fails fast (5xx, 429, refused, reset); a stall is never tried again")
	f.Var(&o.limitRate, "limit-rate", "receive at most this many bytes a second (4MiB, 500k); 0 is no limit, and the wait counts as no stall")
	f.StringVarP(&o.format, "format", "o", "text", "how to report: text on standard error, or json on standard output")
	f.StringVar(&o.progress, "progress", "auto", "progress bar on standard error: auto (if that is a terminal), always or never")
	return cmd
}

func (o *transferGetOptions) check() error {
	wrong := func(format string, args ...any) error { return usageError{err: fmt.Errorf(format, args...)} }
	switch {
	case o.format != "text" && o.format != "json":
		return wrong("-o %s: the formats are text and json", o.format)
	case o.format == "json" && o.file == "-":
		return wrong("-o json and --output - both want standard output")
	case o.resume && (o.file == "" || o.file == "-" || irregular(o.file)):
		return wrong("--resume needs --output FILE, a regular file")
	case o.segments < 0 || o.segments > 64:
		return wrong("--segments %d: from 0 to 64", o.segments)
	case o.attempts < 1:
		return wrong("--attempts %d: at least 1", o.attempts)
	case o.progress != "auto" && o.progress != "always" && o.progress != "never":
		return wrong("--progress %s: auto, always or never", o.progress)
	}
	return nil
}

func runTransferGet(ctx context.Context, o transferGetOptions, std stdio) error {
	if err := o.check(); err != nil {
		return err
	}
	client, req, err := o.client.client(o.url)
	if err != nil {
		return err
	}
	client.Retry.Attempts = o.attempts
	if strings.Contains(o.digest, ":") {
		req.Digest = o.digest
	} else {
		req.ComputeDigest = strings.ToLower(o.digest)
	}
	if o.limitRate > 0 {
		client.Limiter = limiter.New(limiter.Rate(o.limitRate)).NewTask(limiter.Unlimited, 1)
	}
	notes := &transferNotes{err: std.err}
	if o.showProgress(std) {
		notes.bar = newTransferBar(std.err)
	}
	client.Observer = notes.observe

	var res *transfer.Result
	switch {
	case o.file != "" && irregular(o.file):
		// A device or a pipe takes the bytes as they come.
		f, err2 := os.OpenFile(o.file, os.O_WRONLY, 0)
		if err2 != nil {
			return usageError{err: err2}
		}
		defer f.Close()
		res, err = client.Receive(ctx, req, f)
	case o.file != "" && o.file != "-":
		res, err = client.Download(ctx, req, transfer.File{Path: o.file, Resume: o.resume, Segments: o.segments})
	case o.format == "json":
		res, err = client.Receive(ctx, req, io.Discard)
	default:
		out := &notingWriter{w: std.out}
		if res, err = client.Receive(ctx, req, out); out.err != nil {
			err = codeError{code: exitNo, err: fmt.Errorf("writing standard output: %w", out.err)}
		}
	}
	notes.finish(err == nil)
	if o.format == "json" {
		if werr := writeTransferJSON(std.out, o.url, res, err); werr != nil {
			return werr
		}
	} else if err == nil {
		std.note("%s", completedText(o.url, res))
	}
	if err != nil && !speaksForItself(err) {
		fmt.Fprintf(std.err, "vdm-logs: %s failed after %d ms in phase %s: %s had arrived\n", transfer.Redact(o.url), res.Elapsed.Milliseconds(), res.Phase, arrived(res))
	}
	if ce := (codeError{}); errors.As(err, &ce) {
		return ce
	}
	return transferExit(err)
}

// notingWriter remembers the error of its writer, which is no fault of the
// network, whatever it looks like.
type notingWriter struct {
	w   io.Writer
	err error
}

func (n *notingWriter) Write(p []byte) (int, error) {
	written, err := n.w.Write(p)
	if err != nil {
		n.err = err
	}
	return written, err
}

// irregular reports whether something is at the path that is neither a file
// nor a folder.
func irregular(path string) bool {
	there, err := os.Stat(path)
	return err == nil && !there.Mode().IsRegular() && !there.IsDir()
}

// speaksForItself reports whether the error's text says how much had arrived.
func speaksForItself(err error) bool {
	var refusal *transfer.Error
	var fault *transfer.Fault
	var wrong *transfer.RequestError
	return errors.As(err, &refusal) || errors.As(err, &fault) || errors.As(err, &wrong)
}

func arrived(res *transfer.Result) string {
	if res.BytesDeclared >= 0 {
		return fmt.Sprintf("%d of %d bytes", res.BytesReceived, res.BytesDeclared)
	}
	return fmt.Sprintf("%d of an undeclared number of bytes", res.BytesReceived)
}

func (o *transferGetOptions) showProgress(std stdio) bool {
	if o.progress != "auto" {
		return o.progress == "always"
	}
	f, ok := std.err.(*os.File)
	return ok && !std.quiet() && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// completedText says what came, how fast, and what was special about it.
func completedText(url string, res *transfer.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s complete: %d bytes in %s", transfer.Redact(url), res.BytesReceived, res.Elapsed.Round(time.Millisecond))
	if res.BytesPerSecond > 0 {
		fmt.Fprintf(&b, ", %s/s", formatBytes(res.BytesPerSecond))
	}
	if res.ResumedFrom > 0 {
		fmt.Fprintf(&b, ", resumed from byte %d", res.ResumedFrom)
	}
	if res.Segments > 1 {
		fmt.Fprintf(&b, ", %d segments", res.Segments)
	}
	if res.Attempts > 1 {
		fmt.Fprintf(&b, ", %d attempts", res.Attempts)
	}
	if res.Queued > 0 {
		fmt.Fprintf(&b, ", %s of it queued", res.Queued.Round(time.Millisecond))
	}
	if res.Digest != "" {
		fmt.Fprintf(&b, ", %s", res.Digest)
	}
	return b.String()
}

// transferJSON is the object that transfer get -o json prints.
type transferJSON struct {
	SchemaVersion  int    `json:"schemaVersion"`
	OK             bool   `json:"ok"`
	URL            string `json:"url"`
	Target         string `json:"target"`
	Status         int    `json:"status"`
	Stage          string `json:"stage"`
	Phase          string `json:"phase"`
	Kind           string `json:"kind"`
	BytesReceived  int64  `json:"bytesReceived"`
	BytesDeclared  *int64 `json:"bytesDeclared"` // null: not declared
	Elapsed        string `json:"elapsed"`
	ElapsedNs      int64  `json:"elapsedNs"`
	SilenceNs      int64  `json:"silenceNs"`
	QueuedNs       int64  `json:"queuedNs"`
	BytesPerSecond int64  `json:"bytesPerSecond"`
	Attempts       int    `json:"attempts"`
	ResumedFrom    int64  `json:"resumedFrom"`
	Segments       int    `json:"segments"`
	Digest         string `json:"digest"`
	Error          string `json:"error"`
}

// transferReport turns the end of a transfer into its JSON form.
func transferReport(url string, res *transfer.Result, err error) transferJSON {
	j := transferJSON{SchemaVersion: 1, OK: err == nil, URL: transfer.Redact(url), Target: res.Target, Status: res.Status,
		Phase: string(res.Phase), Kind: string(transfer.KindOf(err)), BytesReceived: res.BytesReceived,
		Elapsed: res.Elapsed.String(), ElapsedNs: int64(res.Elapsed), QueuedNs: int64(res.Queued), BytesPerSecond: res.BytesPerSecond,
		Attempts: res.Attempts, ResumedFrom: res.ResumedFrom, Segments: res.Segments, Digest: res.Digest}
	if res.BytesDeclared >= 0 {
		j.BytesDeclared = &res.BytesDeclared
	}
	var refusal *transfer.Error
	if errors.As(err, &refusal) {
		j.Stage, j.Phase, j.SilenceNs = string(refusal.Stage), string(refusal.Phase), int64(refusal.Silence)
	}
	if err != nil {
		j.Error = err.Error()
	}
	return j
}

func writeTransferJSON(w io.Writer, url string, res *transfer.Result, err error) error {
	enc := json.NewEncoder(report.PlainJSON(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(transferReport(url, res, err))
}

// transferNotes tells of what happens on the way.
type transferNotes struct {
	mu  sync.Mutex
	err io.Writer
	bar *transferBar
}

func (n *transferNotes) observe(e transfer.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.bar != nil {
		n.bar.observe(e)
		return
	}
	switch e.Kind {
	case transfer.EventRetry:
		fmt.Fprintf(n.err, "vdm-logs: attempt %d failed (%s), the next follows in %s\n", e.Attempt, retryReason(e), e.Wait.Round(time.Millisecond))
	case transfer.EventRestart:
		reason := "the server sent the object from its start"
		if e.Err != nil {
			reason = e.Err.Error()
		}
		fmt.Fprintf(n.err, "vdm-logs: starting again from the first byte: %s\n", reason)
	}
}

func retryReason(e transfer.Event) string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return fmt.Sprintf("status %d", e.Status)
}

func (n *transferNotes) finish(complete bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.bar != nil {
		n.bar.finish(complete)
	}
}
