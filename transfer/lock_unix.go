//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package transfer

import (
	"os"
	"syscall"
)

// lockFile takes the file for this process, without waiting. The lock goes
// with the file's closing.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
