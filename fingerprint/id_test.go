package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden data")

// idVector is the parts of an identity with their id, for other
// implementations to check against.
type idVector struct {
	Name      string `json:"name"`
	Source    string `json:"source"`
	Event     string `json:"event"`
	Exception string `json:"exception"`
	Template  string `json:"template"`
	Frame     string `json:"frame"`
	// Preimage is the bytes that are hashed.
	Preimage string `json:"preimage"`
	ID       string `json:"id"`
}

// idVectorParts are the inputs of the vectors.
var idVectorParts = []idVector{
	{Name: "nothing"},
	{Name: "Polly", Source: "plugin-registry-bundles-standard//Standard-AttemptTimeout", Event: "OnTimeout", Template: "Resilience event occurred."},
	{Name: "exception and frame", Source: "Acme.Data.Store", Event: "System.InvalidOperationException", Exception: "System.InvalidOperationException", Template: "Update failed for node <path>", Frame: "Acme.Data.Store.Apply"},
	{Name: "parts that would run together", Source: "a", Event: "b"},
	{Name: "the same letters in other parts", Source: "ab"},
	{Name: "signs of the definition", Source: "1:a,", Template: "fp1;0:,"},
	{Name: "lengths are bytes", Source: "Größe"},
	{Name: "exactly 256 bytes", Template: strings.Repeat("0123456789abcde ", 16)},
	{Name: "cut before the last space", Template: strings.Repeat("word ", 60) + "end"},
	{Name: "a longer tail changes nothing", Template: strings.Repeat("word ", 90)},
	{Name: "cut without a space", Template: strings.Repeat("x", 300)},
	{Name: "cut inside a rune", Template: "x" + strings.Repeat("é", 200)},
}

func TestIDVectors(t *testing.T) {
	const path = "testdata/id-vectors.json"
	for i := range idVectorParts {
		v := &idVectorParts[i]
		d := v.identity()
		v.Preimage = string(d.appendPreimage(nil))
		v.ID = d.ID().String()
	}
	if *update {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", " ")
		if err := enc.Encode(idVectorParts); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want []idVector
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, idVectorParts); diff != "" {
		t.Errorf("ids moved (-want +got)\n%s", diff)
	}
	for _, v := range want {
		// The definition once more, written out.
		sum := sha256.Sum256([]byte(v.Preimage))
		if got := fmt.Sprintf("fp1:%x", sum[:8]); got != v.ID {
			t.Errorf("%s: the preimage hashes to %s, the vector says %s", v.Name, got, v.ID)
		}
	}
}

func (v *idVector) identity() *Identity {
	return &Identity{Source: []byte(v.Source), Event: []byte(v.Event), Exception: []byte(v.Exception), Template: []byte(v.Template), Frame: []byte(v.Frame)}
}

func TestParseID(t *testing.T) {
	id := (&Identity{Source: []byte("x")}).ID()
	if got, err := ParseID(id.String()); err != nil || got != id {
		t.Errorf("ParseID(%v) = %v, %v", id, got, err)
	}
	for _, s := range []string{"", "fp1:", "fp2:0011223344556677", "fp1:00112233445566", "fp1:001122334455667g", "fp1:001122334455667A", "fp1:00112233445566778"} {
		if _, err := ParseID(s); !errors.Is(err, ErrBadID) {
			t.Errorf("ParseID(%q): error %v, want ErrBadID", s, err)
		}
	}
	var back ID
	b, err := json.Marshal(id)
	if err == nil {
		err = json.Unmarshal(b, &back)
	}
	if err != nil || back != id {
		t.Errorf("through JSON %v becomes %v, %v", id, back, err)
	}
}
