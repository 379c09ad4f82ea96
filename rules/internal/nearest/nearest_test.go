package nearest

import "testing"

func TestOf(t *testing.T) {
	names := []string{"attempts", "bounds", "contains", "duration", "name", "sources", "closed_at"}
	for in, want := range map[string]string{
		"source": "sources", "contain": "contains", "Duration": "duration", "closed-at": "closed_at", "closedAt": "closed_at",
		"attemps": "attempts", "nam": "name", "x": "", "mask": "", "": "", "every": "",
	} {
		if got := Of(in, names); got != want {
			t.Errorf("Of(%q) = %q, want %q", in, got, want)
		}
	}
}
