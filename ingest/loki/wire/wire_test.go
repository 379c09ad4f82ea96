package wire

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	f.Fuzz(func(t *testing.T, body []byte) {
		entries, err := Decode(body)
		if err != nil {
			return
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
