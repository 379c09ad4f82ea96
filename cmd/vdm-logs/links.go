package main

import (
	"cmp"

	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/analyze/report"
)

// linkFlags say where links from the result lead.
type linkFlags struct {
	grafana, datasource string
}

func (l *linkFlags) register(f *pflag.FlagSet) {
	f.StringVar(&l.grafana, "grafana", "", "`address` of Grafana, to link each incident to its lines in Explore; or a template of the link with {panes}, {expr}, {from}, {to}, {datasource}, {fingerprint}, {source}; VDM_LOGS_GRAFANA without it")
	f.StringVar(&l.datasource, "grafana-datasource", "", "`UID` of the Loki data source in that Grafana; VDM_LOGS_GRAFANA_DATASOURCE without it")
}

// links returns what the flags and the environment say. Results that come from
// files are linked to what would be read from Loki: what the flag asks for, else
// the configuration, else the rules.
func (l *linkFlags) links(flag, rules string, std stdio) (report.Links, error) {
	set, err := std.settings()
	if err != nil {
		return report.Links{}, err
	}
	links := report.Links{
		Grafana:    cmp.Or(l.grafana, getenv("VDM_LOGS_GRAFANA")),
		Datasource: cmp.Or(l.datasource, getenv("VDM_LOGS_GRAFANA_DATASOURCE")),
		Query:      cmp.Or(flag, set.Text("loki.query"), rules),
	}
	if err := links.Check(); err != nil {
		return links, usageError{err: err, hint: "Such as --grafana https://grafana.example --grafana-datasource UID; Grafana shows the UID in the address of the data source's settings."}
	}
	return links, nil
}
