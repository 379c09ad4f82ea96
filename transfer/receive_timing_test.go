//go:build unix

package transfer

import (
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// benchSize is what one iteration moves over loopback.
const benchSize = 64 << 20

func benchServer(b *testing.B) string {
	chunk := make([]byte, 256<<10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(benchSize))
		for range benchSize / len(chunk) {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	b.Cleanup(s.Close)
	return s.URL
}

// cpuTime is what the process has used, server included; the server is the
// same in every benchmark.
func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func reportCPU(b *testing.B, began time.Duration) {
	b.ReportMetric(float64(cpuTime()-began)/float64(b.N)/1e6, "cpu-ms/op")
}

// BenchmarkPlainLoop is the opponent: a 256 KiB read loop on net/http.
func BenchmarkPlainLoop(b *testing.B) {
	url := benchServer(b)
	tr := NewTransport()
	defer tr.CloseIdleConnections()
	buf := make([]byte, 256<<10)
	b.SetBytes(benchSize)
	b.ReportAllocs()
	b.ResetTimer()
	began := cpuTime()
	for range b.N {
		req, _ := http.NewRequest(http.MethodGet, url, nil)
		resp, err := tr.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			_, err = resp.Body.Read(buf)
		}
		resp.Body.Close()
	}
	reportCPU(b, began)
}

func BenchmarkReceive(b *testing.B) {
	benchReceive(b, Request{URL: benchServer(b)}, io.Discard)
}

func BenchmarkReceiveDigest(b *testing.B) {
	benchReceive(b, Request{URL: benchServer(b), ComputeDigest: "sha256"}, io.Discard)
}

// BenchmarkReceiveInlineDigest is the opponent of the parallel digest.
func BenchmarkReceiveInlineDigest(b *testing.B) {
	benchReceive(b, Request{URL: benchServer(b)}, sha256.New())
}

func benchReceive(b *testing.B, req Request, sink io.Writer) {
	c := &Client{}
	defer c.CloseIdleConnections()
	b.SetBytes(benchSize)
	b.ReportAllocs()
	b.ResetTimer()
	began := cpuTime()
	for range b.N {
		res, err := c.Receive(context.Background(), req, sink)
		if err != nil || res.BytesReceived != benchSize {
			b.Fatal(res, err)
		}
	}
	reportCPU(b, began)
}

// TestReceiveAllocatesNothingPerChunk compares transfers of one chunk and of
// many: they must allocate alike.
func TestReceiveAllocatesNothingPerChunk(t *testing.T) {
	run := func(chunks int, digest string) float64 {
		c := &Client{Observer: func(Event) {}, Transport: roundTripFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: int64(chunks) * chunkSize,
				Body: io.NopCloser(io.LimitReader(zeroReader{}, int64(chunks)*chunkSize))}, nil
		})}
		return testing.AllocsPerRun(20, func() {
			res, err := c.Receive(context.Background(), Request{URL: "http://registry.test/", ComputeDigest: digest}, io.Discard)
			if err != nil || res.BytesReceived != int64(chunks)*chunkSize {
				t.Fatal(res, err)
			}
		})
	}
	for _, digest := range []string{"", "md5"} {
		if one, many := run(1, digest), run(65, digest); many-one > 8 {
			t.Errorf("digest %q: %v allocations for one chunk, %v for 65", digest, one, many)
		}
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { return len(p), nil }
