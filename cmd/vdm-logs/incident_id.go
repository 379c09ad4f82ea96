package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze"
)

const (
	// rowDigits is how many digits a number of an incident has at most; more
	// are the beginning of a fingerprint.
	rowDigits = 3
	// prefixDigits is how many digits of a fingerprint name an incident at
	// least.
	prefixDigits = 4
	// candidatesShown bounds the incidents that an error names.
	candidatesShown = 8
)

// findIncident finds the incident that a fingerprint, its beginning, a masked
// id or a number names.
func findIncident(an *analyze.Analysis, id string) (*analyze.Incident, error) {
	if n, err := strconv.Atoi(id); err == nil && len(id) <= rowDigits {
		if n < 1 || n > len(an.Incidents) {
			return nil, usageError{err: fmt.Errorf("there is no incident %s: the analysis has %s", id, count(len(an.Incidents), "incident")), hint: candidates(everyIncident(an))}
		}
		return &an.Incidents[n-1], nil
	}
	digits := strings.ToLower(id)
	versioned := strings.Contains(digits, ":")
	var found []*analyze.Incident
	for i := range an.Incidents {
		inc := &an.Incidents[i]
		_, hex, _ := strings.Cut(inc.Fingerprint, ":")
		switch {
		case inc.Fingerprint == digits:
			return inc, nil
		case versioned && strings.HasPrefix(inc.Fingerprint, digits),
			!versioned && len(digits) >= prefixDigits && strings.HasPrefix(hex, digits),
			slices.Contains(inc.MaskedIDs, digits):
			found = append(found, inc)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, usageError{err: fmt.Errorf("no incident has the fingerprint %s", id), hint: candidates(everyIncident(an))}
	}
	return nil, usageError{err: fmt.Errorf("%s names %s", id, count(len(found), "incident")), hint: candidates(found)}
}

func everyIncident(an *analyze.Analysis) []*analyze.Incident {
	var all []*analyze.Incident
	for i := range an.Incidents {
		all = append(all, &an.Incidents[i])
	}
	return all
}

// candidates lists incidents to choose from.
func candidates(list []*analyze.Incident) string {
	if len(list) == 0 {
		return "It found no incident."
	}
	var b strings.Builder
	b.WriteString("Name one of these:")
	for _, inc := range list[:min(len(list), candidatesShown)] {
		fmt.Fprintf(&b, "\n  %s  %s", inc.Fingerprint, describe(inc))
	}
	if more := len(list) - candidatesShown; more > 0 {
		fmt.Fprintf(&b, "\n  and %d more; 'vdm-logs incident list' lists them", more)
	}
	return b.String()
}

// describe tells in a few words what an incident is.
func describe(inc *analyze.Incident) string {
	name := inc.Source
	if name == "" {
		name = inc.Template
	}
	return fmt.Sprintf("%s (%s)", oneLine(strings.TrimSpace(name+" "+inc.Event), 80), count(int(inc.Records), "record"))
}

// oneLine makes text harmless in an error or a menu: control characters are
// dropped, and what is longer than n characters is cut.
func oneLine(text string, n int) string {
	rs := []rune(strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return -1
	}, text))
	if len(rs) > n {
		return string(rs[:n-1]) + "…"
	}
	return string(rs)
}

// completeIDs offers the fingerprints of the saved analysis. Without one
// nothing is read while a person types; files are offered after the id.
func (o *incidentOptions) completeIDs(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	if o.saved == "" || o.saved == "-" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	an, err := loadAnalysis(o.saved, nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for _, inc := range everyIncident(an) {
		if strings.HasPrefix(inc.Fingerprint, typed) {
			out = append(out, inc.Fingerprint+"\t"+describe(inc))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
