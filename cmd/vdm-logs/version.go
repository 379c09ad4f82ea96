package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/fingerprint"
)

func newVersionCommand(std stdio) *cobra.Command {
	output := "text"
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which version this is, and what it was built from",
		Long: `Version says which version this is, which commit it was built from, by which Go,
and of which version the fingerprints and JSON documents are that it writes.
Everything comes from the build itself; -o json also lists the modules.

` + exitCodesHelp,
		Example: "  vdm-logs version\n  vdm-logs version -o json",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			return runVersion(buildOf(info), output, std)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "how to print: text or json")
	return cmd
}

// build is what a binary knows about itself, as version -o json prints it.
type build struct {
	SchemaVersion int    `json:"schemaVersion"`
	Version       string `json:"version"`
	Commit        string `json:"commit"`     // empty: not known
	CommitTime    string `json:"commitTime"` // RFC 3339; empty: not known
	Modified      bool   `json:"modified"`   // the sources differed from the commit
	Go            string `json:"go"`
	OS            string `json:"os"`
	Arch          string `json:"arch"`
	// The versions of what is written: how ids begin, and the analysis in JSON.
	FingerprintVersion    string   `json:"fingerprintVersion"`
	AnalysisSchemaVersion int      `json:"analysisSchemaVersion"`
	Modules               []module `json:"modules"`
}

type module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

// fingerprintVersion is how ids begin that this program writes.
func fingerprintVersion() string {
	version, _, _ := strings.Cut(fingerprint.ID{}.String(), ":")
	return version
}

// buildOf takes out of the build information what people ask for; nil, of a
// build without modules, leaves it empty.
func buildOf(info *debug.BuildInfo) build {
	b := build{
		SchemaVersion: 1, Version: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		FingerprintVersion: fingerprintVersion(), AnalysisSchemaVersion: analyze.SchemaVersion, Modules: []module{},
	}
	if info == nil {
		return b
	}
	b.Version = cmp.Or(info.Main.Version, b.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.CommitTime = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Modules = append(b.Modules, module{m.Path, m.Version})
	}
	return b
}

func runVersion(b build, output string, std stdio) error {
	switch output {
	case "text":
		return b.print(std.out)
	case "json":
		enc := json.NewEncoder(std.out)
		enc.SetIndent("", "  ")
		return enc.Encode(b)
	}
	return usageError{err: fmt.Errorf("-o %q is no output form", output), hint: "Use -o text or -o json."}
}

func (b build) print(w io.Writer) error {
	commit := cmp.Or(b.Commit, "unknown")
	if b.CommitTime != "" {
		commit += " of " + b.CommitTime
	}
	if b.Modified {
		commit += ", with changes"
	}
	_, err := fmt.Fprintf(w, "vdm-logs %s\ncommit      %s\nbuilt by    %s for %s/%s, with %d modules\nfingerprint %s\n",
		b.Version, commit, b.Go, b.OS, b.Arch, len(b.Modules), b.FingerprintVersion)
	return err
}
