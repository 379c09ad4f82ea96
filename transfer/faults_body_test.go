package transfer_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
)

const (
	length10   = okLine + "Content-Length: 10\r\n\r\n"
	chunkedOK  = okLine + "Transfer-Encoding: chunked\r\n\r\n"
	untilClose = okLine + "Connection: close\r\n\r\n"
)

// saysAndDribbles is says that goes on in dribbles.
func saysAndDribbles(text string, pieces ...string) func(*peer) {
	return func(p *peer) { p.request(); p.send("%s", text); p.dribble(pieces...) }
}

// trickles sends pieces within the budget of one another, many budgets long.
func trickles(head, piece, tail string) func(*peer) {
	return func(p *peer) {
		p.request()
		p.send("%s", head)
		for range tricklePieces {
			p.pause(trickleGap)
			p.send("%s", piece)
		}
		p.send("%s", tail)
	}
}

const (
	tricklePieces = 10
	trickleGap    = faultBudget / 2
)

// TestBodyStalls are bodies that begin and go silent.
func TestBodyStalls(t *testing.T) {
	const unknown = transfer.Unknown
	zipped := gzipOf(bytes.Repeat([]byte("some text "), 10_000))
	half := zipped[:len(zipped)/2]
	runFaults(t, []fault{
		{name: "headers and silence", script: saysAndHangs(length10), want: bodyStalled(0, 10), text: "0 of 10 bytes"},
		{name: "nearly all", script: saysAndHangs(length10 + "123456789"), want: bodyStalled(9, 10), text: "9 of 10 bytes"},
		{name: "until close, never closed", script: saysAndHangs(untilClose + "12345"), want: bodyStalled(5, unknown), text: "5 of an undeclared number"},
		{name: "no chunk", script: saysAndHangs(chunkedOK), want: bodyStalled(0, unknown)},
		{name: "chunk without its data", script: saysAndHangs(chunkedOK + "5\r\n"), want: bodyStalled(0, unknown)},
		{name: "half a chunk", script: saysAndHangs(chunkedOK + "a\r\n12345"), want: bodyStalled(5, unknown)},
		{name: "chunk without its end", script: saysAndHangs(chunkedOK + "5\r\n12345"), want: bodyStalled(5, unknown)},
		{name: "no last chunk", script: saysAndHangs(chunkedOK + "5\r\n12345\r\n"), want: bodyStalled(5, unknown)},
		{name: "last chunk without the end", script: saysAndHangs(chunkedOK + "5\r\n12345\r\n0\r\n"), want: bodyStalled(5, unknown)},
		{name: "chunk size dribbled", script: saysAndDribbles(chunkedOK+"5\r\n12345\r\n", "0"), want: bodyStalled(5, unknown)},
		{name: "chunk extension dribbled", script: saysAndDribbles(chunkedOK+"5\r\n12345\r\n5;x=", "y"), want: bodyStalled(5, unknown)},
		{name: "trailers dribbled", script: saysAndDribbles(chunkedOK+"5\r\n12345\r\n0\r\n", "X-Trailer: 1\r\n"), want: bodyStalled(5, unknown)},
		{name: "one trailer dribbled", script: saysAndDribbles(chunkedOK+"5\r\n12345\r\n0\r\nX-Trailer: ", "y"), want: bodyStalled(5, unknown)},
		{name: "moves for many budgets and stops", script: func(p *peer) {
			trickles(okLine+"Content-Length: 100\r\n\r\n", "x", "")(p)
			p.silence()
		}, want: bodyStalled(tricklePieces, 100)},
		{name: "under TLS", tls: serverTLS("http/1.1"), script: saysAndHangs(length10 + "12345"), want: bodyStalled(5, 10)},
		{name: "half a TLS record", tls: serverTLS("http/1.1"), script: func(p *peer) {
			p.request()
			p.send("%s12345", length10)
			p.NetConn().Write([]byte("\x17\x03\x03\x40\x00half"))
			p.silence()
		}, want: bodyStalled(5, 10)},
		{name: "half a gzip stream", script: saysAndHangs(fmt.Sprintf("%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", okLine, len(zipped), half)),
			want: bodyStalled(int64(len(half)), int64(len(zipped)))},
		{name: "half a gzip header", script: saysAndHangs(okLine + "Content-Encoding: gzip\r\nContent-Length: 100\r\n\r\n\x1f\x8b"), want: bodyStalled(2, 100)},
		{name: "gzip file name dribbled into silence", script: saysAndHangs(okLine + "Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03name"), want: bodyStalled(14, unknown)},
		{name: "a redirect's body is not the object's", script: func(p *peer) {
			if p.request(); p.n == 1 {
				p.send("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 5\r\nConnection: close\r\n\r\n12345")
				return
			}
			p.send("%s", length10)
			p.silence()
		}, connections: 2, want: bodyStalled(0, 10)},
		{name: "a 503's body is not the object's", script: func(p *peer) {
			if p.request(); p.n == 1 {
				p.send("HTTP/1.1 503 No\r\nContent-Length: 5\r\nConnection: close\r\n\r\n12345")
				return
			}
			p.send("%s123", length10)
			p.silence()
		}, connections: 2, want: bodyStalled(3, 10)},
	})
}

// TestBodyFaults are bodies that end, and are not the object.
func TestBodyFaults(t *testing.T) {
	const unknown = transfer.Unknown
	truncated := func(n, of int64) verdict { return failedInBody(transfer.KindTruncated, n, of) }
	protocol := func(n int64) verdict { return failedInBody(transfer.KindProtocol, n, unknown) }
	text := bytes.Repeat([]byte("some text "), 1000)
	zipped := gzipOf(text)
	coded := func(coding string, length int, body string) string {
		return fmt.Sprintf("%sContent-Encoding: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", okLine, coding, length, body)
	}
	badSum := bytes.Clone(zipped)
	badSum[len(badSum)-5]++
	n := int64(len(zipped))
	hello := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("hello")))
	world := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("world")))
	const worldOK = okLine + "Content-Length: 5\r\nConnection: close\r\n\r\nworld"
	runFaults(t, []fault{
		{name: "closed before its length", script: says(length10 + "12345"), want: truncated(5, 10), text: "5 of 10 bytes"},
		{name: "closed before a byte", script: says(length10), want: truncated(0, 10)},
		{name: "reset before its length", script: func(p *peer) {
			p.request()
			p.send("%s12345", length10)
			p.pause(faultBudget / 10) // the bytes are to arrive first
			p.reset()
		}, want: truncated(5, 10)},
		{name: "chunked, closed between chunks", script: says(chunkedOK + "5\r\n12345\r\n"), want: truncated(5, unknown)},
		{name: "chunked, closed in a chunk", script: says(chunkedOK + "a\r\n12345"), want: truncated(5, unknown)},
		{name: "chunked, closed in a size", script: says(chunkedOK + "5\r\n12345\r\n1"), want: truncated(5, unknown)},
		{name: "chunked, closed before the end", script: says(chunkedOK + "5\r\n12345\r\n0\r\n"), want: truncated(5, unknown)},
		{name: "TLS closed without notice", tls: serverTLS("http/1.1"), script: func(p *peer) {
			p.request()
			p.send("%s12345", length10)
			p.NetConn().Close()
		}, want: truncated(5, 10)},
		{name: "chunk size in words", script: says(chunkedOK + "5\r\n12345\r\nfive\r\n12345\r\n0\r\n\r\n"), want: protocol(5)},
		{name: "chunk size beyond counting", script: says(chunkedOK + "fffffffffffffffffffff\r\n12345"), want: protocol(0)},
		{name: "negative chunk size", script: says(chunkedOK + "-5\r\n12345\r\n0\r\n\r\n"), want: protocol(0)},
		{name: "chunk longer than its size", script: says(chunkedOK + "5\r\n1234567890\r\n0\r\n\r\n"), want: protocol(5)},
		{name: "chunk extension flooded", script: func(p *peer) { p.request(); p.send(chunkedOK + "5;x="); p.flood("y") }, want: protocol(0)},
		{name: "trailers flooded", script: func(p *peer) { p.request(); p.send(chunkedOK + "5\r\n12345\r\n0\r\n"); p.flood("X-Trailer: 1\r\n") }, want: protocol(5)},
		{name: "trailer without a colon", script: says(chunkedOK + "5\r\n12345\r\n0\r\nno trailer\r\n\r\n"), want: protocol(5)},

		{name: "gzip cut off inside its length", script: says(coded("gzip", int(n)-4, string(zipped[:n-4]))), want: truncated(n-4, n-4)},
		{name: "gzip with a wrong sum", script: says(coded("gzip", int(n), string(badSum))), want: failedInBody(transfer.KindEncoding, n, n)},
		{name: "gzip that is none", script: says(coded("gzip", 15, "hello, no gzip!")), want: failedInBody(transfer.KindEncoding, 15, 15)},
		{name: "less than a gzip header, and none", script: says(coded("gzip", 5, "hello")), want: failedInBody(transfer.KindEncoding, 5, 5)},
		{name: "less than a gzip header", script: says(coded("gzip", 5, string(zipped[:5]))), want: truncated(5, 5)},
		{name: "gzip and something after it", script: says(coded("gzip", int(n)+20, string(zipped)+"something after it..")), want: failedInBody(transfer.KindEncoding, n+20, n+20)},
		{name: "a coding that was not asked for", script: says(coded("br", 5, "hello")), want: failedInBody(transfer.KindEncoding, 0, 5)},
		{name: "two codings", script: says(coded("gzip, gzip", 5, "hello")), want: failedInBody(transfer.KindEncoding, 0, 5)},

		{name: "another object", req: transfer.Request{Digest: hello}, script: says(worldOK), want: failedInBody(transfer.KindDigest, 5, 5), text: hello},
		{name: "another object, by its address", req: transfer.Request{URL: "http://SERVER/v2/a/b/blobs/" + hello}, script: says(worldOK), want: failedInBody(transfer.KindDigest, 5, 5)},
		{name: "another object, by the registry's word", script: says(okLine + "Docker-Content-Digest: " + hello + "\r\nContent-Length: 5\r\n\r\nworld"), want: failedInBody(transfer.KindDigest, 5, 5)},
		{name: "a registry that announces another", req: transfer.Request{Digest: hello}, script: says(okLine + "Docker-Content-Digest: " + world + "\r\nContent-Length: 5\r\n\r\nworld"), want: failedInBody(transfer.KindDigest, 0, 5)},
		{name: "nothing instead of the object", req: transfer.Request{Digest: hello}, script: says(okLine + "Content-Length: 0\r\n\r\n"), want: failedInBody(transfer.KindDigest, 0, 0)},
	})
}

// TestSizeFaults are objects that are larger than they may be. Nothing of one
// that says so is read.
func TestSizeFaults(t *testing.T) {
	const size = 1 << 20
	bomb := gzipOf(make([]byte, 64<<20))
	runFaults(t, []fault{
		{name: "declared", size: size, script: saysAndHangs(fmt.Sprintf("%sContent-Length: %d\r\n\r\n", okLine, size+1)), want: tooLarge(transfer.PhaseHeaders, 0, size+1),
			text: "declares 1048577 bytes, over the bound of 1048576"},
		{name: "declared beyond all bounds", script: saysAndHangs(okLine + "Content-Length: 9223372036854775807\r\n\r\n"), want: tooLarge(transfer.PhaseHeaders, 0, 1<<63-1)},
		{name: "declared 2 GiB where nothing is said", script: saysAndHangs(okLine + "Content-Length: 2147483648\r\n\r\n"), want: tooLarge(transfer.PhaseHeaders, 0, 1<<31)},
		{name: "declared and sent at once", size: size, script: func(p *peer) {
			p.request()
			p.send("%sContent-Length: %d\r\n\r\n", okLine, 64<<20)
			p.flood("x")
		}, want: tooLarge(transfer.PhaseHeaders, 0, 64<<20)},
		{name: "undeclared", size: size, script: func(p *peer) { p.request(); p.send(untilClose); p.flood("x") }, want: tooLarge(transfer.PhaseBody, size+1, transfer.Unknown)},
		{name: "chunked", size: size, script: func(p *peer) { p.request(); p.send(chunkedOK); p.flood("5\r\n12345\r\n") }, want: tooLarge(transfer.PhaseBody, size+1, transfer.Unknown)},
		{name: "one byte more", size: 5, script: says(untilClose + "123456"), want: tooLarge(transfer.PhaseBody, 6, transfer.Unknown)},
		{name: "just the bound", size: 5, script: says(untilClose + "12345"), want: completes(5, transfer.Unknown)},
		{name: "gzip bomb", size: size, script: says(fmt.Sprintf("%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", okLine, len(bomb), bomb)), want: verdict{
			stage: transfer.StageSizeExceeded, phase: transfer.PhaseBody, received: anyNumber, declared: int64(len(bomb))}},
		{name: "gzip bomb, chunked", size: size, script: func(p *peer) {
			p.request()
			p.send("%sContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", okLine, len(bomb), bomb)
		}, want: verdict{stage: transfer.StageSizeExceeded, phase: transfer.PhaseBody, received: anyNumber, declared: transfer.Unknown}},
		{name: "gzip without end", size: size, script: func(p *peer) {
			p.request()
			p.send("%sContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", okLine)
			p.flood("\x00\x00\x00\xff\xff") // stored blocks of nothing
		}, want: tooLarge(transfer.PhaseBody, size+1, transfer.Unknown)},
	})
}

// TestTrickles are transfers that take many budgets and are never silent for
// one: all of them complete.
func TestTrickles(t *testing.T) {
	const least, pieces = manyBudgets * 9 / 10, tricklePieces
	stored := "\x00\x01\x00\xfe\xffx" // a stored block of one byte
	gzipEnd := fmt.Sprintf("\x01\x00\x00\xff\xff%s\x0a\x00\x00\x00", littleEndian(crc32.ChecksumIEEE([]byte(strings.Repeat("x", pieces)))))
	runFaults(t, []fault{
		{name: "declared", script: trickles(length10, "x", ""), want: completes(pieces, pieces), atLeast: least},
		{name: "chunked", script: trickles(chunkedOK, "1\r\nx\r\n", "0\r\n\r\n"), want: completes(pieces, transfer.Unknown), atLeast: least},
		{name: "until close", script: trickles(untilClose, "x", ""), want: completes(pieces, transfer.Unknown), atLeast: least},
		{name: "under TLS", tls: serverTLS("http/1.1"), script: trickles(length10, "x", ""), want: completes(pieces, pieces), atLeast: least},
		{name: "gzip", script: trickles(okLine+"Content-Encoding: gzip\r\nConnection: close\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", stored, gzipEnd),
			want: completes(10+pieces*int64(len(stored))+int64(len(gzipEnd)), transfer.Unknown), atLeast: least},
		{name: "headers late and body late", script: func(p *peer) {
			p.request()
			p.pause(faultBudget * 3 / 4)
			p.send("%s", length10)
			p.pause(faultBudget * 3 / 4)
			p.send("1234567890")
		}, want: completes(10, 10), atLeast: faultBudget * 5 / 4},
		{name: "end late", script: func(p *peer) {
			p.request()
			p.send("%sa\r\n1234567890\r\n", chunkedOK)
			p.pause(faultBudget * 3 / 4)
			p.send("0\r\n\r\n")
		}, want: completes(10, transfer.Unknown), atLeast: faultBudget / 2},
	})
}

// TestQuirks are servers that are odd and yet deliver.
func TestQuirks(t *testing.T) {
	text := bytes.Repeat([]byte("some text "), 1000)
	zipped := gzipOf(text)
	twice := append(bytes.Clone(zipped), zipped...)
	runFaults(t, []fault{
		{name: "more than declared", script: says(length10 + "1234567890and more"), want: completes(10, 10)},
		{name: "a second answer", script: says(length10 + "1234567890" + length10 + "1234567890"), want: completes(10, 10)},
		{name: "no content", script: says("HTTP/1.1 204 No Content\r\n\r\n"), want: verdict{status: 204, declared: 0}},
		{name: "nothing", script: says(okLine + "Content-Length: 0\r\n\r\n"), want: completes(0, 0)},
		{name: "nothing, chunked", script: says(chunkedOK + "0\r\n\r\n"), want: completes(0, transfer.Unknown)},
		{name: "length and chunks", script: says(okLine + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n"), want: completes(5, transfer.Unknown)},
		{name: "same length twice", script: says(okLine + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n12345"), want: completes(5, 5)},
		{name: "chunk extensions and trailers", script: says(chunkedOK + "5;a=b\r\n12345\r\n0;c\r\nX-Trailer: 1\r\n\r\n"), want: completes(5, transfer.Unknown)},
		{name: "byte by byte", script: func(p *peer) {
			p.request()
			for _, b := range []byte(okLine + "Content-Length: 200\r\n\r\n" + strings.Repeat("x", 200)) {
				p.Write([]byte{b})
			}
		}, want: completes(200, 200)},
		{name: "x-gzip", script: says(fmt.Sprintf("%sContent-Encoding: X-GZIP\r\nContent-Length: %d\r\n\r\n%s", okLine, len(zipped), zipped)), want: completes(int64(len(zipped)), int64(len(zipped)))},
		{name: "two gzip members", script: says(fmt.Sprintf("%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", okLine, len(twice), twice)), want: completes(int64(len(twice)), int64(len(twice)))},
		{name: "identity", script: says(okLine + "Content-Encoding: identity\r\nContent-Length: 5\r\n\r\n12345"), want: completes(5, 5)},
	})
}

// TestBytesArriveAsSent compares the bytes of a larger object that comes in
// chunks of random size, also under a digest.
func TestBytesArriveAsSent(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	object := make([]byte, 3<<20)
	for i := range object {
		object[i] = byte(rng.Uint32())
	}
	server := serveBadly(t, nil, func(p *peer) {
		p.request()
		p.send(chunkedOK)
		for rest := object; len(rest) > 0; {
			n := min(len(rest), 1+rng.IntN(100_000))
			p.send("%x\r\n%s\r\n", n, rest[:n])
			rest = rest[n:]
		}
		p.send("0\r\n\r\n")
	})
	defer server.close()
	client := &transfer.Client{Budget: transfer.Budget{Duration: 10 * time.Second}}
	defer client.CloseIdleConnections()
	res, err := client.Get(t.Context(), transfer.Request{URL: "http://" + server.addr, Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(object))})
	if err != nil || !bytes.Equal(res.Body, object) {
		t.Errorf("%d bytes came of %d, error %v", len(res.Body), len(object), err)
	}
}

// anyNumber stands for a number of received bytes that depends on buffers.
const anyNumber = -2

func gzipOf(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := io.Copy(w, bytes.NewReader(b)); err != nil {
		panic(err)
	}
	w.Close()
	return z.Bytes()
}

func littleEndian(v uint32) []byte {
	return []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}
}
