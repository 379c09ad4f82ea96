package transfer

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
)

const maxRedirects = 10

// try sends the request and follows redirects. answered says that a byte of a
// response had come when it failed.
func (x *exchange) try() (resp *http.Response, answered bool, err error) {
	u, header := x.url, x.header()
	for redirects := 0; ; redirects++ {
		resp, answered, err = x.roundTrip(u, header)
		if err != nil || !isRedirect(resp.StatusCode) {
			return resp, answered, err
		}
		next, err := u.Parse(resp.Header.Get("Location"))
		switch {
		case resp.Header.Get("Location") == "":
			return resp, true, nil // a status like any other
		case err != nil:
			err = x.protocol(resp, "the redirect's Location cannot be parsed")
		case next.Scheme != "http" && next.Scheme != "https" || next.Hostname() == "":
			err = x.protocol(resp, fmt.Sprintf("the redirect leads to the scheme %q", next.Scheme))
		case redirects >= maxRedirects:
			err = x.protocol(resp, fmt.Sprintf("more than %d redirects", maxRedirects))
		}
		resp.Body.Close()
		if err != nil {
			return nil, true, err
		}
		if !sameOrigin(u, next) {
			header = anywhere(header)
		}
		u = next
		x.res.Redirects++
		x.res.Target = redacted(u)
		x.emit(Event{Kind: EventRedirect, Status: resp.StatusCode})
	}
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// sameOrigin reports whether credentials for a may go to b: the same scheme
// and host, or the same host by https instead of http on the usual ports.
func sameOrigin(a, b *url.URL) bool {
	if strings.EqualFold(a.Host, b.Host) && a.Scheme == b.Scheme {
		return true
	}
	return a.Scheme == "http" && b.Scheme == "https" && strings.EqualFold(a.Hostname(), b.Hostname()) &&
		(a.Port() == "" || a.Port() == "80") && (b.Port() == "" || b.Port() == "443")
}

// anywhere returns the headers that every server may see.
func anywhere(h http.Header) http.Header {
	kept := http.Header{}
	for _, name := range []string{"Accept", "Accept-Encoding", "Accept-Language", "User-Agent", "Range", "If-Range"} {
		if v, ok := h[name]; ok {
			kept[name] = v
		}
	}
	return kept
}

func (x *exchange) header() http.Header {
	h := http.Header{}
	if x.req.Header != nil {
		h = x.req.Header.Clone()
	}
	if _, ok := h["User-Agent"]; !ok {
		h.Set("User-Agent", "vdm-logs-transfer")
	}
	if _, ok := h["Accept-Encoding"]; !ok {
		h.Set("Accept-Encoding", "identity")
	}
	if u := x.url.User; u != nil && h.Get("Authorization") == "" {
		password, _ := u.Password()
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password)))
	}
	if s := x.req.span; s != nil {
		h.Set("Range", s.header())
		if v := s.validator.String(); v != "" {
			h.Set("If-Range", v)
		}
	}
	return h
}

// roundTrip asks one address and returns when the final headers are in.
func (x *exchange) roundTrip(u *url.URL, header http.Header) (*http.Response, bool, error) {
	rt, standard := x.c.transport()
	h := &hop{x: x}
	own := *u
	own.User = nil
	req := (&http.Request{Method: http.MethodGet, URL: &own, Host: own.Host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).
		WithContext(httptrace.WithClientTrace(x.ctx, h.trace(mayQueue(rt))))
	var resp *http.Response
	var err error
	if standard {
		resp, err = rt.RoundTrip(req)
	} else {
		resp, err = x.guarded(rt, req)
	}
	timings, answered := h.end()
	timings.LongestSilence = x.res.Timings.LongestSilence
	x.res.Timings = timings
	if err == nil && resp == nil {
		err = errors.New("the injected transport returned neither a response nor an error")
	}
	if err != nil {
		return nil, answered, err
	}
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	return resp, true, nil
}

// mayQueue reports whether a round tripper makes requests wait for each other's
// connections and is seen to dial when the wait is over. Diallers of others
// need not be: a wait that nobody sees the end of could be one of for ever.
func mayQueue(rt http.RoundTripper) bool {
	t, ok := rt.(*http.Transport)
	return ok && t.MaxConnsPerHost > 0 && t.DialContext == nil && t.DialTLSContext == nil
}

// guarded is for round trippers of others, which may not notice that their
// context has ended: it is not this call that then hangs.
func (x *exchange) guarded(rt http.RoundTripper, req *http.Request) (*http.Response, error) {
	type answer struct {
		resp *http.Response
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		resp, err := rt.RoundTrip(req)
		done <- answer{resp, err}
	}()
	select {
	case a := <-done:
		return a.resp, a.err
	case <-x.ctx.Done():
	}
	go func() {
		if a := <-done; a.resp != nil && a.resp.Body != nil {
			a.resp.Body.Close()
		}
	}()
	return nil, context.Cause(x.ctx)
}
