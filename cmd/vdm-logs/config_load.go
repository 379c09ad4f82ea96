package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/cmd/vdm-logs/internal/config"
)

// noConfig in place of a path means that no file is read.
const noConfig = "none"

// configPath says which file is read, and whether somebody asked for it: one
// that is only looked for need not be there.
func (g *globalFlags) configPath() (path string, asked bool) {
	if path = cmp.Or(g.config, getenv("VDM_LOGS_CONFIG")); path != "" {
		return path, true
	}
	dir := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // a relative one is to be ignored, by its specification
		var err error
		if runtime.GOOS == "windows" {
			dir, err = os.UserConfigDir()
		} else if dir, err = os.UserHomeDir(); err == nil {
			dir = filepath.Join(dir, ".config") // on macOS, too: as on the servers that it is copied from
		}
		if err != nil {
			return noConfig, false
		}
	}
	return filepath.Join(dir, "vdm-logs", "config.yaml"), false
}

// loadFile reads the configuration file, if there is one.
func (g *globalFlags) loadFile() (*config.File, error) {
	path, asked := g.configPath()
	if path == noConfig {
		return &config.File{}, nil
	}
	f, err := config.Load(path, configKeys())
	var wrong *config.Error
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, fs.ErrNotExist) && !asked:
		return &config.File{}, nil
	case errors.As(err, &wrong):
		return nil, usageError{err: err, hint: "Every key is listed by 'vdm-logs docs configuration'; --config none does without the file."}
	case errors.Is(err, fs.ErrNotExist):
		return nil, usageError{err: err, hint: "--config or VDM_LOGS_CONFIG names a file that must exist; --config none does without one."}
	case errors.Is(err, fs.ErrPermission):
		return nil, codeError{code: exitRefused, err: err, hint: "--config none does without the file."}
	}
	return nil, usageError{err: err, hint: "--config none does without the file."}
}

// resolve reads the file and lays it under environment and flags.
func (g *globalFlags) resolve(flags *pflag.FlagSet) (*config.Settings, error) {
	f, err := g.loadFile()
	if err != nil {
		return nil, err
	}
	s, err := config.Resolve(f, configKeys(), config.Source{
		Profile: cmp.Or(g.profile, getenv("VDM_LOGS_PROFILE")), Getenv: getenv,
		Flag: func(name string) ([]string, bool) { return givenFlag(flags, name) },
	})
	var unknown *config.ProfileError
	var variable *config.VariableError
	switch {
	case errors.As(err, &unknown) && f.Path == "":
		path, _ := g.configPath()
		return nil, usageError{err: fmt.Errorf("there is no profile %q, for there is no configuration file", unknown.Profile), hint: "It would be " + path + ", or the one that --config names."}
	case errors.As(err, &unknown):
		return nil, usageError{err: err, hint: "Profiles stand under profiles: in " + f.Path + "."}
	case errors.As(err, &variable):
		return nil, usageError{err: err, hint: "Correct the environment variable, or unset it."}
	}
	return s, err
}

// givenFlag returns the parts of a flag that was given.
func givenFlag(flags *pflag.FlagSet, name string) ([]string, bool) {
	if flags == nil {
		return nil, false
	}
	f := flags.Lookup(name)
	if f == nil || !f.Changed {
		return nil, false
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice(), true
	}
	return []string{f.Value.String()}, true
}

// settings are what flags, environment and file say together.
func (s stdio) settings() (*config.Settings, error) {
	if s.session != nil && s.resolved != nil {
		return s.resolved, nil
	}
	g := globalFlags{}
	if s.session != nil {
		g = s.globals
	}
	return g.resolve(nil)
}

// configure resolves the settings for a command that has use for them, and
// gives flags that were not given the values that stand elsewhere.
func (s *session) configure(cmd *cobra.Command) error {
	used := false
	for _, k := range configKeys() {
		used = used || k.Flag != "" && k.Flag != "log-format" && cmd.Flags().Lookup(k.Flag) != nil
	}
	if !used && s.globals.config == "" && s.globals.profile == "" {
		return nil
	}
	var err error
	if s.resolved, err = s.globals.resolve(cmd.Flags()); err != nil {
		return err
	}
	for _, v := range s.resolved.Values() {
		f := cmd.Flags().Lookup(v.Key.Flag)
		if f == nil || v.Layer == config.Default || v.Layer == config.FromFlag || lokiOnly(v.Key.Flag) {
			continue
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			err = list.Replace(v.Texts)
		} else {
			err = f.Value.Set(v.Texts[0])
		}
		if err != nil {
			return usageError{err: fmt.Errorf("%s, from %s: %w", v.Name, v.Origin, err), hint: "Run 'vdm-logs config view' for what is set where."}
		}
	}
	return nil
}

// lokiOnly reports whether a flag has no meaning when files are read: what is
// configured for it is asked for when Loki is opened.
func lokiOnly(flag string) bool { return slices.Contains([]string{"loki", "query", "since"}, flag) }
