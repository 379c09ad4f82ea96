package logfile

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// got is an entry as the tests compare it.
type got struct {
	Time, Stream, Line string
	Ordered, Inherited bool
}

func readAll(t *testing.T, paths []string, opts Options) ([]got, *Reader) {
	t.Helper()
	r, err := Open(context.Background(), paths, opts)
	if err != nil {
		t.Fatalf("Open(%q): %v", paths, err)
	}
	t.Cleanup(func() { r.Close() })
	return drainReader(t, r), r
}

func drainReader(t *testing.T, r ingest.Reader) []got {
	t.Helper()
	var all []got
	var e ingest.Entry
	for {
		err := r.Next(context.Background(), &e)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("Next after %d entries: %v", len(all), err)
		}
		all = append(all, got{e.Time().Format(time.RFC3339Nano), e.Stream.Key, string(e.Line), e.Ordered, e.Inherited})
	}
}

func lines(all []got) []string {
	var l []string
	for _, g := range all {
		l = append(l, g.Line)
	}
	return l
}

func writeFile(path, content string) error { return os.WriteFile(path, []byte(content), 0o600) }

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := writeFile(path, content); err != nil {
		t.Fatal(err)
	}
	return path
}

// entryJSON is a line as logcli -o jsonl writes it.
func entryJSON(pod string, at time.Time, line string) string {
	b, err := json.Marshal(struct {
		Labels    map[string]string `json:"labels"`
		Line      string            `json:"line"`
		Timestamp time.Time         `json:"timestamp"`
	}{map[string]string{"pod": pod, "namespace": "ns"}, line, at})
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

var noon = time.Date(2026, 9, 19, 12, 0, 0, 0, time.UTC)

// sample makes n entries on a few pods, with ties, in order of time.
func sample(n int, seed uint64) []string {
	rng := rand.New(rand.NewPCG(seed, 1))
	at := noon
	var all []string
	for i := range n {
		if rng.IntN(3) > 0 {
			at = at.Add(time.Duration(rng.IntN(5_000_000)))
		}
		text := fmt.Sprintf("line %d \"quoted\"\tand <b> é\n%s", i, strings.Repeat("x", rng.IntN(80)))
		all = append(all, entryJSON(fmt.Sprintf("pod-%d", rng.IntN(4)), at, text))
	}
	return all
}

func reversed(s []string) []string {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

// secondHalfFirst puts the second half first, without tearing ties apart.
func secondHalfFirst(s []string) []string {
	i := len(s) / 2
	for s[i][strings.LastIndex(s[i], `"timestamp"`):] == s[i-1][strings.LastIndex(s[i-1], `"timestamp"`):] {
		i++
	}
	return slices.Concat(s[i:], s[:i])
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func zstded(s string) string {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return string(w.EncodeAll([]byte(s), nil))
}

func TestOrderAndCompressionDoNotMatter(t *testing.T) {
	const n = 3000
	all := sample(n, 7)
	want, r := readAll(t, []string{write(t, "a.jsonl", strings.Join(all, ""))}, Options{})
	if len(want) != n {
		t.Fatalf("read %d entries, want %d", len(want), n)
	}
	if r.spool.written != 0 || len(r.spool.refs) != 0 {
		t.Errorf("a sorted file went through the spool")
	}
	whole := strings.Join(all, "")
	backward := strings.Join(reversed(all), "")
	cases := []struct {
		name, content string
		opts          Options
	}{
		{"newest first", backward, Options{}},
		{"newest first, no newline at the end", strings.TrimSuffix(backward, "\n"), Options{}},
		{"newest first, CRLF", "\xef\xbb\xbf" + strings.ReplaceAll(backward, "}\n", "}\r\n\r\n"), Options{}},
		{"second half first", strings.Join(secondHalfFirst(all), ""), Options{}},
		{"second half first, spilled", strings.Join(secondHalfFirst(all), ""), Options{MemoryLimit: 10_000}},
		{"gzip", gzipped(whole), Options{}},
		{"gzip, spilled", gzipped(whole), Options{MemoryLimit: 10_000}},
		{"zstd", zstded(whole), Options{}},
		{"zstd newest first", zstded(backward), Options{MemoryLimit: 10_000}},
		{"byte order mark", "\xef\xbb\xbf" + whole, Options{}},
		{"CRLF", strings.ReplaceAll(whole, "}\n", "}\r\n"), Options{}},
		{"blank lines", strings.ReplaceAll(whole, "}\n", "}\n\n"), Options{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.opts.TempDir = t.TempDir()
			have, r := readAll(t, []string{write(t, "b", c.content)}, c.opts)
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("entries differ (-want +got):\n%s", diff)
			}
			if s := r.Stats(); s.Entries != n || s.Skipped != 0 || s.Partial || len(s.Problems) != 0 {
				t.Errorf("Stats = %+v", s)
			}
			if c.opts.MemoryLimit != 0 && r.spool.written == 0 {
				t.Errorf("nothing was spilled: the case tests nothing")
			}
			if spilled := r.spool.written != 0; strings.HasPrefix(c.name, "newest first") && (spilled || len(r.spool.refs) != 0) {
				t.Errorf("a file that can be read backwards went through the spool")
			}
			r.Close()
			if left, _ := os.ReadDir(c.opts.TempDir); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	t.Run("stdin", func(t *testing.T) {
		have, _ := readAll(t, []string{"-"}, Options{Stdin: strings.NewReader(whole)})
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("entries differ (-want +got):\n%s", diff)
		}
	})
}

func TestSplitInput(t *testing.T) {
	all := sample(2000, 11)
	want, _ := readAll(t, []string{write(t, "a", strings.Join(all, ""))}, Options{})
	rng := rand.New(rand.NewPCG(3, 3))
	var parts [3][]string
	for _, l := range all {
		i := rng.IntN(3)
		parts[i] = append(parts[i], l)
	}
	paths := []string{
		write(t, "b", strings.Join(parts[0], "")),
		write(t, "c", strings.Join(reversed(parts[1]), "")),
		write(t, "d", gzipped(strings.Join(parts[2], ""))),
	}
	first, _ := readAll(t, paths, Options{})
	slices.Reverse(paths)
	second, _ := readAll(t, paths, Options{})
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the order of the files matters (-abc +cba):\n%s", diff)
	}
	byText := func(a []got) []string {
		l := make([]string, len(a))
		for i, g := range a {
			l[i] = g.Time + g.Stream + g.Line
		}
		slices.Sort(l)
		return l
	}
	if diff := cmp.Diff(byText(want), byText(first)); diff != "" {
		t.Errorf("entries differ (-whole +parts):\n%s", diff)
	}
	ordered, known := 0, 0
	for i := range first {
		if first[i].Ordered {
			ordered++
		}
		if want[i].Ordered {
			known++
		}
	}
	if known != len(all) {
		t.Errorf("%d of %d entries of one file are ordered", known, len(all))
	}
	if ordered == 0 || ordered == len(all) {
		t.Errorf("%d of %d entries ordered: ties between files must not be, others must", ordered, len(all))
	}
}

func TestWindow(t *testing.T) {
	var all []string
	for i := range 10 {
		all = append(all, entryJSON("p", noon.Add(time.Duration(i)*time.Minute), fmt.Sprint(i)))
	}
	sorted := write(t, "sorted", strings.Join(all, ""))
	backward := write(t, "backward", strings.Join(reversed(all), ""))
	at := func(m int) time.Time { return noon.Add(time.Duration(m) * time.Minute) }
	cases := []struct {
		name       string
		opts       Options
		want       []string
		start, end int64
	}{
		{"all", Options{}, []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, noon.UnixNano(), at(9).UnixNano() + 1},
		{"since", Options{Since: 2 * time.Minute}, []string{"8", "9"}, at(7).UnixNano() + 1, at(9).UnixNano() + 1},
		{"from", Options{From: at(8)}, []string{"8", "9"}, at(8).UnixNano(), at(9).UnixNano() + 1},
		{"to", Options{To: at(2)}, []string{"0", "1"}, noon.UnixNano(), at(2).UnixNano()},
		{"since to", Options{Since: 2 * time.Minute, To: at(4)}, []string{"2", "3"}, at(2).UnixNano(), at(4).UnixNano()},
		{"from to", Options{From: at(2), To: at(3)}, []string{"2"}, at(2).UnixNano(), at(3).UnixNano()},
		{"from behind the end", Options{From: at(50)}, nil, at(50).UnixNano(), at(50).UnixNano()},
		{"nothing there", Options{From: at(50), To: at(60)}, nil, at(50).UnixNano(), at(60).UnixNano()},
	}
	for _, c := range cases {
		for _, path := range []string{sorted, backward} {
			t.Run(c.name+" "+filepath.Base(path), func(t *testing.T) {
				have, r := readAll(t, []string{path}, c.opts)
				if diff := cmp.Diff(c.want, lines(have)); diff != "" {
					t.Errorf("lines (-want +got):\n%s", diff)
				}
				if w := r.Window(); w != (ingest.Window{Start: c.start, End: c.end}) {
					t.Errorf("Window = %v, want {%d %d}", w, c.start, c.end)
				}
			})
		}
	}
}

func TestBadLines(t *testing.T) {
	good := entryJSON("p", noon, "good")
	cases := []struct {
		name, content string
		lines         []string
		skipped       int64
		partial       bool
		problems      []string // substrings, file:line first
	}{
		{"cut off", good + good[:40], []string{"good"}, 1, true, []string{"in:2: the input ends inside a line"}},
		{"cut off in gzip", gzipped(strings.Repeat(good, 50))[:60], nil, 1, true, []string{"in:1: the input ends inside a line", "gzip data ends"}},
		{"one broken", good + "{\"labels\":oops\n" + good, []string{"good", "good"}, 1, true, []string{"in:2: not valid JSON"}},
		{"no time", good + `{"labels":{},"line":"x"}` + "\n", []string{"good"}, 1, true, []string{"in:2: no timestamp"}},
		{"many broken", good + strings.Repeat("?\n", 100), []string{"good"}, 100, true, []string{"in:2:", "in:3:", "in:4:", "in:5:", "in:6:"}},
		{"other order of keys", `{ "timestamp" : "2026-09-19T14:00:00+02:00", "line": "a\u00e9\ud83d\ude00", "labels": {} }` + "\n", []string{"aé😀"}, 0, false, nil},
		{"no newline at the end", strings.TrimSuffix(good, "\n"), []string{"good"}, 0, false, nil},
		{"empty", "", nil, 0, false, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, "in", c.content)
			have, r := readAll(t, []string{path}, Options{Format: "logcli"})
			s := r.Stats()
			if diff := cmp.Diff(c.lines, lines(have)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if s.Skipped != c.skipped || s.Partial != c.partial || len(s.Problems) != len(c.problems) {
				t.Errorf("Stats = %+v, want skipped %d partial %v problems %q", s, c.skipped, c.partial, c.problems)
			}
			for i, p := range s.Problems {
				text := strings.TrimPrefix(p.Place, filepath.Dir(path)+"/") + ": " + p.Err.Error()
				if i < len(c.problems) && !strings.Contains(text, c.problems[i]) {
					t.Errorf("problem %d = %q, want %q in it", i, text, c.problems[i])
				}
			}
		})
	}
}

func TestLongLines(t *testing.T) {
	long := entryJSON("p", noon, strings.Repeat("y", 5000))
	after := entryJSON("p", noon.Add(1), "after")
	have, r := readAll(t, []string{write(t, "in", long+after)}, Options{MaxLine: 1000})
	if diff := cmp.Diff([]string{"after"}, lines(have)); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if s := r.Stats(); !s.Partial || s.Skipped != 1 {
		t.Errorf("Stats = %+v", s)
	}
	have, r = readAll(t, []string{write(t, "in", long+after)}, Options{MaxLine: 4000})
	if len(have) != 2 || len(have[0].Line) != 4000 {
		t.Errorf("got %d entries, first of %d bytes; want 2, 4000", len(have), len(have[0].Line))
	}
	if s := r.Stats(); !s.Partial || s.Skipped != 0 || len(s.Problems) != 1 {
		t.Errorf("Stats = %+v", s)
	}
}

func TestUnknown(t *testing.T) {
	_, err := Open(context.Background(), []string{write(t, "x.bin", "\x00\x01\x02")}, Options{})
	var fe *FormatError
	if !errors.As(err, &fe) || len(fe.Tried) == 0 || fe.Tried[0].Format != "logcli" || fe.Tried[0].Reason == "" || !strings.Contains(err.Error(), "no known log format") {
		t.Errorf("error %v (%T), want a *FormatError naming what was tried", err, err)
	}
	_, err = Open(context.Background(), []string{"-"}, Options{Format: "nope"})
	var ne *NameError
	if !errors.As(err, &ne) || !strings.Contains(err.Error(), "logcli") {
		t.Errorf("error %v, want a *NameError naming the known ones", err)
	}
	if _, err = Open(context.Background(), []string{filepath.Join(t.TempDir(), "gone")}, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want fs.ErrNotExist", err)
	}
}

func TestMetadataLabels(t *testing.T) {
	line := func(level, text string) string {
		return fmt.Sprintf(`{"labels":{"detected_level":%q,"pod":"p","__stream_shard__":"1"},"line":%q,"timestamp":"2026-09-19T12:00:00Z"}`+"\n", level, text)
	}
	have, _ := readAll(t, []string{write(t, "in", line("warn", "warn: Polly[3]")+line("unknown", "      text"))}, Options{})
	want := []got{
		{"2026-09-19T12:00:00Z", `{pod="p"}`, "warn: Polly[3]", false, false},
		{"2026-09-19T12:00:00Z", `{pod="p"}`, "      text", false, false},
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Open(ctx, []string{write(t, "in", strings.Join(sample(10, 1), ""))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cancel()
	var e ingest.Entry
	if err := r.Next(ctx, &e); !errors.Is(err, context.Canceled) {
		t.Errorf("Next = %v, want context.Canceled", err)
	}
}

// TestBackwardPlaces checks line numbers and windows of files read backwards,
// and lines that lie across blocks.
func TestBackwardPlaces(t *testing.T) {
	var all []string
	for i := range 900 {
		all = append(all, entryJSON("p", noon.Add(time.Duration(i)*time.Second), fmt.Sprint(i)+strings.Repeat("z", i*i%5000)))
	}
	backward := reversed(all)
	backward[700] = "broken\n"
	path := write(t, "in", strings.Join(backward, "")+`{"labels":{},"li`)
	have, r := readAll(t, []string{path}, Options{})
	if len(have) != 899 {
		t.Errorf("%d entries, want 899", len(have))
	}
	var places []string
	for _, p := range r.Stats().Problems {
		places = append(places, strings.TrimPrefix(p.Place, path)+" "+p.Err.Error())
	}
	want := []string{":901 the input ends inside a line: JSON ends inside a value", ":701 not valid JSON"}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	for _, since := range []time.Duration{time.Second, 100 * time.Second, 850 * time.Second} {
		have, _ := readAll(t, []string{path}, Options{Since: since})
		wantN := int(since / time.Second)
		if since > 199*time.Second {
			wantN--
		}
		if len(have) != wantN {
			t.Errorf("since %v: %d entries, want %d", since, len(have), wantN)
		}
	}
}

func TestDirectoriesAndPatterns(t *testing.T) {
	dir := t.TempDir()
	line := func(i int) string { return entryJSON("p", noon.Add(time.Duration(i)*time.Second), fmt.Sprint(i)) }
	for name, content := range map[string]string{
		"a.jsonl": line(0), "sub/b.jsonl.gz": gzipped(line(1)), ".hidden/c.jsonl": line(2), "notes.txt": "dear all",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := writeFile(path, content); err != nil {
			t.Fatal(err)
		}
	}
	a := filepath.Join(dir, "a.jsonl")
	cases := []struct {
		name     string
		paths    []string
		want     []string
		problems int
	}{
		{"directory", []string{dir}, []string{"0", "1"}, 1},
		{"pattern", []string{filepath.Join(dir, "*.jsonl")}, []string{"0"}, 0},
		{"pattern of directories", []string{filepath.Join(dir, "s*")}, []string{"1"}, 0},
		{"given twice", []string{a, filepath.Join(dir, "sub", "..", "a.jsonl")}, []string{"0"}, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			have, r := readAll(t, c.paths, Options{})
			if diff := cmp.Diff(c.want, lines(have)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if s := r.Stats(); len(s.Problems) != c.problems || s.Partial {
				t.Errorf("Stats = %+v, want %d problems", s, c.problems)
			}
		})
	}
	for _, bad := range []string{filepath.Join(dir, "*.nothing"), filepath.Join(dir, "notes.txt")} {
		if _, err := Open(context.Background(), []string{bad}, Options{}); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestSourcesTellOfOrder(t *testing.T) {
	all := sample(100, 1)
	all[10], all[60] = all[60], all[10]
	_, r := readAll(t, []string{write(t, "a", strings.Join(all, "")), write(t, "b", strings.Join(reversed(sample(50, 2)), ""))}, Options{})
	s := r.Sources()
	if s[0].OutOfOrder == 0 || s[0].NewestFirst || s[1].OutOfOrder != 0 || !s[1].NewestFirst {
		t.Errorf("Sources = %+v", s)
	}
	if s[0].First != noon.UnixNano() && s[0].First < noon.UnixNano() || s[0].Last <= s[0].First {
		t.Errorf("times of %+v", s[0])
	}
}
