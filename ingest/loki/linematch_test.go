package loki_test

import (
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest/loki"
)

func TestLinesMatching(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{loki.LinesMatching("detected_level", "info", true, []string{"fail", `^E\d`}, []string{`a "b"`}), `| detected_level!~"info" |~ "fail" or "^E\\d" !~ "a \"b\""`},
		{loki.LinesMatching("detected_level", "warn|error", false, nil, nil), `| detected_level=~"warn|error"`},
		{loki.LinesMatching("", "", false, []string{"x"}, nil), `|~ "x"`},
		{loki.Captures([]string{`(?P<a>x)`, `"(?P<b>y)`}), `| regexp "(?P<a>x)" | regexp "\"(?P<b>y)"`},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
}
