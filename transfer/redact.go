package transfer

import (
	"net/url"
	"strings"
)

// Redact returns a URL as this package shows it: without user and fragment,
// and with the values of query parameters hidden, save short ones under
// harmless names. What cannot be parsed is hidden whole.
func Redact(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "…"
	}
	return redacted(u)
}

// redacted is Redact. Signed addresses carry their secret in the query.
func redacted(u *url.URL) string {
	if u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return u.String()
	}
	c := *u
	c.User, c.Fragment, c.RawFragment = nil, "", ""
	if c.RawQuery != "" {
		parts := strings.Split(c.RawQuery, "&")
		for i, p := range parts {
			name, value, found := strings.Cut(p, "=")
			if found && value != "" && (len(value) > 15 || soundsSecret(name)) {
				parts[i] = name + "=…"
			}
		}
		c.RawQuery = ""
		return c.String() + "?" + strings.Join(parts, "&")
	}
	return c.String()
}

func soundsSecret(name string) bool {
	name = strings.ToLower(name)
	for _, s := range []string{"token", "sig", "key", "secret", "pass", "pwd", "auth", "cred", "code", "session", "jwt", "sas", "ticket", "otp"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}

// peerOf returns the host of a redacted address.
func peerOf(target string) string {
	if u, err := url.Parse(target); err == nil && u.Host != "" {
		return u.Host
	}
	return target
}
