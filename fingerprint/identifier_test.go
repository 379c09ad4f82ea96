package fingerprint

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// TestPollyIncidents tells 120 lines of six Sources apart, which the masked
// id does not.
func TestPollyIncidents(t *testing.T) {
	sources := []string{
		"plugin-registry-bundles-standard//Standard-AttemptTimeout", "plugin-registry-bundles-standard//Standard-TotalRequestTimeout",
		"plugin-registry-listing-standard//Standard-AttemptTimeout", "Orleans.Placement/(null)/Timeout", "catalog/eu/Timeout", "-standard//Standard-AttemptTimeout",
	}
	ids := map[ID]string{}
	masked := map[string]bool{}
	x := NewIdentifier(Options{})
	var m Masked
	var d Identity
	for i := range 120 {
		message := fmt.Sprintf("Resilience event occurred. EventName: 'OnTimeout', Source: '%s', Operation Key: '', Result: ''", sources[i%len(sources)])
		r := ingest.Record{
			Level: ingest.LevelError, Format: ingest.FormatDotnetConsole, Category: []byte("Polly"), EventID: []byte("0"),
			Message: []byte(message), Text: []byte("fail: Polly[0]\n      " + message),
		}
		id := x.Identify(&r, &d)
		if before, ok := ids[id]; ok && before != string(d.Source) {
			t.Errorf("%q and %q are one incident", before, d.Source)
		}
		ids[id] = string(d.Source)
		old, ok := m.ID(&r)
		if !ok {
			t.Fatalf("no masked id for %q", message)
		}
		masked[old] = true
	}
	if len(ids) != len(sources) || len(masked) != 1 {
		t.Errorf("%d incidents and %d masked ids of %d Sources, want as many incidents and one masked id", len(ids), len(masked), len(sources))
	}
}

// TestIdentityDoesNotDependOnTheRest identifies records in many orders.
func TestIdentityDoesNotDependOnTheRest(t *testing.T) {
	var records []*ingest.Record
	for _, l := range timingLines {
		records = append(records, &ingest.Record{Message: []byte(l), Text: []byte(l)})
	}
	records = append(records,
		&ingest.Record{Category: []byte("A"), Exceptions: []ingest.Exception{{Type: []byte("E"), End: 1}}, Frames: [][]byte{[]byte("A.B.C()")}},
		&ingest.Record{Fields: fields("PipelineName", "a", "StrategyName", "b", "EventName", "c")},
		&ingest.Record{},
	)
	want := make([]*Identity, len(records))
	for i, r := range records {
		var d Identity
		NewIdentifier(Options{}).Identify(r, &d)
		want[i] = d.Clone()
	}
	x := NewIdentifier(Options{})
	for seed := range uint64(5) {
		for _, i := range rand.New(rand.NewPCG(seed, 3)).Perm(len(records)) {
			var d Identity
			id := x.Identify(records[i], &d)
			if diff := cmp.Diff(want[i], d.Clone()); diff != "" {
				t.Fatalf("seed %d: record %d differs after others (-want +got)\n%s", seed, i, diff)
			}
			if id != want[i].ID() {
				t.Fatalf("seed %d: record %d: id %v, want that of its parts %v", seed, i, id, want[i].ID())
			}
		}
	}
}

func TestIdentifyAllocates(t *testing.T) {
	x := NewIdentifier(Options{})
	var d Identity
	var records []ingest.Record
	for _, l := range timingLines {
		records = append(records, ingest.Record{Message: []byte(l), Text: []byte(l)})
	}
	run := func() {
		for i := range records {
			x.Identify(&records[i], &d)
		}
	}
	run()
	if n := testing.AllocsPerRun(50, run); n > 0 {
		t.Errorf("%v allocations for %d records of kinds seen before, want none", n, len(records))
	}
}

func TestLongMessages(t *testing.T) {
	head := strings.Repeat("word ", 60)
	a := ingest.Record{Message: []byte(head + "one tail"), Text: nil}
	b := ingest.Record{Message: []byte(head + strings.Repeat("other tail ", 100_000)), Text: nil}
	x := NewIdentifier(Options{})
	var d Identity
	if x.Identify(&a, &d) != x.Identify(&b, &d) {
		t.Error("what lies beyond the head of the template changes the id")
	}
	if len(d.Template) > maxMessage {
		t.Errorf("template of %d bytes, want at most %d", len(d.Template), maxMessage)
	}
}

func FuzzIdentify(f *testing.F) {
	f.Add([]byte("Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''"), []byte("A.B.<C>d__1.MoveNext()"), []byte("Polly"))
	f.Add([]byte(`Execution attempt. Source: \u0027a/b\u0027, Operation Key: '`), []byte("x"), []byte(""))
	f.Add([]byte("Resilience pipeline executed. Source: '\"a\"/null', Operation Key: 'x', Result: 'y', Execution Time: 1ms"), []byte(""), []byte("Polly"))
	rules := []Rule{{ID: "r", Source: "<a>/<b>", Event: "<b>", Mask: []string{"b"}, Condition: Condition{Pattern: mustPattern(f, "<a>: <b>")}}}
	f.Fuzz(func(t *testing.T, message, frame, category []byte) {
		r := ingest.Record{
			Level: ingest.LevelError, Category: category, Message: message, Text: message,
			Exceptions: []ingest.Exception{{Type: category, Message: message, End: 1}}, Frames: [][]byte{frame},
		}
		for _, o := range []Options{{}, {Rules: rules}} {
			x := NewIdentifier(o)
			var a, b Identity
			id := x.Identify(&r, &a)
			first := a.Clone()
			if again := x.Identify(&r, &b); again != id || !bytes.Equal(first.Template, b.Template) {
				t.Errorf("a second look at %q gives another identity", message)
			}
			if id != first.ID() {
				t.Errorf("the id of %q is not that of its parts", message)
			}
		}
		var m Masked
		if id, ok := m.ID(&r); ok && len(id) != 16 {
			t.Errorf("masked id %q of %q", id, message)
		}
		if id, ok := m.Lines(bytes.Split(message, []byte{'\n'})); ok && len(id) != 16 {
			t.Errorf("masked id %q of %q", id, message)
		}
	})
}

// TestReasonsStay: a hole that takes a sentence about what went wrong is no
// variable, any other hole is.
func TestReasonsStay(t *testing.T) {
	of := func(template string, kv ...string) ID {
		var d Identity
		r := ingest.Record{Category: []byte("A"), Message: []byte("m"), Template: []byte(template), Fields: fields(kv...)}
		return NewIdentifier(Options{}).Identify(&r, &d)
	}
	const cause = "{What} did not complete. Cause: {Cause}"
	for _, c := range []struct {
		name string
		a, b ID
		same bool
	}{
		{"another reason", of(cause, "What", "x", "Cause", "the server at h did not answer"), of(cause, "What", "x", "Cause", "the body went silent"), false},
		{"another number in the reason", of(cause, "What", "x", "Cause", "went silent for 120 s"), of(cause, "What", "y", "Cause", "went silent for 30 s"), true},
		{"a code for a reason", of(cause, "What", "x", "Cause", "E17"), of(cause, "What", "x", "Cause", "E18"), true},
		{"another subject", of(cause, "What", "the big red box", "Cause", "E17"), of(cause, "What", "the small blue box", "Cause", "E17"), true},
		{"below State, with a format", of("Failed: {@ErrorText:l}", "State.ErrorText", "no space left on device"), of("Failed: {@ErrorText:l}", "State.ErrorText", "permission to write was denied"), false},
	} {
		if got := c.a == c.b; got != c.same {
			t.Errorf("%s: same id %v, want %v", c.name, got, c.same)
		}
	}
}

// TestTransferLines: what tells the lines of package transfer apart is a field.
func TestTransferLines(t *testing.T) {
	s := ingest.NewStream([]ingest.Label{{Name: "service_name", Value: "shop"}})
	of := func(message, category string, kv ...string) string {
		var d Identity
		NewIdentifier(Options{}).Identify(&ingest.Record{Stream: s, Category: []byte(category), Message: []byte(message), Fields: fields(kv...)}, &d)
		return string(d.Source) + " " + string(d.Event) + " " + string(d.Template) + " " + d.Rule
	}
	for _, c := range []struct{ got, want string }{
		{of("transfer refused", "", "name", "a", "stage", "no-response"), "shop no-response transfer refused builtin:transfer"},
		{of("transfer refused", "a", "name", "a", "stage", "body-stalled"), "shop body-stalled transfer refused builtin:transfer"},
		{of("transfer failed", "depot", "name", "a", "kind", "truncated"), "depot truncated transfer failed builtin:transfer"},
		{of("transfer refused", "", "name", "a"), "shop  transfer refused "},
		{of("transfer completed", "", "stage", "no-response"), "shop  transfer completed "},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
