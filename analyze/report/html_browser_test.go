package report

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// chromium returns the browser: the one that VDM_LOGS_CHROMIUM names, which
// must then be there, or one in the PATH.
func chromium(t *testing.T) string {
	t.Helper()
	if named := os.Getenv("VDM_LOGS_CHROMIUM"); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			t.Fatalf("VDM_LOGS_CHROMIUM: %v", err)
		}
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium: install it ('apt-get install chromium'), or name it in VDM_LOGS_CHROMIUM")
	return ""
}

// sight is what testdata/probe.html saw.
type sight struct {
	Error    string
	Title    string
	Elements int
	Foreign  []string
	Handlers []string
	Links    []string
	Headings []string
	Samples  []string
	Sources  []string
	Missed   int
	Paper    string
	Focus    string
	Lowest   struct {
		Least float64
		Where string
	}
	Widths map[string]struct {
		Scroll   int
		Wide     []string
		Touching []string
	}
	Loads []float64 // milliseconds
}

// requests remembers what a server is asked for.
type requests struct {
	mu  sync.Mutex
	all []string
}

func (r *requests) add(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, what)
}

func (r *requests) list() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

// browse lets a browser load the page from a server of this test. It returns
// what the probe saw and what else the browser asked for: of this server, or
// of hosts that the page may name. Those all end in .example; the browser's
// own errands go elsewhere and do not count.
func browse(t *testing.T, page, query string, flags ...string) (s sight, others []string) {
	t.Helper()
	browser := chromium(t)
	probe, err := os.ReadFile("testdata/probe.html")
	if err != nil {
		t.Fatal(err)
	}
	var asked requests
	seen := make(chan []byte, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case r.Method == http.MethodPost && r.URL.Path == "/seen":
			body, _ := io.ReadAll(r.Body)
			select {
			case seen <- body:
			default:
			}
		case r.URL.Path == "/probe.html":
			w.Write(probe)
		case r.URL.Path == "/report.html":
			io.WriteString(w, page)
		default:
			asked.add(r.Method + " " + r.URL.Path)
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	// The proxy is asked for everything that is not on this machine.
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host, _, _ := strings.Cut(r.Host, ":"); strings.HasSuffix(host, ".example") {
			asked.add(r.Method + " " + r.Host)
		}
		http.Error(w, "no", http.StatusForbidden)
	}))
	defer proxy.Close()

	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + filepath.Join(t.TempDir(), "profile"),
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
		"--proxy-server=" + proxy.URL,
	}, append(flags, server.URL+"/probe.html"+query)...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var body []byte
	select {
	case body = <-seen:
	case <-ctx.Done():
	}
	cancel()
	cmd.Wait() // it was ended on purpose
	if err := json.Unmarshal(body, &s); err != nil || s.Error != "" {
		t.Fatalf("%s left no result: %v %s\n%s", browser, err, s.Error, stderr.String())
	}
	return s, asked.list()
}

// browsePage is browse for the page of an analysis, which asks for nothing.
func browsePage(t *testing.T, an *analyze.Analysis, query string, flags ...string) sight {
	t.Helper()
	page, _ := renderPage(t, an, HTMLOptions{})
	s, others := browse(t, page, query, flags...)
	if len(others) > 0 {
		t.Errorf("the page made the browser ask for %q", others)
	}
	return s
}

// check holds what must be true of every page in the browser.
func (s *sight) check(t *testing.T) {
	t.Helper()
	if len(s.Foreign) > 0 || len(s.Handlers) > 0 {
		t.Errorf("elements that must not be there: %q, attributes: %q", s.Foreign, s.Handlers)
	}
	for _, protocol := range s.Links {
		if protocol != "http:" && protocol != "https:" {
			t.Errorf("a link with protocol %q", protocol)
		}
	}
	if len(s.Headings) != 1 {
		t.Errorf("first headings: %q", s.Headings)
	}
	for width, w := range s.Widths {
		if len(w.Wide) > 0 || len(w.Touching) > 0 {
			t.Errorf("at %s pixels: sticks out: %q; labels: %q", width, w.Wide, w.Touching)
		}
	}
	if len(s.Widths) != 3 {
		t.Errorf("%d widths were looked at", len(s.Widths))
	}
	if s.Lowest.Least < textContrast {
		t.Errorf("text has a contrast of %.2f: %s", s.Lowest.Least, s.Lowest.Where)
	}
	if s.Focus != "solid 2px" {
		t.Errorf("a focused link has the outline %q", s.Focus)
	}
}

func TestHTMLInBrowser(t *testing.T) {
	an := newPageMaker(1, false).analysis(4)
	light := browsePage(t, an, "")
	light.check(t)
	if want := "4 incidents, 1 finding demands action – vdm-logs"; light.Title != want {
		t.Errorf("title %q, want %q", light.Title, want)
	}
	if light.Missed != 4*5 {
		t.Errorf("%d strips show missed slots, want %d", light.Missed, 4*5)
	}
	dark := browsePage(t, an, "", "--blink-settings=preferredColorScheme=0")
	dark.check(t)
	if light.Paper == dark.Paper {
		t.Errorf("light and dark page are both %s", light.Paper)
	}
	t.Logf("lowest contrast: light %.2f, dark %.2f; loads in ms: %.0f", light.Lowest.Least, dark.Lowest.Least, light.Loads)
}

func TestHTMLInBrowserShowsHostileLinesAsText(t *testing.T) {
	an := newPageMaker(5, true).analysis(30)
	an.Incidents[1].Samples[0].Line = strings.Join(htmlHostile, "\n")
	an.Incidents[2].Samples[0].Line = strings.Repeat(htmlHostile[0], 1<<20/len(htmlHostile[0]))
	s := browsePage(t, an, "")
	s.check(t)
	if strings.Contains(s.Title, "owned") {
		t.Errorf("a script of a log line has run: title %q", s.Title)
	}
	var samples, sources []string
	for _, inc := range an.Incidents {
		sources = append(sources, htmlNameOf(&inc))
		for _, smp := range inc.Samples {
			shown, _ := htmlCutLines(smp.Line, detailFull.sampleBytes)
			samples = append(samples, shown)
		}
	}
	if d := cmp.Diff(samples, s.Samples); d != "" {
		t.Errorf("samples are not shown as they are:\n%s", d)
	}
	if d := cmp.Diff(sources, s.Sources); d != "" {
		t.Errorf("Sources are not shown as they are:\n%s", d)
	}
}

// TestHTMLInBrowserWouldNoticeRequests is the twin of the others: it shows that
// a page which loads something, or runs something, would be caught.
func TestHTMLInBrowserWouldNoticeRequests(t *testing.T) {
	const bad = `<!DOCTYPE html><title>bad</title><style>p { color: #777; background: #888 } :focus-visible { outline: none }</style>
<h1>a</h1><main><p>grey <a href="javascript:alert(1)">x</a></p></main><img src="http://evil.example/x.png"><link rel="stylesheet" href="/style.css">
<script>document.title = "owned"</script><div style="width:2000px" onclick="x()">wide</div>
<svg class="chart" width="300" height="40"><text x="10" y="20">08:00</text><text x="20" y="20">09:00</text></svg>`
	s, others := browse(t, bad, "")
	slices.Sort(others)
	if d := cmp.Diff([]string{"GET /style.css", "GET evil.example"}, slices.Compact(others)); d != "" {
		t.Error(d)
	}
	w := s.Widths["390"]
	if s.Title != "owned" || len(s.Foreign) != 3 || len(s.Handlers) != 2 || s.Lowest.Least > 2 || len(w.Wide) == 0 || len(w.Touching) == 0 || !slices.Contains(s.Links, "javascript:") || strings.HasPrefix(s.Focus, "solid") {
		t.Errorf("%+v", s)
	}
}

var openTime = flag.Bool("browser.time", false, "fail when the page of 500 incidents takes a second or more to open; for a quiet machine")

// TestHTMLInBrowserOpensAtOnce measures how long the page takes to open.
func TestHTMLInBrowserOpensAtOnce(t *testing.T) {
	s := browsePage(t, newPageMaker(2, false).analysis(500), "?loads")
	best := slices.Min(s.Loads)
	t.Logf("500 incidents, %d elements: loaded and laid out in %.0f ms, of %.0f", s.Elements, best, s.Loads)
	if *openTime && best > 1000 {
		t.Errorf("the page takes %.0f ms to open, at best", best)
	}
}
