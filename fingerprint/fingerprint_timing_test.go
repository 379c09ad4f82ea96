package fingerprint

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// timingLines are lines of many shapes, as services write them.
var timingLines = []string{
	"Resilience event occurred. EventName: 'OnTimeout', Source: 'plugin-registry-bundles-standard//Standard-AttemptTimeout', Operation Key: '', Result: ''",
	"Update failed for node tenant37/Foo/89542",
	"Adopting package 'acme.widgets.7' failed",
	"Accepted connection from 10.11.12.13:44321 on listener 3",
	"GET /v2/54fadb412c4e40cdbaed9335e4c35a9e/servers/detail HTTP/1.1 status: 200 len: 1893 time: 0.2477829",
	"Verification of block blk_-7724713468912166542 of size 67108864 succeeded",
	"session opened for user backup by (uid=0)",
	"Block cache_9_piece0 stored as bytes in memory (estimated size 5.2 KB, free 5.2 KB)",
	"workerEnv.init() ok /etc/httpd/conf/workers2.properties",
	"Started reading input of the second stage, nothing to do for now",
	`level=info msg="request finished" method=GET path=/api/items status=200 took=15ms`,
	`{"level":"error","msg":"cannot reach peer","peer":"10.0.0.7:2380","attempt":3}`,
	"instance b9000564-fe1a-409b-b8cc-1e88b294cd1d spawned in 19.05 seconds on node cp-1.slowvm1.corp.example",
	"Connection to database lost, retrying in 5 s",
}

func BenchmarkMask(b *testing.B) {
	lines, size := timingInput()
	var dst []byte
	b.SetBytes(size)
	b.ReportAllocs()
	start := cpuTime(b)
	for b.Loop() {
		for _, l := range lines {
			dst = Mask(dst[:0], l, 0)
		}
	}
	b.ReportMetric(float64(len(lines)*b.N)/(cpuTime(b)-start).Seconds(), "lines/cpu-s")
}

func BenchmarkIdentify(b *testing.B) {
	lines, size := timingInput()
	records := make([]ingest.Record, len(lines))
	for i, l := range lines {
		records[i] = ingest.Record{Message: l, Text: l}
	}
	x := NewIdentifier(Options{})
	var d Identity
	b.SetBytes(size)
	b.ReportAllocs()
	start := cpuTime(b)
	for b.Loop() {
		for i := range records {
			x.Identify(&records[i], &d)
		}
	}
	b.ReportMetric(float64(len(lines)*b.N)/(cpuTime(b)-start).Seconds(), "lines/cpu-s")
}

func BenchmarkMasked(b *testing.B) {
	var m Masked
	vectors := maskedVectors(b)
	records := make([]ingest.Record, len(vectors))
	var size int64
	for i, v := range vectors {
		text := bytes.Join(byteLines(v.Lines), []byte{'\n'})
		size += int64(len(text))
		records[i] = ingest.Record{Level: ingest.LevelError, Format: ingest.FormatDotnetConsole, Text: text}
	}
	b.SetBytes(size)
	b.ReportAllocs()
	start := cpuTime(b)
	for b.Loop() {
		for i := range records {
			m.ID(&records[i])
		}
	}
	b.ReportMetric(float64(len(records)*b.N)/(cpuTime(b)-start).Seconds(), "records/cpu-s")
}

func timingInput() (lines [][]byte, size int64) {
	for _, l := range timingLines {
		lines = append(lines, []byte(l))
		size += int64(len(l))
	}
	return lines, size
}

func BenchmarkLearn(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	f := NewFamilies(0)
	word := func() string {
		return string([]byte{'a' + byte(rng.IntN(26)), 'a' + byte(rng.IntN(26)), 'a' + byte(rng.IntN(26))})
	}
	for range DefaultFamilyLimit {
		f.Add(nil, []byte("the "+word()+" of "+word()+" did not "+word()+" the <num> of "+word()), 1)
	}
	b.ReportAllocs()
	for b.Loop() {
		f.Learn()
	}
}
