package ingest

import "bytes"

// klogHead reads the header of klog and glog:
//
//	L[yyyy]mmdd hh:mm:ss.uuuuuu threadid file:line] message
//
// with the microseconds left out by some. The file becomes the category.
func klogHead(line []byte) (head, bool) {
	if len(line) < 24 || !isDigits(line[1:5]) {
		return head{}, false
	}
	at := line[5:]
	if isDigits(line[5:9]) {
		at = line[9:] // newer glog has the year before the month
	}
	if at[0] != ' ' || at[3] != ':' || at[6] != ':' {
		return head{}, false
	}
	level, ok := levelLetter(line[0])
	if !ok || line[0] == 'T' || line[0] == 'V' {
		return head{}, false
	}
	// The closing bracket is near: a thread id and a file's name before it.
	near := line
	if len(near) > 160 {
		near = near[:160]
	}
	end := bytes.Index(near, []byte("] "))
	if end < 0 {
		if line[len(line)-1] != ']' || len(line) > 160 {
			return head{}, false
		}
		end = len(line) - 1
	}
	h := head{format: FormatKlog, level: level, timed: true, message: span{min(end+2, len(line)), len(line)}}
	start := bytes.LastIndexByte(line[:end], ' ') + 1
	colon := bytes.LastIndexByte(line[start:end], ':')
	if colon <= 0 {
		return head{}, false
	}
	h.category = span{start, start + colon}
	return h, true
}
