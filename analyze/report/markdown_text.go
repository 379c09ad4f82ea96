package report

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
)

// The functions of this file put text that logs wrote into Markdown, as GitHub
// and GitLab render it, so that it shows as it is and does nothing: it opens
// no markup, no HTML, no link and no image, and mentions neither people nor
// issues. Whatever is put into a code span or a fenced block is left alone by
// both; what stands in sentences is escaped, and those of its words that the
// trackers would make links of become code spans.

// code makes a code span of text, in one line and at most max bytes.
func code(text string, max int) string {
	text = clip(visible(redact.String(text)), max)
	if strings.TrimSpace(text) == "" {
		return "(none)"
	}
	ticks := strings.Repeat("`", longestRun(text, '`')+1)
	if text[0] == '`' || text[len(text)-1] == '`' || text[0] == ' ' && text[len(text)-1] == ' ' {
		text = " " + text + " " // which the renderer takes off again
	}
	return ticks + text + ticks
}

// codeCell is code for a cell of a table, where a bar would end the cell. Text
// with one is written as HTML, every special character by its number.
func codeCell(text string, max int) string {
	if !strings.Contains(text, "|") {
		return code(text, max)
	}
	text = clip(visible(redact.String(text)), max)
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range text {
		if r < utf8.RuneSelf && !isWordByte(byte(r)) && r != ' ' {
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
			continue
		}
		b.WriteRune(r)
	}
	b.WriteString("</code>")
	return b.String()
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// fenced makes a fenced block of at most maxLines lines of at most maxBytes
// bytes each. It begins and ends on lines of its own.
func fenced(language, text string, maxLines, maxBytes int) string {
	text = strings.ReplaceAll(redact.String(strings.TrimRight(text, "\r\n\t ")), "\r\n", "\n")
	lines := strings.SplitN(text, "\n", maxLines+1)
	more := 0
	if len(lines) > maxLines {
		more = 1 + strings.Count(lines[maxLines], "\n")
		lines = lines[:maxLines]
	}
	run := 2
	for i, l := range lines {
		lines[i] = clip(visible(strings.ReplaceAll(l, "\t", "    ")), maxBytes)
		run = max(run, longestRun(lines[i], '`'))
	}
	if more > 0 {
		lines = append(lines, "… "+count(int64(more), "line more", "lines more"))
	}
	ticks := strings.Repeat("`", run+1)
	return ticks + language + "\n" + strings.Join(lines, "\n") + "\n" + ticks + "\n"
}

// cell makes a cell of a table of a word that is one of a few.
func cell(text string) string {
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c < 'a' || c > 'z') && c != '-' && c != ' ' {
			return codeCell(text, 80)
		}
	}
	return text
}

// clip cuts text to at most max bytes; a cut ends in an ellipsis.
func clip(text string, max int) string {
	const dots = "…"
	if len(text) <= max {
		return text
	}
	n := max - len(dots)
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + dots
}

// longestRun is how often c stands in a row in text, at most.
func longestRun(text string, c byte) int {
	most, n := 0, 0
	for i := 0; i < len(text); i++ {
		if text[i] != c {
			n = 0
			continue
		}
		n++
		most = max(most, n)
	}
	return most
}

// prose makes a sentence, which may quote logs, fit to stand in a line of
// Markdown after other text. Of references to issues only those remain whose
// number refers reports to be one.
func prose(text string, refers func(issue int) bool) string {
	words := strings.Fields(visible(redact.String(text)))
	for i, w := range words {
		words[i] = proseWord(w, refers)
	}
	return strings.Join(words, " ")
}

var (
	// outside is the punctuation that a sentence puts around its words.
	outside = regexp.MustCompile(`^(["'({\[]*)(.*?)(['")}\]]*[.,:;?]*['")}\]]*)$`)
	// issueRef is a reference to an issue of the tracker that is written to.
	issueRef = regexp.MustCompile(`^#([1-9]\d{0,8})$`)
	// plainTime is a time of day, an instant or an offset, whose colons make
	// no emoji.
	plainTime = regexp.MustCompile(`^[0-9TZ]+[:.-][0-9TZ:.+-]*$`)
	// magic is what GitHub and GitLab make links, pictures or formulas of,
	// besides what Markdown itself does: names after @, numbers of issues,
	// merge requests, epics and milestones, commits, keys of other trackers,
	// addresses, emoji.
	magic = regexp.MustCompile(`^:|[@#$~^]|://|(?i:\bwww\.)|[!&%][0-9A-Za-z]|\b[A-Z][A-Z0-9]*-\d|:(?:[0-9]*[A-Za-z+-][A-Za-z0-9+-]*|100|1234):|_`)
	// special are the characters that are markup, with a backslash before
	// them they are not.
	special = regexp.MustCompile("[\\\\`*{}\\[\\]<>|&!]")
)

func proseWord(word string, refers func(issue int) bool) string {
	m := outside.FindStringSubmatch(word)
	if m == nil {
		return code(word, len(word))
	}
	bare := func(s string) string { return special.ReplaceAllString(s, `\$0`) }
	before, core, after := bare(m[1]), m[2], bare(m[3])
	if ref := issueRef.FindStringSubmatch(core); ref != nil {
		if n, err := strconv.Atoi(ref[1]); err == nil && refers(n) {
			return before + core + after
		}
	}
	switch {
	case core == "", plainTime.MatchString(core):
	case magic.MatchString(core + m[3]), namesCommit(core):
		core = code(core, len(core))
	default:
		core = bare(core)
	}
	return before + core + after
}

// namesCommit reports whether a word has a part of hexadecimal digits that is
// long enough to be taken for the name of a commit.
func namesCommit(word string) bool {
	for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf || !isWordByte(byte(r)) }) {
		if len(part) >= 7 && strings.Trim(part, "0123456789abcdefABCDEF") == "" && strings.ContainsAny(part, "0123456789") {
			return true
		}
	}
	return false
}

// webAddress is an address that a link may lead to, without anything that
// would end it.
var webAddress = regexp.MustCompile("^https?://[^\\x00-\\x20\\x7f-\\x{10ffff}<>\"`\\\\]+$")

// link makes a link of a text of our own. Where the address is none of the
// web, or holds a secret, the text stays text.
func link(text, address string) string {
	if !webAddress.MatchString(address) || redact.String(address) != address {
		return text
	}
	return "[" + text + "](<" + address + ">)"
}
