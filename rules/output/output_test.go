package output

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/vdm-logs/vdm-logs/rules"
)

// problems has every severity, a problem of a whole file, wide letters, a
// multi-line place, and characters that formats must escape.
var problems = []rules.Problem{
	{File: "a b/ü.yaml", Line: 3, Col: 5, EndLine: 3, EndCol: 8, Severity: rules.Error, Check: "schema/unknown-key", Message: `unknown key "<ma>&"`, Hint: "did you mean\n100%?", Excerpt: "  日本 ma: 1"},
	{File: "a b/ü.yaml", Line: 4, Col: 1, EndLine: 6, EndCol: 2, Severity: rules.Warning, Check: "match/too-wide", Message: "]]> too wide", Excerpt: "\tmatch: x"},
	{File: "b,c:d.yaml", Severity: rules.Info, Check: "budget/total-over-body", Message: "whole file"},
}

func write(t *testing.T, form string, ps []rules.Problem) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, form, ps, []string{"good.yaml"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	want := `a b/ü.yaml:3:5-8: error: unknown key "<ma>&" (schema/unknown-key)
 3 |   日本 ma: 1
   |     ^^^
   = did you mean 100%?
a b/ü.yaml:4:1-6:2: warning: ]]> too wide (match/too-wide)
 4 |  match: x
   | ^^^^^^^^^
b,c:d.yaml: info: whole file (budget/total-over-body)
`
	if d := cmp.Diff(want, write(t, "text", problems)); d != "" {
		t.Error(d)
	}
}

func TestTextCutsLongLines(t *testing.T) {
	line := strings.Repeat("x", 300) + "MARK" + strings.Repeat("y", 300)
	got := write(t, "text", []rules.Problem{{File: "f", Line: 1, Col: 301, EndLine: 1, EndCol: 305, Check: "c", Message: "m", Excerpt: line}})
	rows := strings.Split(got, "\n")
	at := strings.Index(rows[2], "^^^^") - strings.Index(rows[2], "|")
	text := []rune(rows[1][strings.Index(rows[1], "|"):])
	if len(text) > maxExcerpt+5 || string(text[at:at+4]) != "MARK" {
		t.Errorf("the marks do not stand under the text:\n%s", got)
	}
}

func TestGitHub(t *testing.T) {
	got := write(t, "github", problems)
	want := "::error file=a b/ü.yaml,line=3,endLine=3,col=5,endColumn=8,title=schema/unknown-key::unknown key \"<ma>&\"%0Adid you mean%0A100%25?\n" +
		"::warning file=a b/ü.yaml,line=4,endLine=6,title=match/too-wide::]]> too wide\n" +
		"::notice file=b%2Cc%3Ad.yaml,title=budget/total-over-body::whole file\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	grammar := regexp.MustCompile(`^::(error|warning|notice) file=[^,:\n]+(,[a-zA-Z]+=[^,:\n]+)*::[^\n]+$`)
	for _, l := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
		if !grammar.MatchString(l) {
			t.Errorf("%q is no workflow command", l)
		}
	}
}

// TestSARIF validates against the standard's schema, which the module carries.
func TestSARIF(t *testing.T) {
	for _, ps := range [][]rules.Problem{problems, nil} {
		if err := sarifReport(ps).Validate(); err != nil {
			t.Error(err)
		}
	}
	var doc struct {
		Runs []struct {
			ColumnKind string
			Results    []struct {
				RuleID    string `json:"ruleId"`
				Level     string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine, StartColumn, EndColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(write(t, "sarif", problems)), &doc); err != nil {
		t.Fatal(err)
	}
	r := doc.Runs[0]
	if len(r.Results) != 3 || r.ColumnKind != "unicodeCodePoints" || r.Results[0].Level != "error" || r.Results[2].Level != "note" {
		t.Errorf("%+v", r)
	}
	loc := r.Results[0].Locations[0].PhysicalLocation
	if loc.ArtifactLocation.URI != "a%20b/%C3%BC.yaml" || loc.Region.StartColumn != 5 || loc.Region.EndColumn != 8 {
		t.Errorf("%+v", loc)
	}
	if r.Results[2].Locations[0].PhysicalLocation.Region != nil {
		t.Error("a problem of a whole file has a region")
	}
}

// TestJUnit reads the report with the elements and attributes that the format
// has, and no other.
func TestJUnit(t *testing.T) {
	text := write(t, "junit", problems)
	allowed := map[string]string{
		"testsuites": "name tests failures skipped errors disabled time", "testsuite": "name tests failures errors id skipped time file disabled",
		"testcase": "name classname time", "failure": "message type", "skipped": "message type",
	}
	dec := xml.NewDecoder(strings.NewReader(text))
	count := map[string]int{}
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		el, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		count[el.Name.Local]++
		names, known := allowed[el.Name.Local]
		if !known {
			t.Errorf("unknown element %s", el.Name.Local)
		}
		for _, a := range el.Attr {
			if !strings.Contains(" "+names+" ", " "+a.Name.Local+" ") {
				t.Errorf("%s has an unknown attribute %s", el.Name.Local, a.Name.Local)
			}
		}
	}
	if d := cmp.Diff(map[string]int{"testsuites": 1, "testsuite": 3, "testcase": 4, "failure": 2, "skipped": 1}, count); d != "" {
		t.Error(d)
	}
}

func TestJSON(t *testing.T) {
	schema, err := jsonschema.For[Document](&jsonschema.ForOptions{})
	if err != nil {
		t.Fatal(err)
	}
	severity := schema.Properties["problems"].Items.Properties["severity"]
	severity.Types, severity.Type = nil, "string"
	severity.Enum = []any{"error", "warning", "info"}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, ps := range [][]rules.Problem{problems, nil} {
		var v any
		if err := json.Unmarshal([]byte(write(t, "json", ps)), &v); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(v); err != nil {
			t.Error(err)
		}
	}
	var back Document
	if err := json.Unmarshal([]byte(write(t, "json", problems)), &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(problems, back.Problems); d != "" {
		t.Error(d)
	}
}

func TestUnknownForm(t *testing.T) {
	if err := Write(io.Discard, "xml", nil, nil); err == nil {
		t.Error("no error")
	}
}

// TestCodeQuality reads the report by what GitLab documents: a list, with
// these members, a known severity, and a different fingerprint for each.
func TestCodeQuality(t *testing.T) {
	schema := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{
		Type: "object", Required: []string{"description", "check_name", "fingerprint", "severity", "location"},
		Properties: map[string]*jsonschema.Schema{
			"description": {Type: "string"}, "check_name": {Type: "string"}, "fingerprint": {Type: "string", Pattern: "^[0-9a-f]{32}$"},
			"severity": {Enum: []any{"info", "minor", "major", "critical", "blocker"}},
			"location": {Type: "object", Required: []string{"path", "lines"}, Properties: map[string]*jsonschema.Schema{
				"path":  {Type: "string", Pattern: "^[^./]"},
				"lines": {Type: "object", Required: []string{"begin"}, Properties: map[string]*jsonschema.Schema{"begin": {Type: "integer", Minimum: jsonschema.Ptr(1.0)}}},
			}},
		},
	}}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	twice := append(append([]rules.Problem{}, problems...), problems[0])
	moved := append([]rules.Problem{}, problems...)
	moved[0].Line, moved[0].EndLine = 9, 9
	var got [3][]codeQualityIssue
	for i, ps := range [][]rules.Problem{twice, moved, nil} {
		text := []byte(write(t, "codequality", ps))
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(v); err != nil {
			t.Error(err)
		}
		if err := json.Unmarshal(text, &got[i]); err != nil {
			t.Fatal(err)
		}
	}
	if len(got[0]) != 4 || got[0][0].Fingerprint == got[0][3].Fingerprint || got[0][0].Severity != "critical" || got[0][2].Location.Lines.Begin != 1 {
		t.Errorf("%+v", got[0])
	}
	if got[0][0].Fingerprint != got[1][0].Fingerprint {
		t.Error("a line that moves is another problem")
	}
	if got[2] == nil {
		t.Error("no problems are no list")
	}
}

func TestTestDocument(t *testing.T) {
	set, err := rules.LoadSources([]rules.Source{{Name: "r.yaml", Data: []byte(`version: 1
rules:
  - id: lost
    match: {pattern: "lost <_>"}
    tests:
      - {log: lost it}
      - {log: found it}
`)}})
	if err != nil {
		t.Fatal(err)
	}
	report, err := rules.RunTests(set, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := JSONTests(&b, report); err != nil {
		t.Fatal(err)
	}
	var got TestDocument
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	gap := "no test in which it must not match (none: true)"
	want := TestDocument{SchemaVersion: 1, Tests: 2, Failed: 1, Rules: []TestedRule{{ID: "lost", TruePositive: 1, FalseNegative: 1, Gaps: []string{gap}}}, Problems: got.Problems}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(got.Problems) != 2 || got.Problems[0].Check != "test/failed" || got.Problems[1].Message != "lost: "+gap || got.Problems[1].Severity != rules.Info {
		t.Errorf("%+v", got.Problems)
	}
}
