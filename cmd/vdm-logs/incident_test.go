package main

import (
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// TestIncidentFromLoki lists and files an incident that stands in a server:
// the command in the issue asks the server again.
func TestIncidentFromLoki(t *testing.T) {
	server := lokitest.New(lokitest.Options{ServiceName: true})
	s := scenarios(t)[0]
	server.Push(pushed(t, s.logs)...)
	from := []string{"--loki", server.Start(t), "--from", "2026-09-19T08:00:00Z", "--to", "2026-09-19T20:00:00Z", "--query", `{namespace=~"memex.*"}`}
	const id = "fp1:756ee846bb0c6b4d"
	list := printed(t, 0, append([]string{"incident", "list"}, from...)...)
	if !strings.Contains(list, id) {
		t.Errorf("%s is not listed:\n%s", id, list)
	}
	issue := printed(t, 0, append([]string{"incident", "issue", id}, from...)...)
	for _, want := range []string{
		"| since | 2026-09-19 08:26:00.223Z |",
		"--from 2026-09-19T08:00:00.000000000Z --to 2026-09-19T20:00:00.000000000Z --source plugin-registry-bundles-standard//Standard-AttemptTimeout --query '{namespace=~\"memex.*\"}'",
		`{namespace=~"memex|memex-cloud", app=~"memex-cloud-portal|memex-portal"} |= "plugin-registry-bundles-standard//Standard-AttemptTimeout" |= "OnTimeout"`,
	} {
		if !strings.Contains(issue, want) {
			t.Errorf("%q is not in the issue:\n%s", want, issue)
		}
	}
}
