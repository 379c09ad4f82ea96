package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/cmd/vdm-logs/internal/config"
	"github.com/vdm-logs/vdm-logs/ingest/logfile"
	"github.com/vdm-logs/vdm-logs/rules"
)

// flagValues returns what a flag may be, each with a tab and what it means
// where that says more.
type flagValues func(cmd *cobra.Command) []string

// words is a flag that can be one of a few words.
func words(w ...string) flagValues {
	return func(*cobra.Command) []string { return w }
}

// flagCandidates is what flags may be, by "command flag" or by "flag" alone
// for every command that has it. Commands are named without vdm-logs.
func flagCandidates() map[string]flagValues {
	severities := []string{"info", "warning", "error"}
	return map[string]flagValues{
		"profile":    profileNames,
		"log-format": words(logFormats...),
		"color":      words("auto", "always", "never"),
		"tz":         words("UTC", "Local", "Europe/Berlin", "America/New_York", "Asia/Tokyo"),
		"since":      words("15m", "1h", "6h", "24h", "7d"),
		"window":     words("10m", "30m", "1h"),
		"from":       words("now-15m", "now-1h", "now-6h", "now-24h"),
		"to":         words("now"),
		"around":     words("now-1h"),
		"format":     func(*cobra.Command) []string { return append(formatNames(), linesFormat) },
		"since-roll": rollNames,
		"issue":      issueNumbers,
		"max-read":   words("5GiB", "20GiB", "0"),
		"progress":   words("auto", "always", "never"),
		"summary":    words("id", "family"),

		"analyze output":         func(*cobra.Command) []string { return analysisFormNames() },
		"analyze fail-on":        func(*cobra.Command) []string { return append(slices.Clone(severities), findingKinds()...) },
		"verify output":          words("text", "json"),
		"config view output":     words("text", "json"),
		"version output":         words("text", "json"),
		"formats output":         words("text", "json"),
		"fingerprint output":     words("tsv", "jsonl"),
		"stage format":           words("text", "jsonl"),
		"period format":          words("text", "jsonl"),
		"period zone":            words("UTC", "Europe/Berlin", "America/New_York"),
		"transfer get format":    words("text", "json"),
		"transfer get digest":    words("sha256", "sha384", "sha512", "sha1", "md5"),
		"transfer probe format":  words("text", "json"),
		"transfer bench format":  words("text", "json"),
		"transfer bench limiter": words("fair", "peek", "none"),
		"rules check fail-on":    words(severities...),
		"rules check min-severity": words(
			severities...),
		"rules check output":   words("text", "json", "sarif", "junit", "github", "codequality"),
		"rules test output":    words("text", "json", "sarif", "junit", "github", "codequality"),
		"rules explain output": words("text", "json"),
		"rules export output":  words("logql", "loki", "prometheus"),
		"rules diff output":    words("text", "markdown", "json"),
		"rules diff fail-on":   words("merged", "split", "reshaped", "gone", "new", "moved"),
	}
}

// completeFlags registers the values of every flag of every command.
func completeFlags(root *cobra.Command) {
	table := flagCandidates()
	each(root, func(cmd *cobra.Command) {
		path := strings.TrimPrefix(cmd.CommandPath(), root.Name()+" ")
		register := func(f *pflag.Flag) {
			c, ok := table[path+" "+f.Name]
			if !ok {
				c, ok = table[f.Name]
			}
			if !ok {
				return
			}
			if _, done := cmd.GetFlagCompletionFunc(f.Name); done {
				return // its command knows better
			}
			// It fails only for a flag that is not there, or is registered.
			_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
				return c(cmd), cobra.ShellCompDirectiveNoFileComp
			})
		}
		cmd.LocalNonPersistentFlags().VisitAll(register)
		if cmd == root {
			cmd.PersistentFlags().VisitAll(register)
		}
	})
}

// each calls visit for a command and all below it.
func each(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, c := range cmd.Commands() {
		each(c, visit)
	}
}

func formatNames() []string {
	var names []string
	for _, f := range logfile.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func findingKinds() []string {
	names := make([]string, len(analyze.Kinds))
	for i, k := range analyze.Kinds {
		names[i] = string(k)
	}
	return names
}

// globalsOf are the global flags that were typed before the word that is to be
// completed.
func globalsOf(cmd *cobra.Command) globalFlags {
	var g globalFlags
	for name, into := range map[string]*string{"config": &g.config, "profile": &g.profile} {
		if f := cmd.Flag(name); f != nil {
			*into = f.Value.String()
		}
	}
	return g
}

// profileNames lists the profiles of the configuration file that is in effect.
func profileNames(cmd *cobra.Command) []string {
	g := globalsOf(cmd)
	f, err := g.loadFile()
	if err != nil {
		return nil
	}
	return f.Profiles()
}

// typedRules loads the rule files that were typed, or are configured, with the
// built-in pack behind them; nil where they cannot be loaded.
func typedRules(cmd *cobra.Command) *rules.Set {
	paths, given := givenFlag(cmd.Flags(), "rules")
	if !given {
		g := globalsOf(cmd)
		if set, err := g.resolve(nil); err == nil {
			paths = set.Get("rules").Texts
		}
	}
	set, err := rules.LoadWithBuiltin(paths)
	if err != nil {
		return nil
	}
	return set
}

func rollNames(cmd *cobra.Command) []string {
	var names []string
	if set := typedRules(cmd); set != nil {
		for _, r := range set.Config.Rolls {
			names = append(names, r.Name)
		}
	}
	return names
}

func issueNumbers(cmd *cobra.Command) []string {
	var out []string
	if set := typedRules(cmd); set != nil {
		for _, i := range set.Config.Issues {
			out = append(out, strings.TrimRight(strconv.Itoa(i.Number)+"\t"+i.State+" "+i.Title, " "))
		}
	}
	return out
}

// ruleIDs completes the id of a rule.
func ruleIDs(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	if set := typedRules(cmd); set != nil && len(args) == 0 {
		for _, r := range set.Ordered() {
			ids = append(ids, r.ID+"\t"+r.Description)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// suggestion completes a message about a name that is not known: what was
// probably meant.
func suggestion(name string, known []string) string {
	if n := config.Nearest(name, known); n != "" {
		return "Did you mean " + n + "? "
	}
	return ""
}
