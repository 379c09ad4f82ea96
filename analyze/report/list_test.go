package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/analyze"
)

func TestList(t *testing.T) {
	an := &analyze.Analysis{
		Window: analyze.Window{Start: analyze.At(0), End: analyze.At(3600e9)},
		Incidents: []analyze.Incident{
			{Fingerprint: "fp1:0123456789abcdef", LastSeen: analyze.At(60e9), Source: "plugin-registry-bundles-standard//Standard-AttemptTimeout", Event: "OnTimeout", Records: 1234, Stage: &analyze.Stage{Name: "no-response"}, Issue: &analyze.IssueRef{Number: 7, State: "open"}},
			{Fingerprint: "fp1:fedcba9876543210", LastSeen: analyze.At(0), Template: "one thing \x1b[1m", Records: 1},
		},
	}
	for _, c := range []struct {
		width int
		want  string
	}{
		{60, `#  fingerprint           records  last       Source, event
1  fp1:0123456789abcdef    1,234  00:01:00Z  plugin-…Timeout
2  fp1:fedcba9876543210        1  00:00:00Z  one thi…\x1b[1m
`},
		{120, `#  fingerprint           records  last       stage        issue    Source, event
1  fp1:0123456789abcdef    1,234  00:01:00Z  no-response  #7 open  plugin-registry-bundles-st…-AttemptTimeout  OnTimeout
2  fp1:fedcba9876543210        1  00:00:00Z                        one thing \x1b[1m
`},
	} {
		var b bytes.Buffer
		if err := List(&b, an, Screen{Width: c.width}); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); strings.Count(got, "\n") != 3 || !strings.HasPrefix(got, c.want[:20]) {
			t.Errorf("%d columns:\n%s", c.width, got)
		} else if got != c.want {
			t.Errorf("%d columns:\n%s\nwant\n%s", c.width, got, c.want)
		}
		for line := range strings.Lines(b.String()) {
			if columns(strings.TrimRight(line, "\n")) > c.width {
				t.Errorf("%d columns: %q is wider", c.width, line)
			}
		}
	}
}
