package ingest

import "bytes"

const escape = 0x1b

// needsClean reports whether a line holds what is not text: escape codes, or
// a carriage return at its end.
func needsClean(line []byte) bool {
	return len(line) > 0 && line[len(line)-1] == '\r' || bytes.IndexByte(line, escape) >= 0
}

// appendClean appends line without terminal escape sequences (ECMA-48: CSI,
// OSC and two-byte ones) and without carriage returns at its end.
func appendClean(dst, line []byte) []byte {
	for len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	for {
		i := bytes.IndexByte(line, escape)
		if i < 0 {
			return append(dst, line...)
		}
		dst = append(dst, line[:i]...)
		line = line[i+1:]
		if len(line) == 0 {
			return dst
		}
		switch c := line[0]; c {
		case '[':
			line = line[1:]
			// Parameter and intermediate bytes, then one final byte.
			for len(line) > 0 && line[0] >= 0x20 && line[0] < 0x40 {
				line = line[1:]
			}
			if len(line) > 0 && line[0] >= 0x40 && line[0] < 0x7f {
				line = line[1:]
			}
		case ']':
			line = line[1:]
			// A string up to BEL or ESC \; without an end it is the rest.
			end := bytes.IndexAny(line, "\a\x1b")
			if end < 0 {
				return dst
			}
			if line[end] == escape && end+1 < len(line) && line[end+1] == '\\' {
				end++
			}
			line = line[end+1:]
		default:
			if c >= 0x40 && c < 0x7f {
				line = line[1:]
			}
		}
	}
}
