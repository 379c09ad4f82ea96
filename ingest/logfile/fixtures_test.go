package logfile

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestFixtures reads testdata/formats/*.txt: inputs as their producers write
// them, and what is read of them, of the form
//
//	=== name
//	the input
//	--- want
//	its format, its entries and the records made of them
//
// The first line of an input may be options: "#tz +02:00" is the zone,
// "#quoted" says that the other lines are Go strings without their quotes.
func TestFixtures(t *testing.T) {
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
		for i, c := range strings.Split("\n"+string(old), "\n=== ") {
			if i == 0 {
				out.WriteString(strings.TrimPrefix(c, "\n")) // what the file says about itself
				continue
			}
			name, rest, _ := strings.Cut(c, "\n")
			input, want, _ := strings.Cut(rest, "--- want\n")
			got := fixture(t, input)
			fmt.Fprintf(&out, "\n=== %s\n%s--- want\n%s", name, input, got)
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

// fixtureInput reads the options of a fixture's input.
func fixtureInput(t *testing.T, input string) (string, Options) {
	t.Helper()
	var opts Options
	quoted := false
	for {
		line, rest, _ := strings.Cut(input, "\n")
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "#tz":
			at, err := time.Parse("Z07:00", value)
			if err != nil {
				t.Fatal(err)
			}
			opts.Location = at.Location()
		case "#quoted":
			quoted = true
		default:
			key = ""
		}
		if key == "" {
			break
		}
		input = rest
	}
	if !quoted {
		return input, opts
	}
	var b strings.Builder
	for line := range strings.Lines(input) {
		text, err := strconv.Unquote(`"` + strings.TrimSuffix(line, "\n") + `"`)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		b.WriteString(text)
	}
	return b.String(), opts
}

// fixture reads an input and describes what was read.
func fixture(t *testing.T, input string) string {
	t.Helper()
	input, opts := fixtureInput(t, input)
	path := write(t, "app.log", input)
	changed := noon.AddDate(0, 0, 1)
	if err := os.Chtimes(path, changed, changed); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	r, err := Open(context.Background(), []string{path}, opts)
	if err != nil {
		var unknown *FormatError
		if errors.As(err, &unknown) {
			return "no known format\n"
		}
		return strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", "") + "\n"
	}
	defer r.Close()
	fmt.Fprintf(&b, "%s\n", r.Sources()[0].Format)
	var records strings.Builder
	asm := ingest.NewAssembler(ingest.AssemblerOptions{}, func(r *ingest.Record) error {
		describeRecord(&records, r)
		return nil
	})
	var e ingest.Entry
	for {
		err := r.Next(context.Background(), &e)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		sign := ""
		if e.Inherited {
			sign = "+"
		}
		fmt.Fprintf(&b, "%s%s %s %.90q", e.Time().Format(time.RFC3339Nano), sign, e.Stream.Key, e.Line)
		for _, m := range e.Metadata {
			fmt.Fprintf(&b, " %s=%s", m.Name, m.Value)
		}
		b.WriteByte('\n')
		asm.Add(&e)
	}
	asm.Flush()
	st := r.Stats()
	for _, p := range st.Problems {
		fmt.Fprintf(&b, "! %s: %v\n", strings.TrimPrefix(p.Place, filepath.Dir(path)+"/"), p.Err)
	}
	if st.Skipped > 0 {
		fmt.Fprintf(&b, "! %d skipped\n", st.Skipped)
	}
	return b.String() + records.String()
}

// describeRecord writes a line about a record.
func describeRecord(b *strings.Builder, r *ingest.Record) {
	fmt.Fprintf(b, "- %s %s", r.Format, r.Level)
	if r.Entries > 1 {
		fmt.Fprintf(b, " entries=%d", r.Entries)
	}
	if r.Stream.Service != "" {
		fmt.Fprintf(b, " service=%s", r.Stream.Service)
	}
	for _, part := range [...]struct {
		name  string
		value []byte
	}{{"category", r.Category}, {"event", r.EventID}, {"trace", r.TraceID}, {"span", r.SpanID}, {"request", r.RequestID}} {
		if len(part.value) > 0 {
			fmt.Fprintf(b, " %s=%s", part.name, part.value)
		}
	}
	fmt.Fprintf(b, " %.100q", r.Message)
	for _, x := range r.Exceptions {
		fmt.Fprintf(b, " [%s: %.50q %d]", x.Type, x.Message, x.End-x.First)
	}
	b.WriteByte('\n')
}
