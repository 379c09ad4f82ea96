package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const self = "github.com/vdm-logs/vdm-logs"

// listed runs go list and returns its lines.
func listed(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v", strings.Join(args, " "), err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

var (
	copyleft   = regexp.MustCompile(`(?i)GNU\s+(AFFERO|GENERAL|LESSER)|\bA?GPL`)
	permissive = regexp.MustCompile(`(?is)Apache License|Permission is hereby granted|Redistribution and use in source and binary forms|Permission to use, copy, modify|released into the public domain`)
)

// TestLicences reads the licence of every module that the program links.
func TestLicences(t *testing.T) {
	seen := map[string]bool{}
	for _, line := range listed(t, "-deps", "-f", "{{with .Module}}{{.Path}} {{.Dir}}{{end}}", ".") {
		path, dir, ok := strings.Cut(line, " ")
		if !ok || path == self || seen[path] {
			continue
		}
		seen[path] = true
		files, err := filepath.Glob(filepath.Join(dir, "[LlCcUu][IiOoNn][CcPpLl][EeYyIi]*"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no licence in %s", path, dir)
			continue
		}
		found := false
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				continue // a folder of licences, say
			}
			if copyleft.Match(text) && !permissive.Match(text) {
				t.Errorf("%s: %s is not permissive", path, filepath.Base(f))
			}
			found = found || permissive.Match(text)
		}
		if !found {
			t.Errorf("%s: no permissive licence among %q", path, files)
		}
	}
	if len(seen) < 5 {
		t.Errorf("only %d modules found", len(seen))
	}
}

// TestLibrariesStandAlone: what strangers import links nothing outside the
// standard library, and the house has no arrow that runs up.
func TestLibrariesStandAlone(t *testing.T) {
	for pkg, allowed := range map[string][]string{
		"transfer":         {"transfer"},
		"transfer/limiter": {"transfer/limiter"},
		"fingerprint":      {"fingerprint", "ingest"},
		"analyze/period":   {"analyze/period"},
		"analyze/stage":    {"analyze/stage", "ingest", "transfer"},
		"ingest":           {"ingest"},
	} {
		for _, dep := range listed(t, "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", self+"/"+pkg) {
			if dep == "" {
				continue
			}
			inside, ours := strings.CutPrefix(dep, self+"/")
			ok := false
			for _, a := range allowed {
				ok = ok || inside == a || strings.HasPrefix(inside, a+"/internal/")
			}
			if !ours || !ok {
				t.Errorf("%s links %s", pkg, dep)
			}
		}
	}
	for _, dep := range listed(t, "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", self+"/analyze") {
		if strings.HasPrefix(dep, self+"/rules") || strings.HasPrefix(dep, self+"/cmd") || strings.HasPrefix(dep, self+"/ingest/lo") {
			t.Errorf("analyze links %s", dep)
		}
	}
}
