package fingerprint

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

type maskedVector struct {
	Name      string   `json:"name"`
	Group     string   `json:"group"`
	Lines     []string `json:"lines"`
	Category  string   `json:"category"`
	Message   string   `json:"message"`
	Masked    string   `json:"normalized_message"`
	Exception *string  `json:"exception_type"`
	TopFrame  *string  `json:"top_frame"`
	ID        string   `json:"masked_fingerprint"`
}

func maskedVectors(t testing.TB) []maskedVector {
	t.Helper()
	data, err := os.ReadFile("testdata/masked-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []maskedVector `json:"vectors"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) == 0 {
		t.Fatal("no vectors")
	}
	return file.Vectors
}

func byteLines(lines []string) [][]byte {
	out := make([][]byte, len(lines))
	for i, l := range lines {
		out[i] = []byte(l)
	}
	return out
}

func TestMaskedVectors(t *testing.T) {
	var m Masked
	for _, v := range maskedVectors(t) {
		got, ok := m.Lines(byteLines(v.Lines))
		if got != v.ID || !ok {
			t.Errorf("%s: Lines = %q, %v; want %q\nmasked %q\n  want %q\nexception %q top %q", v.Name, got, ok, v.ID, m.a, v.Masked, m.exception, m.top)
		}
		r := &ingest.Record{Level: ingest.LevelError, Format: ingest.FormatDotnetConsole, Text: []byte(strings.Join(v.Lines, "\n"))}
		if got, ok := m.ID(r); got != v.ID || !ok {
			t.Errorf("%s: ID = %q, %v; want %q", v.Name, got, ok, v.ID)
		}
	}
}

func TestMaskedOfOtherFormats(t *testing.T) {
	const polly = "Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''"
	cases := []struct {
		name string
		r    ingest.Record
		want string
	}{
		{"JSON console as if the console had written it", ingest.Record{Level: ingest.LevelError, Format: ingest.FormatDotnetJSON, Category: []byte("Polly"), Message: []byte(polly)}, "4c7856a2414c6b32"},
		{"below error", ingest.Record{Level: ingest.LevelWarn, Format: ingest.FormatDotnetJSON, Category: []byte("Polly"), Message: []byte(polly)}, ""},
		{"no category", ingest.Record{Level: ingest.LevelError, Message: []byte(polly)}, ""},
		{"header filtered away", ingest.Record{Level: ingest.LevelError, Category: []byte("Polly"), Headless: true, Message: []byte(polly)}, ""},
		{"no body", ingest.Record{Level: ingest.LevelFatal, Format: ingest.FormatDotnetJSON, Category: []byte("Contoso.Empty"), EventID: []byte("12")}, "skip"},
		{
			"exception and frames",
			ingest.Record{
				Level: ingest.LevelError, Format: ingest.FormatDotnetJSON, Category: []byte("Contoso.Data.Store"),
				Message:    []byte("Update failed for node tenant1/Foo/7a2f1c4e-9b3d-4a21-8f65-0c1d2e3f4a5b"),
				Exceptions: []ingest.Exception{{Type: []byte("System.InvalidOperationException"), Message: []byte("Sequence contains no elements"), End: 2}},
				Frames:     [][]byte{[]byte("System.Linq.ThrowHelper.ThrowNoElementsException()"), []byte("Contoso.Data.Store.Apply(Node node) in /src/Store.cs:line 12")},
			},
			"32a900e1758c8afb",
		},
	}
	var m Masked
	for _, c := range cases {
		got, ok := m.ID(&c.r)
		if c.want == "skip" {
			if len(got) != 16 || !ok {
				t.Errorf("%s: ID = %q, %v; want an id", c.name, got, ok)
			}
			continue
		}
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: ID = %q, %v; want %q", c.name, got, ok, c.want)
		}
	}
}
