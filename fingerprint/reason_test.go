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
