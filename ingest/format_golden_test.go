package ingest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestFormats reads testdata/formats/*.txt: cases of the form
//
//	=== name
//	lines as shipped, each an entry
//	--- want
//	the records made of them
//
// where "\e" stands for an escape character and "\t" for a tab, and a line
// that begins with "+ " is an entry that inherits the time of the one before.
func TestFormats(t *testing.T) {
	files, err := filepath.Glob("testdata/formats/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		old, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for i, c := range strings.Split(string(old), "=== ") {
			if i == 0 {
				out.WriteString(c) // what the file says about itself
				continue
			}
			name, rest, _ := strings.Cut(c, "\n")
			input, want, _ := strings.Cut(rest, "--- want\n")
			got := describe(assemble(t, AssemblerOptions{}, fixtureEntries(input)))
			fmt.Fprintf(&out, "=== %s\n%s--- want\n%s\n", name, input, got)
			if *update {
				continue
			}
			t.Run(strings.ReplaceAll(filepath.Base(file)+"/"+name, " ", "_"), func(t *testing.T) {
				if d := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); d != "" {
					t.Errorf("%s(-want +got):\n%s", input, d)
				}
			})
		}
		if *update {
			if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func fixtureEntries(input string) []Entry {
	st := testStream("p")
	var out []Entry
	ns := int64(1_700_000_000_000_000_000)
	for _, l := range strings.Split(strings.TrimSuffix(input, "\n"), "\n") {
		e := Entry{Stream: st, Arrival: uint64(len(out)), Ordered: true}
		if l, e.Inherited = strings.CutPrefix(l, "+ "); !e.Inherited {
			ns += int64(time.Millisecond)
		}
		e.UnixNano = ns
		e.Line = []byte(strings.NewReplacer(`\e`, "\x1b", `\t`, "\t").Replace(l))
		out = append(out, e)
	}
	return out
}

// describe writes records as the fixtures have them: what is empty is left out.
func describe(records []*Record) string {
	var b strings.Builder
	for i, r := range records {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%v %v entries=%d", r.Format, r.Level, r.Entries)
		if r.Headless {
			b.WriteString(" headless")
		}
		b.WriteByte('\n')
		line := func(name string, v []byte) {
			if len(v) > 0 {
				fmt.Fprintf(&b, "  %s: %s\n", name, strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(string(v)))
			}
		}
		line("category", r.Category)
		line("event", r.EventID)
		line("message", r.Message)
		line("template", r.Template)
		line("trace", r.TraceID)
		line("span", r.SpanID)
		line("request", r.RequestID)
		for _, x := range r.Exceptions {
			line("exception", append(append(bytes.Clone(x.Type), " | "...), x.Message...))
			for _, f := range r.Frames[x.First:x.End] {
				line("  frame", f)
			}
		}
		if len(r.Exceptions) == 0 {
			for _, f := range r.Frames {
				line("frame", f)
			}
		}
		if len(r.Fields) > 0 {
			b.WriteString("  fields:")
			for _, f := range r.Fields {
				fmt.Fprintf(&b, " %s", f.Name)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
