package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// TestLinksFindTheIncident asks a server for what the link of each incident
// says, in its range, and wants a line of every record. A file that came out
// of Loki must give the same links as Loki itself.
func TestLinksFindTheIncident(t *testing.T) {
	for _, s := range scenarios(t) {
		t.Run(s.name, func(t *testing.T) {
			server := lokitest.New(lokitest.Options{ServiceName: true, MaxEntries: 100_000})
			server.Push(pushed(t, s.logs)...)
			addr := server.Start(t)
			an, _ := analyzed(t, append(slices.Clone(s.args), "--grafana", "https://grafana.example", "--grafana-datasource", "loki-1", s.logs)...)
			if len(an.Incidents) == 0 && len(s.want.Incidents) > 0 {
				t.Fatal("no incident")
			}
			for _, inc := range an.Incidents {
				if len(inc.Links) != 1 {
					t.Errorf("%s: links %v", inc.Source, inc.Links)
					continue
				}
				u, err := url.Parse(inc.Links[0].URL)
				if err != nil {
					t.Fatal(err)
				}
				var panes map[string]struct {
					Queries []struct{ Expr string }
					Range   struct{ From, To string }
				}
				if err := json.Unmarshal([]byte(u.Query().Get("panes")), &panes); err != nil {
					t.Fatal(err)
				}
				for _, p := range panes {
					if got := linesFound(t, addr, p.Queries[0].Expr, p.Range.From, p.Range.To); got < inc.Records {
						t.Errorf("%s: %s finds %d lines of %d records", inc.Source, p.Queries[0].Expr, got, inc.Records)
					}
				}
			}
		})
	}
}

// linesFound counts the lines of a query; from and to are in milliseconds.
func linesFound(t *testing.T, addr, query, from, to string) int64 {
	t.Helper()
	resp, err := http.Get(addr + "/loki/api/v1/query_range?" + url.Values{
		"query": {query}, "start": {from + "000000"}, "end": {to + "000000"}, "limit": {"100000"},
	}.Encode())
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v\n%s", query, strconv.Itoa(resp.StatusCode), err, body)
	}
	var answer struct {
		Data struct {
			Result []struct{ Values [][]any }
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	n := int64(0)
	for _, r := range answer.Data.Result {
		n += int64(len(r.Values))
	}
	return n
}
