package loki

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/klauspost/compress/gzip"
	"github.com/prometheus/common/config"
)

// errCutOff says that an answer ended before its document did.
var errCutOff = errors.New("the answer was cut off")

// Client talks to one Loki.
type Client struct {
	cfg  Config
	base *url.URL
	http *http.Client
	log  *slog.Logger
	auth string // the value of the authorization header; empty for none or a file

	unpackers sync.Pool // of *gzip.Reader
	packing   packing
}

// New makes a Client. It opens no connection. Errors are *ConfigError.
func New(cfg Config) (*Client, error) {
	base, user, err := cfg.base()
	if err != nil {
		return nil, err
	}
	if user != nil && cfg.Username == "" {
		cfg.Username = user.Username()
		cfg.Password, _ = user.Password()
	}
	c := &Client{cfg: cfg, base: base, log: cfg.Logger}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.auth, err = cfg.authorization(); err != nil {
		return nil, err
	}
	common, err := cfg.httpConfig()
	if err != nil {
		return nil, err
	}
	if c.auth != "" || cfg.BearerTokenFile != "" {
		common.BasicAuth, common.Authorization, common.OAuth2 = nil, nil, nil
	}
	dialer := &net.Dialer{Timeout: dialTimeout}
	c.http, err = config.NewClientFromConfig(common, "vdm-logs", config.WithHTTP2Disabled(), config.WithDialContextFunc(dialer.DialContext))
	if err != nil {
		return nil, &ConfigError{Setting: "connection", Err: err}
	}
	return c, nil
}

// authorization returns what the authorization header says, if that does not
// change with a file.
func (c *Config) authorization() (string, error) {
	kinds := 0
	for _, set := range []bool{c.Username != "" || c.Password != "", c.BearerToken != "", c.BearerTokenFile != ""} {
		if set {
			kinds++
		}
	}
	if kinds > 1 {
		return "", &ConfigError{Setting: "authentication", Err: errors.New("only one of user name, bearer token and bearer token file can be used")}
	}
	switch {
	case c.BearerToken != "":
		return "Bearer " + c.BearerToken, nil
	case c.Username != "" || c.Password != "":
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(c.Username+":"+c.Password)), nil
	}
	return "", nil
}

// Addr returns the server's address without credentials.
func (c *Client) Addr() string { return c.base.String() }

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

const (
	// dialTimeout bounds the wait for a connection.
	dialTimeout = 10 * time.Second
	// metaTimeout bounds requests that are no queries.
	metaTimeout = 30 * time.Second
)

// timeout bounds one request to an endpoint.
func (c *Client) timeout(path string) time.Duration {
	timeout := 2 * time.Minute
	if c.cfg.Timeout > 0 {
		timeout = c.cfg.Timeout
	}
	if path != "/query" && path != "/query_range" {
		timeout = min(timeout, metaTimeout)
	}
	return timeout
}

func (c *Client) tries() uint {
	switch {
	case c.cfg.Retries < 0:
		return 1
	case c.cfg.Retries == 0:
		return DefaultRetries + 1
	}
	return uint(c.cfg.Retries) + 1
}

func (c *Client) backoff() backoff.BackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval = 250*time.Millisecond, 10*time.Second
	if c.cfg.MinBackoff > 0 {
		b.InitialInterval = c.cfg.MinBackoff
		b.MaxInterval = max(b.MaxInterval, c.cfg.MinBackoff)
	}
	if c.cfg.MaxBackoff > 0 {
		b.MaxInterval = max(c.cfg.MaxBackoff, b.InitialInterval)
	}
	return b
}

// get asks an endpoint and hands the body of a success to use, once for each
// try: what use has kept of a try that failed it drops when it is called
// again. Network errors, 429 and 5xx are repeated, at most tries times.
func (c *Client) get(ctx context.Context, path string, params url.Values, tries uint, use func(io.Reader) error) error {
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := c.once(ctx, path, params, use)
		var status *StatusError
		switch {
		case err == nil:
			return struct{}{}, nil
		case ctx.Err() != nil:
			return struct{}{}, backoff.Permanent(ctx.Err())
		case errors.As(err, &status):
			if !status.temporary() {
				return struct{}{}, backoff.Permanent(err)
			}
		case !brokeOff(err) && !isNetwork(err):
			return struct{}{}, backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(c.backoff()), backoff.WithMaxTries(tries), backoff.WithMaxElapsedTime(0), backoff.WithNotify(func(err error, wait time.Duration) {
		c.log.Warn("request failed, asking again", "path", path, "error", err, "wait", wait.Round(time.Millisecond))
	}))
	if err == nil {
		return nil
	}
	var permanent *backoff.PermanentError
	if errors.As(err, &permanent) {
		err = permanent.Unwrap()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if isNetwork(err) || brokeOff(err) {
		return &UnreachableError{Addr: c.Addr(), Err: err}
	}
	return err
}

// networkError marks an error of the connection, as opposed to one of what
// came over it.
type networkError struct{ error }

func (e networkError) Unwrap() error { return e.error }

func isNetwork(err error) bool {
	var n networkError
	return errors.As(err, &n)
}

// once asks one time.
func (c *Client) once(ctx context.Context, path string, params url.Values, use func(io.Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout(path))
	defer cancel()
	req, err := c.request(ctx, path, params)
	if err != nil {
		return err
	}
	begun := time.Now() // for the log and for how to ask, never for a result
	resp, err := c.http.Do(req)
	if err != nil {
		return c.notSent(err)
	}
	defer resp.Body.Close()
	body := &bodyReader{r: resp.Body}
	defer func() { c.logRequest(path, params, resp, body.n, time.Since(begun)) }()
	answered := time.Now()
	plain := &countingReader{r: body}
	packed := resp.Header.Get("Content-Encoding") == "gzip"
	if packed {
		z, _ := c.unpackers.Get().(*gzip.Reader)
		if z == nil {
			z = new(gzip.Reader)
		}
		defer c.unpackers.Put(z)
		if err := z.Reset(body); err != nil {
			return body.blame(err)
		}
		plain.r = z
	}
	if resp.StatusCode/100 != 2 {
		text, _ := io.ReadAll(io.LimitReader(plain, 64<<10))
		e := &StatusError{Code: resp.StatusCode, Message: oneLine(withoutSecrets(text, resp.Request))}
		if isHTML(resp.Header.Get("Content-Type")) {
			e.Message = "an HTML page; is a gateway in between, or a path prefix missing?"
		}
		if wait, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && wait > 0 && e.temporary() {
			return errors.Join(e, backoff.RetryAfter(min(wait, 60)))
		}
		return e
	}
	if isHTML(resp.Header.Get("Content-Type")) {
		return &NotLokiError{Addr: c.Addr(), ContentType: "an HTML page"}
	}
	if err := use(plain); err != nil {
		return body.blame(err)
	}
	// Read to the end, so that the connection can be used again.
	io.Copy(io.Discard, io.LimitReader(plain, 64<<10))
	if isLines(path, params) {
		c.packing.learn(packed, plain.n, time.Since(answered))
	}
	return nil
}

func isHTML(contentType string) bool { return strings.HasPrefix(contentType, "text/html") }

// maxURLQuery is how long the parameters in an address may be: gateways take
// lines of 8 KiB. Longer ones are posted as a form, which Loki takes as well.
const maxURLQuery = 4 << 10

// request builds a request with all its headers.
func (c *Client) request(ctx context.Context, path string, params url.Values) (*http.Request, error) {
	u := *c.base
	u.Path += apiPath + path
	method, form, body := http.MethodGet, params.Encode(), io.Reader(nil)
	if len(form) > maxURLQuery {
		method, body = http.MethodPost, strings.NewReader(form)
	} else {
		u.RawQuery = form
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, withoutURL(err)
	}
	h := req.Header
	if body != nil {
		h.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	h.Set("User-Agent", "vdm-logs")
	if c.packs(path, params) {
		h.Set("Accept-Encoding", "gzip")
	}
	h.Set("X-Loki-Response-Encoding-Flags", "categorize-labels")
	if c.cfg.Tenant != "" {
		h.Set("X-Scope-OrgID", c.cfg.Tenant)
	}
	if c.cfg.QueryTags != "" {
		h.Set("X-Query-Tags", c.cfg.QueryTags)
	}
	if c.cfg.NoCache || isCount(params) {
		h.Set("Cache-Control", "no-cache")
	}
	for name, value := range c.cfg.Headers {
		h.Set(name, value)
	}
	auth := c.auth
	if c.cfg.BearerTokenFile != "" {
		token, err := os.ReadFile(c.cfg.BearerTokenFile)
		if err != nil {
			return nil, &ConfigError{Setting: "bearer token file", Err: err}
		}
		auth = "Bearer " + strings.TrimSpace(string(token))
	}
	if auth != "" {
		name := c.cfg.AuthHeader
		if name == "" {
			name = "Authorization"
		}
		h.Set(name, auth)
	}
	return req, nil
}

// isCount reports whether a request asks for numbers. The server keeps those in
// a cache, where lines that came late are not counted: what is read is compared
// with them, so they must be as new as the lines.
func isCount(params url.Values) bool {
	query := strings.TrimSpace(params.Get("query"))
	return query != "" && query[0] != '{'
}

// bodyReader remembers what reading a body failed with.
type bodyReader struct {
	r   io.Reader
	n   int64 // bytes read
	err error
}

func (b *bodyReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.n += int64(n)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// blame decides whether a decoding error is the connection's fault: then the
// request may be repeated.
func (b *bodyReader) blame(err error) error {
	if b.err != nil {
		return networkError{fmt.Errorf("reading the answer: %w", withoutURL(b.err))}
	}
	return err
}
