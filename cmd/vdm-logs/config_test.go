package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/cmd/vdm-logs/internal/config"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// TestConfigKeys holds the table together: names are unique, flags exist, and
// every variable of the client has its key.
func TestConfigKeys(t *testing.T) {
	keys := configKeys()
	seen := map[string]bool{}
	root := newRootCommand(stdio{session: &session{}})
	analyze, _, err := root.Find([]string{"analyze"})
	if err != nil {
		t.Fatal(err)
	}
	variables := map[string]bool{}
	for _, k := range keys {
		if seen[k.Name] || k.Help == "" {
			t.Errorf("%s is there twice, or has no help", k.Name)
		}
		seen[k.Name] = true
		variables[k.Env] = true
		if k.Flag != "" && analyze.Flags().Lookup(k.Flag) == nil && root.PersistentFlags().Lookup(k.Flag) == nil {
			t.Errorf("%s: there is no flag --%s", k.Name, k.Flag)
		}
	}
	if _, err := loki.FromEnv(func(name string) string {
		if !variables[name] {
			t.Errorf("%s has no key", name)
		}
		return ""
	}); err != nil {
		t.Error(err)
	}
}

// secretOf is a value that must never be seen.
const secretOf = "s3same-0pen"

// TestSecretsStayHidden reads Loki with a secret of every kind, from every
// place that one can come from, and wants to see it nowhere: not in results,
// not in the log of --verbose, not in an error of a server that repeats what
// it was sent, not in config view.
func TestSecretsStayHidden(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "secret")
	write(t, file, secretOf+"\n")
	for _, c := range []struct {
		name   string
		config string
		env    map[string]string
		addr   func(string) string
	}{
		{name: "password in the file", config: "loki: {basic_auth: {username: me, password: " + secretOf + "}}"},
		{name: "password file", config: "loki: {basic_auth: {username: me, password_file: secret}}"},
		{name: "password command", config: "loki: {basic_auth: {username: me, password_command: [cat, " + file + "]}}"},
		{name: "password in a command", config: "loki: {basic_auth: {username: me, password_command: [echo, " + secretOf + "]}}"},
		{name: "credentials", config: "loki: {authorization: {credentials: " + secretOf + "}}"},
		{name: "credentials file of another scheme", config: "loki: {authorization: {type: Token, credentials_file: secret}}"},
		{name: "credentials command", config: "loki: {authorization: {credentials_command: [cat, " + file + "]}}"},
		{name: "header values", config: "loki: {http_headers: {X-Key: {values: [" + secretOf + "]}}}"},
		{name: "header secrets", config: "loki: {http_headers: {X-Key: {secrets: [" + secretOf + "]}}}"},
		{name: "header files", config: "loki: {http_headers: {X-Key: {files: [secret]}}}"},
		{name: "auth header", config: "loki: {auth_header: X-Auth, authorization: {credentials_command: [cat, " + file + "]}}"},
		{name: "variables", env: map[string]string{"LOKI_USERNAME": "me", "LOKI_PASSWORD": secretOf}},
		{name: "token variable", env: map[string]string{"LOKI_BEARER_TOKEN": secretOf}},
		{name: "token file variable", env: map[string]string{"LOKI_BEARER_TOKEN_FILE": file}},
		{name: "address", addr: func(a string) string { return strings.Replace(a, "://", "://me:"+secretOf+"@", 1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(dir, "config.yaml")
			write(t, path, c.config)
			refusing, received := false, ""
			server := lokitest.New(lokitest.Options{Fault: func(_ int, r *http.Request) lokitest.Fault {
				for name, values := range r.Header {
					_, password, _ := r.BasicAuth()
					if strings.Contains(strings.Join(values, " "), secretOf) || password == secretOf {
						received = name
					}
				}
				if refusing {
					return lokitest.Fault{Status: 403}
				}
				return lokitest.Fault{}
			}})
			server.Push(timeouts(3, ingest.Label{Name: "pod", Value: "web-1"})...)
			addr := server.Start(t)
			if c.addr != nil {
				addr = c.addr(addr)
			}
			t.Setenv("LOKI_ADDR", addr)
			t.Setenv("VDM_LOGS_CONFIG", path)
			for k, v := range c.env {
				t.Setenv(k, v)
			}
			var seen bytes.Buffer
			for _, args := range [][]string{
				{"analyze", "-v", "--query", `{pod="web-1"}`},
				{"analyze", "-v", "--log-format", "json", "-o", "json", "--query", `{pod="web-1"}`},
				{"config", "view"}, {"config", "view", "-o", "json"}, {"config", "check"},
			} {
				if code := run(t.Context(), args, stdio{in: strings.NewReader(""), out: &seen, err: &seen}); code != exitOK {
					t.Errorf("%v: exit code %d\n%s", args, code, seen.String())
				}
			}
			if received == "" {
				t.Error("the server has not received the secret")
			}
			refusing = true
			if code := run(t.Context(), []string{"analyze", "-v", "--query", `{pod="web-1"}`}, stdio{in: strings.NewReader(""), out: &seen, err: &seen}); code != exitRefused {
				t.Errorf("refused: exit code %d", code)
			}
			if strings.Contains(seen.String(), secretOf) {
				t.Errorf("the secret is shown:\n%s", seen.String())
			}
			if !strings.Contains(seen.String(), "status=403") {
				t.Errorf("the log lacks the refusal:\n%s", seen.String())
			}
		})
	}
}

// TestFailingSecretsStayHidden is TestSecretsStayHidden for what stands between
// us and Loki and does not let us through.
func TestFailingSecretsStayHidden(t *testing.T) {
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":"invalid_client","error_description":"who is %s?"}`, "that")
	}))
	defer tokens.Close()
	path := filepath.Join(t.TempDir(), "config.yaml")
	t.Setenv("VDM_LOGS_CONFIG", path)
	t.Setenv("LOKI_CLIENT_RETRIES", "0")
	for name, c := range map[string]struct {
		config string
		code   int
	}{
		"proxy":                   {`loki: {addr: "http://loki.example", proxy_url: "http://me:` + secretOf + `@127.0.0.1:1"}`, exitUnreachable},
		"oauth2":                  {`loki: {addr: "http://127.0.0.1:1", oauth2: {client_id: me, client_secret: ` + secretOf + `, token_url: "` + tokens.URL + `"}}`, exitRefused},
		"token server in the way": {`loki: {addr: "http://127.0.0.1:1", oauth2: {client_id: me, client_secret: ` + secretOf + `, token_url: "http://me:` + secretOf + `@127.0.0.1:1"}}`, exitUnreachable},
		"bad address":             {`loki: {addr: "http://me:` + secretOf + `@[::1"}`, exitUsage},
		"bad proxy":               {`loki: {addr: "http://x", proxy_url: "://me:` + secretOf + `@x"}`, exitUsage},
	} {
		write(t, path, c.config)
		_, errs, code := ran(t, "", "analyze", "-v", "--query", `{a="b"}`)
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d", name, code, c.code)
		}
		for _, args := range [][]string{{"config", "view"}, {"config", "view", "-o", "json"}, {"config", "check"}} {
			out, more, _ := ran(t, "", args...)
			errs += out + more
		}
		if strings.Contains(errs, secretOf) {
			t.Errorf("%s: the secret is shown:\n%s", name, errs)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSecretCommandFails wants the words of a program that gives no secret,
// and nothing that it printed in place of one.
func TestSecretCommandFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	t.Setenv("VDM_LOGS_CONFIG", path)
	t.Setenv("LOKI_ADDR", "http://127.0.0.1:1")
	for command, want := range map[string]string{
		`[sh, -c, "echo ` + secretOf + `; echo locked >&2; exit 3"]`: "exit status 3: locked",
		`[no-such-program-here]`:                                     "no-such-program-here",
		`["true"]`:                                                   "printed nothing",
	} {
		write(t, path, "loki: {basic_auth: {username: me, password_command: "+command+"}}")
		var out bytes.Buffer
		code := run(t.Context(), []string{"analyze", "--query", `{a="b"}`}, stdio{in: strings.NewReader(""), out: &out, err: &out})
		if code != exitRefused || !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "by hand") || strings.Contains(out.String(), secretOf) {
			t.Errorf("%s: exit code %d\n%s", command, code, out.String())
		}
	}
}

// TestConfiguredQueryAndSince reads what a profile says to read, and lets the
// command line say otherwise.
func TestConfiguredQueryAndSince(t *testing.T) {
	server := lokitest.New(lokitest.Options{})
	server.Push(timeouts(150, ingest.Label{Name: "pod", Value: "web-1"})...)
	path := filepath.Join(t.TempDir(), "config.yaml")
	t.Setenv("VDM_LOGS_CONFIG", path)
	write(t, path, fmt.Sprintf("profiles: {p: {loki: {addr: %q, query: '{pod=\"web-1\"}', since: 2h}}}", server.Start(t)))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--profile", "p"}, "119 records"},
		{[]string{"--profile", "p", "--since", "30m"}, "29 records"},
		{[]string{"--profile", "p", "--from", "now-10m"}, "9 records"},
		{[]string{"--profile", "p", "--since", "3h"}, "150 records"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"analyze"}, c.args...), stdio{in: strings.NewReader(""), out: &out, err: &errs})
		if code != exitOK || !near(out.String(), c.want) {
			t.Errorf("%v: exit code %d, want %s\n%s%s", c.args, code, c.want, out.String(), errs.String())
		}
	}
}

// near looks for "N records", or one more: a minute may begin in between.
func near(text, want string) bool {
	var n int
	fmt.Sscanf(want, "%d records", &n)
	return strings.Contains(text, want) || strings.Contains(text, fmt.Sprintf("%d records", n+1))
}

// TestEveryKeyReaches sets every key of the connection in a file and wants
// the client's settings to change by it.
func TestEveryKeyReaches(t *testing.T) {
	values := map[config.Kind]string{
		config.Text: "text", config.Bool: "true", config.Int: "3", config.List: "[a]", config.Path: "x", config.Paths: "[x]",
		config.Secret: "s", config.Secrets: "[s]", config.Command: "[cmd]",
	}
	special := map[string]string{
		"loki.timeout": "7s", "loki.compression": "false", "loki.tls_config.min_version": "TLS13", "loki.tls_config.max_version": "TLS13",
		"loki.proxy_url": "http://proxy", "loki.oauth2.token_url": "http://token", "loki.follow_redirects": "false",
	}
	none := func(string) string { return "" }
	load := func(text string) string {
		f, err := config.Parse("c.yaml", []byte(text), configKeys())
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		set, err := config.Resolve(f, configKeys(), config.Source{Getenv: none})
		if err != nil {
			t.Fatal(err)
		}
		cfg, err := lokiConfig(set, func(config.Value) (string, error) { return "printed", nil })
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		text = fmt.Sprintf("%+v", cfg)
		if cfg.HTTP != nil {
			text += fmt.Sprintf(" %+v %+v %+v %+v %+v", *cfg.HTTP, cfg.HTTP.BasicAuth, cfg.HTTP.Authorization, cfg.HTTP.OAuth2, cfg.HTTP.HTTPHeaders)
		}
		return text
	}
	elsewhere := []string{"loki.query", "loki.since", "loki.max_read", "loki.batch", "loki.parallel"}
	for _, k := range configKeys() {
		if !strings.HasPrefix(k.Name, "loki.") || slices.Contains(elsewhere, k.Name) {
			continue
		}
		value := values[k.Kind]
		if v, ok := special[k.Name]; ok {
			value = v
		}
		parts := strings.Split(strings.ReplaceAll(k.Name, "*", "Any"), ".")
		text := "loki:\n"
		if k.Name == "loki.no_proxy" {
			text += "  proxy_url: http://p\n"
		}
		base := text
		if parts[1] == "oauth2" {
			base += "  oauth2:\n    client_id: base\n    token_url: http://base\n"
			text = base
			switch parts[2] {
			case "client_id":
				text = "loki:\n  oauth2:\n    client_id: text\n    token_url: http://base\n"
			case "token_url":
				text = "loki:\n  oauth2:\n    client_id: base\n    token_url: http://token\n"
			case "endpoint_params":
				text += "    endpoint_params: {Any: text}\n"
			default:
				text += "    " + parts[2] + ": " + value + "\n"
			}
		} else {
			for i, p := range parts[1:] {
				text += strings.Repeat("  ", i+1) + p + ":"
				if i == len(parts)-2 {
					text += " " + value
				}
				text += "\n"
			}
		}
		if base == "loki:\n" {
			base = ""
		}
		if load(text) == load(base) {
			t.Errorf("%s changes nothing:\n%s", k.Name, text)
		}
	}
}
