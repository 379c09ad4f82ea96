package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/period"
	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/rules"
	"github.com/vdm-logs/vdm-logs/rules/output"
)

// schemaTypes are the types that are printed, by the name of their schema.
var schemaTypes = map[string][]reflect.Type{
	"analysis": {reflect.TypeFor[analyze.Analysis]()},
	"jsonl": {
		reflect.TypeFor[report.AnalysisLine](), reflect.TypeFor[report.FindingLine](), reflect.TypeFor[report.IncidentLine](), reflect.TypeFor[report.MaskedFoldLine](),
		reflect.TypeFor[report.FixLine](), reflect.TypeFor[report.MarkLine](), reflect.TypeFor[report.ReadLine](),
	},
	"incident-list":  {reflect.TypeFor[incidentList]()},
	"verify":         {reflect.TypeFor[fixesDocument]()},
	"fingerprint":    {reflect.TypeFor[fingerprintJSON]()},
	"stage":          {reflect.TypeFor[stageAnswer]()},
	"period":         {reflect.TypeFor[periodAnswer]()},
	"rules-check":    {reflect.TypeFor[output.Document]()},
	"rules-test":     {reflect.TypeFor[output.TestDocument]()},
	"rules-explain":  {reflect.TypeFor[rules.Explanation]()},
	"rules-diff":     {reflect.TypeFor[diffDocument]()},
	"transfer-get":   {reflect.TypeFor[transferJSON]()},
	"transfer-probe": {reflect.TypeFor[probeJSON]()},
	"transfer-bench": {reflect.TypeFor[benchReport]()},
	"formats":        {reflect.TypeFor[formatsJSON]()},
	"config":         {reflect.TypeFor[settingsDocument]()},
	"version":        {reflect.TypeFor[build]()},
}

// ownForm are the types that write themselves in a form of their own.
func ownForm() map[reflect.Type]*jsonschema.Schema {
	names := func(list ...any) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Enum: list} }
	kinds := &jsonschema.Schema{Type: "string"}
	for _, k := range analyze.Kinds {
		kinds.Examples = append(kinds.Examples, string(k)) // kinds are added within a version
	}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[analyze.Time]():     {Type: "string", Format: "date-time", Pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{9}Z$`},
		reflect.TypeFor[analyze.Severity](): names("info", "warning", "error"),
		reflect.TypeFor[analyze.Kind]():     kinds,
		reflect.TypeFor[rules.Severity]():   names("info", "warning", "error"),
		reflect.TypeFor[period.Kind]():      {Type: "string"},
	}
}

// makeSchema makes the schema of a type from the type itself and from the
// comments of its fields.
func makeSchema(t testing.TB, name, of string, types []reflect.Type, docs map[string]string) []byte {
	var alternatives []*jsonschema.Schema
	for _, typ := range types {
		s, err := jsonschema.ForType(typ, &jsonschema.ForOptions{TypeSchemas: ownForm()})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		describeType(typ, s, docs)
		alternatives = append(alternatives, s)
	}
	s := alternatives[0]
	if len(types) > 1 {
		s = &jsonschema.Schema{OneOf: alternatives}
		for i, typ := range types {
			kind := any(strings.ToLower(typ.Name()[:1]) + strings.TrimSuffix(typ.Name(), "Line")[1:])
			alternatives[i].Properties["type"] = &jsonschema.Schema{Const: &kind}
		}
	}
	text := indented(t, s)
	head := indented(t, struct {
		Schema string `json:"$schema"`
		ID     string `json:"$id"`
		Title  string `json:"title"`
	}{"https://json-schema.org/draft/2020-12/schema", "https://github.com/vdm-logs/vdm-logs/cmd/vdm-logs/schema/" + name + ".schema.json", "vdm-logs: " + of})
	return append(append(bytes.TrimSuffix(head, []byte("\n}\n")), ",\n"...), bytes.TrimPrefix(text, []byte("{\n"))...)
}

func indented(t testing.TB, v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// describeType puts the comments of a type's fields into its schema, and
// forbids null for lists that do not say that they may be null.
func describeType(typ reflect.Type, s *jsonschema.Schema, docs map[string]string) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	switch {
	case ownForm()[typ] != nil:
	case typ.Kind() == reflect.Slice:
		describeType(typ.Elem(), s.Items, docs)
		if !strings.Contains(s.Description, "null:") {
			s.Type, s.Types = "array", nil
		}
	case typ.Kind() == reflect.Map:
		describeType(typ.Elem(), s.AdditionalProperties, docs)
	case typ.Kind() == reflect.Struct:
		if s.Description == "" {
			s.Description = docs[typ.PkgPath()+"."+typ.Name()]
		}
		for _, f := range reflect.VisibleFields(typ) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			p := s.Properties[name]
			if f.Anonymous || p == nil {
				continue
			}
			owner := typ
			for _, i := range f.Index[:len(f.Index)-1] {
				if owner = owner.Field(i).Type; owner.Kind() == reflect.Pointer {
					owner = owner.Elem()
				}
			}
			p.Description = docs[owner.PkgPath()+"."+owner.Name()+"."+f.Name]
			describeType(f.Type, p, docs)
		}
	}
}

// readDocs reads the comments of the types and fields of a package's files, by
// import path and name.
func readDocs(t testing.TB, docs map[string]string, pkg, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no Go files in %s: %v", dir, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			decl, ok := n.(*ast.GenDecl)
			if !ok {
				return true
			}
			for _, spec := range decl.Specs {
				ts, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				st, ok := ts.Type.(*ast.StructType)
				if !ok {
					continue
				}
				docs[pkg+"."+ts.Name.Name] = oneParagraph(decl.Doc, ts.Doc)
				last := ""
				for _, field := range st.Fields.List {
					doc := oneParagraph(field.Doc, field.Comment)
					for _, name := range field.Names {
						// One comment may tell of several fields.
						if doc == "" && slices.Contains(strings.FieldsFunc(last, notLetter), name.Name) {
							doc = last
						}
						docs[pkg+"."+ts.Name.Name+"."+name.Name] = doc
					}
					last = doc
				}
			}
			return true
		})
	}
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

func oneParagraph(groups ...*ast.CommentGroup) string {
	var words []string
	for _, g := range groups {
		words = append(words, strings.Fields(g.Text())...)
	}
	return strings.Join(words, " ")
}

// TestSchemasAreThoseOfTheTypes makes every schema from the type that is
// printed; -update writes them.
func TestSchemasAreThoseOfTheTypes(t *testing.T) {
	const module = "github.com/vdm-logs/vdm-logs/"
	docs := map[string]string{}
	for _, dir := range []string{"analyze", "analyze/report", "rules", "rules/output", "cmd/vdm-logs"} {
		pkg := module + dir
		if dir == "cmd/vdm-logs" {
			pkg = reflect.TypeFor[incidentList]().PkgPath() // main, as reflect calls it
		}
		readDocs(t, docs, pkg, filepath.Join("../..", filepath.FromSlash(dir)))
	}
	for _, s := range outputSchemas() {
		types := schemaTypes[s.name]
		if types == nil {
			if s.name != "rules" {
				t.Errorf("no type is known of schema %s", s.name)
			}
			continue
		}
		want := makeSchema(t, s.name, s.of, types, docs)
		file := path.Join("schema", s.name+".schema.json")
		if got, err := os.ReadFile(file); err == nil && bytes.Equal(got, want) {
			continue
		}
		if !*update {
			t.Errorf("%s is not the schema of %v; run the test with -update and look at the difference", file, types)
			continue
		}
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("schema/*.schema.json")
	if err != nil || len(files) != len(schemaTypes) {
		t.Errorf("%d files of schemas for %d schemas: %v", len(files), len(schemaTypes), err)
	}
}
