package ingest

import (
	"bytes"
	"testing"
)

// FuzzAssembler adds arbitrary entries in arbitrary order: no panic, nothing
// lost or counted twice, bounds kept, every part of a record inside of it.
func FuzzAssembler(f *testing.F) {
	for _, s := range []string{
		"fail: A[0]\x00\x01      x\x00\x01      System.Exception: y\x00\x01         at A.B()",
		"{\"level\":\"error\",\"msg\":\"a\\u0027\",\"a\":{\"b\":[{\"c\":1}]}}\x00\x02level=warn msg=\"x y\" a=b",
		"panic: x\x00\x01goroutine 1 [running]:\x00\x01main.f(0x1)\x00\x01\t/a/b.go:1 +0x1",
		"Traceback (most recent call last):\x00\x01  File \"a.py\", line 1, in f\x00\x01    g()\x00\x01ValueError: q",
		"2026-01-01T00:00:00.000000000Z stdout P par\x00\x012026-01-01T00:00:00.000000000Z stdout F tial",
		"<13>1 2026-01-01T00:00:00Z h app 1 ID [a b=\"c\"] text\x00\x01E, [2026 #1] ERROR -- p: m",
		"E1029 02:07:47.993663    1717 f.go:51] \"q\" a=b\x00\x01\x1b[31mfail\x1b[0m: A[0]\r",
		"{\"log\":\"a\\n\",\"stream\":\"stdout\",\"time\":\"x\"}\x00\x05\ta\x00\x04at a.b(c)\n... 3 more\n",
		"Uncaught \x00\x04[ERROR]\x00\x05[", "Caused by: \x00\x04---> \x00\x04at \x00\x04:\x00\x03=",
	} {
		f.Add([]byte(s))
	}
	streams := []*Stream{testStream("a"), testStream("b")}
	f.Fuzz(func(t *testing.T, data []byte) {
		const bound = 4096
		sum := 0
		a := NewAssembler(AssemblerOptions{MaxRecordBytes: bound, MaxOpen: 1}, func(r *Record) error {
			sum += r.Entries
			if len(r.Text) > bound {
				t.Fatalf("a record of %d bytes", len(r.Text))
			}
			for _, x := range r.Exceptions {
				if x.First < 0 || x.First > x.End || x.End > len(r.Frames) {
					t.Fatalf("frames %d to %d of %d", x.First, x.End, len(r.Frames))
				}
			}
			if r.Level > LevelFatal || r.Stream == nil {
				t.Fatalf("level %d", r.Level)
			}
			return nil
		})
		n, ns := 0, int64(0)
		for _, part := range bytes.Split(data, []byte{0}) {
			var how byte
			if len(part) > 0 {
				how, part = part[0], part[1:]
			}
			ns += int64(how >> 4 & 3)
			e := Entry{UnixNano: ns, Stream: streams[how>>1&1], Line: part, Arrival: uint64(n), Ordered: how&1 != 0, Inherited: how&4 != 0}
			if err := a.Add(&e); err != nil {
				t.Fatal(err)
			}
			n++
		}
		if err := a.Flush(); err != nil {
			t.Fatal(err)
		}
		if sum != n || a.Stats().Entries != int64(n) {
			t.Fatalf("records account for %d entries of %d", sum, n)
		}
	})
}
