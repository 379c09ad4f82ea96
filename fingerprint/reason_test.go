package fingerprint

import (
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func TestReasonsInTemplates(t *testing.T) {
	cases := []struct {
		name     string
		template string
		fields   []ingest.Field
		want     string
	}{
		{"a sentence is put in and masked", "{What} did not complete. Cause: {Cause}",
			fields("What", "Bundle 7", "Cause", "the registry went silent for 120 s"), "{What} did not complete. Cause: the registry went silent for <time>"},
		{"a name is not", "failed: {Error}", fields("Error", "acme"), "failed: {Error}"},
		{"nor what does not give a reason", "copied {Name} of {Owner}", fields("Name", "the big blue book", "Owner", "a b c"), "copied {Name} of {Owner}"},
		{"nor JSON", "failed: {ErrorDetail}", fields("ErrorDetail", `{"a":"some long words"}`), "failed: {ErrorDetail}"},
		{"below State, with a format", "failed: {Reason:l} at {N}", fields("State.Reason", "no such host there", "N", "7"), "failed: no such host there at {N}"},
		{"without fields", "failed: {Reason}", nil, "failed: {Reason}"},
		{"an open brace", "failed: {Reason", fields("Reason", "no such host there"), "failed: {Reason"},
	}
	x := NewIdentifier(Options{})
	for _, c := range cases {
		r := ingest.Record{Category: []byte("Acme"), Message: []byte("rendered"), Template: []byte(c.template), Fields: c.fields}
		var d Identity
		x.Identify(&r, &d)
		if string(d.Template) != c.want {
			t.Errorf("%s: template %q, want %q", c.name, d.Template, c.want)
		}
	}
}

func TestTransferLines(t *testing.T) {
	line := func(message string, kv ...string) *ingest.Record {
		return &ingest.Record{
			Message: []byte(message), Category: []byte("bundle-7"), Fields: fields(kv...),
			Stream: ingest.NewStream([]ingest.Label{{Name: "service_name", Value: "portal"}}),
		}
	}
	cases := []struct {
		name                string
		r                   *ingest.Record
		source, event, rule string
	}{
		{"refused", line("transfer refused", "name", "bundle-7", "stage", "body-stalled"), "portal", "body-stalled", RuleTransfer},
		{"failed", line("transfer failed", "kind", "status"), "bundle-7", "status", RuleTransfer},
		{"without a stage", line("transfer refused"), "bundle-7", "", ""},
		{"another message", line("transfer refused by hand", "stage", "x"), "bundle-7", "", ""},
	}
	x := NewIdentifier(Options{})
	for _, c := range cases {
		var d Identity
		x.Identify(c.r, &d)
		if string(d.Source) != c.source || string(d.Event) != c.event || d.Rule != c.rule {
			t.Errorf("%s: Source %q, event %q, rule %q; want %q, %q, %q", c.name, d.Source, d.Event, d.Rule, c.source, c.event, c.rule)
		}
	}
	var a, b Identity
	one := x.Identify(line("transfer refused", "name", "bundle-7", "stage", "no-response"), &a)
	if two := x.Identify(line("transfer refused", "name", "bundle-7", "stage", "size-exceeded"), &b); one == two {
		t.Error("two stages are one incident")
	}
}
