package main

import (
	"embed"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/vdm-logs/vdm-logs/cmd/vdm-logs/internal/config"
)

// docPages are the pages that docs prints. They are Markdown: headings, lists,
// paragraphs and fenced blocks, and comments that only the tests read.
//
//go:embed docs/*.md
var docPages embed.FS

// docTopics lists the pages in the order in which they are read.
var docTopics = []string{
	"paged", "verdict", "findings", "stages", "time", "configuration", "formats", "ci", "checks", "adopt", "exit-codes",
}

const docsLong = `Docs prints a page of the manual, which is part of the program and needs no
network. Without a topic it lists them. A kind of finding, the id of a rule
check, a stage or a setting is a topic, too: its part of a page is printed.`

func newDocsCommand(std stdio) *cobra.Command {
	return &cobra.Command{
		Use:     "docs [TOPIC]",
		Short:   "Read the manual",
		Long:    docsLong + "\n\n" + exitCodesHelp,
		Example: "  vdm-logs docs\n  vdm-logs docs paged\n  vdm-logs docs source-folded\n  vdm-logs docs budget/inverted",
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return append(slices.Clone(docTopics), sectionNames()...), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listDocs(std.out)
			}
			return runDocs(args[0], std)
		},
	}
}

func listDocs(w io.Writer) error {
	for _, topic := range docTopics {
		title, _, _ := strings.Cut(docPage(topic), "\n")
		if _, err := fmt.Fprintf(w, "%-14s %s\n", topic, strings.TrimPrefix(title, "# ")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "\n'vdm-logs docs TOPIC' prints a page; so does the name of a finding, check, stage or setting.")
	return err
}

func runDocs(topic string, std stdio) error {
	topic = strings.ToLower(strings.TrimSuffix(topic, ".md"))
	text := ""
	if slices.Contains(docTopics, topic) {
		text = docPage(topic)
	} else if text = docSection(topic); text == "" {
		return usageError{
			err:  fmt.Errorf("there is no page %q", topic),
			hint: suggestion(topic, append(slices.Clone(docTopics), sectionNames()...)) + "'vdm-logs docs' lists the pages.",
		}
	}
	_, err := io.WriteString(std.out, wrapMarkdown(text, docsWidth(std.out)))
	return err
}

// docPage returns a page without the comments for the tests.
func docPage(topic string) string {
	text, err := docPages.ReadFile("docs/" + topic + ".md")
	if err != nil {
		return "" // a test holds the list to the files
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "<!--") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// sectionHeading begins a part that is a topic of its own.
const sectionHeading = "### "

// docSection returns the part of a page that a heading of that name begins.
func docSection(name string) string {
	for _, topic := range docTopics {
		var b strings.Builder
		inside := false
		for line := range strings.Lines(docPage(topic)) {
			switch {
			case strings.HasPrefix(line, sectionHeading):
				inside = strings.EqualFold(strings.TrimSpace(line[len(sectionHeading):]), name)
			case strings.HasPrefix(line, "#"):
				inside = false
			}
			if inside {
				b.WriteString(line)
			}
		}
		if b.Len() > 0 {
			return strings.TrimRight(b.String(), "\n") + "\n"
		}
	}
	return ""
}

// sectionNames lists the parts of pages that are topics of their own.
func sectionNames() []string {
	var names []string
	for _, topic := range docTopics {
		for line := range strings.Lines(docPage(topic)) {
			if name, ok := strings.CutPrefix(line, sectionHeading); ok {
				names = append(names, strings.TrimSpace(name))
			}
		}
	}
	return names
}

// maxDocsWidth is how wide prose becomes where there is room: longer lines are
// hard to follow.
const maxDocsWidth = 100

func docsWidth(w io.Writer) int {
	width := screenOf(w, "never").Width
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return max(min(width, maxDocsWidth), 20)
	}
	return max(width, 20)
}

// wrapMarkdown wraps paragraphs and list items to a width. Fenced blocks,
// headings and what is indented stay as they are.
func wrapMarkdown(text string, width int) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue // the indentation says it
		}
		switch {
		case fenced && line != "":
			b.WriteString("    " + line + "\n")
		case fenced || line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, " "):
			b.WriteString(line + "\n")
		default:
			wrapLine(&b, line, width)
		}
	}
	return b.String()
}

// wrapLine wraps a paragraph; the lines after the first of a list item are
// indented by its bullet.
func wrapLine(b *strings.Builder, line string, width int) {
	indent := ""
	if strings.HasPrefix(line, "- ") {
		indent = "  "
	} else if number, _, ok := strings.Cut(line, ". "); ok && len(number) < 3 && strings.Trim(number, "0123456789") == "" {
		indent = strings.Repeat(" ", len(number)+2)
	}
	column := 0
	for i, word := range strings.Fields(line) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteByte('\n')
}

// settingLines describes every setting for the page of the configuration.
func settingLines(keys []config.Key) string {
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "%s%s\n\n%s%s", sectionHeading, k.Name, strings.ToUpper(k.Help[:1]), k.Help[1:])
		fmt.Fprintf(&b, "; %s.", k.Kind)
		if k.Env != "" {
			fmt.Fprintf(&b, " Variable %s.", k.Env)
		}
		if k.Flag != "" {
			fmt.Fprintf(&b, " Flag --%s.", k.Flag)
		}
		if k.Default != "" {
			fmt.Fprintf(&b, " Without it: %s.", k.Default)
		}
		b.WriteString("\n\n")
	}
	return b.String()
}
