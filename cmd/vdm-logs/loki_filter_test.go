package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// narrowly leaves out even short pauses between lines that matter.
func narrowly(t testing.TB) {
	worth, always = 1, true
	t.Cleanup(func() { worth, always = 0, false })
}

// serve puts a file of logcli's form into a server.
func serve(t testing.TB, logs string, options lokitest.Options) (addr string, s *lokitest.Server) {
	t.Helper()
	var entries []lokitest.Entry
	if strings.HasSuffix(logs, ".zst") {
		entries = pushed(t, logs)
	} else {
		entries = pushedPlain(t, logs)
	}
	s = lokitest.New(options)
	s.Push(entries...)
	return s.Start(t), s
}

// TestFilteredEqualsWhole reads generated logs and every scenario twice, whole
// and filtered by the server, and wants the same incidents, folds and findings,
// byte by byte. It logs what the filters saved.
func TestFilteredEqualsWhole(t *testing.T) {
	narrowly(t)
	type source struct {
		name string
		args []string
		logs string
	}
	var all []source
	for _, s := range scenarios(t) {
		all = append(all, source{s.name, s.args, s.logs})
	}
	n := max(*sweep, 2)
	for _, kind := range []struct {
		name string
		draw func(seed uint64) (w *world, parameters string)
	}{{"masked", drawMasked}, {"outer", drawOuter}, {"stage", drawStage}} {
		for seed := range n {
			w, _ := kind.draw(seed + 1000)
			args, logs := w.files(t)
			all = append(all, source{fmt.Sprintf("%s/%d", kind.name, seed), args, logs})
		}
	}
	filtered, hits, read, total := 0, int64(0), int64(0), int64(0)
	for i, c := range all {
		t.Run(c.name, func(t *testing.T) {
			addr, _ := serve(t, c.logs, lokitest.Options{ServiceName: true, Shuffle: uint64(i)})
			file, _ := analyzed(t, append(slices.Clone(c.args), c.logs)...)
			args := append(slices.Clone(c.args), "--loki", addr, "--query", `{namespace=~".+"}`,
				"--from", file.Window.Start.String(), "--to", file.Window.End.String())
			whole, want := analyzed(t, append(args, "--no-push-filters")...)
			an, got := analyzed(t, args...)
			sameConclusions(t, "filtered", got, want)
			if whole.Read.Server.Mode != analyze.ServerWhole || whole.Read.Server.Reason != "--no-push-filters" {
				t.Errorf("--no-push-filters read %+v", whole.Read.Server)
			}
			s := an.Read.Server
			if s.Mode != analyze.ServerTwoPhase {
				t.Logf("read whole: %s", s.Reason)
				return
			}
			if s.CountedEntries != whole.Read.Entries || an.Read.Streams != whole.Read.Streams {
				t.Errorf("the server counted %d entries in %d streams; %d in %d were read whole", s.CountedEntries, an.Read.Streams, whole.Read.Entries, whole.Read.Streams)
			}
			filtered++
			hits, read, total = hits+s.HitBytes, read+an.Read.Bytes, total+whole.Read.Bytes
		})
	}
	t.Logf("%d of %d filtered: %d bytes through the filters and %d around them, instead of %d", filtered, len(all), hits, read, total)
	if filtered < len(all)/2 {
		t.Errorf("only %d of %d were filtered at all", filtered, len(all))
	}
}

// quietDay is a day of harmless lines of several formats, with few failures
// among them.
func quietDay(n int) []lokitest.Entry {
	var out []lokitest.Entry
	start := time.Date(2027, 3, 9, 0, 0, 0, 0, time.UTC)
	for i := range n {
		at := start.Add(time.Duration(i) * 24 * time.Hour / time.Duration(n))
		pod := fmt.Sprintf("web-%d", i%4)
		labels := []ingest.Label{{Name: "namespace", Value: "shop"}, {Name: "pod", Value: pod}}
		lines := [][]string{
			{"info: Shop.Web.Requests[1]", fmt.Sprintf("      GET /items/%d answered 200 in %d ms", i, i%300)},
			{fmt.Sprintf(`{"time":%q,"level":"info","msg":"item %d served","ms":%d}`, at.Format(time.RFC3339Nano), i, i%300)},
			{fmt.Sprintf("%s INFO  [main] com.shop.Items - item %d served", at.Format("2006-01-02 15:04:05,000"), i)},
			{fmt.Sprintf("level=info msg=\"item served\" id=%d ms=%d", i, i%300)},
		}[i%4]
		if i%(n/6) == n/12 {
			lines = []string{"fail: Shop.Web.Orders[7]", "      Order could not be stored", "      System.TimeoutException: The operation has timed out.", "         at Shop.Web.Orders.Store(Order order) in /src/Orders.cs:line 12"}
		}
		for k, l := range lines {
			out = append(out, lokitest.Entry{Labels: labels, UnixNano: at.Add(time.Duration(k) * 40 * time.Microsecond).UnixNano(), Line: l})
		}
	}
	return out
}

// TestFilterCost holds what is read of a quiet day against what there is, and
// what the first line on standard error says of it.
func TestFilterCost(t *testing.T) {
	s := lokitest.New(lokitest.Options{ServiceName: true})
	s.Push(quietDay(12000)...)
	args := []string{"analyze", "-o", "json", "--loki", s.Start(t), "--query", `{namespace="shop"}`, "--from", "2027-03-09T00:00:00Z", "--to", "2027-03-10T00:00:00Z"}
	whole, want := analyzed(t, append(args, "--no-push-filters")...)
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, stdio{in: strings.NewReader(""), out: &out, err: &errs}); code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	sameConclusions(t, "filtered", out.Bytes(), want)
	var an analyze.Analysis
	if err := json.Unmarshal(out.Bytes(), &an); err != nil {
		t.Fatal(err)
	}
	cost := an.Read.Server.HitBytes + an.Read.Bytes
	t.Logf("%d bytes through the filter and %d around, of %d", an.Read.Server.HitBytes, an.Read.Bytes, whole.Read.Bytes)
	if cost*20 > whole.Read.Bytes {
		t.Errorf("%d bytes were read where %d are all", cost, whole.Read.Bytes)
	}
	for _, part := range []string{"the server filtered 8 lines", "out of 15012 it counts", "reading 7 ranges"} {
		if first, _, _ := strings.Cut(errs.String(), "\n"); !strings.Contains(first, part) {
			t.Errorf("the first line does not say %q: %s", part, first)
		}
	}
}
