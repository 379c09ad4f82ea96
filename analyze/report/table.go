package report

import (
	"io"
	"slices"
	"strings"
)

// A Column says how a table's column is laid out.
type Column struct {
	// Head is the column's heading; a table whose columns have none has no
	// row of headings.
	Head string
	// Right aligns the column right, for numbers.
	Right bool
	// Give says what a cell loses where the screen has no room for all of it.
	Give Give
	// Style chooses a style for a cell by what it says; nil is none.
	Style func(cell string) string
}

// Give is what a column gives way with.
type Give uint8

// The ways in which a column gives way. A column that keeps all is for numbers
// and times; names lose their middle, sentences are wrapped.
const (
	KeepAll Give = iota
	LoseMiddle
	LoseEnd
	WrapWords
)

// leastColumn is how far a name gives way before the row is broken instead,
// leastWords how far a sentence does.
const leastColumn, leastWords = 12, 28

func (g Give) least() int {
	switch g {
	case KeepAll:
		return 1 << 30
	case WrapWords:
		return leastWords
	}
	return leastColumn
}

// Table writes rows of cells in columns, two blanks apart, behind an indent of
// that many blanks. Cells are made safe. Columns give way from the widest on
// until a row fits the screen; where that is not enough, the columns that have
// no room go on in a second row. Only the first cells of wrapped columns stand
// in line with the others of their row.
//
// A table library would draw borders, which are in the way of grep and of
// narrow screens, and cuts every column by a fixed width; here the columns
// share what there is.
func (s Screen) Table(w io.Writer, indent int, cols []Column, rows [][]string) error {
	width := max(s.Width, 40) - indent
	cells := make([][]string, 0, len(rows)+1)
	heads := make([]string, len(cols))
	headed := false
	for i, c := range cols {
		heads[i] = c.Head
		headed = headed || c.Head != ""
	}
	if headed {
		cells = append(cells, heads)
	}
	for _, r := range rows {
		safe := make([]string, len(cols))
		for i := range safe {
			if i < len(r) {
				safe[i] = s.words(r[i])
			}
		}
		cells = append(cells, safe)
	}
	widths := s.share(width, cols, cells)
	var b strings.Builder
	for i, r := range cells {
		style := ""
		if headed && i == 0 {
			style = dim
		}
		s.tableRow(&b, indent, width, widths, cols, r, style)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const between = 2 // blanks between columns

// share gives every column its width.
func (s Screen) share(width int, cols []Column, cells [][]string) []int {
	widths := make([]int, len(cols))
	for _, r := range cells {
		for i, c := range r {
			widths[i] = max(widths[i], columns(c))
		}
	}
	total := between * (len(cols) - 1)
	for _, w := range widths {
		total += w
	}
	natural := slices.Clone(widths)
	for total > width {
		widest := -1
		for i, c := range cols {
			if widths[i] > c.Give.least() && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			// The row is broken anyway: nothing need give way but what alone
			// is wider than a row.
			widths = natural
			break
		}
		widths[widest]--
		total--
	}
	for i := range widths {
		widths[i] = min(widths[i], width-between)
	}
	return widths
}

// tableRow writes one row, or several where its columns have no room beside
// each other or a cell is wrapped.
func (s Screen) tableRow(b *strings.Builder, indent, width int, widths []int, cols []Column, cells []string, style string) {
	whole, room := indent, width
	for from := 0; from < len(cols); {
		if from > 0 {
			indent, width = whole+between, room-between
		}
		to, used := from, 0
		for to < len(cols) && (to == from || used+between+widths[to] <= width) {
			if to > from {
				used += between
			}
			used += widths[to]
			to++
		}
		lines := make([][]string, to-from)
		rows := 1
		for i := from; i < to; i++ {
			lines[i-from] = s.cell(cells[i], widths[i], cols[i].Give)
			rows = max(rows, len(lines[i-from]))
		}
		for k := range rows {
			var row strings.Builder
			for i := from; i < to; i++ {
				text := ""
				if k < len(lines[i-from]) {
					text = lines[i-from][k]
				}
				if i > from {
					row.WriteString(strings.Repeat(" ", between))
				}
				blank, painted := strings.Repeat(" ", max(widths[i]-columns(text), 0)), text
				if style == "" && cols[i].Style != nil {
					painted = s.paint(cols[i].Style(cells[i]), text)
				}
				if cols[i].Right {
					row.WriteString(blank + painted)
				} else {
					row.WriteString(painted + blank)
				}
			}
			if l := strings.TrimRight(row.String(), " "); l != "" {
				b.WriteString(strings.Repeat(" ", indent) + s.paint(style, l))
			}
			b.WriteByte('\n')
		}
		from = to
	}
}

func (s Screen) cell(text string, width int, give Give) []string {
	switch {
	case columns(text) <= width:
		return []string{text}
	case give == LoseMiddle:
		return []string{s.fitMiddle(text, width)}
	case give == LoseEnd:
		return []string{s.fit(text, width)}
	}
	return wrap(text, width)
}
