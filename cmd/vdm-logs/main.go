// Command vdm-logs reads log streams and says which faults they tell of:
// incidents keyed by their Source, fixed-period recurrences, and the transfer
// stage at which each timeout struck. Run it without arguments for help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // zones for --tz on machines that have none of their own
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks for what is known so far; once it has arrived the
	// default handling is restored, so that a second one leaves at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}
