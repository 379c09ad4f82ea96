package loki

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func TestAddresses(t *testing.T) {
	for in, want := range map[string]string{
		"http://loki:3100":           "http://loki:3100",
		"loki:3100":                  "http://loki:3100",
		"https://gw.example/loki-a/": "https://gw.example/loki-a",
		"http://loki:3100/loki/api/v1/query_range?query=x":    "http://loki:3100",
		"https://grafana.example/api/datasources/proxy/uid/x": "https://grafana.example/api/datasources/proxy/uid/x",
		"http://u:p@loki:3100":                                "http://loki:3100",
		" http://[::1]:3100 ":                                 "http://[::1]:3100",
	} {
		c, err := New(Config{Addr: in})
		if err != nil || c.Addr() != want {
			t.Errorf("New(%q): %v, %v; want %s", in, c, err, want)
		}
	}
	for _, in := range []string{"", "ftp://x", "http://", "http://[::1", "/loki"} {
		_, err := New(Config{Addr: in})
		var bad *ConfigError
		if !errors.As(err, &bad) {
			t.Errorf("New(%q): %v, want *ConfigError", in, err)
		}
	}
}

func TestFromEnv(t *testing.T) {
	vars := map[string]string{
		"LOKI_ADDR": "http://x", "LOKI_ORG_ID": "a|b", "LOKI_USERNAME": "u", "LOKI_PASSWORD": "p", "LOKI_BEARER_TOKEN": "t",
		"LOKI_BEARER_TOKEN_FILE": "f", "LOKI_AUTH_HEADER": "X-Auth", "LOKI_CA_CERT_PATH": "ca", "LOKI_CLIENT_CERT_PATH": "cert",
		"LOKI_CLIENT_KEY_PATH": "key", "LOKI_TLS_SKIP_VERIFY": "true", "LOKI_QUERY_TAGS": "q=1", "LOKI_NO_CACHE": "1",
		"LOKI_HTTP_PROXY_URL": "http://proxy", "LOKI_ENV_PROXY": "true", "LOKI_CLIENT_RETRIES": "7",
		"LOKI_CLIENT_MIN_BACKOFF": "2", "LOKI_CLIENT_MAX_BACKOFF": "30", "LOKI_HTTP_COMPRESSION": "false",
	}
	got, err := FromEnv(func(name string) string { return vars[name] })
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Addr: "http://x", Tenant: "a|b", Username: "u", Password: "p", BearerToken: "t", BearerTokenFile: "f", AuthHeader: "X-Auth",
		CAFile: "ca", CertFile: "cert", KeyFile: "key", InsecureSkipVerify: true, QueryTags: "q=1", NoCache: true,
		ProxyURL: "http://proxy", ProxyFromEnvironment: true, Retries: 7, MinBackoff: 2 * time.Second, MaxBackoff: 30 * time.Second,
		NoCompression: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("FromEnv (-want +got):\n%s", diff)
	}
	if got, err := FromEnv(func(string) string { return "" }); err != nil || !cmp.Equal(got, Config{}) {
		t.Errorf("FromEnv of nothing = %+v, %v", got, err)
	}
	if c, err := FromEnv(func(name string) string { return map[string]string{"LOKI_CLIENT_RETRIES": "0"}[name] }); err != nil || c.Retries >= 0 {
		t.Errorf("LOKI_CLIENT_RETRIES=0: %d, %v; want none", c.Retries, err)
	}
	for name, value := range map[string]string{"LOKI_TLS_SKIP_VERIFY": "maybe", "LOKI_CLIENT_RETRIES": "many", "LOKI_CLIENT_MIN_BACKOFF": "-1"} {
		_, err := FromEnv(func(n string) string { return map[string]string{name: value}[n] })
		var bad *ConfigError
		if !errors.As(err, &bad) || bad.Setting != name {
			t.Errorf("%s=%s: %v, want *ConfigError that names it", name, value, err)
		}
	}
}

// TestHeaders looks at what a server receives.
func TestHeaders(t *testing.T) {
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		w.Write([]byte(`{"status":"success"}`))
	}))
	defer server.Close()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("from-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		cfg  Config
		want map[string]string
	}{
		{Config{}, map[string]string{"Authorization": "", "X-Scope-Orgid": "", "Accept-Encoding": "gzip", "X-Loki-Response-Encoding-Flags": "categorize-labels"}},
		{Config{Username: "u", Password: "p", Tenant: "a|b"}, map[string]string{"Authorization": "Basic dTpw", "X-Scope-Orgid": "a|b"}},
		{Config{BearerToken: "t", AuthHeader: "X-Auth"}, map[string]string{"Authorization": "", "X-Auth": "Bearer t"}},
		{Config{BearerTokenFile: token}, map[string]string{"Authorization": "Bearer from-file"}},
		{Config{QueryTags: "a=b", NoCache: true, NoCompression: true, Headers: map[string]string{"X-More": "1"}},
			map[string]string{"X-Query-Tags": "a=b", "Cache-Control": "no-cache", "X-More": "1", "Accept-Encoding": ""}},
	}
	for _, c := range cases {
		c.cfg.Addr = server.URL
		client, err := New(c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Labels(t.Context(), ingest.Window{Start: 1, End: 2}); err != nil {
			t.Errorf("%+v: %v", c.cfg, err)
		}
		for name, want := range c.want {
			if got.Get(name) != want {
				t.Errorf("%+v: %s: %q, want %q", c.cfg, name, got.Get(name), want)
			}
		}
		client.Close()
	}
	if _, err := New(Config{Addr: server.URL, BearerToken: "t", Username: "u"}); err == nil {
		t.Error("two ways of authentication at once are taken")
	}
}
