package transfer

import (
	"fmt"
	"net/http"
	"testing"
)

func TestParseContentRange(t *testing.T) {
	bad := contentRange{-1, -1, Unknown}
	for value, want := range map[string]contentRange{
		"bytes 0-0/1":                    {0, 0, 1},
		"bytes 5-9/100":                  {5, 9, 100},
		"Bytes 5-9/*":                    {5, 9, Unknown},
		" bytes  5-9/100":                {5, 9, 100},
		"bytes */100":                    {-1, -1, 100},
		"bytes */*":                      bad,
		"bytes 9-5/100":                  bad,
		"bytes 5-100/100":                bad,
		"bytes -5/100":                   bad,
		"bytes 5-/100":                   bad,
		"bytes +5-9/100":                 bad,
		"bytes 5-9":                      bad,
		"items 5-9/100":                  bad,
		"bytes=5-9/100":                  bad,
		"bytes 0-99999999999999999999/*": bad,
		"":                               bad,
	} {
		got, ok := parseContentRange(value)
		if got != want && ok || ok != (want != bad) {
			t.Errorf("parseContentRange(%q) = %v, %v, want %v", value, got, ok, want)
		}
	}
}

func FuzzParseContentRange(f *testing.F) {
	for _, s := range []string{"bytes 0-0/1", "bytes */100", "bytes 5-9/*", "bytes 9-5/2", "bytes --/-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, ok := parseContentRange(s)
		if !ok {
			return
		}
		if r.first > r.last || r.first < -1 || r.total < Unknown || r.total >= 0 && r.last >= r.total {
			t.Fatalf("parseContentRange(%q) = %+v, which cannot be", s, r)
		}
		if r.first >= 0 && r.total >= 0 {
			if again, ok := parseContentRange(fmt.Sprintf("bytes %d-%d/%d", r.first, r.last, r.total)); !ok || again != r {
				t.Fatalf("%+v does not come back: %+v", r, again)
			}
		}
	})
}

func TestValidatorOf(t *testing.T) {
	const old, served = "Tue, 01 Sep 2026 08:00:00 GMT", "Tue, 01 Sep 2026 08:01:00 GMT"
	tests := []struct {
		name   string
		header map[string]string
		want   validator
	}{
		{"strong tag", map[string]string{"Etag": `"a"`, "Last-Modified": old, "Date": served}, validator{ETag: `"a"`}},
		{"weak tag beside an old date", map[string]string{"Etag": `W/"a"`, "Last-Modified": old, "Date": served}, validator{}},
		{"tag without quotes", map[string]string{"Etag": `a`}, validator{}},
		{"lone quote", map[string]string{"Etag": `"`}, validator{}},
		{"old date", map[string]string{"Last-Modified": old, "Date": served}, validator{LastModified: old}},
		{"fresh date", map[string]string{"Last-Modified": served, "Date": served}, validator{}},
		{"no Date", map[string]string{"Last-Modified": old}, validator{}},
		{"nothing", nil, validator{}},
	}
	for _, tt := range tests {
		h := http.Header{}
		for k, v := range tt.header {
			h.Set(k, v)
		}
		if got := validatorOf(h); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
