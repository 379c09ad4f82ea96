package stage

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/transfer"
)

// The three refusals are the transfer client's, spelled alike.
func TestNamesAreTransfers(t *testing.T) {
	for mine, theirs := range map[Name]transfer.Stage{
		NoResponse: transfer.StageNoResponse, BodyStalled: transfer.StageBodyStalled, SizeExceeded: transfer.StageSizeExceeded,
	} {
		if string(mine) != string(theirs) {
			t.Errorf("%s is spelled %s in transfer", mine, theirs)
		}
	}
	if Name("nowhere").Valid() || Name("").Valid() {
		t.Error("a name that is no stage is valid")
	}
	if len(Names()) != 13 {
		t.Errorf("%d names", len(Names()))
	}
}

// logged returns the record of one slog line, as text or as JSON.
func logged(t *testing.T, json bool, level slog.Level, message string, args ...any) *ingest.Record {
	t.Helper()
	var b strings.Builder
	var h slog.Handler = slog.NewTextHandler(&b, nil)
	if json {
		h = slog.NewJSONHandler(&b, nil)
	}
	slog.New(h).Log(t.Context(), level, message, args...)
	records := assembled(t, []string{strings.TrimSuffix(b.String(), "\n")})
	if len(records) != 1 {
		t.Fatalf("%d records of %q", len(records), b.String())
	}
	return records[0]
}

func TestTransferLines(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		message string
		args    []any
		want    Name // empty: no failed transfer
		phase   string
		role    Role
		budget  time.Duration
	}{
		{"refused", transfer.MsgRefused, []any{"target", "https://r.example/x", "stage", "no-response", "phase", "headers", "budget", "stall", "budgetNs", int64(120e9), "bytesReceived", 0, "elapsedNs", int64(120e9)}, NoResponse, "headers", Cause, 120 * time.Second},
		{"stalled", transfer.MsgRefused, []any{"stage", "body-stalled", "phase", "body", "budgetNs", int64(5e9), "bytesReceived", 7, "bytesDeclared", 9}, BodyStalled, "body", Cause, 5 * time.Second},
		{"outer", transfer.MsgCancelled, []any{"kind", "deadline", "phase", "body", "outerBudget", "adopt", "outerBudgetNs", int64(180e9), "bytesReceived", 7}, OuterCancelled, "body", Outer, 180 * time.Second},
		{"dns", transfer.MsgFailed, []any{"kind", "not-found", "phase", "resolve", "bytesReceived", 0}, Resolve, "resolve", Cause, Unknown},
		{"refused connection", transfer.MsgFailed, []any{"kind", "refused", "phase", "connect"}, Connect, "connect", Cause, Unknown},
		{"reset in the body", transfer.MsgFailed, []any{"kind", "reset", "phase", "body"}, Truncated, "body", Cause, Unknown},
		{"reset before", transfer.MsgFailed, []any{"kind", "reset", "phase", "headers"}, NoResponse, "headers", Cause, Unknown},
		{"gateway", transfer.MsgFailed, []any{"kind", "status", "phase", "body", "status", 504}, ServerSide, "body", Cause, Unknown},
		{"not found", transfer.MsgFailed, []any{"kind", "status", "phase", "body", "status", 404, "error", "GET x: 404"}, "", "", "", 0},
		{"digest", transfer.MsgFailed, []any{"kind", "digest", "phase", "body", "error", "digest mismatch"}, "", "", "", 0},
		{"completed", transfer.MsgCompleted, []any{"bytesReceived", 9, "elapsedNs", int64(5)}, "", "", "", 0},
		{"retried", transfer.MsgRetried, []any{"kind", "refused", "error", "dial tcp 192.0.2.1:80: connect: connection refused"}, Connect, "", Cause, Unknown},
	}
	for _, tt := range tests {
		for _, json := range []bool{false, true} {
			var a Attribution
			got := c.Classify(logged(t, json, slog.LevelError, tt.message, tt.args...), &a)
			if got != (tt.want != "") {
				t.Errorf("%s, json %v: failed %v by %s %q", tt.name, json, got, a.Rule, a.Evidence)
				continue
			}
			if got && (a.Stage != tt.want || a.Phase != tt.phase || a.Role != tt.role || a.Budget != tt.budget) {
				t.Errorf("%s, json %v: got %+v", tt.name, json, a)
			}
			if got && tt.message == transfer.MsgRefused && a.Confidence != 1 {
				t.Errorf("%s: confidence %v in a field made for it", tt.name, a.Confidence)
			}
		}
	}
}

func TestCombine(t *testing.T) {
	at := func(s Name, r Role, conf float64, edit func(*Attribution)) Attribution {
		a := Attribution{}
		a.reset()
		a.Stage, a.Role, a.Confidence = s, r, conf
		if edit != nil {
			edit(&a)
		}
		return a
	}
	client := at(NoResponse, Cause, 0.8, func(a *Attribution) { a.BytesReceived, a.Elapsed = 0, 120*time.Second })
	timer := at(NoResponse, Outer, 0.5, func(a *Attribution) { a.Source, a.Budget = "p//s", 120*time.Second })
	wait := at(OuterCancelled, Outer, 0.4, func(a *Attribution) { a.Elapsed, a.Budget = 180*time.Second, 180*time.Second })
	for _, order := range [][]Attribution{{client, timer, wait}, {wait, timer, client}, {timer, client, wait}} {
		got := Combine(order)
		if got.Stage != NoResponse || got.Role != Cause || got.BytesReceived != 0 || got.Source != "p//s" || got.Budget != 120*time.Second || got.Elapsed != 120*time.Second {
			t.Errorf("got %+v", got)
		}
	}
}

// The rules' own text must be sound: identifiers, confidences, stages.
func TestBuiltinRules(t *testing.T) {
	for _, r := range builtin() {
		if r.ID == "" || r.Match == "" || !r.Stage.Valid() || r.Confidence < 0 || r.Confidence > 1 || r.Rank < 0 || r.Rank > RankNothing {
			t.Errorf("rule %+v", r)
		}
	}
}

func TestBadRules(t *testing.T) {
	for _, r := range []Rule{
		{ID: "empty", Stage: Connect},
		{ID: "class", Match: "{nothing}", Stage: Connect},
		{ID: "field", Match: "after <weight>", Stage: Connect},
		{ID: "unit", Match: "after <elapsed:parsec>", Stage: Connect},
		{ID: "case", Match: "Timeout", Stage: Connect},
		{ID: "gap", Match: "x *", Stage: Connect},
		{ID: "stage", Match: "x", Stage: "nowhere"},
		{ID: "if", Match: "x", If: []string{"received<3"}, Stage: Connect},
		{ID: "and", Match: "x", And: []string{"{nothing}"}, Stage: Connect},
		{ID: "not", Match: "x", Not: []string{"<x>"}, Stage: Connect},
	} {
		if _, err := New(Options{Rules: []Rule{r}}); err == nil || !strings.Contains(err.Error(), "rule "+r.ID) {
			t.Errorf("rule %s: %v", r.ID, err)
		}
	}
}

// Every built-in rule that names a stage must be able to fire behind the gate:
// a text made of its own pattern passes.
func TestGatePassesRules(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range builtin() {
		if r.Frame || r.Stage == NotATimeout {
			continue // beside another rule's failure only
		}
		text := spell(r.Match)
		for _, p := range r.And {
			text += " " + spell(p)
		}
		if !c.gate.passes([]byte(text)) && !c.gate.passes([]byte(strings.ReplaceAll(text, " ", "_"))) && !c.gate.passes([]byte("HTTP/1.1\" "+strings.Fields(text)[0]+" ")) {
			t.Errorf("rule %s: %q does not pass the gate", r.ID, text)
		}
	}
}

// spell writes a text that a pattern matches.
func spell(pattern string) string {
	var out []string
	for _, f := range strings.Fields(pattern) {
		switch {
		case gaps[f] != gapNone:
		case f == "#" || f[0] == '<':
			out = append(out, "5 s")
		case f[0] == '{':
			for _, cl := range lexicon {
				if f == "{"+cl.name+"}" {
					for _, w := range strings.Fields(cl.phrases[0]) {
						w, _, _ = strings.Cut(w, "|")
						out = append(out, w)
					}
				}
			}
		default:
			w, _, _ := strings.Cut(strings.TrimPrefix(f, "="), "|")
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

func TestQuantities(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]time.Duration{
		"the allowed timeout of '00:00:10.5' x": 10500 * time.Millisecond, "timed out, timeout of 1m30s exceeded": 90 * time.Second,
		"timed out, timeout of 250 ms exceeded": 250 * time.Millisecond, "Request timed out after 2 minutes": 2 * time.Minute,
		"Timed out after 30000 ms": 30 * time.Second,
	} {
		var a Attribution
		if !c.Classify(&ingest.Record{Text: []byte("error: " + strings.Replace(text, "the allowed", "didn't complete within the allowed", 1))}, &a) || a.Budget != want {
			t.Errorf("%q: budget %v, want %v (%s)", text, a.Budget, want, a.Rule)
		}
	}
	var a Attribution
	if !c.Classify(&ingest.Record{Text: []byte("request timed out after 30005ms")}, &a) || a.Elapsed != 30005*time.Millisecond || a.Budget != Unknown {
		t.Errorf("a measured time is no budget: %+v", a)
	}
	if !c.Classify(&ingest.Record{Text: []byte("request timed out after 99999999999999999999999999h")}, &a) || a.Elapsed != Unknown || a.Budget != Unknown {
		t.Errorf("an absurd time was believed: %+v", a)
	}
}

func TestTarget(t *testing.T) {
	for url, want := range map[string]string{
		"https://user:secret@r.example/v2/?token=abc": "https://r.example/v2/",
		"http://r.example:8080/a#b":                   "http://r.example:8080/a",
		"https://r.example":                           "https://r.example",
	} {
		if got := cleanURL([]byte(url)); got != want {
			t.Errorf("%s: got %s, want %s", url, got, want)
		}
	}
}

// TestManyFrames: what stands in the first frames decides however many callers
// follow, and a cause below them is still read.
func TestManyFrames(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	frames := strings.Repeat("\n\tat com.example.App.step(App.java:7)", 60)
	for text, want := range map[string]Name{
		"java.net.SocketTimeoutException: Read timed out\n\tat java.base/sun.net.www.http.ChunkedInputStream.fastRead(ChunkedInputStream.java:257)" + frames: BodyStalled,
		"com.example.Wrapped: it broke" + frames + "\nCaused by: java.net.ConnectException: Connection refused" + frames:                                     Connect,
	} {
		var a Attribution
		if !c.Classify(&ingest.Record{Text: []byte(text), Message: []byte(text), Level: ingest.LevelError}, &a) || a.Stage != want {
			t.Errorf("%.60s: %s by %s, want %s", text, a.Stage, a.Rule, want)
		}
	}
}
