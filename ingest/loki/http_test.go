package loki

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/common/config"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// TestHTTPSettings looks at what a server receives of settings in the form of
// Prometheus's clients, and at what may not be seen of them.
func TestHTTPSettings(t *testing.T) {
	const secret = "open-sesame"
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != secret && r.FormValue("client_secret") != secret {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error":"invalid_client"}`)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"access_token":"minted","token_type":"Bearer","expires_in":3600}`)
	}))
	defer tokens.Close()
	var got http.Header
	refuse := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		if refuse {
			_, password, _ := r.BasicAuth()
			http.Error(w, fmt.Sprintf("who is this? %v %s", r.Header, password), http.StatusForbidden)
			return
		}
		w.Write([]byte(`{"status":"success"}`))
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, settings string
		cfg            Config
		header, want   string
		err            string // instead
	}{
		{name: "password file", settings: "basic_auth: {username: u, password_file: " + file + "}", header: "Authorization", want: "Basic dTpvcGVuLXNlc2FtZQ=="},
		{name: "credentials of a kind", settings: "authorization: {type: Token, credentials_file: " + file + "}", header: "Authorization", want: "Token " + secret},
		{name: "OAuth 2", settings: "oauth2: {client_id: me, client_secret_file: " + file + ", token_url: " + tokens.URL + "}", header: "Authorization", want: "Bearer minted"},
		{name: "a header from a file", settings: "http_headers: {X-Key: {files: [" + file + "]}}", header: "X-Key", want: secret},
		{name: "the fields win", settings: "basic_auth: {username: u, password_file: " + file + "}", cfg: Config{BearerToken: "t"}, header: "Authorization", want: "Bearer t"},
		{name: "a file that is gone", settings: "basic_auth: {username: u, password_file: " + file + "x}", err: "*loki.ConfigError"},
		{name: "OAuth 2 refused", settings: "oauth2: {client_id: me, client_secret: wrong, token_url: " + tokens.URL + "}", err: "*loki.StatusError"},
	} {
		t.Run(c.name, func(t *testing.T) {
			settings, err := config.LoadHTTPConfig(c.settings)
			if err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			c.cfg.Addr, c.cfg.HTTP, c.cfg.Retries = server.URL, settings, -1
			c.cfg.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			client, err := New(c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			refuse = false
			_, err = client.Labels(t.Context(), ingest.Window{Start: 1, End: 2})
			var bad *ConfigError
			var status *StatusError
			kind := ""
			switch {
			case errors.As(err, &bad):
				kind = fmt.Sprintf("%T", bad)
			case errors.As(err, &status):
				kind = fmt.Sprintf("%T", status)
			case err != nil:
				kind = err.Error()
			}
			if kind != c.err {
				t.Fatalf("%v, want %q", err, c.err)
			}
			if c.err != "" {
				if strings.Contains(err.Error(), "cannot be reached") {
					t.Errorf("%v blames the network", err)
				}
				return
			}
			if got.Get(c.header) != c.want {
				t.Errorf("%s: %q, want %q", c.header, got.Get(c.header), c.want)
			}
			refuse = true
			_, err = client.Labels(t.Context(), ingest.Window{Start: 1, End: 2})
			if !errors.As(err, &status) || !status.Refused() {
				t.Fatalf("%v, want a refusal", err)
			}
			if !strings.Contains(log.String(), "path=/labels") || !strings.Contains(log.String(), "status=403") {
				t.Errorf("the log lacks the requests:\n%s", log.String())
			}
			for _, s := range []string{secret, "minted", "dTpvcGVuLXNlc2FtZQ"} {
				if strings.Contains(err.Error()+log.String(), s) {
					t.Errorf("%q is shown: %v\n%s", s, err, log.String())
				}
			}
		})
	}
}

// TestRetriesAreLogged wants every repetition to be told.
func TestRetriesAreLogged(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked == 1 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		w.Write([]byte(`{"status":"success"}`))
	}))
	defer server.Close()
	var log bytes.Buffer
	client, err := New(Config{Addr: server.URL, MinBackoff: 1, MaxBackoff: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := client.Labels(t.Context(), ingest.Window{Start: 1, End: 2}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"status=503", "asking again", "status=200"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
}
