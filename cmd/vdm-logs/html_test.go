package main

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// TestHTMLOfScenarios wants every incident, finding and fold that the JSON form
// has on the HTML page as well, and nothing in one that a second run has not.
func TestHTMLOfScenarios(t *testing.T) {
	for _, s := range scenarios(t) {
		t.Run(s.name, func(t *testing.T) {
			write := func(form string) string {
				var out, errs bytes.Buffer
				args := append([]string{}, s.args...)
				for i := range args {
					if args[i] == "-o" {
						args[i+1] = form
					}
				}
				if code := run(t.Context(), append(args, s.logs), stdio{in: strings.NewReader(""), out: &out, err: &errs}); code != 0 {
					t.Fatalf("%q: exit code %d\n%s", args, code, errs.String())
				}
				return out.String()
			}
			var an analyze.Analysis
			if err := json.Unmarshal([]byte(write("json")), &an); err != nil {
				t.Fatal(err)
			}
			page := write("html")
			if page != write("html") {
				t.Error("two runs write two pages")
			}
			text := html.UnescapeString(page)
			for i, inc := range an.Incidents {
				for _, want := range []string{inc.Source, inc.Fingerprint, inc.Event, inc.Exception} {
					if !strings.Contains(text, want) {
						t.Errorf("incident %d: the page has no %q", i+1, want)
					}
				}
				for _, r := range inc.Recurrences {
					if !strings.Contains(text, "Every "+r.Period) {
						t.Errorf("incident %d: the page does not tell of every %s", i+1, r.Period)
					}
				}
			}
			if n := strings.Count(page, "<article "); n != len(an.Incidents) {
				t.Errorf("%d articles of %d incidents", n, len(an.Incidents))
			}
			if n := strings.Count(page, `<li id="f`); n != len(an.Findings) {
				t.Errorf("%d of %d findings", n, len(an.Findings))
			}
			if n := strings.Count(page, `<tr id="fold`); n != len(an.MaskedFolds) {
				t.Errorf("%d of %d folds", n, len(an.MaskedFolds))
			}
		})
	}
}
