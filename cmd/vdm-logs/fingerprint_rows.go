package main

import (
	"cmp"
	"slices"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// row is what is printed of a record; records that print alike share one.
type row struct {
	id, masked, source, event, template string
	family                              string
	records                             int64
	line                                []byte // as printed, once it is known
}

// rowTable interns rows and remembers the order of the records.
type rowTable struct {
	limit int
	index map[string]int32
	rows  []row
	order []int32
	full  bool
	key   []byte
}

func newRowTable(limit int) *rowTable {
	return &rowTable{limit: limit, index: map[string]int32{}}
}

// find returns the index of the row of a record, which it adds when it is
// new; -1 when the table is full.
func (t *rowTable) find(id fingerprint.ID, masked string, d *fingerprint.Identity) int32 {
	// The id tells Source and event; the template may be longer than its head.
	t.key = append(append(append(t.key[:0], id[:]...), masked...), d.Template...)
	if i, ok := t.index[string(t.key)]; ok {
		return i
	}
	if len(t.rows) >= t.limit {
		t.full = true
		return -1
	}
	i := int32(len(t.rows))
	t.index[string(t.key)] = i
	t.rows = append(t.rows, makeRow(id, masked, d))
	return i
}

func makeRow(id fingerprint.ID, masked string, d *fingerprint.Identity) row {
	return row{id: id.String(), masked: masked, source: string(d.Source), event: string(d.Event), template: string(d.Template)}
}

// fingerprintWriter turns records into output.
type fingerprintWriter struct {
	identify *fingerprint.Identifier
	masked   fingerprint.Masked
	identity fingerprint.Identity
	guard    *fingerprint.SourceGuard
	table    *rowTable
	printer  *fingerprintPrinter
	stream   bool
	summary  bool
	families *fingerprint.FamilySet // once learned
	early    bool                   // learned before the end: maxHeld was reached
}

// maxHeld is how many records wait for the families at most, four bytes each.
const maxHeld = 1 << 25

// add takes the next record.
func (w *fingerprintWriter) add(r *ingest.Record) error {
	id := w.identify.Identify(r, &w.identity)
	masked, _ := w.masked.ID(r)
	if len(w.identity.Source) > 0 {
		w.guard.Add(&w.identity)
	}
	if w.stream {
		one := makeRow(id, masked, &w.identity)
		if err := w.printer.record(&one); err != nil {
			return err
		}
		return w.printer.flush()
	}
	i := w.table.find(id, masked, &w.identity)
	switch {
	case i >= 0:
		w.table.rows[i].records++
		if !w.summary && w.families == nil {
			w.table.order = append(w.table.order, i)
			if len(w.table.order) < maxHeld {
				return nil
			}
			w.early = true
			return w.learn()
		}
	case w.families == nil:
		if err := w.learn(); err != nil {
			return err
		}
	}
	if w.summary {
		if i < 0 {
			w.printer.rest++
		}
		return nil
	}
	if i >= 0 {
		return w.printer.record(&w.table.rows[i])
	}
	one := makeRow(id, masked, &w.identity)
	one.family = w.families.Of([]byte(one.source), []byte(one.template)).ID
	return w.printer.record(&one)
}

// learn learns the families of the rows so far and prints the records that
// waited for them.
func (w *fingerprintWriter) learn() error {
	f := fingerprint.NewFamilies(0)
	for i := range w.table.rows {
		r := &w.table.rows[i]
		f.Add([]byte(r.source), []byte(r.template), r.records)
	}
	w.families = f.Learn()
	for i := range w.table.rows {
		r := &w.table.rows[i]
		r.family = w.families.Of([]byte(r.source), []byte(r.template)).ID
	}
	for _, i := range w.table.order {
		if err := w.printer.record(&w.table.rows[i]); err != nil {
			return err
		}
	}
	w.table.order = nil
	return nil
}

// finish prints what is left.
func (w *fingerprintWriter) finish() error {
	if !w.stream && w.families == nil {
		if err := w.learn(); err != nil {
			return err
		}
	}
	if w.summary {
		if err := w.printer.summary(w.table.rows, w.families); err != nil {
			return err
		}
	}
	return w.printer.flush()
}

// group is one line of the summary.
type groupRow struct {
	row
	key string
}

// groupRows joins rows by id or by family, most records first, then by the
// key. Of several templates the one that sorts first is shown.
func groupRows(rows []row, families *fingerprint.FamilySet, byFamily bool) []groupRow {
	patterns := map[string]string{}
	if byFamily {
		for _, f := range families.All() {
			patterns[f.ID] = f.Template
		}
	}
	index := map[string]int{}
	var groups []groupRow
	for _, r := range rows {
		key := r.id
		if byFamily {
			key = r.family
			if p, ok := patterns[key]; ok {
				r.template = p
			}
		}
		i, ok := index[key]
		if !ok {
			index[key] = len(groups)
			groups = append(groups, groupRow{row: r, key: key})
			continue
		}
		g := &groups[i]
		g.records += r.records
		if r.template < g.template {
			g.template = r.template
		}
		if r.id != g.id {
			g.id = ""
		}
		if r.masked != g.masked {
			g.masked = ""
		}
		if r.event != g.event {
			g.event = ""
		}
	}
	slices.SortFunc(groups, func(a, b groupRow) int {
		return cmp.Or(cmp.Compare(b.records, a.records), cmp.Compare(a.key, b.key))
	})
	return groups
}
