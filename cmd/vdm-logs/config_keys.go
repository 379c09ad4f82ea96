package main

import (
	"fmt"
	"slices"

	"github.com/vdm-logs/vdm-logs/cmd/vdm-logs/internal/config"
)

// authGroup holds the keys that say who asks: they are taken from one layer,
// so that a token in the environment does not meet a password of the file.
const authGroup = "authentication"

// configKeys is everything that a configuration file may say. The names below
// loki.basic_auth, authorization, oauth2, tls_config, proxy and http_headers
// are those of http_client_config, the form of Prometheus and Loki.
func configKeys() []config.Key {
	keys := []config.Key{
		{Name: "loki.addr", Env: "LOKI_ADDR", Flag: "loki", Help: "address of Loki"},
		{Name: "loki.tenant", Env: "LOKI_ORG_ID", Help: "tenant, sent as X-Scope-OrgID; several are joined by |"},
		{Name: "loki.query", Env: "VDM_LOGS_QUERY", Flag: "query", Help: "what to read where --query is not given", Default: "the rules' own, else all"},
		{Name: "loki.since", Env: "VDM_LOGS_SINCE", Flag: "since", Help: "how far back Loki is read where no window is given", Default: "1h", Check: checkLength},
		{Name: "loki.max_read", Env: "VDM_LOGS_MAX_READ", Flag: "max-read", Help: "read no more than this from Loki", Default: "5GiB", Check: checkSize},
		{Name: "loki.batch", Kind: config.Int, Env: "VDM_LOGS_BATCH", Flag: "batch", Help: "entries to ask for at once", Default: "as many as Loki gives"},
		{Name: "loki.parallel", Kind: config.Int, Env: "VDM_LOGS_PARALLEL", Flag: "parallel", Help: "ranges of time to read at once", Default: "4"},
		{Name: "loki.timeout", Env: "VDM_LOGS_TIMEOUT", Help: "bound of one query", Default: "2m", Check: checkLength},
		{Name: "loki.retries", Kind: config.Int, Env: "LOKI_CLIENT_RETRIES", Help: "how often a failed request is repeated", Default: "4"},
		{Name: "loki.min_backoff", Kind: config.Int, Env: "LOKI_CLIENT_MIN_BACKOFF", Help: "seconds before the first repetition", Default: "0.25"},
		{Name: "loki.max_backoff", Kind: config.Int, Env: "LOKI_CLIENT_MAX_BACKOFF", Help: "most seconds before a repetition", Default: "10"},
		{Name: "loki.query_tags", Env: "LOKI_QUERY_TAGS", Help: "sent as X-Query-Tags"},
		{Name: "loki.no_cache", Kind: config.Bool, Env: "LOKI_NO_CACHE", Help: "ask Loki not to answer from its cache", Default: "false"},
		{Name: "loki.compression", Kind: config.Bool, Env: "LOKI_HTTP_COMPRESSION", Help: "let Loki pack its answers", Default: "where they come faster so"},

		{Name: "loki.basic_auth.username", Env: "LOKI_USERNAME", Help: "user name"},
		{Name: "loki.basic_auth.username_file", Kind: config.Path, Help: "file that holds the user name"},
		{Name: "loki.basic_auth.password", Kind: config.Secret, Env: "LOKI_PASSWORD", Help: "password; better in one of the next two"},
		{Name: "loki.basic_auth.password_file", Kind: config.Path, Help: "file that holds the password, read for each request"},
		{Name: "loki.basic_auth.password_command", Kind: config.Command, Help: "program that prints the password"},
		{Name: "loki.authorization.type", Help: "scheme of the header", Default: "Bearer"},
		{Name: "loki.authorization.credentials", Kind: config.Secret, Env: "LOKI_BEARER_TOKEN", Help: "token; better in one of the next two"},
		{Name: "loki.authorization.credentials_file", Kind: config.Path, Env: "LOKI_BEARER_TOKEN_FILE", Help: "file that holds the token, read for each request"},
		{Name: "loki.authorization.credentials_command", Kind: config.Command, Help: "program that prints the token"},
		{Name: "loki.oauth2.client_id", Help: "client of the OAuth 2 client credentials flow"},
		{Name: "loki.oauth2.client_secret", Kind: config.Secret, Help: "its secret; better in one of the next two"},
		{Name: "loki.oauth2.client_secret_file", Kind: config.Path, Help: "file that holds the secret"},
		{Name: "loki.oauth2.client_secret_command", Kind: config.Command, Help: "program that prints the secret"},
		{Name: "loki.oauth2.token_url", Help: "address of the token server"},
		{Name: "loki.oauth2.scopes", Kind: config.List, Help: "scopes to ask for"},
		{Name: "loki.oauth2.endpoint_params.*", Help: "further parameters of the token request"},
		{Name: "loki.auth_header", Env: "LOKI_AUTH_HEADER", Help: "header that carries user name or token", Default: "Authorization"},

		{Name: "loki.tls_config.ca_file", Kind: config.Path, Env: "LOKI_CA_CERT_PATH", Help: "certificates that sign the server's"},
		{Name: "loki.tls_config.cert_file", Kind: config.Path, Env: "LOKI_CLIENT_CERT_PATH", Help: "the client's certificate"},
		{Name: "loki.tls_config.key_file", Kind: config.Path, Env: "LOKI_CLIENT_KEY_PATH", Help: "its private key"},
		{Name: "loki.tls_config.server_name", Help: "name that the server's certificate must have"},
		{Name: "loki.tls_config.insecure_skip_verify", Kind: config.Bool, Env: "LOKI_TLS_SKIP_VERIFY", Help: "trust any certificate", Default: "false"},
		{Name: "loki.tls_config.min_version", Help: "least version of TLS: TLS12, TLS13", Default: "TLS12"},
		{Name: "loki.tls_config.max_version", Help: "greatest version of TLS"},
		{Name: "loki.proxy_url", Env: "LOKI_HTTP_PROXY_URL", Help: "proxy in between"},
		{Name: "loki.no_proxy", Help: "hosts that are asked without the proxy, separated by commas"},
		{Name: "loki.proxy_from_environment", Kind: config.Bool, Env: "LOKI_ENV_PROXY", Help: "use HTTP_PROXY, HTTPS_PROXY and NO_PROXY", Default: "false"},
		{Name: "loki.follow_redirects", Kind: config.Bool, Help: "follow redirects", Default: "true"},
		{Name: "loki.http_headers.*.values", Kind: config.Secrets, Help: "values of a header that is sent along"},
		{Name: "loki.http_headers.*.secrets", Kind: config.Secrets, Help: "the same, secret"},
		{Name: "loki.http_headers.*.files", Kind: config.Paths, Help: "files that hold its values"},

		{Name: "rules", Kind: config.Paths, Env: "VDM_LOGS_RULES", Flag: "rules", Help: "rule files and folders"},
		{Name: "aliases", Kind: config.Paths, Env: "VDM_LOGS_ALIASES", Flag: "aliases", Help: "files of fingerprints that changed"},
		{Name: "tz", Env: "VDM_LOGS_TZ", Flag: "tz", Help: "time zone, as of --tz", Default: "UTC", Check: checkZone},
		{Name: "color", Env: "VDM_LOGS_COLOR", Flag: "color", Help: "auto, always or never", Default: "auto", Check: among("auto", "always", "never")},
		{Name: "log_format", Env: "VDM_LOGS_LOG_FORMAT", Flag: "log-format", Help: "form of --verbose: text or json", Default: "text", Check: among(logFormats...)},
		{Name: "links.grafana", Env: "VDM_LOGS_GRAFANA", Flag: "grafana", Help: "address of Grafana, or a template of links to it"},
		{Name: "links.grafana_datasource", Env: "VDM_LOGS_GRAFANA_DATASOURCE", Flag: "grafana-datasource", Help: "UID of the Loki data source there"},
	}
	for i := range keys {
		if isAuth(keys[i].Name) {
			keys[i].Group = authGroup
		}
	}
	return keys
}

func isAuth(name string) bool {
	for _, p := range []string{"loki.basic_auth.", "loki.authorization.", "loki.oauth2."} {
		if len(name) > len(p) && name[:len(p)] == p {
			return true
		}
	}
	return false
}

func checkLength(s string) error {
	if d, err := duration(s); err != nil || d <= 0 {
		return fmt.Errorf("%q is no duration such as 90m or 24h", s)
	}
	return nil
}

func checkSize(s string) error {
	_, err := parseBytes(s)
	return err
}

func checkZone(s string) error {
	if _, err := parseZone(s); err != nil {
		return fmt.Errorf("%q is no time zone", s)
	}
	return nil
}

func among(words ...string) func(string) error {
	return func(s string) error {
		if !slices.Contains(words, s) {
			return fmt.Errorf("%q is none of %v", s, words)
		}
		return nil
	}
}
