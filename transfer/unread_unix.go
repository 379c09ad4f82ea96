//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package transfer

import "syscall"

// hasUnread reports whether bytes, or the end, of a connection wait to be read.
func hasUnread(c syscall.RawConn) bool {
	waiting := false
	var one [1]byte
	err := c.Control(func(fd uintptr) {
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		waiting = err == nil
	})
	return err == nil && waiting
}
