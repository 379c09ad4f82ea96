package analyze

import "slices"

// Only returns the Analysis as it is of one of its incidents: with the
// findings, fixes and folds that concern it, and all that was read. The result
// shares memory with an.
func (an *Analysis) Only(inc *Incident) *Analysis {
	one := *an
	one.Incidents = []Incident{*inc}
	one.Findings, one.MaskedFolds, one.Fixes = []Finding{}, []MaskedFold{}, []Fix{}
	for _, f := range an.Findings {
		if f.Concerns(inc) {
			one.Findings = append(one.Findings, f)
		}
	}
	for _, f := range an.MaskedFolds {
		if slices.Contains(f.Fingerprints, inc.Fingerprint) {
			one.MaskedFolds = append(one.MaskedFolds, f)
		}
	}
	for _, f := range an.Fixes {
		if f.Fingerprint == inc.Fingerprint {
			one.Fixes = append(one.Fixes, f)
		}
	}
	return &one
}

// Concerns reports whether a finding is about an incident, or about a masked
// id under which the incident is counted.
func (f *Finding) Concerns(inc *Incident) bool {
	if f.Fingerprint != "" {
		return f.Fingerprint == inc.Fingerprint
	}
	return f.Kind == KindSourceFolded && slices.Contains(inc.MaskedIDs, f.Subject)
}
