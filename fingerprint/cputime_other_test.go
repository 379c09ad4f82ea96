//go:build !unix

package fingerprint

import (
	"testing"
	"time"
)

// cpuTime returns the time of the wall clock, where nothing better is known.
func cpuTime(*testing.B) time.Duration { return time.Duration(time.Now().UnixNano()) }
