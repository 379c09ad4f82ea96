package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// Links says how an incident's data are reached elsewhere. The zero Links
// make queries and no links.
type Links struct {
	// Grafana is the address of Grafana, such as https://grafana.example/, to
	// link to its Explore page; or, if it has placeholders, a template of the
	// whole link: {panes} the state of Explore's pane in JSON, {expr} the
	// LogQL, {from} and {to} the range in milliseconds since 1970,
	// {datasource} the UID, {fingerprint} and {source} the incident's. What
	// takes a placeholder's place is escaped for an address.
	Grafana string
	// Datasource is the UID of the Loki data source in that Grafana.
	Datasource string
	// Query is the LogQL to narrow where the analysis does not say what was
	// read, because it read files; empty for none.
	Query string
}

// ErrLinks is wrapped by the errors of Links.Check.
var ErrLinks = errors.New("no links can be made")

// placeholder is a placeholder of a link template. The other braces of a
// template, which no address has unescaped, are errors too.
var placeholder = regexp.MustCompile(`\{[^{}]*\}?|\}`)

// Check says whether links can be made as l says; its errors wrap ErrLinks.
func (l Links) Check() error {
	if l.Grafana == "" {
		return nil
	}
	needsUID := true
	if l.isTemplate() {
		needsUID = false
		for _, p := range placeholder.FindAllString(l.Grafana, -1) {
			switch p {
			case "{expr}", "{from}", "{to}", "{fingerprint}", "{source}":
			case "{panes}", "{datasource}":
				needsUID = true
			default:
				return fmt.Errorf("%w: %s is no placeholder; there are {panes}, {expr}, {from}, {to}, {datasource}, {fingerprint} and {source}", ErrLinks, p)
			}
		}
	}
	u, err := url.Parse(placeholder.ReplaceAllString(l.Grafana, "x"))
	switch {
	case err != nil:
		return fmt.Errorf("%w: the address of Grafana cannot be read", ErrLinks) // err quotes it, with whatever secret stands in it
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return fmt.Errorf("%w: the address of Grafana must begin with http:// or https:// and a host", ErrLinks)
	case u.User != nil:
		return fmt.Errorf("%w: the address of Grafana holds a user or a password, which every reader of a link would see", ErrLinks)
	case needsUID && l.Datasource == "":
		return fmt.Errorf("%w: the UID of Grafana's Loki data source is not given", ErrLinks)
	}
	return nil
}

func (l Links) isTemplate() bool { return strings.ContainsAny(l.Grafana, "{}") }

// Add sets the query and the links of every incident of an analysis.
func (l Links) Add(an *analyze.Analysis) error {
	if err := l.Check(); err != nil {
		return err
	}
	base := an.Read.Query
	if base == "" {
		base = l.Query
	}
	for i := range an.Incidents {
		inc := &an.Incidents[i]
		inc.Query = incidentQuery(base, inc)
		inc.Links = []analyze.Link{}
		if inc.Query == "" || l.Grafana == "" {
			continue
		}
		link, err := l.explore(inc)
		if err != nil {
			return err
		}
		inc.Links = append(inc.Links, analyze.Link{Name: "Grafana Explore", URL: link})
	}
	return nil
}

// linkMargin is how much of the logs before the first and after the last
// record of an incident a link shows.
const linkMargin = time.Minute

// linkRange is the range of time that a link shows, in milliseconds.
func linkRange(inc *analyze.Incident) (from, to string) {
	from = strconv.FormatInt(inc.FirstSeen.Add(-linkMargin).UnixMilli(), 10)
	to = strconv.FormatInt(inc.LastSeen.Add(linkMargin).UnixMilli()+1, 10)
	return from, to
}

// pane is the state of one pane of Grafana's Explore page, as its addresses
// carry it since Grafana 10 (schemaVersion 1).
type pane struct {
	Datasource string      `json:"datasource"`
	Queries    []paneQuery `json:"queries"`
	Range      paneRange   `json:"range"`
}

type paneQuery struct {
	RefID      string         `json:"refId"`
	Expr       string         `json:"expr"`
	QueryType  string         `json:"queryType"`
	EditorMode string         `json:"editorMode"`
	Datasource paneDatasource `json:"datasource"`
}

type paneDatasource struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

// paneRange is a range of time in milliseconds since 1970, as texts: Explore
// falls back to the last hour for numbers.
type paneRange struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// paneID names the pane. Explore replaces other names than three lower-case
// letters and digits.
const paneID = "vdm"

// explore returns the address of the Explore page that shows an incident.
func (l Links) explore(inc *analyze.Incident) (string, error) {
	from, to := linkRange(inc)
	panes, err := json.Marshal(map[string]pane{paneID: {
		Datasource: l.Datasource,
		Queries: []paneQuery{{
			RefID: "A", Expr: inc.Query, QueryType: "range", EditorMode: "code",
			Datasource: paneDatasource{Type: "loki", UID: l.Datasource},
		}},
		Range: paneRange{From: from, To: to},
	}})
	if err != nil {
		return "", err
	}
	if l.isTemplate() {
		return strings.NewReplacer(
			"{panes}", escape(string(panes)), "{expr}", escape(inc.Query), "{from}", from, "{to}", to,
			"{datasource}", escape(l.Datasource), "{fingerprint}", escape(inc.Fingerprint), "{source}", escape(inc.Source),
		).Replace(l.Grafana), nil
	}
	u, err := url.Parse(l.Grafana)
	if err != nil {
		return "", fmt.Errorf("%w: the address of Grafana cannot be read", ErrLinks)
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/explore") + "/explore"
	u.RawPath, u.Fragment = "", ""
	query := "schemaVersion=1&panes=" + escape(string(panes))
	if u.RawQuery != "" { // such as orgId=2
		query += "&" + u.RawQuery
	}
	u.RawQuery = query
	return u.String(), nil
}

// escape makes text fit to be a value in an address. Spaces become %20, which
// all decoders agree on.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
