//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package transfer

import "syscall"

// hasUnread knows nothing on this system.
func hasUnread(syscall.RawConn) bool { return false }
