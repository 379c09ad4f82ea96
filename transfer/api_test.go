package transfer

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden data from what the package exports now")

// TestExportedAPI compares what the package exports with testdata/api.txt. A
// line that goes or changes breaks somebody.
func TestExportedAPI(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") && name != "lock_other.go" && name != "unread_other.go" {
			lines = append(lines, exportedIn(t, name)...)
		}
	}
	slices.Sort(lines)
	got := strings.Join(lines, "\n") + "\n"
	const golden = "testdata/api.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("exported API differs from %s; if that is meant, run with -update (-want +got):\n%s", golden, diff)
	}
}

func exportedIn(t *testing.T, name string) (lines []string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.FileExports(file)
	add := func(prefix string, n ast.Node) {
		var b bytes.Buffer
		if err := format.Node(&b, fset, n); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, prefix+strings.Join(strings.Fields(b.String()), " "))
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
				d.Body = nil
				add("", d)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					add(d.Tok.String()+" ", s)
				case *ast.TypeSpec:
					structure, isStruct := s.Type.(*ast.StructType)
					if !isStruct {
						add("type ", s)
						continue
					}
					lines = append(lines, "type "+s.Name.Name+" struct")
					for _, f := range structure.Fields.List {
						for _, field := range f.Names {
							add("type "+s.Name.Name+" struct, "+field.Name+" ", f.Type)
						}
					}
				}
			}
		}
	}
	return lines
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// TestImportsNothingElse builds a fresh module that imports this package and
// looks at what it links.
func TestImportsNothingElse(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module fresh.test/adopter\n\ngo 1.26\n\nrequire github.com/vdm-logs/vdm-logs v0.0.0\n\nreplace github.com/vdm-logs/vdm-logs => " + root + "\n",
		"main.go": "package main\n\nimport (\n\t_ \"github.com/vdm-logs/vdm-logs/transfer\"\n\t_ \"github.com/vdm-logs/vdm-logs/transfer/limiter\"\n)\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "list", "-mod=mod", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	want := []string{"fresh.test/adopter", "github.com/vdm-logs/vdm-logs"}
	if diff := cmp.Diff(want, slices.Compact(modules)); diff != "" {
		t.Errorf("modules linked (-want +got):\n%s", diff)
	}
}
