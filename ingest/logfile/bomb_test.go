package logfile

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

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
	const big = 96 << 20
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
		{"text", "2026-09-19 12:00:00 first\n", "\n2026-09-19 12:00:01 after\n", 0, 3},
		{"docker", `{"log":"a\n","stream":"stdout","time":"2026-09-19T12:00:00Z"}` + "\n" + `{"log":"`, "\n", 'x', 1},
		{"grafana-json", `[{"line":"a","timestamp":"1"},{"line":"`, `"}]`, 'x', 1},
		{"csv", "time,line\n2026-09-19 12:00:00,a\n2026-09-19 12:00:00,\"", "\"\n", 'x', 1},
		{"otlp", `{"resourceLogs":"`, `"}`, 'x', 0},
		{"incident-node", `{"fingerprint":"`, `"}`, 'x', 0},
	}
	for _, c := range cases {
		t.Run(c.format, func(t *testing.T) {
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := Open(context.Background(), []string{"-"}, Options{Format: c.format, Stdin: &endless{head: c.head, tail: c.tail, fill: c.fill, n: big}})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 200<<20 {
				t.Errorf("the heap grew by %d MiB", grown>>20)
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
