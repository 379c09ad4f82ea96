package ingest

import "bytes"

// findIDs fills the ids that fields did not tell, from the metadata and then
// from the text, where they stand behind their usual names.
func findIDs(r *Record) {
	for i := range r.Metadata {
		m := &r.Metadata[i]
		switch m.Name {
		case "trace_id", "traceid", "traceID", "TraceId":
			setID(&r.TraceID, m.Value)
		case "span_id", "spanid", "spanID", "SpanId":
			setID(&r.SpanID, m.Value)
		case "request_id", "requestid", "RequestId":
			setID(&r.RequestID, m.Value)
		case "scope_name", "scope.name", "otelScopeName":
			if len(r.Category) == 0 {
				r.Category = []byte(m.Value)
			}
		}
	}
	if len(r.TraceID) == 0 || len(r.RequestID) == 0 {
		idsInText(r, ':')
		idsInText(r, '=')
	}
}

func setID(id *[]byte, v string) {
	if len(*id) == 0 && v != "" {
		*id = []byte(v)
	}
}

// idsInText finds ids behind their names and the given sign, in any of the
// usual spellings: TraceId=x, "trace_id": "x", traceId:x, Trace-ID: x. It
// looks for the sign, which is rarer than the letters of the names.
func idsInText(r *Record, sign byte) {
	text := r.Text
	for from := 0; from < len(text); {
		i := bytes.IndexByte(text[from:], sign)
		if i < 0 {
			return
		}
		i += from
		from = i + 1
		name := text[:i]
		if n := len(name) - 1; n > 0 && name[n] == '"' {
			name = name[:n]
		}
		n := len(name)
		if n < 6 || name[n-1]|0x20 != 'd' || name[n-2]|0x20 != 'i' {
			continue
		}
		name = name[:n-2]
		if c := name[n-3]; c == '_' || c == '-' || c == '.' || c == ' ' {
			name = name[:n-3]
		}
		var id *[]byte
		switch {
		case endsFold(name, "trace"):
			id = &r.TraceID
		case endsFold(name, "span") && !endsFold(name, "parentspan"):
			id = &r.SpanID
		case endsFold(name, "request"), endsFold(name, "correlation"):
			id = &r.RequestID
		default:
			continue
		}
		if len(*id) == 0 {
			*id = idValue(text[i+1:])
		}
	}
}

func endsFold(b []byte, word string) bool {
	return len(b) >= len(word) && equalFoldASCII(b[len(b)-len(word):], word)
}

// idValue reads the id that b begins with, behind spaces and a quote. A word
// of prose is none: an id of these kinds has digits.
func idValue(b []byte) []byte {
	start := 0
	for start < len(b) && start < 3 && (b[start] == ' ' || b[start] == '"' || b[start] == '\'') {
		start++
	}
	end := start
	for end < len(b) && end < start+128 && isIDByte(b[end]) {
		end++
	}
	if id := b[start:end]; len(id) >= 4 && bytes.ContainsAny(id, "0123456789") {
		return id
	}
	return nil
}

func isIDByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == ':' || c == '_' || c == '.'
}
