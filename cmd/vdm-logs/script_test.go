package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

var update = flag.Bool("update", false, "rewrite golden data from what the program prints now")

func TestMain(m *testing.M) {
	testscript.Main(hermetic{m}, map[string]func(){
		"vdm-logs": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			context.AfterFunc(ctx, stop)
			os.Exit(run(ctx, os.Args[1:], stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
		},
	})
}

// hermetic runs the tests that call run in process without the configuration
// of whoever runs them.
type hermetic struct{ m *testing.M }

func (h hermetic) Run() int {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "VDM_LOGS_") && name != "VDM_LOGS_CHROMIUM" || strings.HasPrefix(name, "LOKI_") {
			os.Unsetenv(name)
		}
	}
	os.Setenv("VDM_LOGS_CONFIG", noConfig)
	return h.m.Run()
}

// TestScripts runs the command from outside. Beside testscript's own commands
// a script may say `exits CODE PROGRAM ARG...`, which wants that exit code.
func TestScripts(t *testing.T) {
	repo, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	day := lokitest.New(lokitest.Options{ServiceName: true})
	day.Push(quietDay(12000)...)
	loki := day.Start(t)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TESTDATA", repo+"/../../testdata")
			env.Setenv("QUIET_LOKI", loki) // a server with the day of quietDay
			env.Setenv("NO_COLOR", "1")
			env.Setenv("LC_ALL", "C.UTF-8")
			env.Setenv("TERM", "xterm")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
		},
	})
}

// exits runs a program and fails the script unless it exits with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		var coded interface{ ExitCode() int }
		if !asExit(err, &coded) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = coded.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s exited with %d, want %d", args[1], got, want)
	}
}

func asExit(err error, into *interface{ ExitCode() int }) bool {
	for err != nil {
		if c, ok := err.(interface{ ExitCode() int }); ok {
			*into = c
			return true
		}
		u, ok := err.(interface{ Unwrap() error })
		if !ok {
			return false
		}
		err = u.Unwrap()
	}
	return false
}
