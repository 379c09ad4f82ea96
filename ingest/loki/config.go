package loki

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/config"
)

// Config says where a Loki is and how to talk to it.
type Config struct {
	// Addr is the server's address with a path prefix where there is one:
	// http://loki:3100, https://gateway/loki-a, or a Grafana data source
	// proxy. Credentials in it are used and never shown.
	Addr string
	// Tenant is sent as X-Scope-OrgID; several are joined by |.
	Tenant string

	Username, Password string
	BearerToken        string
	BearerTokenFile    string // read again for each request
	// AuthHeader is the header that carries them; empty is Authorization.
	AuthHeader string

	CAFile, CertFile, KeyFile string
	ServerName                string
	InsecureSkipVerify        bool

	ProxyURL             string
	ProxyFromEnvironment bool
	// Headers are sent with every request.
	Headers   map[string]string
	QueryTags string // sent as X-Query-Tags
	NoCache   bool   // sends Cache-Control: no-cache

	// Retries is how often a request is repeated after a network error, 429
	// or 5xx; negative is never, 0 is DefaultRetries.
	Retries int
	// MinBackoff and MaxBackoff bound the pause before a repetition.
	// 0 is 250 ms and 10 s.
	MinBackoff, MaxBackoff time.Duration
	// Timeout bounds one query, its answer included; 0 is 2 minutes, twice
	// what servers take for one by default. Requests that a server answers
	// from its index are bounded by 30 seconds.
	Timeout time.Duration
	// NoCompression keeps the server from packing its answers; Compression has
	// it pack all of them. With neither, answers that hold lines are packed
	// where they come faster so, and all others are.
	NoCompression, Compression bool

	// HTTP holds further settings in the form that Prometheus and Loki use for
	// their own clients: authentication by files that are read again, OAuth 2,
	// headers from files. The fields above win over it; nil is none.
	HTTP *config.HTTPClientConfig

	// Logger is told of every request and every repetition; nil is silent.
	Logger *slog.Logger

	// Now tells the time against which look-back limits count; nil means
	// that they are not looked at.
	Now func() time.Time
}

// DefaultRetries is how often a request is repeated where nothing is said.
const DefaultRetries = 4

// FromEnv fills a Config from logcli's environment variables, with the meaning
// they have there. Getenv returns the value of a variable, or "". Errors are
// *ConfigError.
func FromEnv(getenv func(string) string) (Config, error) {
	c := Config{
		Addr:            getenv("LOKI_ADDR"),
		Tenant:          getenv("LOKI_ORG_ID"),
		Username:        getenv("LOKI_USERNAME"),
		Password:        getenv("LOKI_PASSWORD"),
		BearerToken:     getenv("LOKI_BEARER_TOKEN"),
		BearerTokenFile: getenv("LOKI_BEARER_TOKEN_FILE"),
		AuthHeader:      getenv("LOKI_AUTH_HEADER"),
		CAFile:          getenv("LOKI_CA_CERT_PATH"),
		CertFile:        getenv("LOKI_CLIENT_CERT_PATH"),
		KeyFile:         getenv("LOKI_CLIENT_KEY_PATH"),
		QueryTags:       getenv("LOKI_QUERY_TAGS"),
		ProxyURL:        getenv("LOKI_HTTP_PROXY_URL"),
	}
	e := env{getenv: getenv}
	c.InsecureSkipVerify = e.boolean("LOKI_TLS_SKIP_VERIFY")
	c.NoCache = e.boolean("LOKI_NO_CACHE")
	c.ProxyFromEnvironment = e.boolean("LOKI_ENV_PROXY")
	if getenv("LOKI_HTTP_COMPRESSION") != "" {
		c.Compression = e.boolean("LOKI_HTTP_COMPRESSION")
		c.NoCompression = !c.Compression
	}
	if retries, set := e.integer("LOKI_CLIENT_RETRIES"); set {
		if c.Retries = retries; retries == 0 {
			c.Retries = -1
		}
	}
	if s, set := e.integer("LOKI_CLIENT_MIN_BACKOFF"); set {
		c.MinBackoff = time.Duration(s) * time.Second
	}
	if s, set := e.integer("LOKI_CLIENT_MAX_BACKOFF"); set {
		c.MaxBackoff = time.Duration(s) * time.Second
	}
	return c, e.err
}

// env reads typed variables and keeps the first error.
type env struct {
	getenv func(string) string
	err    error
}

func (e *env) boolean(name string) bool {
	text := e.getenv(name)
	if text == "" {
		return false
	}
	v, err := strconv.ParseBool(text)
	if err != nil {
		e.fail(name, fmt.Errorf("%q is neither true nor false", text))
	}
	return v
}

func (e *env) integer(name string) (v int, set bool) {
	text := e.getenv(name)
	if text == "" {
		return 0, false
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 {
		e.fail(name, fmt.Errorf("%q is no whole number", text))
	}
	return v, true
}

func (e *env) fail(name string, err error) {
	if e.err == nil {
		e.err = &ConfigError{Setting: name, Err: err}
	}
}

// apiPath is what stands before every endpoint.
const apiPath = "/loki/api/v1"

// base checks Addr and takes credentials, query and an endpoint that was
// pasted along off it.
func (c *Config) base() (*url.URL, *url.Userinfo, error) {
	addr := strings.TrimSpace(c.Addr)
	if addr == "" {
		return nil, nil, &ConfigError{Setting: "address", Err: errors.New("empty")}
	}
	if !strings.Contains(addr, "://") {
		addr = "http://" + addr
	}
	u, err := url.Parse(addr)
	if err != nil {
		// The parser's message would repeat the address with its password.
		return nil, nil, &ConfigError{Setting: "address", Err: errors.New("not a URL")}
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, nil, &ConfigError{Setting: "address", Err: fmt.Errorf("scheme %q is neither http nor https", u.Scheme)}
	}
	if u.Host == "" {
		return nil, nil, &ConfigError{Setting: "address", Err: errors.New("no host in it")}
	}
	user := u.User
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	if i := strings.Index(u.Path, apiPath); i >= 0 {
		u.Path = u.Path[:i]
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = ""
	return u, user, nil
}
