package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// fingerprintLines makes lines of some thirty statements, as many services
// write them together.
func fingerprintLines(n int) []byte {
	statements := []string{
		"Accepted connection from 10.%d.%d.7:%d on listener 3",
		"Verification of block blk_%d%d of size %d succeeded",
		"session %d opened for user u%d by (uid=%d)",
		"GET /v2/items/%d/parts/%d HTTP/1.1 status: 200 len: %d",
		"worker %d gave up after %d ms on shard %d",
		"level=info msg=\"request finished\" tenant=%d took=%dms size=%d",
		"Update failed for node tenant%d/Foo/%d of %d",
		"Nothing to do for the second stage of job %d in round %d of %d",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for range n {
		fmt.Fprintf(&b, statements[rng.IntN(len(statements))], rng.IntN(250), rng.IntN(250), rng.IntN(60000))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func BenchmarkFingerprintLines(b *testing.B) {
	const lines = 100_000
	data := fingerprintLines(lines)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		o := fingerprintOptions{files: []string{"-"}, output: "tsv", format: formatLines, limit: 1 << 20}
		if err := runFingerprint(context.Background(), o, stdio{in: bytes.NewReader(data), out: io.Discard, err: io.Discard}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(lines*b.N)/b.Elapsed().Seconds(), "lines/s")
}
