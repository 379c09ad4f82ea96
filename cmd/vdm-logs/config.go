package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/cmd/vdm-logs/internal/config"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
)

const configLong = `A configuration file holds what one would otherwise type every time: where Loki
is, who asks, which rules apply. It is vdm-logs/config.yaml in the user's
configuration folder ($XDG_CONFIG_HOME, or ~/.config), or what --config or
VDM_LOGS_CONFIG names. Profiles hold what differs from one Loki to the next.

Of what is said several times, flags win over the environment, that over the
profile, that over the rest of the file. 'vdm-logs docs configuration' lists
every key with its variable and flag.`

func newConfigCommand(std stdio) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Show and check the configuration",
		Long:    configLong + "\n\n" + exitCodesHelp,
		Example: "  vdm-logs config view\n  vdm-logs config check",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigViewCommand(std), newConfigCheckCommand(std))
	return cmd
}

func newConfigViewCommand(std stdio) *cobra.Command {
	var output string
	var o analyzeOptions
	cmd := &cobra.Command{
		Use:   "view",
		Short: "Show every setting with its origin",
		Long: `View shows every setting, what it is set to, and where that comes from: a flag,
a variable, a profile, the file, or the default. Secrets are not shown. It takes
the flags of analyze, so that the settings of a command line can be looked at.

` + exitCodesHelp,
		Example: `  vdm-logs config view
  vdm-logs config view --profile staging -o json
  vdm-logs config view --loki http://loki.example:3100 --tz Europe/Berlin`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return runConfigView(output, std) },
	}
	f := cmd.Flags()
	o.registerInput(f)
	o.links.register(f)
	f.StringVarP(&output, "output", "o", "text", "how to print: text or json")
	return cmd
}

func runConfigView(output string, std stdio) error {
	set, err := std.settings()
	if err != nil {
		return err
	}
	switch output {
	case "text":
		return writeSettings(std.out, set)
	case "json":
		return writeSettingsJSON(std.out, set)
	}
	return usageError{err: fmt.Errorf("-o %q is no output form", output), hint: "Use -o text or -o json."}
}

func writeSettings(w io.Writer, set *config.Settings) error {
	file, profile := set.File.Path, set.Profile
	if file == "" {
		file = "none"
	}
	if profile == "" {
		profile = "none"
	}
	if all := set.File.Profiles(); len(all) > 0 {
		profile += " of " + strings.Join(all, ", ")
	}
	fmt.Fprintf(w, "file     %s\nprofile  %s\n\n", file, profile)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range set.Values() {
		text := v.Key.Default
		if v.Texts != nil {
			text = redacted(v.Text())
		}
		if text == "" {
			text = "-"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", v.Name, text, v.Origin)
	}
	return t.Flush()
}

// settingJSON is one setting as config view -o json prints it.
type settingJSON struct {
	Name   string   `json:"name"`
	Values []string `json:"values"` // null: unset
	Secret bool     `json:"secret"`
	Origin string   `json:"origin"`
	// What sets it, and what holds without; empty for nothing.
	Variable string `json:"variable"`
	Flag     string `json:"flag"`
	Default  string `json:"default"`
}

// settingsDocument is what config view -o json prints.
type settingsDocument struct {
	SchemaVersion int           `json:"schemaVersion"`
	File          string        `json:"file"`     // empty: there is none
	Profile       string        `json:"profile"`  // empty: none is chosen
	Profiles      []string      `json:"profiles"` // null: the file has none
	Settings      []settingJSON `json:"settings"`
}

func writeSettingsJSON(w io.Writer, set *config.Settings) error {
	out := settingsDocument{1, set.File.Path, set.Profile, set.File.Profiles(), []settingJSON{}}
	for _, v := range set.Values() {
		s := settingJSON{Name: v.Name, Secret: v.Secret(), Origin: v.Origin, Variable: v.Key.Env, Flag: v.Key.Flag, Default: v.Key.Default}
		switch {
		case v.Texts != nil && (s.Secret || v.Key.Kind == config.Command):
			s.Values = []string{v.Text()}
		case v.Texts != nil:
			for _, t := range v.Texts {
				s.Values = append(s.Values, redacted(t))
			}
		}
		out.Settings = append(out.Settings, s)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func newConfigCheckCommand(std stdio) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Report what is wrong with the configuration file",
		Long: `Check reads the configuration file, or the one that is named, and reports every
problem with its place: unknown keys, values that cannot be, settings of a
profile that do not fit together, files that are not there. No program that
prints a secret is run, and no server asked.

It warns, with exit code 0, of a file that holds secrets and that others can
read, and of files that are named and not there.

` + exitCodesHelp,
		Example: "  vdm-logs config check\n  vdm-logs config check ./config.yaml",
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			g := std.globals
			if len(args) == 1 {
				g.config = args[0]
			}
			return runConfigCheck(g, std)
		},
	}
}

func runConfigCheck(g globalFlags, std stdio) error {
	file, err := g.loadFile()
	if err != nil {
		return err
	}
	if file.Path == "" {
		path, _ := g.configPath()
		fmt.Fprintf(std.out, "there is no configuration file; it would be %s\n", path)
		return nil
	}
	var errs []error
	var warnings []string
	for _, profile := range append([]string{""}, file.Profiles()...) {
		set, err := config.Resolve(file, configKeys(), config.Source{Profile: profile, Getenv: func(string) string { return "" }})
		if err != nil {
			return err
		}
		if err := checkSettings(set); err != nil {
			errs = append(errs, usageError{err: fmt.Errorf("%s: %s%w", file.Path, inProfile(profile), err), hint: hintOf(err)})
		}
		warnings = append(warnings, missingFiles(set)...)
	}
	if p, ok := file.InlineSecret(); ok && readableByOthers(file.Path) {
		warnings = append(warnings, p.Error()+", and others can read this file: chmod 600, or name a file or a command that holds it")
	}
	slices.Sort(warnings)
	for _, w := range slices.Compact(warnings) {
		fmt.Fprintf(std.out, "warning: %s\n", w)
	}
	if len(errs) == 0 {
		fmt.Fprintf(std.out, "%s can be used; profiles: %s\n", file.Path, orNone(file.Profiles()))
	}
	return errors.Join(errs...)
}

func inProfile(name string) string {
	if name == "" {
		return ""
	}
	return "profile " + name + ": "
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// checkSettings builds a client from the settings, without the secrets, and
// the links.
func checkSettings(set *config.Settings) error {
	links := report.Links{Grafana: set.Text("links.grafana"), Datasource: set.Text("links.grafana_datasource")}
	if err := links.Check(); err != nil {
		return usageError{err: err, hint: "Grafana shows the UID of a data source in the address of its settings."}
	}
	cfg, err := lokiConfig(set, func(config.Value) (string, error) { return "from a program", nil })
	if err != nil || cfg.Addr == "" {
		return err
	}
	client, err := loki.New(cfg)
	var missing *fs.PathError
	switch {
	case err == nil:
		client.Close()
	case !errors.As(err, &missing): // which is a warning
		return err
	}
	return nil
}

// missingFiles lists files that the settings name and that are not there.
func missingFiles(set *config.Settings) []string {
	var out []string
	for _, v := range set.Values() {
		if v.Key.Kind != config.Path && v.Key.Kind != config.Paths {
			continue
		}
		for _, path := range v.Texts {
			if _, err := os.Stat(path); err != nil && !strings.ContainsAny(path, "*?[") {
				out = append(out, fmt.Sprintf("%s: %s: %v", v.Origin, v.Name, err))
			}
		}
	}
	return out
}

// readableByOthers reports whether other users of the machine may read a file,
// where that can be told.
func readableByOthers(path string) bool {
	st, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0
}
