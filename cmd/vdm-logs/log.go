package main

import (
	"fmt"
	"io"
	"log/slog"
	"slices"

	"github.com/spf13/pflag"
)

// globalFlags are the flags of every command.
type globalFlags struct {
	config, profile string
	quiet, verbose  bool
	logFormat       string
}

// logFormats are the values of --log-format.
var logFormats = []string{"text", "json"}

func (g *globalFlags) register(f *pflag.FlagSet) {
	f.StringVar(&g.config, "config", "", "configuration `file`; VDM_LOGS_CONFIG or vdm-logs/config.yaml in the user's configuration folder without it; none means no file")
	f.StringVar(&g.profile, "profile", "", "`name` of the profile of the configuration to use, one Loki each; VDM_LOGS_PROFILE, or the file's own choice, without it")
	f.BoolVarP(&g.quiet, "quiet", "q", false, "print results and errors only: no progress, nothing about what is read")
	f.BoolVarP(&g.verbose, "verbose", "v", false, "tell on standard error what is done: requests, retries, windows, where settings come from")
	f.StringVar(&g.logFormat, "log-format", "text", "how --verbose tells it: text (key=value) or json")
}

func (g *globalFlags) check() error {
	if !slices.Contains(logFormats, g.logFormat) {
		return usageError{err: fmt.Errorf("--log-format %q is neither text nor json", g.logFormat), hint: "Use --log-format text or --log-format json."}
	}
	if g.quiet && g.verbose {
		return usageError{err: fmt.Errorf("--quiet and --verbose exclude each other"), hint: "Give one of them."}
	}
	return nil
}

// newLogger makes the logger of --verbose. Secrets are taken out of every
// text that passes.
func newLogger(w io.Writer, format string) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if k := a.Value.Kind(); k != slog.KindString && k != slog.KindAny {
			return a
		}
		switch v := a.Value.Any().(type) {
		case string:
			a.Value = slog.StringValue(redacted(v))
		case error:
			a.Value = slog.StringValue(redacted(v.Error()))
		case fmt.Stringer:
			a.Value = slog.StringValue(redacted(v.String()))
		}
		return a
	}}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
