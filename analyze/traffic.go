package analyze

import "github.com/vdm-logs/vdm-logs/ingest"

// Traffic is what one stream logged in the window, in entries. An Analyzer
// that is shown every entry ([Analyzer.Saw]) counts it itself; where only what
// matters is read, who reads tells it by [Analyzer.Logged].
type Traffic struct {
	Stream  *ingest.Stream
	Entries int64
	// First and Last are the times of the stream's first and last entry in
	// nanoseconds; 0 where they are not known.
	First, Last int64
	// Before counts the entries before each of Config.Rolls, in their order;
	// nil where nobody counted.
	Before []int64
}

// Saw takes note of an entry, whatever it holds: how long its stream was
// there, and how much it logged before and after each roll. Without it the
// entries of the records stand for that, at the records' times.
func (a *Analyzer) Saw(e *ingest.Entry) {
	a.sawEntries = true
	facts := a.lastSeen
	if facts == nil || facts.stream != e.Stream {
		facts = a.facts(e.Stream)
		a.lastSeen = facts
	}
	if !facts.skip {
		a.logged(facts, e.UnixNano, 1)
	}
}

// logged counts n entries at a time.
func (a *Analyzer) logged(f *streamFacts, t int64, n int64) {
	if f.entries == 0 || t < f.first {
		f.first = t
	}
	f.last = max(f.last, t)
	f.entries += n
	for i := range f.rolls {
		if w := &f.rolls[i]; t < a.opts.Config.Rolls[i].At.UnixNano() {
			w.before += n
		} else {
			w.after += n
		}
	}
}

// Logged tells what a stream logged in all, of which the entries shown are a
// part. The stream is known by its key.
func (a *Analyzer) Logged(t Traffic) { a.traffic = append(a.traffic, t) }

// applyTraffic puts what was told in the place of what was seen.
func (a *Analyzer) applyTraffic() {
	if len(a.traffic) == 0 {
		return
	}
	byKey := make(map[string]*streamFacts, len(a.streams))
	for s, f := range a.streams {
		byKey[s.Key] = f
	}
	for _, t := range a.traffic {
		f := byKey[t.Stream.Key]
		if f == nil {
			f = a.facts(t.Stream)
			byKey[t.Stream.Key] = f
		}
		f.entries = max(f.entries, t.Entries)
		if t.First != 0 && (f.first == 0 || t.First < f.first) {
			f.first = t.First
		}
		f.last = max(f.last, t.Last)
		for i := range min(len(f.rolls), len(t.Before)) {
			f.rolls[i] = rollWork{before: t.Before[i], after: t.Entries - t.Before[i]}
		}
	}
}

// AddLike counts a record that was not read: it is known to be like one that
// was, but for its time and stream, which are the copy's. It gives no sample,
// no numbers and no identifiers.
func (a *Analyzer) AddLike(r *ingest.Record) error {
	a.like = true
	defer func() { a.like = false }()
	return a.Add(r)
}
