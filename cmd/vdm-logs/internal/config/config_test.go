package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var testKeys = []Key{
	{Name: "server.addr", Env: "T_ADDR", Flag: "addr"},
	{Name: "server.auth.user", Env: "T_USER", Group: "auth"},
	{Name: "server.auth.password", Kind: Secret, Env: "T_PASSWORD", Group: "auth"},
	{Name: "server.auth.password_file", Kind: Path, Group: "auth"},
	{Name: "server.auth.password_command", Kind: Command, Group: "auth"},
	{Name: "server.token.value", Kind: Secret, Env: "T_TOKEN", Group: "auth"},
	{Name: "server.headers.*.values", Kind: Secrets},
	{Name: "server.headers.*.files", Kind: Paths},
	{Name: "server.verify", Kind: Bool, Default: "true"},
	{Name: "server.retries", Kind: Int, Env: "T_RETRIES", Default: "4"},
	{Name: "rules", Kind: Paths, Env: "T_RULES", Flag: "rules"},
	{Name: "tz", Flag: "tz", Check: func(s string) error {
		if s == "Moon" {
			return errors.New("no such zone")
		}
		return nil
	}},
}

const good = `# what a user writes
profile: prod
tz: UTC
rules: [rules/, /etc/rules.yaml]
server:
  retries: 2
  auth: {user: general, password_file: ~/pw}
profiles:
  prod:
    tz: Europe/Berlin
    server:
      addr: https://prod
      token: {value: open-sesame}
      headers:
        X-Team: {values: [a, b]}
        x.key: {files: [key]}
  dev:
    server: {addr: "http://dev", auth: {user: me, password_command: [./pw, show]}, verify: false}
  empty:
`

func shownValues(s *Settings) string {
	var b strings.Builder
	for _, v := range s.Values() {
		if v.Layer != Default {
			fmt.Fprintf(&b, "%s = %s | %s\n", v.Name, v.Text(), v.Origin)
		}
	}
	return b.String()
}

func TestResolve(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	f, err := Parse("/cfg/c.yaml", []byte(good), testKeys)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(f.Profiles(), " "); got != "dev empty prod" || f.Chosen() != "prod" {
		t.Errorf("profiles %s, chosen %s", got, f.Chosen())
	}
	for _, c := range []struct {
		name    string
		profile string
		env     map[string]string
		flags   map[string][]string
		want    string
	}{
		{name: "the file's own choice", want: `server.addr = https://prod | profile prod, /cfg/c.yaml:12:13
server.token.value = <secret> | profile prod, /cfg/c.yaml:13:22
server.headers.X-Team.values = <secret> | profile prod, /cfg/c.yaml:15:26
server.headers.x.key.files = /cfg/key | profile prod, /cfg/c.yaml:16:24
server.retries = 2 | /cfg/c.yaml:6:12
rules = /cfg/rules /etc/rules.yaml | /cfg/c.yaml:4:8
tz = Europe/Berlin | profile prod, /cfg/c.yaml:10:9
`},
		{name: "another profile", profile: "dev", want: `server.addr = http://dev | profile dev, /cfg/c.yaml:18:20
server.auth.user = me | profile dev, /cfg/c.yaml:18:47
server.auth.password_command = /cfg/pw ... | profile dev, /cfg/c.yaml:18:69
server.verify = false | profile dev, /cfg/c.yaml:18:92
server.retries = 2 | /cfg/c.yaml:6:12
rules = /cfg/rules /etc/rules.yaml | /cfg/c.yaml:4:8
tz = UTC | /cfg/c.yaml:3:5
`},
		{
			name: "environment and flags above", profile: "empty",
			env:   map[string]string{"T_ADDR": "http://env", "T_PASSWORD": "p", "T_RULES": "a:b", "T_RETRIES": "7"},
			flags: map[string][]string{"rules": {"x"}},
			want: `server.addr = http://env | environment T_ADDR
server.auth.password = <secret> | environment T_PASSWORD
server.retries = 7 | environment T_RETRIES
rules = x | flag --rules
tz = UTC | /cfg/c.yaml:3:5
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Resolve(f, testKeys, Source{
				Profile: c.profile, Getenv: func(n string) string { return c.env[n] },
				Flag: func(n string) ([]string, bool) { v, ok := c.flags[n]; return v, ok },
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, shownValues(s)); diff != "" {
				t.Errorf("values (-want +got):\n%s", diff)
			}
		})
	}
	none := func(string) string { return "" }
	_, err = Resolve(f, testKeys, Source{Profile: "porduction", Getenv: none})
	var unknown *ProfileError
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "dev, empty, prod") {
		t.Errorf("%v, want the profiles there are", err)
	}
	_, err = Resolve(f, testKeys, Source{Getenv: func(n string) string { return map[string]string{"T_RETRIES": "many"}[n] }})
	var variable *VariableError
	if !errors.As(err, &variable) || variable.Variable != "T_RETRIES" {
		t.Errorf("%v, want the variable", err)
	}
	if p, ok := f.InlineSecret(); !ok || p.Line != 13 {
		t.Errorf("the inline secret is at %v", p)
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"---\n", ""},
		{"sever:\n  addr: x\n", `c.yaml:1:1: unknown key "sever" (did you mean "server"?)`},
		{"server:\n  adr: x\n", `c.yaml:2:3: unknown key "adr" (did you mean "addr"?)`},
		{"server:\n  zzz: 1\n", `c.yaml:2:3: unknown key "zzz" (there are: addr, auth, token, headers, verify, retries)`},
		{"profiles:\n  p:\n    server: {retries: many}\n", `c.yaml:3:23: server.retries: "many" is no whole number`},
		{"server: {verify: maybe}", `c.yaml:1:18: server.verify: "maybe" is neither true nor false`},
		{"server: [a]", "c.yaml:1:9: server must be a map (write name: value)"},
		{"server: {addr: [a]}", "c.yaml:1:16: server.addr must be a text"},
		{"server: {auth: {password_command: pass show}}", "c.yaml:1:35: server.auth.password_command must be a list: a program and its arguments (such as [pass, show, loki]; no shell reads it)"},
		{"server: {auth: {password_command: []}}", "c.yaml:1:35: server.auth.password_command must be a list: a program and its arguments (such as [pass, show, loki]; no shell reads it)"},
		{"tz: Moon", "c.yaml:1:5: tz: no such zone"},
		{"tz: UTC\ntz: UTC", `c.yaml:2:1: "tz" is already on line 1 (keep one of the two)`},
		{"profile: prdo\nprofiles: {prod: }", `c.yaml:1:10: there is no profile "prdo" (did you mean "prod"?)`},
		{"profile: x", `c.yaml:1:10: there is no profile "x" (there are none)`},
		{"a: &a b\ntz: *a", "c.yaml:1:1: unknown key \"a\" (there are: server, rules, tz, profile, profiles)\nc.yaml:2:5: aliases are not read (write the value out)"},
		{"tz: UTC\n---\ntz: UTC\n", "c.yaml:2:1: a second document (only one is read; leave out the ---)"},
		{"tz: [", "no YAML"},
		{"just text", "c.yaml:1:1: the file must be a map (write name: value)"},
		{"sever: 1\nserver: {adr: 1}\n", "c.yaml:1:1: unknown key \"sever\" (did you mean \"server\"?)\nc.yaml:2:10: unknown key \"adr\" (did you mean \"addr\"?)"},
		{strings.Repeat("#", maxFileBytes+1), "c.yaml: larger than 1048576 bytes (is this the right file?)"},
	} {
		_, err := Parse("c.yaml", []byte(c.text), testKeys)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want && !(c.want == "no YAML" && strings.Contains(got, c.want)) {
			t.Errorf("%.60q: %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestLoad(t *testing.T) {
	if _, err := Load(filepath.Join(t.TempDir(), "gone.yaml"), testKeys); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err := Load(path, testKeys); err != nil || f.Path != path {
		t.Errorf("Load: %v, %v", f, err)
	}
}

// FuzzParse wants no panic, a place in every problem of a file that is YAML,
// and no secret in what is shown.
func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add("profiles: {a: {server: {headers: {X: {values: [s3cret]}}}}}\nprofile: a")
	f.Add("server: {auth: {password: s3cret}, ? [x] : y}")
	f.Add("<<: *a\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("c.yaml", []byte(text), testKeys)
		if err != nil {
			var all *Error
			if !errors.As(err, &all) || len(all.Problems) == 0 {
				t.Fatalf("%v is no *Error", err)
			}
			return
		}
		s, err := Resolve(file, testKeys, Source{Getenv: func(string) string { return "" }})
		if err != nil {
			t.Fatalf("a file that is taken cannot be resolved: %v", err)
		}
		for _, v := range s.Values() {
			if v.Key.Kind.secret() && v.Text() != "<secret>" {
				t.Errorf("%s shows %q", v.Name, v.Text())
			}
		}
	})
}
