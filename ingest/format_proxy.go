package ingest

import "bytes"

// proxyHead recognises the lines of nginx, Apache, Envoy and HAProxy by their
// fixed beginnings. The request stands between quotes in all of them.
func proxyHead(line []byte) (head, bool) {
	if len(line) < 20 {
		return head{}, false
	}
	switch c := line[0]; {
	case c == '[':
		if h, ok := nginxLevel(line, 0); ok {
			return h, true
		}
		return envoyHead(line)
	case '0' <= c && c <= '9':
		if line[4] == '/' {
			return nginxHead(line)
		}
	case c == '"':
		return head{}, false
	}
	return accessHead(line)
}

// nginxHead reads "2026/11/29 23:09:04 [error] 1409#1409: *23 message".
func nginxHead(line []byte) (head, bool) {
	if len(line) < 28 || line[7] != '/' || line[10] != ' ' || line[13] != ':' || line[19] != ' ' || line[20] != '[' {
		return head{}, false
	}
	return nginxLevel(line, 20)
}

// nginxLevel reads "[error] pid#tid: message" at line[pos:].
func nginxLevel(line []byte, pos int) (head, bool) {
	end := bytes.IndexByte(line[pos:min(pos+10, len(line))], ']')
	if end < 4 {
		return head{}, false
	}
	level, ok := levelWord(line[pos+1 : pos+end])
	if !ok {
		return head{}, false
	}
	start := pos + end + 1
	colon := bytes.Index(line[start:min(start+30, len(line))], []byte(": "))
	if colon < 4 || bytes.IndexByte(line[start:start+colon], '#') < 0 {
		return head{}, false
	}
	return head{format: FormatNginx, level: level, timed: pos > 0, message: span{start + colon + 2, len(line)}}, true
}

// accessHead reads the common and combined log formats:
//
//	host ident user [29/Nov/2026:23:08:56 +0000] "GET / HTTP/1.1" 504 167 "referer" "agent"
func accessHead(line []byte) (head, bool) {
	near := line
	if len(near) > 200 {
		near = near[:200]
	}
	open := bytes.Index(near, []byte(" ["))
	if open < 5 || len(line) < open+32 || line[open+4] != '/' || line[open+8] != '/' || line[open+13] != ':' {
		return head{}, false
	}
	if bytes.Count(line[:open], []byte(" ")) != 2 || line[open+28] != ']' || line[open+30] != '"' {
		return head{}, false
	}
	return head{format: FormatAccess, timed: true, message: span{open + 30, len(line)}}, true
}

// envoyHead reads the beginning of Envoy's default access log and of Istio's:
//
//	[2026-02-11T08:00:09.540Z] "GET /x HTTP/1.1" 504 UT ...
func envoyHead(line []byte) (head, bool) {
	if line[5] != '-' || line[8] != '-' || line[11] != 'T' {
		return head{}, false
	}
	end := bytes.IndexByte(line[:min(40, len(line))], ']')
	if end < 0 || len(line) < end+6 || line[end+1] != ' ' || line[end+2] != '"' {
		return head{}, false
	}
	return head{format: FormatEnvoy, timed: true, message: span{end + 2, len(line)}}, true
}

// haproxyHead reads what HAProxy sends to syslog, behind "haproxy[pid]:" :
//
//	client:port [10/Dec/2026:11:11:11.111] frontend backend/server timers ...
func haproxyHead(line []byte, pos int) (head, bool) {
	for pos < len(line) && line[pos] == ' ' {
		pos++
	}
	b := line[pos:]
	open := bytes.IndexByte(b, ' ')
	if open < 3 || len(b) < open+40 || b[open+1] != '[' || b[open+4] != '/' || bytes.LastIndexByte(b[:open], ':') <= 0 {
		return head{}, false
	}
	return head{format: FormatHAProxy, timed: true, message: span{pos, len(line)}}, true
}

// Names of the values that proxies print in fixed places; "-" is passed over.
var (
	accessNames = names("request status bytes referer user_agent")
	envoyNames  = names("request response_code response_flags bytes_received bytes_sent duration upstream_service_time x_forwarded_for " +
		"user_agent request_id authority upstream_host")
	istioNames = names("request response_code response_flags response_code_details connection_termination_details " +
		"upstream_transport_failure_reason bytes_received bytes_sent duration upstream_service_time x_forwarded_for user_agent " +
		"request_id authority upstream_host upstream_cluster upstream_local_address downstream_local_address " +
		"downstream_remote_address requested_server_name route_name")
	haproxyHTTP = names("client accept_date frontend backend timers status bytes - - termination_state connections queues")
	haproxyTCP  = names("client accept_date frontend backend timers bytes termination_state connections queues")
)

func names(list string) [][]byte { return bytes.Fields([]byte(list)) }

// proxyRecord reads the values of a proxy's line into fields. The message is
// the line without its time.
func (b *builder) proxyRecord(line []byte, h head, r *Record) {
	r.Message = h.message.of(line)
	switch h.format {
	case FormatNginx:
		r.Category = nginxCategory
		b.nginxFields(r)
	case FormatAccess:
		if i := bytes.IndexByte(line, ' '); i > 0 {
			r.Fields = append(r.Fields, Field{Name: clientName, Value: line[:i]})
		}
		placed(r.Message, accessNames, r)
	case FormatEnvoy:
		names := envoyNames
		// Istio puts words behind the flags, Envoy the first byte count.
		if !isDigits(valueAt(r.Message, 3)) {
			names = istioNames
		}
		placed(r.Message, names, r)
		if v, ok := r.Field("request_id"); ok && string(v) != "-" {
			r.RequestID = v
		}
	case FormatHAProxy:
		r.Category = haproxyCategory
		names := haproxyHTTP
		if v := valueAt(r.Message, 6); len(v) == 2 && !isDigits(v) {
			names = haproxyTCP
		}
		placed(r.Message, names, r)
		if i := bytes.LastIndex(r.Message, []byte(` "`)); i > 0 {
			r.Fields = append(r.Fields, Field{Name: requestName, Value: bytes.Trim(r.Message[i+2:], `"`)})
		}
	}
}

var (
	nginxCategory   = []byte("nginx")
	haproxyCategory = []byte("haproxy")
	clientName      = []byte("client")
	requestName     = []byte("request")
	connectionName  = []byte("connection")
)

// nextValue takes the next value off a line: quoted, bracketed, or up to a
// space.
func nextValue(b []byte) (value, rest []byte) {
	b = bytes.TrimLeft(b, " ")
	if len(b) == 0 {
		return nil, nil
	}
	switch b[0] {
	case '"':
		for i := 1; i < len(b); i++ {
			if b[i] == '\\' {
				i++
			} else if b[i] == '"' {
				return b[1:i], b[i+1:]
			}
		}
		return b[1:], nil
	case '[':
		if i := bytes.IndexByte(b, ']'); i > 0 {
			return b[1:i], b[i+1:]
		}
	}
	if i := bytes.IndexByte(b, ' '); i >= 0 {
		return b[:i], b[i:]
	}
	return b, nil
}

// valueAt returns the nth value of a line, counted from 0.
func valueAt(b []byte, n int) (value []byte) {
	for ; n >= 0 && len(b) > 0; n-- {
		value, b = nextValue(b)
	}
	if n >= 0 {
		return nil
	}
	return value
}

// placed adds the values of a line under the names of their places; "-"
// stands for no value.
func placed(b []byte, names [][]byte, r *Record) {
	for _, name := range names {
		var v []byte
		if v, b = nextValue(b); b == nil && len(v) == 0 {
			return
		}
		if len(name) > 1 && string(v) != "-" {
			r.Fields = append(r.Fields, Field{Name: name, Value: v})
		}
	}
}

// nginxFields reads the context that nginx appends to an error, ", client: x,
// server: y, request: "z"", and cuts it off the message.
func (b *builder) nginxFields(r *Record) {
	if rest, ok := bytes.CutPrefix(r.Message, []byte("*")); ok {
		if id, text, found := bytes.Cut(rest, []byte(" ")); found && isDigits(id) {
			r.Fields = append(r.Fields, Field{Name: connectionName, Value: id})
			r.Message = text
		}
	}
	at := bytes.Index(r.Message, []byte(", client: "))
	if at < 0 {
		return
	}
	rest := r.Message[at:]
	r.Message = r.Message[:at]
	for len(rest) > 2 {
		rest = rest[2:]
		colon := bytes.Index(rest, []byte(": "))
		if colon <= 0 {
			return
		}
		name := rest[:colon]
		rest = rest[colon+2:]
		var value []byte
		if len(rest) > 0 && rest[0] == '"' {
			value, rest = nextValue(rest)
		} else if i := bytes.Index(rest, []byte(", ")); i >= 0 {
			value, rest = rest[:i], rest[i:]
		} else {
			value, rest = rest, nil
		}
		r.Fields = append(r.Fields, Field{Name: name, Value: value})
	}
}
