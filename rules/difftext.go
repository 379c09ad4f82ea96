package rules

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Text writes a Diff for a terminal: a row for every change, the incidents
// before marked with - and after with +, and the totals.
func (d *Diff) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	for i := range d.Rows {
		r := &d.Rows[i]
		if r.Change == Unchanged {
			continue
		}
		fmt.Fprintf(b, "%s: %s\n", r.Change, r.title())
		for _, o := range r.Old {
			fmt.Fprintf(b, "  - %s\n", o.line())
		}
		for _, n := range r.New {
			fmt.Fprintf(b, "  + %s\n", n.line())
		}
		if len(r.Orphaned) > 0 {
			fmt.Fprintf(b, "  ! no rule leads to %s any more\n", issueList(r.Orphaned))
		}
		fmt.Fprintf(b, "  e.g. %s\n", firstLine(r.Sample))
	}
	fmt.Fprintf(b, "%s\n", d.summary())
	return b.Flush()
}

// Markdown writes a Diff for a review comment.
func (d *Diff) Markdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "**Rules diff** %s\n", d.summary())
	cell := func(s string) string {
		return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", ">", "&gt;", "`", "'").Replace(s)
	}
	header := false
	for i := range d.Rows {
		r := &d.Rows[i]
		if r.Change == Unchanged {
			continue
		}
		if !header {
			header = true
			fmt.Fprint(b, "\n| change | records | before | after | orphaned issues |\n| --- | ---: | --- | --- | --- |\n")
		}
		sides := func(list []DiffSide) string {
			var s []string
			for _, x := range list {
				s = append(s, fmt.Sprintf("%s %s (%d)", cell(x.Source), cell(x.Event), x.Records))
			}
			return strings.Join(s, "<br>")
		}
		issues := ""
		if len(r.Orphaned) > 0 {
			issues = issueList(r.Orphaned)
		}
		fmt.Fprintf(b, "| %s | %d | %s | %s | %s |\n", r.Change, r.Records, sides(r.Old), sides(r.New), issues)
	}
	return b.Flush()
}

func (r *DiffRow) title() string {
	return fmt.Sprintf("%d → %d incidents, %s", len(r.Old), len(r.New), count(r.Records, "record"))
}

func (x *DiffSide) line() string {
	rule := x.Rule
	if rule == "" {
		rule = "no rule"
	}
	return strings.Join(strings.Fields(fmt.Sprintf("%s  %s %s (%s, %s)", x.Fingerprint, x.Source, x.Event, rule, count(x.Records, "record"))), " ")
}

// summary is the totals in one line.
func (d *Diff) summary() string {
	var parts []string
	for _, c := range Changes() {
		if rows, records := d.Count(c); rows > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", rows, c, count(records, "record")))
		}
	}
	if parts == nil {
		return fmt.Sprintf("no record of %d tells of a fault", d.Read)
	}
	return fmt.Sprintf("%s; %d of %s tell of a fault", strings.Join(parts, ", "), d.Records, count(d.Read, "record"))
}

func issueList(numbers []int) string {
	s := make([]string, len(numbers))
	for i, n := range numbers {
		s[i] = fmt.Sprintf("#%d", n)
	}
	return strings.Join(s, ", ")
}

func count(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func firstLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 120 {
		return string(r[:120]) + "…"
	}
	return s
}
