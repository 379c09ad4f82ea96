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

func TestErrorsInFields(t *testing.T) {
	cases := []struct {
		name, message string
		fields        []ingest.Field
		exceptions    []ingest.Exception
		want          string
	}{
		{"error", "cannot reach peer", fields("peer", "a", "error", "dial tcp 10.0.0.7:80: i/o timeout"), nil, "cannot reach peer: dial tcp <host>: i/o timeout"},
		{"err, first line alone", "cannot reach peer", fields("err", "EOF\ngoroutine 7"), nil, "cannot reach peer: EOF"},
		{"told already", "cannot reach peer: EOF", fields("err", "EOF"), nil, "cannot reach peer: EOF"},
		{"no text", "cannot reach peer", fields("error", "true", "err", "null"), nil, "cannot reach peer"},
		{"a number", "cannot reach peer", fields("error", "7"), nil, "cannot reach peer"},
		{"an exception tells it", "cannot reach peer", fields("error", "EOF"), []ingest.Exception{{Type: []byte("E")}}, "cannot reach peer"},
	}
	x := NewIdentifier(Options{})
	for _, c := range cases {
		r := ingest.Record{Message: []byte(c.message), Fields: c.fields, Exceptions: c.exceptions}
		var d Identity
		x.Identify(&r, &d)
		if string(d.Template) != c.want {
			t.Errorf("%s: template %q, want %q", c.name, d.Template, c.want)
		}
	}
}
