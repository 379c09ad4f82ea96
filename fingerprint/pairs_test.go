package fingerprint

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// pairRecord is a record as testdata/pairs.jsonl writes it.
type pairRecord struct {
	Service    string            `json:"service"`
	Category   string            `json:"category"`
	Message    string            `json:"message"`
	Template   string            `json:"template"`
	Fields     map[string]string `json:"fields"`
	Metadata   map[string]string `json:"metadata"`
	Exceptions []struct {
		Type    string   `json:"type"`
		Message string   `json:"message"`
		Frames  []string `json:"frames"`
	} `json:"exceptions"`
}

func (p *pairRecord) record() *ingest.Record {
	r := &ingest.Record{
		Level: ingest.LevelError, Category: []byte(p.Category), Message: []byte(p.Message), Template: []byte(p.Template), Text: []byte(p.Message),
	}
	if p.Service != "" {
		r.Stream = ingest.NewStream([]ingest.Label{{Name: "service_name", Value: p.Service}})
	}
	for n, v := range p.Fields {
		r.Fields = append(r.Fields, ingest.Field{Name: []byte(n), Value: []byte(v)})
	}
	for n, v := range p.Metadata {
		r.Metadata = append(r.Metadata, ingest.Label{Name: n, Value: v})
	}
	for _, e := range p.Exceptions {
		x := ingest.Exception{Type: []byte(e.Type), Message: []byte(e.Message), First: len(r.Frames)}
		for _, f := range e.Frames {
			r.Frames = append(r.Frames, []byte(f))
		}
		x.End = len(r.Frames)
		r.Exceptions = append(r.Exceptions, x)
	}
	return r
}

// TestPairs decides pairs of records made by hand: the same fault, or another.
func TestPairs(t *testing.T) {
	f, err := os.Open("testdata/pairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x := NewIdentifier(Options{})
	n := 0
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var p struct {
			Why  string     `json:"why"`
			Same bool       `json:"same"`
			A    pairRecord `json:"a"`
			B    pairRecord `json:"b"`
		}
		if err := json.Unmarshal(sc.Bytes(), &p); err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		n++
		var a, b Identity
		ida := x.Identify(p.A.record(), &a)
		a = *a.Clone()
		idb := x.Identify(p.B.record(), &b)
		if (ida == idb) != p.Same {
			t.Errorf("%s: same = %v, want %v\na %s\nb %s", p.Why, ida == idb, p.Same, show(&a), show(&b))
		}
	}
	if n < 100 {
		t.Errorf("only %d pairs", n)
	}
}

func show(d *Identity) string {
	b, err := json.Marshal(slices.Concat([]string{"source", string(d.Source), "event", string(d.Event), "exception", string(d.Exception)},
		[]string{"template", string(d.Template), "frame", string(d.Frame), "rule", d.Rule}))
	if err != nil {
		return err.Error()
	}
	return string(b)
}
