package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
)

// byteSize is a flag that holds a number of bytes, as parseBytes reads it. In
// addition k, M, G and T alone are powers of 1024, as people know them from
// curl, and a rate may end in /s.
type byteSize int64

// Set reads the flag's value.
func (b *byteSize) Set(s string) error {
	text := strings.TrimSuffix(strings.TrimSpace(s), "/s")
	if n := len(text); n > 1 {
		if i := strings.IndexByte("kmgt", text[n-1]|0x20); i >= 0 {
			text = text[:n-1] + "KMGT"[i:i+1] + "iB"
		}
	}
	n, err := parseBytes(text)
	if err != nil {
		return fmt.Errorf("%q is no size: write a number and a unit, such as 64KiB, 1.5GiB or 500k", s)
	}
	*b = byteSize(n)
	return nil
}

// Type names the value in help.
func (b *byteSize) Type() string { return "size" }

// String returns the size in the largest unit that divides it.
func (b *byteSize) String() string {
	n := int64(*b)
	for _, u := range []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n != 0 && n%u.size == 0 {
			return fmt.Sprintf("%d%s", n/u.size, u.name)
		}
	}
	return strconv.FormatInt(n, 10)
}

// durationFlag is a duration flag that also knows days and weeks.
type durationFlag time.Duration

// Set reads the flag's value.
func (d *durationFlag) Set(s string) error {
	e, err := transfer.ParseExpr(s)
	if err != nil {
		return err
	}
	v, err := e.Eval(nil)
	if err != nil {
		return err
	}
	if v <= 0 {
		return errors.New("it must be longer than 0")
	}
	*d = durationFlag(v)
	return nil
}

// Type names the value in help.
func (d *durationFlag) Type() string { return "duration" }

// String returns the duration.
func (d *durationFlag) String() string { return time.Duration(*d).String() }
