package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/transfer"
)

// transferProbeOptions is what the command line of transfer probe says.
type transferProbeOptions struct {
	url    string
	client clientFlags
	every  durationFlag
	count  int
	format string
}

const transferProbeLong = `Probe gets the object once, on a connection of its own, throws it away, and
prints where the time went, stage by stage, and whom that accuses. Nothing is
tried again: a probe measures what is.

With --count it does so again, --every so often, and sums up at the end; with
--count 0 until it is interrupted, which is exit code 130.`

const transferProbeExample = `  vdm-logs transfer probe https://registry.example/bundles/index.json
  vdm-logs transfer probe --every 10m --count 75 -o json https://registry.example/bundles/index.json`

func newTransferProbeCommand(std stdio) *cobra.Command {
	var o transferProbeOptions
	cmd := &cobra.Command{
		Use:     "probe URL",
		Short:   "Measure each stage of a transfer and say whom the time accuses",
		Long:    transferProbeLong + "\n\n" + transferExitCodes,
		Example: transferProbeExample,
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.url = args[0]
			return runTransferProbe(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	o.client.register(f)
	o.every = durationFlag(10 * time.Minute)
	f.Var(&o.every, "every", "time from the start of one probe to the start of the next")
	f.IntVar(&o.count, "count", 1, "how many probes to make; 0 goes on until interrupted")
	f.StringVarP(&o.format, "format", "o", "text", "how to print: text, or json with one object a line")
	return cmd
}

func runTransferProbe(ctx context.Context, o transferProbeOptions, std stdio) error {
	if o.format != "text" && o.format != "json" {
		return usageError{err: fmt.Errorf("-o %s: the formats are text and json", o.format)}
	}
	if o.count < 0 {
		return usageError{err: fmt.Errorf("--count %d: 0 or more", o.count)}
	}
	client, req, err := o.client.client(o.url)
	if err != nil {
		return err
	}
	client.Retry.Attempts = 1
	tick := time.NewTicker(time.Duration(o.every))
	defer tick.Stop()
	var all []probeResult
	var errs []error
	for {
		p := probeResult{at: time.Now().UTC()}
		p.res, p.err = client.Receive(ctx, req, io.Discard)
		all = append(all, p)
		if o.format == "json" {
			err = json.NewEncoder(report.PlainJSON(std.out)).Encode(p.json(o.url))
		} else {
			err = p.print(std.out, o.url)
		}
		if err != nil {
			return err
		}
		if err := transferExit(p.err); err != nil {
			errs = append(errs, err)
			var usage usageError
			if errors.As(err, &usage) {
				return err
			}
		}
		if o.count > 0 && len(all) >= o.count || ctx.Err() != nil {
			break
		}
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
		}
		break
	}
	if len(all) > 1 && o.format == "text" {
		printProbeSummary(std.out, all)
	}
	if ctx.Err() != nil {
		fmt.Fprintf(std.err, "vdm-logs: interrupted after %d probes\n", len(all))
		errs = append(errs, codeError{code: exitInterrupted})
	}
	if len(errs) == 0 {
		return nil
	}
	// What happened has been printed; only the code remains.
	code := exitUnreachable
	held := map[int]bool{}
	for _, e := range errs {
		collectCodes(e, held)
	}
	for _, c := range precedence {
		if held[c] {
			code = c
			break
		}
	}
	return codeError{code: code}
}

// probeResult is one probe.
type probeResult struct {
	at  time.Time
	res *transfer.Result
	err error
}

// probeJSON is one line of transfer probe -o json.
type probeJSON struct {
	transferJSON
	At      string       `json:"at"`
	Proto   string       `json:"proto"`
	Remote  string       `json:"remote"`
	Timings probeTimings `json:"timings"`
	Accuses string       `json:"accuses"`
	Because string       `json:"because"`
}

type probeTimings struct {
	ResolveNs        int64 `json:"resolveNs"`
	ConnectNs        int64 `json:"connectNs"`
	TLSNs            int64 `json:"tlsNs"`
	SendNs           int64 `json:"sendNs"`
	FirstByteNs      int64 `json:"firstByteNs"`
	HeadersNs        int64 `json:"headersNs"`
	BodyNs           int64 `json:"bodyNs"`
	LongestSilenceNs int64 `json:"longestSilenceNs"`
}

func (p *probeResult) json(url string) probeJSON {
	t := p.res.Timings
	j := probeJSON{transferJSON: transferReport(url, p.res, p.err), At: p.at.Format(time.RFC3339Nano), Proto: p.res.Proto, Remote: t.RemoteAddr,
		Timings: probeTimings{int64(t.Resolve), int64(t.Connect), int64(t.TLS), int64(t.Send), int64(t.FirstByte), int64(t.Headers), int64(t.Body), int64(t.LongestSilence)}}
	j.Accuses, j.Because = accuse(p.res, p.err)
	return j
}

// print writes one probe for people.
func (p *probeResult) print(w io.Writer, url string) error {
	res, t := p.res, p.res.Timings
	head := fmt.Sprintf("%s  %s", p.at.Format("2006-01-02 15:04:05Z"), transfer.Redact(url))
	if res.Status != 0 {
		head += fmt.Sprintf("  %d", res.Status)
	}
	if res.Proto != "" {
		head += "  " + res.Proto
	}
	if t.RemoteAddr != "" {
		head += "  " + t.RemoteAddr
	}
	screen := screenOf(w, "auto")
	if err := screen.Paragraph(w, "", 0, report.Bold, head); err != nil {
		return err
	}
	var rows [][]string
	total := max(res.Elapsed, 1)
	row := func(name string, d time.Duration, note string) {
		bar := strings.Repeat(screen.Sign("▇", "#"), int(probeBar*d/total))
		rows = append(rows, []string{name, shortDuration(d), fmt.Sprintf("%d %%", int(100*d/total)), bar, note})
	}
	if res.Target != "" {
		row("resolve", t.Resolve, "")
		row("connect", t.Connect, "")
		row("tls", t.TLS, "")
		row("send", t.Send, "")
		row("first byte", t.FirstByte, redirectNote(res))
		body := formatBytes(res.BytesReceived)
		if res.BytesDeclared >= 0 && res.BytesDeclared != res.BytesReceived {
			body += " of " + formatBytes(res.BytesDeclared)
		}
		if t.Body > 0 {
			if r := bodyRate(res); r > 0 {
				body += fmt.Sprintf(" at %s/s", formatBytes(r))
			}
			body += fmt.Sprintf(", longest silence %s", shortDuration(t.LongestSilence))
		}
		row("body", t.Body, body)
		row("all", res.Elapsed, "")
	}
	cols := []report.Column{{Right: true}, {Right: true}, {Right: true}, {Style: func(string) string { return report.Cyan }}, {Give: report.WrapWords}}
	if err := screen.Table(w, 2, cols, rows); err != nil {
		return err
	}
	if p.err != nil {
		lead := "  " + screen.Paint(report.Red, screen.Sign("✗", "x")) + " "
		if err := screen.Paragraph(w, lead, 4, "", p.err.Error()); err != nil {
			return err
		}
	}
	accused, because := accuse(res, p.err)
	if accused == "" {
		accused = "nobody"
	}
	return screen.Paragraph(w, "  ", 2, "", "accuses "+accused+": "+because)
}

// probeBar is how many columns the whole of a probe's time takes.
const probeBar = 20

func redirectNote(res *transfer.Result) string {
	if res.Redirects == 0 {
		return ""
	}
	return fmt.Sprintf("at %s, after %d redirects", res.Target, res.Redirects)
}

// bodyRate is the rate of the body alone; 0 where too little time passed.
func bodyRate(res *transfer.Result) int64 {
	if res.Timings.Body < time.Millisecond {
		return 0
	}
	return int64(float64(res.BytesReceived) / res.Timings.Body.Seconds())
}

func shortDuration(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	}
	return fmt.Sprintf("%d µs", d.Microseconds())
}

// accuse says who answers for a transfer's end, or for most of its time, and
// why. Nobody is accused of what was not measured.
func accuse(res *transfer.Result, err error) (whom, because string) {
	var refusal *transfer.Error
	var fault *transfer.Fault
	switch {
	case errors.As(err, &refusal):
		return accuseRefusal(refusal)
	case errors.As(err, &fault):
		switch fault.Kind {
		case transfer.KindStatus:
			return "server", "it answered, and refused"
		case transfer.KindTruncated:
			return "network", "the body ended early: the server, or something between, closed the connection"
		}
		return "server", "what it sent is not what was asked for"
	case err != nil:
		switch transfer.KindOf(err) {
		case transfer.KindNotFound:
			return "dns", "the name does not exist"
		case transfer.KindRefused:
			return "server", "the host is there and nothing listens on the port"
		case transfer.KindTLS:
			return "tls", "the certificate or the handshake is not acceptable"
		case transfer.KindReset, transfer.KindClosed:
			return "server", "the connection was closed before a response"
		case transfer.KindCancelled, transfer.KindDeadline:
			return "", "the probe was cut from outside, so nothing was measured to its end"
		}
		return "network", "the transport failed before a response"
	}
	return accuseTime(res)
}

func accuseRefusal(r *transfer.Error) (whom, because string) {
	switch {
	case r.Stage == transfer.StageSizeExceeded:
		return "archive size", "the object is over the bound; raise --max-size only if it is meant to be that large"
	case r.Stage == transfer.StageBodyStalled:
		return "network", "the body began and went silent: a path or server that stopped sending, not a large archive; a resumable transfer would go on"
	}
	switch r.Phase {
	case transfer.PhaseResolve:
		return "dns", "the name was never resolved, so the server was never asked"
	case transfer.PhaseConnect:
		return "network", "no connection was made, so the server was never asked"
	case transfer.PhaseTLS:
		return "network", "the connection was made and the TLS handshake never finished"
	case transfer.PhaseSend:
		return "network", "the request was not taken off the connection"
	case transfer.PhaseQueue:
		return "client", "the request waited for a connection of its own process"
	}
	return "server", "the request was out and no response began: not the archive, no byte of it was sent"
}

// slow is from when on a complete transfer accuses anybody at all.
const slow = time.Second

func accuseTime(res *transfer.Result) (whom, because string) {
	t := res.Timings
	if res.Elapsed < slow {
		return "", "the transfer is complete and took less than " + shortDuration(slow)
	}
	earlier := max(t.Headers-t.Resolve-t.Connect-t.TLS-t.Send-t.FirstByte, 0)
	parts := []struct {
		d             time.Duration
		whom, because string
	}{
		{t.FirstByte, "server", "the response was long in coming: the server's own work"},
		{t.Body, "size at this rate", fmt.Sprintf("%s came at %s/s", formatBytes(res.BytesReceived), formatBytes(bodyRate(res)))},
		{t.Resolve, "dns", "resolving the name"},
		{t.Connect, "network", "making the connection"},
		{t.TLS, "network", "the TLS handshake"},
		{t.Send, "network", "sending the request"},
		{earlier, "redirects", "the addresses before the last one"},
	}
	most := parts[0]
	for _, p := range parts {
		if p.d > most.d {
			most = p
		}
	}
	if most.whom == "size at this rate" && t.LongestSilence > t.Body/2 {
		most.whom, most.because = "network", fmt.Sprintf("the body was silent for %s at once", shortDuration(t.LongestSilence))
	}
	return most.whom, fmt.Sprintf("%s, %d %% of the time", most.because, int(100*most.d/max(res.Elapsed, 1)))
}

// printProbeSummary counts how the probes ended, in order of first appearance.
func printProbeSummary(w io.Writer, all []probeResult) {
	var order []string
	count := map[string]int{}
	var least, most, sum time.Duration
	for i, p := range all {
		end := "complete"
		var refusal *transfer.Error
		if errors.As(p.err, &refusal) {
			end = string(refusal.Stage) + " in " + string(refusal.Phase)
		} else if p.err != nil {
			end = string(transfer.KindOf(p.err))
		}
		if count[end] == 0 {
			order = append(order, end)
		}
		count[end]++
		if least = min(least, p.res.Elapsed); i == 0 {
			least = p.res.Elapsed
		}
		most = max(most, p.res.Elapsed)
		sum += p.res.Elapsed
	}
	ends := make([]string, len(order))
	for i, end := range order {
		ends[i] = fmt.Sprintf("%d %s", count[end], end)
	}
	fmt.Fprintf(w, "%d probes: %s; %s at least, %s on average, %s at most\n", len(all), strings.Join(ends, ", "),
		shortDuration(least), shortDuration(sum/time.Duration(len(all))), shortDuration(most))
}
