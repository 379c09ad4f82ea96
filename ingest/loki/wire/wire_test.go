package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/gogo/protobuf/proto"
	"github.com/google/go-cmp/cmp"
	"github.com/grafana/loki/pkg/push"
	"github.com/klauspost/compress/s2"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func TestRoundTrip(t *testing.T) {
	a := []ingest.Label{{Name: "app", Value: `a "b"`}, {Name: "pod", Value: "p"}}
	b := []ingest.Label{{Name: "app", Value: "b"}}
	want := []Entry{
		{UnixNano: 1789819200000000001, Labels: a, Line: "fail: A[0]"},
		{UnixNano: 1789819200000000001, Labels: a, Line: "", Metadata: []ingest.Label{{Name: "trace_id", Value: "0af7"}}},
		{UnixNano: 0, Labels: b, Line: "x\n\x00é"},
	}
	body, err := Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	plain, err := s2.Decode(nil, body)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = Decode(plain); err != nil || !cmp.Equal(want, got) {
		t.Errorf("without compression: %v, %v", got, err)
	}
	for n := range body {
		if _, err := Decode(body[:n]); err == nil && n > 0 {
			// A block of nothing is an empty push; any other part is none.
			t.Errorf("cut at %d of %d: no error", n, len(body))
		}
	}
}

func TestRefused(t *testing.T) {
	bomb := []byte{0xff, 0xff, 0xff, 0x7f, 0}
	if _, err := Decode(bomb); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a bomb: %v", err)
	}
	for _, body := range [][]byte{nil, []byte("hello"), s2.EncodeSnappy(nil, []byte("hello")), s2.EncodeSnappy(nil, []byte(strings.Repeat("\x0a", 100)))} {
		if got, err := Decode(body); err == nil {
			t.Errorf("Decode(%q) = %v", body, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	body, err := Encode([]Entry{{UnixNano: 1, Labels: []ingest.Label{{Name: "a", Value: "b"}}, Line: "x"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	plain, err := s2.Decode(nil, body)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	f.Fuzz(func(t *testing.T, body []byte) {
		entries, err := Decode(body)
		if err != nil {
			return
		}
		// Loki's own decoder finds as many.
		plain, err := unsnap(body)
		var req push.PushRequest
		if err == nil && proto.Unmarshal(plain, &req) == nil {
			n := 0
			for _, s := range req.Streams {
				n += len(s.Entries)
			}
			if n != len(entries) {
				t.Fatalf("%d entries, Loki's decoder finds %d", len(entries), n)
			}
		}
		again, err := Encode(entries)
		if err != nil {
			t.Fatalf("what was decoded cannot be encoded: %v", err)
		}
		if _, err := Decode(again); err != nil {
			t.Fatalf("what was encoded cannot be decoded: %v", err)
		}
	})
}

// TestManyEntriesCostLittle reads a push of a million entries of no text: none
// is held.
func TestManyEntriesCostLittle(t *testing.T) {
	const n = 1 << 20
	stream := append([]byte{0x0a, 0x02, '{', '}'}, bytes.Repeat([]byte{0x12, 0x02, 0x0a, 0x00}, n)...)
	body := binary.AppendUvarint([]byte{streamTag}, uint64(len(stream)))
	body = append(body, stream...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := 0
	if err := Each(body, func(*Entry) error { got++; return nil }); err != nil || got != n {
		t.Fatalf("%d entries, %v", got, err)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 32<<20 {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
}
