package analyze

import (
	"fmt"
	"slices"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// usualRate is how many completed transfers it takes to know what is usual.
const usualRate = 3

// maxRated bounds how many Sources and targets rates are kept of; those that
// come first are kept.
const maxRated = 1024

// rates keeps how fast the transfers went that completed, by the logger that
// tells of them and by the host they went to: a transfer that was cut is held
// against them.
type rates struct {
	bySource map[string]*spread
	byTarget map[uint64]*spread
}

// complete adds a record if it tells of a transfer that ended well.
func (a *Analyzer) complete(r *ingest.Record) {
	done, ok := a.classify.Completed(r)
	if !ok {
		return
	}
	if a.rates.bySource == nil {
		a.rates = rates{bySource: map[string]*spread{}, byTarget: map[uint64]*spread{}}
	}
	if source := emitter(r); source != "" {
		s := a.rates.bySource[source]
		if s == nil && len(a.rates.bySource) < maxRated {
			s = &spread{}
			a.rates.bySource[source] = s
		}
		if s != nil {
			s.add(done.Rate(), r.UnixNano)
		}
	}
	if host := hash(hostOf(done.Target)); host != 0 {
		s := a.rates.byTarget[host]
		if s == nil && len(a.rates.byTarget) < maxRated {
			s = &spread{}
			a.rates.byTarget[host] = s
		}
		if s != nil {
			s.add(done.Rate(), r.UnixNano)
		}
	}
}

// emitter is the Source that a record has where no rule says otherwise.
func emitter(r *ingest.Record) string {
	if len(r.Category) > 0 {
		return string(r.Category)
	}
	return r.Stream.Service
}

// hostOf returns the host and port of a URL, nil if it has none.
func hostOf(target string) []byte {
	b := []byte(target)
	i := slices.Index(b, ':')
	if i < 0 || i+3 > len(b) || b[i+1] != '/' || b[i+2] != '/' {
		return nil
	}
	b = b[i+3:]
	if j := slices.Index(b, '/'); j >= 0 {
		b = b[:j]
	}
	return b
}

// usual returns the rate at which transfers of the incident's Source complete,
// else those to its targets; nil where too few did.
func (a *Analyzer) usual(inc *incident) (rate *spread, of string) {
	if s := a.rates.bySource[string(inc.identity.Source)]; s != nil && s.known >= usualRate {
		return s, "this Source"
	}
	for _, h := range inc.stages.targets {
		if s := a.rates.byTarget[h]; s != nil && s.known >= usualRate && (rate == nil || s.known > rate.known) {
			rate, of = s, "the same target"
		}
	}
	return rate, of
}

// cutWhileMoving tells of transfers that were cut while bytes still arrived
// whether they were slow, or too large for their clock at the usual rate.
func (a *Analyzer) cutWhileMoving(inc *incident, received int64) (subject, because, action string, evidence []string) {
	subject = BlameThroughput
	because = fmt.Sprintf("up to %d bytes had arrived when one clock over the whole transfer cut it", received)
	action = "bound silence instead of total time, or make the transfer smaller or resumable"
	cut := inc.stages.rate.render()
	usual, of := a.usual(inc)
	if cut.Median == nil || usual == nil {
		return subject, because, action, []string{"no completed transfer was read that tells what rate is usual"}
	}
	normal := usual.render()
	evidence = []string{fmt.Sprintf("%s a second when cut; %s a second in the median of %s of %s that completed", volume(*cut.Median), volume(*normal.Median), plural(usual.known, "transfer"), of)}
	if 2**cut.Median < *normal.Median {
		because += fmt.Sprintf(", at %s a second where %s are usual", volume(*cut.Median), volume(*normal.Median))
		return subject, because, action, evidence
	}
	because += fmt.Sprintf(", at the usual rate of %s a second", volume(*normal.Median))
	return BlameArchiveSize, because, "a smaller or a resumable archive, never a bigger number", evidence
}

// volume writes a number of bytes for people, in thousands.
func volume(n int64) string {
	switch {
	case n >= 10_000_000:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return plural(n, "byte")
}
