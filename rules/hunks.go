package rules

// hunk is a stretch of two texts with what differs and what stands around it.
type hunk struct {
	fromA, toA, fromB, toB int
	lines                  []string // with ' ', '-' or '+' before each
}

// hunkContext is how many equal lines stand around a change.
const hunkContext = 3

// maxLCS bounds the table of the longest common subsequence; what differs in
// a larger stretch is shown as removed and added as a whole.
const maxLCS = 4 << 20

// edit is one line of a comparison.
type edit struct {
	op   byte // ' ', '-' or '+'
	text string
}

// hunks compares two texts line by line.
func hunks(a, b []string) []hunk {
	edits := lineEdits(a, b)
	var out []hunk
	i, j := 0, 0 // lines of a and b before the edit
	quiet := 0   // equal lines since the last change
	var open *hunk
	for k, e := range edits {
		switch {
		case e.op != ' ':
			if open == nil {
				out = append(out, hunk{fromA: i, fromB: j})
				open = &out[len(out)-1]
				for c := max(0, k-hunkContext); c < k; c++ {
					open.lines = append(open.lines, " "+edits[c].text)
					open.fromA--
					open.fromB--
				}
			}
			quiet = 0
			open.lines = append(open.lines, string(e.op)+e.text)
		case open != nil:
			quiet++
			open.lines = append(open.lines, " "+e.text)
			if quiet > 2*hunkContext || k == len(edits)-1 {
				open = closeHunk(open, quiet)
			}
		}
		if e.op != '+' {
			i++
		}
		if e.op != '-' {
			j++
		}
	}
	if open != nil {
		closeHunk(open, quiet)
	}
	for k := range out {
		h := &out[k]
		h.toA, h.toB = h.fromA, h.fromB
		for _, l := range h.lines {
			if l[0] != '+' {
				h.toA++
			}
			if l[0] != '-' {
				h.toB++
			}
		}
	}
	return out
}

// closeHunk cuts the equal lines at the end down to the context.
func closeHunk(h *hunk, quiet int) *hunk {
	if cut := quiet - hunkContext; cut > 0 {
		h.lines = h.lines[:len(h.lines)-cut]
	}
	return nil
}

// lineEdits finds a shortest way from a to b.
func lineEdits(a, b []string) []edit {
	var head, tail []edit
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head = append(head, edit{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, edit{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if (len(a)+1)*(len(b)+1) > maxLCS {
		for _, l := range a {
			head = append(head, edit{'-', l})
		}
		for _, l := range b {
			head = append(head, edit{'+', l})
		}
	} else {
		head = append(head, middleEdits(a, b)...)
	}
	for i := len(tail) - 1; i >= 0; i-- {
		head = append(head, tail[i])
	}
	return head
}

func middleEdits(a, b []string) []edit {
	keepA, keepB := commonSubsequence(a, b)
	var out []edit
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && !keepA[i]:
			out = append(out, edit{'-', a[i]})
			i++
		case j < len(b) && !keepB[j]:
			out = append(out, edit{'+', b[j]})
			j++
		default:
			out = append(out, edit{' ', a[i]})
			i, j = i+1, j+1
		}
	}
	return out
}

// commonSubsequence marks a longest common subsequence in both lists.
func commonSubsequence(a, b []string) (keepA, keepB []bool) {
	table := make([][]int32, len(a)+1)
	for i := range table {
		table[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	keepA, keepB = make([]bool, len(a)), make([]bool, len(b))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			keepA[i], keepB[j] = true, true
			i, j = i+1, j+1
		case table[i+1][j] >= table[i][j+1]:
			i++
		default:
			j++
		}
	}
	return keepA, keepB
}
