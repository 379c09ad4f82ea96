package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/transfer"
)

const transferLong = `Transfer gets objects over HTTP with a bound on silence, not on time: a transfer
that moves completes, however long it takes, and one that is silent for the
stall budget is refused with the stage and phase at which it stood, the bytes
that had arrived and the bytes that were declared.

  get     gets one object, to a file or to standard output
  probe   measures each stage of a transfer, and says whom the time accuses
  bench   loads the limiter and measures its fairness`

const transferExitCodes = `Exit codes of transfers: 0 complete; 1 not the object (larger than --max-size,
wrong digest, ended early, a status that is no success, broken protocol);
2 wrong use; 4 401, 403 or 407; 5 stalled (no-response, body-stalled),
unreachable or timed out; 130 interrupted.`

func newTransferCommand(std stdio) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "transfer",
		Short: "Get or probe a URL with a client that bounds silence and names the stage",
		Long:  transferLong + "\n\n" + transferExitCodes,
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTransferGetCommand(std), newTransferProbeCommand(std), newTransferBenchCommand(std))
	return cmd
}

// clientFlags are those of every command that makes transfers.
type clientFlags struct {
	stallBudget durationFlag
	maxSize     byteSize
	caCert      string
	headers     []string
}

func (c *clientFlags) register(f *pflag.FlagSet) {
	c.stallBudget, c.maxSize = durationFlag(transfer.DefaultStallBudget), byteSize(transfer.DefaultMaxSize)
	f.Var(&c.stallBudget, "stall-budget", "refuse when nothing is heard for this long (120s, 2m); progress is never cut")
	f.Var(&c.maxSize, "max-size", "refuse an object larger than this (64KiB, 1.5GiB), declared or counted; 0 is no bound")
	f.StringVar(&c.caCert, "ca-cert", "", "PEM `file` of certificate authorities to trust beside the system's")
	f.StringArrayVar(&c.headers, "header", nil, "request header, `'Name: value'`, or @FILE with one a line, which keeps secrets out of the process list; repeatable")
}

// client makes the client and the request that the flags describe.
func (c *clientFlags) client(url string) (*transfer.Client, transfer.Request, error) {
	fail := func(err error, hint string) (*transfer.Client, transfer.Request, error) {
		return nil, transfer.Request{}, usageError{err: err, hint: hint}
	}
	header, err := readHeaders(c.headers)
	if err != nil {
		return fail(err, "Write --header 'Accept: text/plain', or --header @FILE with such lines in FILE.")
	}
	tr := transfer.NewTransport()
	tr.Proxy = http.ProxyFromEnvironment
	// One process, one object: a kept connection is of no use, and net/http
	// writes a line of its own where a server goes on talking on one.
	tr.DisableKeepAlives = true
	if c.caCert != "" {
		pool, err := readAuthorities(c.caCert)
		if err != nil {
			return fail(err, "The file must hold certificates between BEGIN CERTIFICATE lines.")
		}
		tr.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	size := int64(c.maxSize)
	if size == 0 {
		size = -1
	}
	client := &transfer.Client{
		Transport: tr,
		Budget:    transfer.Budget{Name: "--stall-budget", Duration: time.Duration(c.stallBudget)},
		MaxSize:   size,
	}
	return client, transfer.Request{URL: url, Header: header}, nil
}

// readHeaders reads the values of --header.
func readHeaders(values []string) (http.Header, error) {
	h := http.Header{}
	for _, v := range values {
		lines := []string{v}
		if name, isFile := strings.CutPrefix(v, "@"); isFile {
			f, err := os.Open(name)
			if err != nil {
				return nil, fmt.Errorf("reading headers: %w", err)
			}
			lines = nil
			scan := bufio.NewScanner(f)
			for scan.Scan() {
				if line := strings.TrimSpace(scan.Text()); line != "" && !strings.HasPrefix(line, "#") {
					lines = append(lines, line)
				}
			}
			f.Close()
			if err := scan.Err(); err != nil {
				return nil, fmt.Errorf("reading headers: %w", err)
			}
		}
		for _, line := range lines {
			name, value, ok := strings.Cut(line, ":")
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
			// The value may be a secret, so an error does not quote it.
			if !ok || name == "" || strings.ContainsAny(name, " \t") {
				return nil, errors.New("a header has no 'Name:' before its value")
			}
			h.Add(name, value)
		}
	}
	return h, nil
}

func readAuthorities(name string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading certificate authorities: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate", name)
	}
	return pool, nil
}

// transferExit maps the end of a transfer to an error with its exit code.
func transferExit(err error) error {
	if err == nil {
		return nil
	}
	var wrong *transfer.RequestError
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &wrong), errors.As(err, &path) && path.Op == "open":
		return usageError{err: err}
	case errors.As(err, &path), errors.As(err, &link):
		return codeError{code: exitNo, err: err} // a full disk and its like
	}
	return codeError{code: transferCode(err), err: err, hint: transferHint(err)}
}

func transferCode(err error) int {
	var refusal *transfer.Error
	if errors.As(err, &refusal) {
		if refusal.Stage == transfer.StageSizeExceeded {
			return exitNo
		}
		return exitUnreachable
	}
	switch transfer.KindOf(err) {
	case transfer.KindStatus:
		var f *transfer.Fault
		if errors.As(err, &f) && (f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden || f.Status == http.StatusProxyAuthRequired) {
			return exitRefused
		}
		return exitNo
	case transfer.KindTruncated, transfer.KindDigest, transfer.KindProtocol, transfer.KindEncoding, transfer.KindChanged:
		return exitNo
	case transfer.KindCancelled:
		return exitInterrupted
	}
	return exitUnreachable
}

// transferHint says what the fault asks for, where it asks for something.
func transferHint(err error) string {
	var refusal *transfer.Error
	switch {
	case errors.As(err, &refusal):
		whom, because := accuseRefusal(refusal)
		return fmt.Sprintf("This accuses the %s: %s.", whom, because)
	case transfer.KindOf(err) == transfer.KindTruncated:
		return "The server or something between ended the body; with --output FILE --resume the next try goes on from there."
	}
	return ""
}
