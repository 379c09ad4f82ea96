package stage

import (
	"bytes"
	"strconv"
)

// edgeVerdicts are CloudFront's detailed result types of transfers that
// failed, from its manual's page on standard logs. A type that is not listed
// leaves the verdict to the status.
var edgeVerdicts = map[string]accessVerdict{
	"ClientCommError":               {stage: OuterCancelled, role: Outer},
	"ClientHungUpRequest":           {stage: OuterCancelled, role: Outer},
	"AbortedOrigin":                 {stage: Truncated, phase: "body", kind: "closed"},
	"OriginCommError":               {stage: ServerSide, phase: "unknown"},
	"OriginConnectError":            {stage: ServerSide, phase: "connect"},
	"OriginContentRangeLengthError": {stage: Truncated},
	"OriginDnsError":                {stage: Resolve, kind: "not-found"},
	"OriginHeaderTooBigError":       {stage: SizeExceeded},
	"OriginReadError":               {stage: ServerSide, phase: "no-response"},
	"OriginWriteError":              {stage: Send},
	"OriginZeroSizeObjectError":     {stage: NoResponse, kind: "closed"},
	"SlowReaderOriginError":         {stage: BodyStalled},
}

// winVerdicts are the Win32 codes that IIS notes beside the status: what ended
// the connection under the answer.
var winVerdicts = map[string]accessVerdict{
	"64":    {stage: OuterCancelled, role: Outer}, // the network name is gone: the client left
	"1236":  {stage: OuterCancelled, role: Outer}, // the connection was aborted
	"995":   {stage: OuterCancelled, role: Outer}, // the operation was aborted
	"121":   {stage: BodyStalled},                 // the semaphore timed out: the client read no further
	"258":   {stage: BodyStalled},                 // the wait timed out
	"12002": {stage: ServerSide, phase: "unknown"},
	"12007": {stage: Resolve, kind: "not-found"},
	"12029": {stage: ServerSide, phase: "connect"},
	"12030": {stage: NoResponse, phase: "no-response", kind: "closed"},
	"12152": {stage: NoResponse, phase: "no-response", kind: "closed"},
	"12175": {stage: TLS},
}

// The columns that are read, by the names that a #Fields directive gives them.
const (
	columnStatus = "sc-status"
	columnWin    = "sc-win32-status"
	columnTaken  = "time-taken"
	columnEdge   = "x-edge-detailed-result-type"
	columnResult = "x-edge-response-result-type"
)

// cloudFrontColumns is the order of a line of CloudFront's standard logs, of
// which the directive stands only at the top of each file.
var cloudFrontColumns = map[string]int{columnStatus: 8, columnTaken: 18, columnResult: 22, columnEdge: 28}

// w3c reads a line in the W3C's extended format: CloudFront's standard log,
// and IIS' log with its default last columns or under its #Fields directive.
// It reports whether the text is one.
func w3c(text []byte) (d accessVerdict, evidence string, millis int64, ok bool) {
	columns := map[string]int(nil)
	for len(text) > 0 && text[0] == '#' {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		if names, found := bytes.CutPrefix(line, []byte("#Fields:")); found {
			columns = map[string]int{}
			for i, f := range bytes.Fields(names) {
				columns[string(f)] = i
			}
		}
	}
	text = bytes.TrimRight(text, "\r\n")
	if len(text) < 19 || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':' || !isDigit(text[0]) || bytes.IndexByte(text, '\n') >= 0 {
		return accessVerdict{}, "", Unknown, false
	}
	if text[10] == '\t' {
		if columns == nil {
			columns = cloudFrontColumns
		}
		return w3cVerdict(bytes.Split(text, []byte("\t")), columns, 1e3)
	}
	if text[10] != ' ' {
		return accessVerdict{}, "", Unknown, false
	}
	fields := bytes.Fields(text)
	if columns == nil {
		n := len(fields)
		if n < 10 || !isStatus(fields[n-4]) || !areDigits(fields[n-3]) || !areDigits(fields[n-2]) || !areDigits(fields[n-1]) {
			return accessVerdict{}, "", Unknown, false
		}
		columns = map[string]int{columnStatus: n - 4, columnWin: n - 2, columnTaken: n - 1}
	}
	return w3cVerdict(fields, columns, 1)
}

func areDigits(b []byte) bool {
	_, ok := parseDigits(b)
	return ok
}

// w3cVerdict judges the fields of a line; the time taken is in units of the
// given number of milliseconds.
func w3cVerdict(fields [][]byte, columns map[string]int, unit float64) (d accessVerdict, evidence string, millis int64, ok bool) {
	get := func(name string) []byte {
		if i, known := columns[name]; known && i < len(fields) {
			return fields[i]
		}
		return nil
	}
	status := get(columnStatus)
	if len(status) != 3 || !areDigits(status) {
		return accessVerdict{}, "", Unknown, false
	}
	millis = Unknown
	if x, err := strconv.ParseFloat(string(get(columnTaken)), 64); err == nil && x >= 0 && x < 1e12 {
		millis = int64(x*unit + 0.5)
	}
	for _, name := range []string{columnEdge, columnResult} {
		if d, known := edgeVerdicts[string(get(name))]; known {
			return d, name + "=" + string(get(name)), millis, true
		}
	}
	if d, known := winVerdicts[string(get(columnWin))]; known {
		return d, columnWin + "=" + string(get(columnWin)), millis, true
	}
	return statusVerdicts[string(status)], string(status), millis, true
}
