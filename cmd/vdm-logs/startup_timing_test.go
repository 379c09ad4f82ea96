package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var startup = flag.Bool("startup", false, "measure how long the program takes to start; builds two binaries")

// startupFactor is how much longer help and completion may take than a main
// that does nothing and links the same packages.
const startupFactor = 1.5

// TestStartup compares, in turns of one run, the program's help and completion
// with a main that does nothing and has the same imports.
func TestStartup(t *testing.T) {
	if !*startup {
		t.Logf("run with -startup to measure")
		return
	}
	dir := t.TempDir()
	var empty strings.Builder
	empty.WriteString("package main\n\nimport (\n")
	for _, path := range listed(t, "-f", `{{join .Imports "\n"}}`, ".") {
		if !strings.Contains(path, "/internal/") {
			fmt.Fprintf(&empty, "\t_ %q\n", path)
		}
	}
	empty.WriteString(")\n\nfunc main() {}\n")
	source := filepath.Join(dir, "main.go")
	write(t, source, empty.String())
	program, nothing := filepath.Join(dir, "program"), filepath.Join(dir, "nothing")
	for out, from := range map[string]string{program: ".", nothing: source} {
		if text, err := exec.Command("go", "build", "-o", out, from).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	lines := [][]string{{nothing}, {program, "--help"}, {program, "analyze", "--help"}, {program, "__complete", "analyze", "--"}, {program, "__complete", "analyze", "--fail-on", ""}}
	const rounds = 60
	took := make([][]time.Duration, len(lines))
	for range rounds {
		for i, line := range lines {
			cmd := exec.Command(line[0], line[1:]...)
			cmd.Env = append(os.Environ(), "VDM_LOGS_CONFIG="+noConfig)
			begun := time.Now()
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
			took[i] = append(took[i], time.Since(begun))
		}
	}
	median := func(d []time.Duration) time.Duration { slices.Sort(d); return d[len(d)/2] }
	base := median(took[0])
	for i, line := range lines {
		m := median(took[i])
		factor := float64(m) / float64(base)
		t.Logf("%-40s %8s  %.2f", strings.Join(line[1:], " "), m.Round(10*time.Microsecond), factor)
		if factor > startupFactor {
			t.Errorf("%v takes %.2f times as long as a program that does nothing", line[1:], factor)
		}
	}
}
