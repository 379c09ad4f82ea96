package loki

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/common/config"
	"golang.org/x/oauth2"
)

// httpConfig is what the fields of c say, on top of HTTP.
func (c *Config) httpConfig() (config.HTTPClientConfig, error) {
	common := config.HTTPClientConfig{FollowRedirects: true}
	if c.HTTP != nil {
		common = *c.HTTP
	}
	tls := &common.TLSConfig
	for _, o := range []struct {
		into *string
		with string
	}{{&tls.CAFile, c.CAFile}, {&tls.CertFile, c.CertFile}, {&tls.KeyFile, c.KeyFile}, {&tls.ServerName, c.ServerName}} {
		if o.with != "" {
			*o.into = o.with
		}
	}
	tls.InsecureSkipVerify = tls.InsecureSkipVerify || c.InsecureSkipVerify
	switch {
	case c.ProxyURL != "":
		proxy, err := url.Parse(c.ProxyURL)
		if err != nil || proxy.Host == "" {
			return common, &ConfigError{Setting: "proxy", Err: errors.New("not a URL")}
		}
		common.ProxyURL = config.URL{URL: proxy}
		common.ProxyFromEnvironment = false
	case c.ProxyFromEnvironment && common.ProxyURL.URL == nil:
		common.ProxyFromEnvironment = true
	}
	if err := common.Validate(); err != nil {
		return common, &ConfigError{Setting: "connection", Err: err}
	}
	return common, nil
}

// notSent tells what is wrong with the settings from what is wrong with the
// network when a request ends without an answer.
func (c *Client) notSent(err error) error {
	err = withoutURL(err)
	var file *fs.PathError
	var token *oauth2.RetrieveError
	switch {
	case errors.As(err, &file):
		return &ConfigError{Setting: "credentials", Err: err}
	case errors.As(err, &token) && token.Response != nil:
		return &StatusError{Code: token.Response.StatusCode, Message: oneLine([]byte("from the OAuth 2 token server: " + token.ErrorCode + " " + token.ErrorDescription))}
	}
	return networkError{err}
}

// logRequest tells of one answer.
func (c *Client) logRequest(path string, params url.Values, resp *http.Response, bytes int64, took time.Duration) {
	if !c.log.Enabled(context.Background(), slog.LevelInfo) {
		return
	}
	attrs := []any{"path", path, "status", resp.StatusCode, "bytes", bytes, "took", took.Round(time.Millisecond)}
	for _, name := range []string{"query", "start", "end", "time", "limit", "step", "direction"} {
		if v := params.Get(name); v != "" {
			attrs = append(attrs, name, v)
		}
	}
	c.log.Info("request", attrs...)
}

// withoutSecrets blanks what authorized the request in a text that came back:
// some gateways repeat the headers that they refuse.
func withoutSecrets(text []byte, req *http.Request) []byte {
	if req == nil {
		return text
	}
	blank := func(secret string) {
		if len(secret) >= 4 {
			text = bytes.ReplaceAll(text, []byte(secret), []byte("<secret>"))
		}
	}
	for name, values := range req.Header {
		if plainHeaders[name] {
			continue
		}
		for _, v := range values {
			blank(v)
			scheme, rest, found := strings.Cut(v, " ")
			if !found {
				continue
			}
			blank(rest)
			if strings.EqualFold(scheme, "basic") {
				if pair, err := base64.StdEncoding.DecodeString(rest); err == nil {
					_, password, _ := strings.Cut(string(pair), ":")
					blank(password)
				}
			}
		}
	}
	return text
}

// plainHeaders hold no secrets.
var plainHeaders = map[string]bool{
	"User-Agent": true, "Accept-Encoding": true, "X-Loki-Response-Encoding-Flags": true, "X-Scope-Orgid": true,
	"X-Query-Tags": true, "Cache-Control": true, "Accept": true, "Referer": true,
}
