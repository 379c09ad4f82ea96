package stage

import (
	"testing"
	"time"
)

func TestCompleted(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		line  string
		bytes int64
		took  time.Duration // 0: no completed transfer
	}{
		{"Fetched 12.5 MB in 3.1 s from https://registry.example/a.zip", 12_500_000, 3100 * time.Millisecond},
		{"Bundle index downloaded: 4,194,304 bytes in 2000 ms", 4194304, 2 * time.Second},
		{"download of a.zip completed, 10 MiB, took 00:00:05", 10 << 20, 5 * time.Second},
		{"received 1048576 bytes (1.0 MiB) in 500ms", 1 << 20, 500 * time.Millisecond},
		{`{"level":"info","msg":"transfer completed","target":"https://r.example/a?token=x","bytesReceived":1000000,"bytesDeclared":1000000,"elapsedNs":2000000000}`, 1000000, 2 * time.Second},
		{`{"level":"info","msg":"GET a.zip","bytes":1000000,"duration_ms":250.5,"status":200}`, 1000000, 250500 * time.Microsecond},

		{"download failed after 12.5 MB in 3.1 s", 0, 0},
		{"received 1048576 of 4194304 bytes in 500ms so far", 0, 0},
		{"read 12.5MB of 100MB in 3 s", 0, 0},
		{"Fetched 12.5 MB at 4 MB/s", 0, 0},
		{"fetched 12 items in 3.1 s", 0, 0},
		{"cache holds 12 MB, loaded", 0, 0},
		{"downloading 12 MB in chunks of 4 MB", 0, 0},
		{`{"level":"info","msg":"GET a.zip","bytes":1000000,"duration":250,"status":200}`, 0, 0},
		{`{"level":"info","msg":"GET a.zip","bytes":1000000,"duration_ms":250,"status":504}`, 0, 0},
		{`{"level":"warn","msg":"GET a.zip","bytes":1000000,"duration_ms":250}`, 0, 0},
		{`{"level":"info","msg":"transfer completed","bytesReceived":10,"bytesDeclared":1000000,"elapsedNs":2000000000}`, 0, 0},
	} {
		r := assembled(t, []string{k.line})[0]
		got, ok := c.Completed(r)
		if ok != (k.took > 0) || ok && (got.Bytes != k.bytes || got.Took != k.took) {
			t.Errorf("%s: %+v, %v; want %d bytes in %v", k.line, got, ok, k.bytes, k.took)
		}
	}
	got, _ := c.Completed(assembled(t, []string{`{"level":"info","msg":"transfer completed","target":"https://u:p@r.example/a?token=x","bytesReceived":3000,"elapsedNs":2000000000}`})[0])
	if got.Target != "https://r.example/a" || got.Rate() != 1500 {
		t.Errorf("target %q at %d bytes a second, want it without secrets at 1500", got.Target, got.Rate())
	}
}
