package logfile

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// bombSize is how large the bombs are; a gigabyte on demand.
var bombSize = flag.Int64("bomb", 48<<20, "bytes of the bombs of TestBombs")

// endless yields a byte so many times between a head and a tail.
type endless struct {
	head, tail string
	fill       byte
	n          int64
}

func (e *endless) Read(p []byte) (int, error) {
	switch {
	case e.head != "":
		n := copy(p, e.head)
		e.head = e.head[n:]
		return n, nil
	case e.n > 0:
		n := int(min(int64(len(p)), e.n))
		for i := range p[:n] {
			p[i] = e.fill
		}
		e.n -= int64(n)
		return n, nil
	case e.tail != "":
		n := copy(p, e.tail)
		e.tail = e.tail[n:]
		return n, nil
	}
	return 0, io.EOF
}

// TestBombs reads entries of far more bytes than may be held: none of it costs
// memory, and it is told.
func TestBombs(t *testing.T) {
	big := *bombSize
	jsonLine := `{"labels":{"pod":"p"},"line":"`
	after := entryJSON("p", noon, "after")
	cases := []struct {
		format, head, tail string
		fill               byte
		want               int // entries at least
	}{
		{"logcli", after + jsonLine, "\n" + after, 0, 2},
		{"logcli", after + strings.Repeat(`{"labels":`, 10), "\n" + after, '[', 2},
		{"query_range", `{"data":{"result":[{"stream":{"pod":"p"},"values":[["1","`, `"],["2","after"]]}]}}`, 'x', 2},
		{"query_range", `{"data":{"result":[{"stream":{"pod":"p"},"values":[["1","a",`, ``, '[', 0},
		{"text", "2026-09-19 12:00:00 first\n", "\n2026-09-19 12:00:01 after\n", 'x', 3},
		{"text", "2026-09-19 12:00:00 ", "\n2026-09-19 12:00:01 after\n", 0, 2},
		{"json-lines", `{"time":"2026-09-19T12:00:00Z","a":`, "\n" + `{"time":"2026-09-19T12:00:00Z"}` + "\n", '[', 1},
		{"otlp", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1","body":{"stringValue":"`, `"}}]}]}]}`, 'x', 1},
		{"otlp", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1","body":{"kvlistValue":{"values":`, ``, '[', 0},
		{"otlp", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1","attributes":[{"key":"`, `"}]}]}]}]}`, 'x', 1},
		{"query_range", `{"data":{"result":[{"stream":{"pod":"`, `"},"values":[["1","a"]]}]}}`, 'x', 1},
		{"csv", "time,line\n2026-09-19 12:00:00,a\n2026-09-19 12:00:00,b", "\n", ',', 1},
		{"journal-verbose", "Sat 2026-09-19 08:10:16.049626 UTC [s=bac73a1ad83c4dd0b7ac4fe1d68f44c0]\n    MESSAGE=", "\n", 'x', 1},
		{"kubectl", "[pod/a/b] 2026-09-19T12:00:00Z ", "\n[pod/a/b] 2026-09-19T12:00:00Z after\n", 'x', 2},
		{"docker", `{"log":"a\n","stream":"stdout","time":"2026-09-19T12:00:00Z"}` + "\n" + `{"log":"`, "\n", 'x', 1},
		{"grafana-json", `[{"line":"a","timestamp":"1"},{"line":"`, `"}]`, 'x', 1},
		{"csv", "time,line\n2026-09-19 12:00:00,a\n2026-09-19 12:00:00,\"", "\"\n", 'x', 1},
		{"otlp", `{"resourceLogs":"`, `"}`, 'x', 0},
		{"otlp", `{"resourceLogs":[`, ``, '[', 0},
		{"otlp", ``, ``, '{', 0},
		{"grafana-json", `[{"line":"a","timestamp":"1","fields":`, ``, '[', 0},
		{"json-values", `[{"time":"2026-09-19T12:00:00Z"},{"a":"`, `"}]`, 'x', 1},
		{"json-values", ``, ``, '[', 0},
		{"journal-export", "__REALTIME_TIMESTAMP=1\nMESSAGE=", "\n\n", 'x', 1},
		{"journal-export", "__REALTIME_TIMESTAMP=1\nMESSAGE\n" + string(binary.LittleEndian.AppendUint64(nil, uint64(big))), "\n\n", 0, 1},
		{"journal-export", "", "", 'A', 0},
		{"syslog-frames", fmt.Sprint(big-96) + " <3>1 2026-09-19T12:00:00Z h a - - ", "", 'x', 1},
		{"syslog-frames", "", "", '1', 0},
		{"push-protobuf", "\xff\xff\xff\xff\x0f\xf0\x0a\x0a{}", "", 'x', 0},
		{"push-protobuf", "\x0a\xff\xff\xff\xff\x0f\x0a\x02{}", "", 'x', 0},
		{"incident-node", `{"fingerprint":"`, `"}`, 'x', 0},
	}
	// These are read whole, up to a bound of their own.
	whole := map[string]bool{"incident-node": true, "push-protobuf": true}
	for _, c := range cases {
		t.Run(c.format, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			opts := Options{Format: c.format, MaxLine: 64 << 10, Stdin: &endless{head: c.head, tail: c.tail, fill: c.fill, n: big}}
			r, err := Open(context.Background(), []string{"-"}, opts)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			runtime.ReadMemStats(&after)
			// What was ever allocated bounds what was held.
			if grown := int64(after.TotalAlloc - before.TotalAlloc); grown > 32<<20 && !whole[c.format] {
				t.Errorf("%d MiB were allocated", grown>>20)
			}
			var e ingest.Entry
			n := 0
			for {
				err := r.Next(context.Background(), &e)
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			if s := r.Stats(); n < c.want || !s.Partial || len(s.Problems) == 0 {
				t.Errorf("%d entries, want %d; Stats = %+v", n, c.want, s)
			}
		})
	}
}

// TestCompressedBombs reads a few kilobytes that swell to a line of many
// megabytes.
func TestCompressedBombs(t *testing.T) {
	big := *bombSize
	var z, s bytes.Buffer
	gz := gzip.NewWriter(&z)
	io.Copy(gz, &endless{head: "2026-09-19 12:00:00 first\n", tail: "\n2026-09-19 12:00:01 after\n", fill: 'x', n: big})
	gz.Close()
	zs, err := zstd.NewWriter(&s, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(zs, &endless{head: "2026-09-19 12:00:00 first\n", tail: "\n2026-09-19 12:00:01 after\n", fill: 'x', n: big})
	zs.Close()
	for name, packed := range map[string]*bytes.Buffer{"gzip": &z, "zstd": &s} {
		if int64(packed.Len()) > big/48 {
			t.Fatalf("%s: %d bytes are no bomb", name, packed.Len())
		}
		grown := heapGrowth(func() {
			have, r := readAll(t, []string{"-"}, Options{Stdin: packed})
			if st := r.Stats(); len(have) != 3 || !st.Partial || len(st.Problems) == 0 {
				t.Errorf("%s: %d entries, want 3, the middle one cut and told; Stats = %+v", name, len(have), st)
			}
		})
		if grown > 120<<20 {
			t.Errorf("%s: the heap grew by %d MiB", name, grown>>20)
		}
	}
}

// TestHoles reads files with long holes, as one has that was emptied while its
// writer went on behind the old end: they cost no memory, hide no line, and are
// told.
func TestHoles(t *testing.T) {
	const hole = 64 << 20
	line := "2026-09-19 12:00:00 a\n"
	for _, c := range []struct {
		name    string
		content io.Reader
		want    int
	}{
		{"at the beginning", &endless{n: hole, tail: line + line}, 2},
		{"in the midst", &endless{head: line, n: hole, tail: line}, 2},
		{"at the end", &endless{head: line, n: hole}, 1},
		{"nothing else", &endless{n: hole}, 0},
	} {
		grown := heapGrowth(func() {
			have, r := readAll(t, []string{"-"}, Options{Stdin: c.content})
			for _, g := range have {
				if g.Line+"\n" != line {
					t.Errorf("%s: line %q", c.name, g.Line)
				}
			}
			if st := r.Stats(); len(have) != c.want || len(st.Problems) != 1 || !strings.Contains(st.Problems[0].Err.Error(), fmt.Sprint(hole)) {
				t.Errorf("%s: %d entries, want %d; %+v", c.name, len(have), c.want, st)
			}
		})
		if grown > 32<<20 {
			t.Errorf("%s: the heap grew by %d MiB", c.name, grown>>20)
		}
	}
}

// heapGrowth is by how much f makes the heap grow.
func heapGrowth(f func()) int64 {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.HeapSys) - int64(before.HeapSys)
}

// TestManyLabelSets gives every line a stream of its own, in every format that
// has labels: beyond the bound they are told apart no more, and that is told.
func TestManyLabelSets(t *testing.T) {
	const n = 5000
	line := func(i int) map[string]string {
		at := noon.UnixNano() + int64(i)
		return map[string]string{
			"logcli":         fmt.Sprintf(`{"labels":{"id":"%d"},"line":"x","timestamp":"2026-09-19T12:00:00Z"}`, i),
			"logcli-text":    fmt.Sprintf(`2026-09-19T12:00:00Z {id="%d"} x`, i),
			"kubectl":        fmt.Sprintf(`[pod/p-%d/c-%d] 2026-09-19T12:00:00.000000000Z x`, i, i),
			"compose":        fmt.Sprintf(`c-%d | 2026-09-19T12:00:00.000000000Z x`, i),
			"otlp":           fmt.Sprintf(`{"resourceLogs":[{"resource":{"attributes":[{"key":"id","value":{"intValue":%d}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":%d,"body":{"stringValue":"x"}}]}]}]}`, i, at),
			"push-json":      fmt.Sprintf(`{"streams":[{"stream":{"id":"%d"},"values":[["%d","x"]]}]}`, i, at),
			"journald":       fmt.Sprintf(`{"__REALTIME_TIMESTAMP":"1789805416049626","_HOSTNAME":"h%d","MESSAGE":"x"}`, i),
			"journal-export": fmt.Sprintf("__REALTIME_TIMESTAMP=1789805416049626\n_HOSTNAME=h%d\nMESSAGE=x\n", i),
		}
	}
	for format := range line(0) {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i)[format] + "\n")
		}
		r, err := Open(context.Background(), []string{"-"}, Options{Format: format, MaxStreams: 100, Stdin: strings.NewReader(b.String())})
		if err != nil {
			t.Fatal(err)
		}
		streams := map[*ingest.Stream]bool{}
		var e ingest.Entry
		entries := 0
		for r.Next(context.Background(), &e) == nil {
			streams[e.Stream] = true
			entries++
		}
		// Pods, hosts and containers are told apart for as many again.
		if entries != n || len(streams) > 202 {
			t.Errorf("%s: %d entries in %d streams, want %d in 202 at most", format, entries, len(streams), n)
		}
		if p := r.Stats().Problems; len(p) == 0 || !strings.Contains(p[0].Err.Error(), "more than 100 streams") {
			t.Errorf("%s: problems %v", format, p)
		}
		r.Close()
	}
}

func TestManyStreams(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		b.WriteString(strings.Replace(entryJSON("p", noon, "x"), `"pod"`, `"id":"`+strings.Repeat("i", i)+`","pod"`, 1))
	}
	have, r := readAll(t, []string{write(t, "in", b.String())}, Options{MaxStreams: 10})
	streams := map[string]bool{}
	for _, g := range have {
		streams[g.Stream] = true
	}
	if len(have) != 200 || len(streams) != 11 || !streams[`{namespace="ns", pod="p"}`] {
		t.Errorf("%d entries in %d streams, want 200 in 11", len(have), len(streams))
	}
	if p := r.Stats().Problems; len(p) != 1 || !strings.Contains(p[0].Err.Error(), "more than 10 streams") {
		t.Errorf("problems %v", p)
	}
}
