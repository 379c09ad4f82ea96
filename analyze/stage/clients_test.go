package stage

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// TestClients checks one line after another of testdata/clients.txt: what many
// clients are documented to print, filled in by hand, with the stages that are
// right. A block's lines are one event.
func TestClients(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/clients.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	var client string
	var want []string
	var lines []string
	check := func() {
		if lines == nil {
			return
		}
		r := assembled(t, lines)
		var a Attribution
		got := NotATimeout
		if c.ClassifyEvent(r, &a) {
			got = a.Stage
		}
		ok := false
		for _, w := range want {
			ok = ok || string(got) == w
		}
		if !ok {
			t.Errorf("%s: got %s by %s %q, want %s\n\t%s", client, got, a.Rule, a.Evidence, strings.Join(want, " or "), strings.Join(lines, "\n\t"))
		}
		lines = nil
	}
	for n := 1; sc.Scan(); n++ {
		line := sc.Text()
		switch {
		case strings.HasPrefix(line, "# "):
			check()
			client = line[2:]
		case strings.HasPrefix(line, "| "):
			lines = append(lines, line[2:])
		case strings.TrimSpace(line) == "":
			check()
		default:
			check()
			stages, text, ok := strings.Cut(line, ": ")
			if !ok {
				t.Fatalf("clients.txt:%d: want 'stage: line'", n)
			}
			want, lines = strings.Split(stages, "/"), []string{text}
			for _, w := range want {
				if !Name(w).Valid() {
					t.Fatalf("clients.txt:%d: no stage %q", n, w)
				}
			}
		}
	}
	check()
}

// assembled makes records of lines as the stage command does.
func assembled(t testing.TB, lines []string) []*ingest.Record {
	t.Helper()
	stream := ingest.NewStream(nil)
	var out []*ingest.Record
	a := ingest.NewAssembler(ingest.AssemblerOptions{}, func(r *ingest.Record) error {
		out = append(out, r.Clone())
		return nil
	})
	for i, l := range lines {
		if err := a.Add(&ingest.Entry{UnixNano: int64(i + 1), Stream: stream, Line: []byte(l), Arrival: uint64(i + 1), Ordered: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Flush(); err != nil {
		t.Fatal(err)
	}
	return out
}
