package report

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// filled makes an Analysis in which nothing is zero, nil or empty: whatever an
// output forgets shows as a difference.
func filled(t testing.TB) *analyze.Analysis {
	t.Helper()
	an := new(analyze.Analysis)
	n := int64(0)
	fill(t, reflect.ValueOf(an).Elem(), &n)
	an.SchemaVersion = analyze.SchemaVersion
	return an
}

func fill(t testing.TB, v reflect.Value, n *int64) {
	*n++
	switch p := v.Addr().Interface().(type) {
	case *analyze.Time:
		*p = analyze.At(1_789_806_360_000_000_000 + *n*1_234_567_891)
		return
	case *analyze.Severity:
		*p = analyze.SeverityWarning
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(t, v.Index(i), n)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key, n)
		fill(t, value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n)
	case reflect.String:
		v.SetString("text " + thousands(*n) + " <&> \u2028 end")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.25)
	case reflect.Int, reflect.Int64:
		v.SetInt(*n)
	default:
		t.Fatalf("an Analysis holds a %s, which is not filled here", v.Type())
	}
}

// written returns what an output writes.
func written(t testing.TB, write func(io.Writer, *analyze.Analysis) error, an *analyze.Analysis) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, an); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReadAnalysis reads back all that an Analysis holds, from both forms.
func TestReadAnalysis(t *testing.T) {
	empty := &analyze.Analysis{
		SchemaVersion: 1, Incidents: []analyze.Incident{}, MaskedFolds: []analyze.MaskedFold{}, Findings: []analyze.Finding{},
		Fixes: []analyze.Fix{}, Marks: []analyze.Mark{},
	}
	for _, an := range []*analyze.Analysis{filled(t), empty} {
		for name, write := range map[string]func(io.Writer, *analyze.Analysis) error{"json": JSON, "jsonl": JSONL} {
			text := written(t, write, an)
			for _, in := range []string{text, "\ufeff" + text, text + "\n \n"} {
				got, err := ReadAnalysis(iotest.OneByteReader(strings.NewReader(in)))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if d := cmp.Diff(an, got); d != "" {
					t.Errorf("%s: %s", name, d)
				}
				if again := written(t, write, got); again != text {
					t.Errorf("%s: written again it differs: %s", name, cmp.Diff(text, again))
				}
			}
		}
	}
}

func TestJSONLOrder(t *testing.T) {
	an := filled(t)
	var types []string
	for line := range strings.Lines(written(t, JSONL, an)) {
		_, after, _ := strings.Cut(line, `{"type":"`)
		name, _, _ := strings.Cut(after, `"`)
		types = append(types, name)
		if !strings.HasSuffix(line, "}\n") {
			t.Errorf("the line %q is no object", line)
		}
	}
	want := "analysis finding finding incident incident maskedFold maskedFold fix fix mark mark read"
	if got := strings.Join(types, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestReadAnalysisRefuses(t *testing.T) {
	jsonl := written(t, JSONL, filled(t))
	json := written(t, JSON, filled(t))
	cut := jsonl[:strings.LastIndex(jsonl, "{\"type\":\"read\"")]
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", "it is empty"},
		{"space", "  \n", "it is empty"},
		{"a log", "2026-09-19T08:26:00Z ERROR broke\n", "does not begin like one"},
		{"another log", "ERROR broke\n", "invalid character"},
		{"other JSON", `{"labels":{},"line":"x"}`, "does not begin like one"},
		{"a list", `[1]`, "does not begin like one"},
		{"another output of ours", `{"schemaVersion":1,"fixes":[]}`, "does not begin like one"},
		{"JSON in the middle of JSONL", `{"type":"finding","schemaVersion":1}`, "does not begin like one"},
		{"JSON that was cut", json[:len(json)/2], "ends in the middle"},
		{"JSONL that was cut in a line", jsonl[:len(jsonl)/2], "ends in the middle"},
		{"JSONL that was cut between lines", cut, "ends in the middle"},
		{"two documents", json + json, "more follows after its end"},
		{"two outputs in one file", jsonl + jsonl, "where a line of its own kind is due"},
		{"a field of another type", `{"schemaVersion":1,"incidents":[{"records":"many"}]}`, "cannot unmarshal"},
	} {
		_, err := ReadAnalysis(strings.NewReader(c.in))
		if !errors.Is(err, ErrNoAnalysis) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	for _, in := range []string{`{"schemaVersion":2,"incidents":{"of":"another shape"}}`, `{"type":"analysis","schemaVersion":2}`} {
		_, err := ReadAnalysis(strings.NewReader(in))
		var version *VersionError
		if !errors.As(err, &version) || version.Version != 2 {
			t.Errorf("%s: error %v", in, err)
		}
	}
	// A later program of the same version may write more.
	for _, in := range []string{
		`{"schemaVersion":1,"incidents":[],"weather":"fine"}`,
		`{"type":"analysis","schemaVersion":1,"weather":"fine"}` + "\n" + `{"type":"weather","wind":3}` + "\n" + `{"type":"read"}`,
	} {
		if _, err := ReadAnalysis(strings.NewReader(in)); err != nil {
			t.Errorf("%s: %v", in, err)
		}
	}
	broken := errors.New("the disk broke")
	if _, err := ReadAnalysis(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("an error of the reader came back as %v", err)
	}
}

// FuzzReadAnalysis wants whatever is accepted to be writable and readable
// again, without change.
func FuzzReadAnalysis(f *testing.F) {
	small := &analyze.Analysis{SchemaVersion: 1, Incidents: []analyze.Incident{{Source: "a"}}, Marks: []analyze.Mark{{Issue: 1}}}
	f.Add(written(f, JSON, small))
	f.Add(written(f, JSONL, small))
	f.Add(`{"schemaVersion":1,"incidents":[{"stage":{"bytesReceived":{"min":1}}}],"findings":[{"severity":"error"}]}`)
	f.Fuzz(func(t *testing.T, in string) {
		an, err := ReadAnalysis(strings.NewReader(in))
		if err != nil {
			return
		}
		for _, write := range []func(io.Writer, *analyze.Analysis) error{JSON, JSONL} {
			text := written(t, write, an)
			again, err := ReadAnalysis(strings.NewReader(text))
			if err != nil {
				t.Fatalf("what was read cannot be read again: %v\n%s", err, text)
			}
			if got := written(t, write, again); got != text {
				t.Errorf("%s", cmp.Diff(text, got))
			}
		}
	})
}
