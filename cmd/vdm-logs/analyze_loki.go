package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
)

// lokiFlags say which Loki to read and what of it.
type lokiFlags struct {
	addr, query, maxRead string
	batch                int
}

func (l *lokiFlags) register(f *pflag.FlagSet) {
	f.StringVar(&l.addr, "loki", "", "address of Loki, such as http://loki.example:3100; LOKI_ADDR without it, and logcli's other LOKI_* variables for tenant, credentials and TLS")
	f.StringVarP(&l.query, "query", "q", "", "LogQL `selector`, with line filters if wanted, of what to read from Loki; defaults.query of the rules, VDM_LOGS_QUERY, or {service_name=~\".+\"} without it")
	f.StringVar(&l.maxRead, "max-read", "5GiB", "read nothing from Loki when it estimates more `bytes` than this; 0 for no bound")
	f.IntVar(&l.batch, "batch", 0, "entries to ask Loki for at once, at most its max_entries_limit_per_query; 5000 or the server's limit without it")
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

var errNoInput = errors.New("nothing to read: no file is named, and neither --loki nor LOKI_ADDR says where Loki is")

const noInputHint = `Either of these would work:
  vdm-logs analyze logs.jsonl
  vdm-logs analyze --loki http://loki.example:3100 --since 1h`

func openLoki(ctx context.Context, o analyzeOptions, w window, config analyze.Config, std stdio) (input, error) {
	return nil, usageError{err: errNoInput, hint: noInputHint}
}

// redacted takes secrets out of a text that will be shown.
func redacted(s string) string { return redact.String(s) }
