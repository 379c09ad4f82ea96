package report

import (
	"bytes"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gtext "github.com/yuin/goldmark/text"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// hostileMarkdown is what a log line may say to whoever renders it as Markdown.
var hostileMarkdown = []string{
	"@channel", "(@ann),", "#123", "owner/repo#45", "see #7:", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!-- hidden", "</details>",
	"![x](https://evil.example/x.png)", "[a](javascript:alert(1))", "[a]: https://evil.example", "`", "``", "a`b``c", "```\n# Heading\n```", "~~~\n", "a|b", `a\|b`, `\`,
	"**bold**", "_under_ __x__", "~~gone~~", "*", "https://evil.example/x", "www.evil.example", "ann@evil.example", ":rocket:", "!12", "&3", "&lt;b&gt;", "~label", "%milestone",
	"$x^2$", "GH-12", "PROJ-7", "abcdef1234567", "1. one", "- item", "> quote", "---", "===", "/close", "\x1b[31mred\x1b[0m", "\u202etxt.exe", "\x00", "\xff\xfe", "\u200b@ann",
	"password=hunter2", "{content.issueNumber: 4528, content.issueUrl: the address of #4528}", "\r\n\r\n# Heading", "\n\n<b>", strings.Repeat("long ", 600),
}

// hostileAnalysis says every hostile text in every field that is a text.
func hostileAnalysis(t testing.TB) *analyze.Analysis {
	an := filled(t)
	n := 0
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			if v.Type() != reflect.TypeFor[analyze.Time]() {
				for i := range v.NumField() {
					walk(v.Field(i))
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Pointer:
			walk(v.Elem())
		case reflect.String:
			v.SetString(hostileMarkdown[n%len(hostileMarkdown)] + " " + hostileMarkdown[(n/2+1)%len(hostileMarkdown)])
			n++
		}
	}
	one := *an
	for range hostileMarkdown {
		f, inc := one.Findings[0], one.Incidents[0]
		f.Evidence = slices.Clone(f.Evidence)
		inc = deepCopy(t, inc)
		an.Findings, an.Incidents = append(an.Findings, f), append(an.Incidents, inc)
	}
	walk(reflect.ValueOf(an).Elem())
	return an
}

// deepCopy copies an incident by way of its JSON.
func deepCopy(t testing.TB, inc analyze.Incident) analyze.Incident {
	var b bytes.Buffer
	if err := JSON(&b, &analyze.Analysis{SchemaVersion: 1, Incidents: []analyze.Incident{inc}}); err != nil {
		t.Fatal(err)
	}
	an, err := ReadAnalysis(&b)
	if err != nil {
		t.Fatal(err)
	}
	return an.Incidents[0]
}

// linked is what GitHub or GitLab would make a link, a picture or a formula of
// in text outside code.
var linked = regexp.MustCompile(`@[0-9A-Za-z]|[^ (][#!][1-9]|(?:^| |\()[#!&%~$][0-9A-Za-z]+|://|www\.[0-9A-Za-z]|(?:^|[^0-9A-Za-z])[A-Z][0-9A-Z]*-[0-9]|:[a-z]+:|\b(?i:[0-9a-f]*[0-9][0-9a-f]{6,})\b`)

// harmless parses Markdown as GitHub does and reports what in it is not ours.
func harmless(t *testing.T, md string, an *analyze.Analysis) {
	t.Helper()
	source := []byte(md)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(gtext.NewReader(source))
	known := map[string]bool{}
	for i := range an.Incidents {
		inc := &an.Incidents[i]
		for _, l := range inc.Links {
			known[l.URL] = true
		}
		if inc.Issue != nil {
			known[inc.Issue.URL] = true
			known["#"+strconv.Itoa(inc.Issue.Number)] = true
		}
	}
	for _, f := range an.Findings {
		if aboutIssue(f.Kind) {
			known["#"+f.Subject] = true
		}
	}
	inCode := false
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan, *ast.FencedCodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.HTMLBlock, *ast.Image, *ast.AutoLink, *ast.CodeBlock, *ast.Blockquote, *ast.ThematicBreak:
			t.Errorf("a %T", n)
		case *ast.RawHTML:
			switch tag := string(n.Segments.Value(source)); tag {
			case "<code>":
				inCode = true
			case "</code>":
				inCode = false
			case "<br>":
			default:
				t.Errorf("HTML: %s", tag)
			}
		case *ast.Link:
			if !known[string(n.Destination)] {
				t.Errorf("a link to %s", n.Destination)
			}
			return ast.WalkSkipChildren, nil
		case *ast.Heading:
			if h := plainText(n, source); strings.HasPrefix(h, "Heading") {
				t.Errorf("heading %q", h)
			}
		case *ast.Emphasis:
			if n.Level != 2 {
				t.Errorf("emphasis: %s", plainText(n, source))
			}
		case *ast.Text:
			if inCode {
				break
			}
			said := string(n.Segment.Value(source))
			for _, m := range linked.FindAllString(said, -1) {
				if !known[strings.TrimLeft(m, " (")] && !known[m] {
					t.Errorf("%q in %q would become a link", m, said)
				}
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(md, func(r rune) bool { return r != '\n' && !shown(r) && r >= 0x7f || r < 0x20 && r != '\n' }); i >= 0 {
		t.Errorf("a character that is not shown at %d: %q", i, md[max(0, i-20):min(len(md), i+20)])
	}
	if strings.Contains(md, "password=hunter2") {
		t.Error("a secret is shown")
	}
}

func TestMarkdownIsHarmless(t *testing.T) {
	an := hostileAnalysis(t)
	var b bytes.Buffer
	if err := Markdown(&b, an, MarkdownOptions{}); err != nil {
		t.Fatal(err)
	}
	harmless(t, b.String(), an)
	if h := strings.Count(b.String(), "\n### "); h != len(an.Incidents) {
		t.Errorf("%d headings for %d incidents", h, len(an.Incidents))
	}
	var again bytes.Buffer
	if err := Markdown(&again, an, MarkdownOptions{}); err != nil || again.String() != b.String() {
		t.Error("a second run differs")
	}
}

// TestTableRows wants as many cells in every row as its table has columns.
func TestTableRows(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, hostileAnalysis(t), MarkdownOptions{}); err != nil {
		t.Fatal(err)
	}
	bar := regexp.MustCompile(`(^|[^\\])\|`)
	columns, rows := 0, 0
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "| ") {
			columns = 0
			continue
		}
		n := len(bar.FindAllString(line, -1))
		if columns > 0 && n != columns {
			t.Errorf("%d bars where the head has %d: %s", n, columns, line)
		}
		columns = n
		rows++
	}
	if rows < len(hostileMarkdown) {
		t.Errorf("only %d rows", rows)
	}
}

func TestProse(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"349 records, 33/h, since 2026-09-19 08:26:00Z, last 19:07:11.314+02:00.", "349 records, 33/h, since 2026-09-19 08:26:00Z, last 19:07:11.314+02:00."},
		{"every 180.000 s ± 1.4 ms = PerPackageAdoptBudget (n=349, 3 of 5 missed)", "every 180.000 s ± 1.4 ms = PerPackageAdoptBudget (n=349, 3 of 5 missed)"},
		{"closes #4222, not #9", "closes #4222, not `#9`"},
		{"(#4222) and x#4222", "(#4222) and `x#4222`"},
		{"the address of #4222}", `the address of #4222\}`},
		{"{content.issueNumber: 4528}", `\{content.issueNumber: 4528\}`},
		{"ask @ann, or ann@shop.example.", "ask `@ann`, or `ann@shop.example`."},
		{"<b>x</b> a*b [c] d|e f_g", "\\<b\\>x\\</b\\> a\\*b \\[c\\] d\\|e `f_g`"},
		{"at https://evil.example/x: it", "at `https://evil.example/x`: it"},
		{"masked id 4c7856a2414c6b32 counts", "masked id `4c7856a2414c6b32` counts"},
		{"decade 1234567 0123456789", "decade `1234567` `0123456789`"},
		{"a `tick", "a \\`tick"},
		{"two\nlines\tand\x1b[1m", `two\\nlines\\tand\\x1b\[1m`},
		{"GH-12 UTF-8 :rocket: 08:10", "`GH-12` `UTF-8` `:rocket`: 08:10"},
		{"password=hunter2", `password=\[redacted\]`},
		{"", ""},
	} {
		if got := prose(c.in, func(n int) bool { return n == 4222 }); got != c.want {
			t.Errorf("prose(%q)\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestCode(t *testing.T) {
	for _, c := range []struct{ in, want, cell string }{
		{"plain", "`plain`", "`plain`"},
		{"a`b", "``a`b``", "``a`b``"},
		{"`", "`` ` ``", "`` ` ``"},
		{" x ", "`  x  `", "`  x  `"},
		{"", "(none)", "(none)"},
		{"a|b <c>", "`a|b <c>`", "<code>a&#124;b &#60;c&#62;</code>"},
		{"01234567890123456789", "`012345678901…`", "`012345678901…`"},
		{"é|éééééééééé", "`é|éééé…`", "<code>é&#124;éééé…</code>"},
	} {
		if got := code(c.in, 15); got != c.want {
			t.Errorf("code(%q) = %s, want %s", c.in, got, c.want)
		}
		if got := codeCell(c.in, 15); got != c.cell {
			t.Errorf("codeCell(%q) = %s, want %s", c.in, got, c.cell)
		}
	}
}

func TestFenced(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"one", "```text\none\n```\n"},
		{"one\r\n\ttwo\r\n\r\n", "```text\none\n    two\n```\n"},
		{"````\nx", "`````text\n````\nx\n`````\n"},
		{"a\nb\nc\nd\ne", "```text\na\nb\nc\n… 2 lines more\n```\n"},
		{"0123456789012345", "```text\n012345678…\n```\n"},
		{"", "```text\n\n```\n"},
	} {
		if got := fenced("text", c.in, 3, 12); got != c.want {
			t.Errorf("fenced(%q)\n got %q\nwant %q", c.in, got, c.want)
		}
	}
}

// FuzzMarkdown puts any text into every field.
func FuzzMarkdown(f *testing.F) {
	for _, h := range hostileMarkdown[:len(hostileMarkdown)-1] {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, s string) {
		an := &analyze.Analysis{
			SchemaVersion: 1, Window: analyze.Window{Start: analyze.At(0), End: analyze.At(int64(time.Hour))},
			Findings: []analyze.Finding{{Kind: analyze.KindBlame, Subject: s, Message: s, Action: s, Severity: analyze.SeverityError}},
			Incidents: []analyze.Incident{{
				Source: s, Event: s, Exception: s, Template: s, Level: s, TopFrame: s, Fingerprint: s, MaskedIDs: []string{s}, Pods: []string{s},
				Stage: &analyze.Stage{Name: s, Budget: s, Evidence: []string{s}}, Samples: []analyze.Sample{{Line: s, Pod: s}}, Issue: &analyze.IssueRef{Number: 1, State: s, URL: s},
				Links: []analyze.Link{{Name: "x", URL: s}}, Query: s,
			}},
			MaskedFolds: []analyze.MaskedFold{{MaskedID: s, Sources: []string{s, s}}},
			Read:        analyze.Read{Query: s, Problems: []string{s}, Partial: true},
		}
		var b bytes.Buffer
		if err := Markdown(io.MultiWriter(&b), an, MarkdownOptions{}); err != nil {
			t.Fatal(err)
		}
		harmless(t, b.String(), an)
	})
}

// plainText returns the text in a node and below it.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
		} else {
			b.WriteString(plainText(c, source))
		}
	}
	return b.String()
}
