//go:build unix

package fingerprint

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime returns the processor time of this process, which unlike elapsed
// time does not depend on what else the machine does.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
