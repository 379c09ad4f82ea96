package transfer_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
)

const okLine = "HTTP/1.1 200 OK\r\n"

// says returns a script that reads a request, sends the text and closes.
func says(text string) func(*peer) {
	return func(p *peer) { p.request(); p.send("%s", text) }
}

// saysAndHangs is says that keeps the connection open.
func saysAndHangs(text string) func(*peer) {
	return func(p *peer) { p.request(); p.send("%s", text); p.silence() }
}

// TestNoResponseFaults are the ways of not beginning a response.
func TestNoResponseFaults(t *testing.T) {
	headers := noResponse(transfer.PhaseHeaders)
	runFaults(t, []fault{
		{name: "accepts and never reads", script: func(p *peer) { <-p.done }, want: headers},
		{name: "reads the request and is silent", script: saysAndHangs(""), want: headers, text: "did not begin a response within "},
		{name: "one byte", script: saysAndHangs("H"), want: headers},
		{name: "half a status line", script: saysAndHangs("HTTP/1.1 20"), want: headers},
		{name: "status line only", script: saysAndHangs(okLine), want: headers},
		{name: "headers without their end", script: saysAndHangs(okLine + "Content-Length: 5\r\n"), want: headers},
		{name: "end of headers by half", script: saysAndHangs(okLine + "Content-Length: 5\r\n\r"), want: headers},
		{name: "status line dribbled", script: func(p *peer) { p.request(); p.send("HTTP/1.1 200 "); p.dribble("O", "K") }, want: headers},
		{name: "header lines dribbled", script: func(p *peer) { p.request(); p.send(okLine); p.dribble("X-More: 1\r\n") }, want: headers},
		{name: "one header value dribbled", script: func(p *peer) { p.request(); p.send(okLine + "X-More: "); p.dribble("y") }, want: headers},
		{name: "one 100 and silence", script: saysAndHangs("HTTP/1.1 100 Continue\r\n\r\n"), want: headers},
		{name: "102 dribbled", script: func(p *peer) { p.request(); p.dribble("HTTP/1.1 102 Processing\r\n\r\n") }, want: headers},
		{name: "103 flooded", script: func(p *peer) { p.request(); p.flood("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") }, want: headers},
		{name: "103 with headers dribbled", script: func(p *peer) { p.request(); p.send("HTTP/1.1 103 Early Hints\r\n"); p.dribble("Link: </a>\r\n") }, want: headers},
		{name: "redirect and silence", script: func(p *peer) {
			if p.request(); p.n == 1 {
				p.send("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				return
			}
			p.silence()
		}, connections: 2, want: headers},
		{name: "redirects each just in time", script: func(p *peer) {
			p.request()
			p.pause(faultBudget * 2 / 5)
			p.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: /next\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		}, connections: 3, want: headers},
		{name: "redirect with an endless body", script: func(p *peer) {
			if p.request(); p.n == 1 {
				p.send("HTTP/1.1 301 Moved\r\nLocation: /next\r\nContent-Length: 1000000000\r\n\r\n")
				p.flood("x")
				return
			}
			p.silence()
		}, connections: 2, want: headers},
		{name: "503 and silence", script: func(p *peer) {
			if p.request(); p.n == 1 {
				p.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				return
			}
			p.silence()
		}, connections: 2, want: headers},
		{name: "reset and silence", script: func(p *peer) {
			if p.request(); p.n == 1 {
				p.reset()
				return
			}
			p.silence()
		}, connections: 2, want: headers},
		{name: "closed and silence", script: func(p *peer) {
			if p.request(); p.n > 1 {
				p.silence()
			}
		}, connections: 2, want: headers},
		{name: "TLS and silence", tls: serverTLS("http/1.1"), script: saysAndHangs(""), want: headers},
		{name: "no TLS handshake", req: transfer.Request{URL: "https://SERVER/"}, script: func(p *peer) { p.silence() }, want: noResponse(transfer.PhaseTLS),
			text: "the TLS handshake with"},
		{name: "half a TLS record", req: transfer.Request{URL: "https://SERVER/"}, script: func(p *peer) { p.send("\x16\x03\x03\x40\x00\x02"); p.silence() }, want: noResponse(transfer.PhaseTLS)},
		{name: "TLS record dribbled", req: transfer.Request{URL: "https://SERVER/"}, script: func(p *peer) { p.send("\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03"); p.dribble("a") }, want: noResponse(transfer.PhaseTLS)},
	})
}

// TestResponseFaults are answers that are none, or not the object.
func TestResponseFaults(t *testing.T) {
	const length0 = "Content-Length: 0\r\nConnection: close\r\n\r\n"
	protocol := failed(transfer.KindProtocol)
	protocolOf := func(status int) verdict {
		return verdict{kind: transfer.KindProtocol, status: status, declared: transfer.Unknown}
	}
	cases := []fault{
		// What is no HTTP at all.
		{name: "binary noise", script: says("\x00\x01\x02\x03\r\n\r\n"), want: protocol},
		{name: "another protocol", script: says("SSH-2.0-server\r\n"), want: protocol},
		{name: "HTTP/0.9", script: says("<html>hello</html>\n"), want: protocol},
		{name: "HTTP/2 without being asked", script: says("\x00\x00\x00\x04\x00\x00\x00\x00\x00" + strings.Repeat("\x00\x00\x00\x04\x00\x00\x00\x00\x00", 9) + "\r\n"), want: protocol},
		{name: "empty lines", script: func(p *peer) { p.request(); p.send("\r\n\r\n\r\n") }, want: protocol},
		{name: "status of five digits", script: says("HTTP/1.1 20000 OK\r\n" + length0), want: protocol},
		{name: "status in words", script: says("HTTP/1.1 two hundred\r\n" + length0), want: protocol},
		{name: "HTTP of the future", script: says("HTTP/9.x 200 OK\r\n" + length0), want: protocol},
		{name: "header without a colon", script: says(okLine + "this is no header\r\n" + length0), want: protocol},
		{name: "headers flooded", script: func(p *peer) {
			p.request()
			p.send(okLine)
			p.flood("X-More: 0123456789012345678901234567890123456789\r\n")
		}, want: protocol},
		{name: "one header flooded", script: func(p *peer) { p.request(); p.send(okLine + "X-More: "); p.flood("0123456789") }, want: protocol},
		{name: "two lengths", script: says(okLine + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"), want: protocol},
		{name: "negative length", script: says(okLine + "Content-Length: -5\r\n\r\nhello"), want: protocol},
		{name: "length in words", script: says(okLine + "Content-Length: five\r\n\r\nhello"), want: protocol},
		{name: "length beyond counting", script: says(okLine + "Content-Length: 99999999999999999999999\r\n\r\nhello"), want: protocol},
		{name: "unknown transfer coding", script: says(okLine + "Transfer-Encoding: gzip, chunked\r\n\r\n"), want: protocol},

		// Protocol that was not asked for.
		{name: "101 unasked", script: saysAndHangs("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"), want: protocolOf(101)},
		{name: "206 unasked", script: says("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/9\r\nContent-Length: 5\r\n\r\nhello"), want: protocolOf(206)},
		{name: "redirect loop", script: func(p *peer) {
			p.request()
			p.send("HTTP/1.1 302 Found\r\nLocation: /object\r\n" + length0)
		}, connections: 11, want: protocol},
		{name: "redirect to a file", script: says("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n" + length0), want: protocol},
		{name: "redirect to nobody", script: says("HTTP/1.1 302 Found\r\nLocation: http://\r\n" + length0), want: protocol},
		{name: "redirect to nonsense", script: says("HTTP/1.1 302 Found\r\nLocation: http://[::1\r\n" + length0), want: protocol},
		{name: "redirect to a closed port", script: func(p *peer) {
			p.request()
			p.send("HTTP/1.1 302 Found\r\nLocation: http://%s/\r\n"+length0, closedPort())
		}, connections: 3, want: failed(transfer.KindRefused)},

		// Answers, only not the right ones.
		{name: "503 thrice", script: says("HTTP/1.1 503 Service Unavailable\r\n" + length0), connections: 3, want: answered(503)},
		{name: "503 whose body dribbles", script: func(p *peer) {
			p.request()
			p.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 1000\r\n\r\n")
			p.dribble("x")
		}, connections: 3, want: answered(503)},
		{name: "503 until next year", script: says("HTTP/1.1 503 Service Unavailable\r\nRetry-After: Fri, 31 Dec 2100 23:59:59 GMT\r\n" + length0), want: answered(503)},
		{name: "503 until yesterday", script: says("HTTP/1.1 503 Service Unavailable\r\nRetry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\n" + length0), connections: 3, want: answered(503)},
		{name: "429 for a day", script: says("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 86400\r\n" + length0), want: answered(429)},
		{name: "429 for longer than the budget", script: says("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 9\r\n" + length0), want: answered(429)},
		{name: "429 for nonsense", script: says("HTTP/1.1 429 Too Many Requests\r\nRetry-After: soon\r\n" + length0), connections: 3, want: answered(429)},
		{name: "429 for more than can be counted", script: says("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 99999999999999999999\r\n" + length0), want: answered(429)},
		{name: "600", script: says("HTTP/1.1 600 What\r\n" + length0), connections: 3, want: answered(600)},

		// Connections that end.
		{name: "reset when accepted", script: func(p *peer) { p.reset() }, connections: 3, want: failed(transfer.KindReset)},
		{name: "reset when asked", script: func(p *peer) { p.request(); p.reset() }, connections: 3, want: failed(transfer.KindReset)},
		{name: "closed when asked", script: func(p *peer) { p.request() }, connections: 3, want: failed(transfer.KindClosed)},
		{name: "closed after the status line", script: says(okLine), want: failed(transfer.KindClosed)},
		{name: "closed in the middle of a header", script: says(okLine + "Content-Le"), want: protocol},
		{name: "closed in the TLS handshake", req: transfer.Request{URL: "https://SERVER/"}, script: func(p *peer) { p.r.Peek(1); p.r.Discard(p.r.Buffered()) }, connections: 3, want: failed(transfer.KindClosed)},
		{name: "no TLS on the other side", req: transfer.Request{URL: "https://SERVER/"}, script: func(p *peer) {
			p.send("HTTP/1.1 400 Bad Request\r\n\r\n")
			p.silence()
		}, want: failed(transfer.KindTLS)},
		{name: "TLS alert", req: transfer.Request{URL: "https://SERVER/"}, script: func(p *peer) {
			p.send("\x15\x03\x03\x00\x02\x02\x28") // fatal, handshake failure
			p.silence()
		}, want: failed(transfer.KindTLS)},
		{name: "certificate of another", tls: serverTLS("http/1.1"), req: transfer.Request{URL: "https://localhost:PORT/"}, script: says(""), want: failed(transfer.KindTLS)},
	}
	for _, status := range []int{300, 304, 305, 400, 401, 403, 404, 407, 410, 416, 418, 501, 505} {
		cases = append(cases, fault{name: fmt.Sprint("status ", status),
			script: says(fmt.Sprintf("HTTP/1.1 %d What\r\n%s", status, length0)), want: answered(status)})
	}
	cases = append(cases, fault{name: "302 to nowhere", script: says("HTTP/1.1 302 Found\r\n" + length0), want: answered(302)})
	runFaults(t, cases)
}

// TestRecoveries are servers that misbehave and still deliver.
func TestRecoveries(t *testing.T) {
	const hello = okLine + "Content-Length: 5\r\nConnection: close\r\n\r\nhello"
	after := func(misbehave func(*peer)) func(*peer) {
		return func(p *peer) {
			if p.n < 3 {
				misbehave(p)
				return
			}
			p.request()
			p.send(hello)
		}
	}
	runFaults(t, []fault{
		{name: "two resets", script: after(func(p *peer) { p.request(); p.reset() }), connections: 3, want: completes(5, 5)},
		{name: "two closes", script: after(func(p *peer) { p.request() }), connections: 3, want: completes(5, 5)},
		{name: "two 502", script: after(says("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")), connections: 3, want: completes(5, 5)},
		{name: "429 for no time", script: after(says("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")), connections: 3, want: completes(5, 5)},
		{name: "redirects whose bodies dribble", script: after(func(p *peer) {
			p.request()
			p.send("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 1000\r\n\r\n")
			p.dribble("x")
		}), connections: 3, want: completes(5, 5)},
		{name: "hints before the answer", script: func(p *peer) {
			p.request()
			p.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + hello)
		}, want: completes(5, 5)},
		{name: "answer before the request is read", script: func(p *peer) {
			p.r.Peek(1)
			p.send(hello)
			p.silence()
		}, want: completes(5, 5)},
		{name: "bare line feeds", script: says("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"), want: completes(5, 5)},
		{name: "no reason phrase", script: says("HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello"), want: completes(5, 5)},
		{name: "HTTP/1.0", script: says("HTTP/1.0 200 OK\r\n\r\nhello"), want: completes(5, transfer.Unknown)},
	})
}

// TestTimeOfAStall checks that the timings tell where a transfer spent the
// budget that it ran out of.
func TestTimeOfAStall(t *testing.T) {
	for _, tt := range []struct {
		scheme string
		part   func(transfer.Timings) time.Duration
	}{
		{"http", func(t transfer.Timings) time.Duration { return t.FirstByte }},
		{"https", func(t transfer.Timings) time.Duration { return t.TLS }},
	} {
		server := serveBadly(t, nil, func(p *peer) { p.silence() })
		client, closeClient := (&fault{}).client()
		res, err := client.Get(t.Context(), transfer.Request{URL: tt.scheme + "://" + server.addr})
		if part := tt.part(res.Timings); part < res.Elapsed/2 || part > res.Elapsed {
			t.Errorf("%s: of %v the timings tell of %v: %v", tt.scheme, res.Elapsed, part, err)
		}
		closeClient()
		server.close()
	}
}

// TestRangeFaults asks for a range by a header of the caller's.
func TestRangeFaults(t *testing.T) {
	part := func(contentRange, body string) func(*peer) {
		return says(fmt.Sprintf("HTTP/1.1 206 Partial Content\r\nContent-Range: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", contentRange, len(body), body))
	}
	ask := func(value string) transfer.Request {
		return transfer.Request{Header: http.Header{"Range": {value}}}
	}
	came := func(n int64) verdict { return verdict{status: 206, received: n, declared: n} }
	refused := verdict{kind: transfer.KindProtocol, status: 206, declared: 5}
	runFaults(t, []fault{
		{name: "as asked", req: ask("bytes=5-9"), script: part("bytes 5-9/20", "56789"), want: came(5)},
		{name: "as asked, of unknown size", req: ask("bytes=5-9"), script: part("bytes 5-9/*", "56789"), want: came(5)},
		{name: "less than asked", req: ask("bytes=5-99"), script: part("bytes 5-9/10", "56789"), want: came(5)},
		{name: "to the end", req: ask("bytes=5-"), script: part("bytes 5-9/10", "56789"), want: came(5)},
		{name: "the last bytes", req: ask("bytes=-5"), script: part("bytes 5-9/10", "56789"), want: came(5)},
		{name: "another range", req: ask("bytes=5-9"), script: part("bytes 4-8/20", "45678"), want: refused, text: "4-8 was sent"},
		{name: "more than asked", req: ask("bytes=5-8"), script: part("bytes 5-9/20", "56789"), want: refused},
		{name: "no range", req: ask("bytes=5-9"), script: part("", "56789"), want: refused},
		{name: "another unit", req: ask("bytes=5-9"), script: part("lines 5-9/20", "56789"), want: refused},
		{name: "another length", req: ask("bytes=5-9"), script: part("bytes 5-8/20", "56789"), want: refused},
		{name: "all of it", req: ask("bytes=5-9"), script: says(length10 + "0123456789"), want: completes(10, 10)},
	})
}

// closedPort returns an address on loopback at which nobody listens.
func closedPort() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "127.0.0.1:1"
	}
	defer l.Close()
	return l.Addr().String()
}

// TestClosedPort asks where nobody listens: tried again, and soon told.
func TestClosedPort(t *testing.T) {
	client := &transfer.Client{Budget: transfer.Budget{Duration: 10 * time.Second}, Retry: transfer.Retry{Base: time.Millisecond}}
	res, err := client.Get(t.Context(), transfer.Request{URL: "http://" + closedPort() + "/"})
	if kind := transfer.KindOf(err); kind != transfer.KindRefused || res.Attempts != 3 || res.BytesDeclared != transfer.Unknown {
		t.Errorf("kind %q after %d attempts, %d bytes declared: %v", kind, res.Attempts, res.BytesDeclared, err)
	}
}
