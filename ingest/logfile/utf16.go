package logfile

import (
	"bufio"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// utf16Order tells from the first four bytes of an input whether it is text in
// UTF-16, as PowerShell's redirection and Windows' editors write it: by the
// byte order mark, or by two ASCII letters each beside a zero.
func utf16Order(b []byte) (binary.ByteOrder, bool) {
	if len(b) < 2 {
		return nil, false
	}
	switch {
	case b[0] == 0xff && b[1] == 0xfe:
		return binary.LittleEndian, true
	case b[0] == 0xfe && b[1] == 0xff:
		return binary.BigEndian, true
	case len(b) < 4:
		return nil, false
	case asciiText(b[0]) && b[1] == 0 && asciiText(b[2]) && b[3] == 0:
		return binary.LittleEndian, true
	case b[0] == 0 && asciiText(b[1]) && b[2] == 0 && asciiText(b[3]):
		return binary.BigEndian, true
	}
	return nil, false
}

func asciiText(c byte) bool { return ' ' <= c && c < 0x7f || c == '\t' || c == '\r' || c == '\n' }

// utf16Reader yields text in UTF-16 as UTF-8. Half a surrogate pair and half a
// unit at the end become U+FFFD.
type utf16Reader struct {
	r     *bufio.Reader
	order binary.ByteOrder
	out   []byte // encoded and not yet taken
	buf   [utf8.UTFMax]byte
	next  rune // a unit read ahead, if held
	held  bool
}

// Read fills p.
func (u *utf16Reader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(u.out) == 0 {
			r, err := u.rune()
			if err != nil {
				if n > 0 && err == io.EOF {
					return n, nil
				}
				return n, err
			}
			u.out = utf8.AppendRune(u.buf[:0], r)
		}
		k := copy(p[n:], u.out)
		u.out, n = u.out[k:], n+k
	}
	return n, nil
}

func (u *utf16Reader) rune() (rune, error) {
	first, err := u.unit()
	if err != nil || !utf16.IsSurrogate(first) {
		return first, err
	}
	second, err := u.unit()
	if err != nil {
		return utf8.RuneError, nil
	}
	r := utf16.DecodeRune(first, second)
	if r == utf8.RuneError {
		u.next, u.held = second, true
	}
	return r, nil
}

func (u *utf16Reader) unit() (rune, error) {
	if u.held {
		u.held = false
		return u.next, nil
	}
	var b [2]byte
	n, err := io.ReadFull(u.r, b[:])
	if n == 1 {
		return utf8.RuneError, nil
	}
	return rune(u.order.Uint16(b[:])), err
}
