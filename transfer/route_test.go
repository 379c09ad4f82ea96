package transfer

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// TestRegistryRoute gets a blob as an OCI registry serves it: by its digest,
// by way of a redirect to where the bytes are.
func TestRegistryRoute(t *testing.T) {
	blob := []byte("layer")
	sum := fmt.Sprintf("sha256:%x", sha256.Sum256(blob))
	for name, sent := range map[string]string{"right": "layer", "wrong": "lawyer"} {
		t.Run(name, inBubble(func(t *testing.T) {
			s := servePipe(t, func(c *serverConn, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/v2/") {
					c.send("HTTP/1.1 307 Temporary Redirect\r\nDocker-Content-Digest: %s\r\nLocation: http://blobs.test/x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", sum)
					return
				}
				c.send("HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(sent), sent)
			})
			res, err := s.client(t, testBudget).Get(context.Background(), Request{URL: s.URL + "/v2/org/image/blobs/" + sum})
			if name == "right" {
				if err != nil || res.Digest != sum || string(res.Body) != sent || res.Redirects != 1 || res.Attempts != 1 {
					t.Errorf("error = %v, result %+v", err, res)
				}
			} else if KindOf(err) != KindDigest || res.Digest == sum {
				t.Errorf("error = %v, digest %s", err, res.Digest)
			}
		}))
	}
}

func TestDigests(t *testing.T) {
	body := "hello"
	for digest, kind := range map[string]Kind{
		"sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824":                                                                 "",
		"SHA256:2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824":                                                                 "",
		"sha384:59e1748777448c69de6b800d7a33bbfb9ff1b463e44354c3553bcdb9c666fa90125a3c79f90397bdf5f6a13de828684f":                                 "",
		"sha512:9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca72323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043": "",
		"sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d":                                                                                           "",
		"md5:5d41402abc4b2a76b9719d911017c592":                                                                                                    "",
		"md5:5d41402abc4b2a76b9719d911017c593":                                                                                                    KindDigest,
	} {
		c := &Client{Transport: roundTripFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}, nil
		})}
		res, err := c.Get(context.Background(), Request{URL: "http://registry.test/", Digest: digest})
		if KindOf(err) != kind || kind == "" && res.Digest != strings.ToLower(digest) {
			t.Errorf("%s: error = %v, digest %s", digest, err, res.Digest)
		}
	}
}

func TestRequestErrors(t *testing.T) {
	for _, req := range []Request{
		{URL: "registry.test/index.json"}, {URL: "ftp://registry.test/"}, {URL: "http://"}, {URL: "http://h/%zz?secret"}, {},
		{URL: "http://h/", Digest: "sha256:abc"}, {URL: "http://h/", Digest: "crc32:00000000"}, {URL: "http://h/", Digest: "2cf24d"},
		{URL: "http://h/", ComputeDigest: "crc32"},
	} {
		res, err := new(Client).Get(context.Background(), req)
		var wrong *RequestError
		if !errors.As(err, &wrong) || strings.Contains(err.Error(), "secret") || res == nil || res.Attempts != 0 || res.BytesDeclared != Unknown {
			t.Errorf("%+v: error = %v, result %+v", req, err, res)
		}
	}
}

// TestEvents pins which events a transfer tells, in which order.
func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := servePipe(t, func(c *serverConn, r *http.Request) {
			switch {
			case c.n == 1:
				c.send("HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			case c.n == 2:
				c.send("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			default:
				c.send("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nda")
				c.send("ta")
			}
		})
		c := s.client(t, testBudget)
		c.Limiter = pacer(1)
		var got []string
		c.Observer = func(e Event) {
			line := string(e.Kind)
			switch e.Kind {
			case EventPhase:
				line += " " + string(e.Phase)
			case EventProgress:
				line += fmt.Sprintf(" %d: %d of %d", e.Bytes, e.BytesReceived, e.BytesDeclared)
			case EventInformational, EventRedirect, EventResponse, EventRetry:
				line += fmt.Sprintf(" %d", e.Status)
			}
			got = append(got, line)
		}
		if _, err := c.Get(context.Background(), Request{URL: s.URL}); err != nil {
			t.Fatal(err)
		}
		asked := []string{"phase send", "phase headers"}
		want := append([]string{"start"}, asked...)
		want = append(append(want, "retry 503"), asked...)
		want = append(append(want, "redirect 302"), asked...)
		want = append(want, "informational 103", "response 200", "phase body", "progress 2: 2 of 4", "queued", "progress 2: 4 of 4", "queued", "done")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	})
}

func TestKindOf(t *testing.T) {
	tests := []struct {
		err  error
		want Kind
	}{
		{nil, ""},
		{&Error{}, ""},
		{fmt.Errorf("reading: %w", &Fault{Kind: KindDigest}), KindDigest},
		{context.Canceled, KindCancelled},
		{&BudgetError{}, KindDeadline},
		{&net.DNSError{IsNotFound: true}, KindNotFound},
		{&net.DNSError{IsTimeout: true}, KindTimeout},
		{&net.OpError{Err: syscall.ECONNREFUSED}, KindRefused},
		{&net.OpError{Err: syscall.ECONNRESET}, KindReset},
		{&net.OpError{Err: syscall.ETIMEDOUT}, KindTimeout},
		{io.EOF, KindClosed},
		{&tls.CertificateVerificationError{Err: errors.New("x")}, KindTLS},
		{errors.New("x"), KindOther},
	}
	for _, tt := range tests {
		if got := KindOf(tt.err); got != tt.want {
			t.Errorf("KindOf(%#v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}

// TestTLSAndHTTP2 talks to a real server of both.
func TestTLSAndHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	unknown := &Client{}
	_, err := unknown.Get(context.Background(), Request{URL: server.URL})
	unknown.CloseIdleConnections()
	if KindOf(err) != KindTLS {
		t.Errorf("an unknown authority: %v of kind %s", err, KindOf(err))
	}
	tr := NewTransport()
	tr.TLSClientConfig = &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	defer tr.CloseIdleConnections()
	res, err := (&Client{Transport: tr}).Get(context.Background(), Request{URL: server.URL})
	if err != nil || string(res.Body) != "HTTP/2.0" || res.Proto != "HTTP/2.0" || res.Timings.TLS == 0 || res.Timings.Connect == 0 || res.Timings.RemoteAddr == "" {
		t.Errorf("error = %v, result %+v", err, res)
	}
}

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"https://h/p":                          "https://h/p",
		"https://u:p@h:8443/p#f":               "https://h:8443/p",
		"https://h/p?token=abc&page=2&x":       "https://h/p?token=…&page=2&x",
		"https://h/p?blob=0123456789abcdef":    "https://h/p?blob=…",
		"https://h/p?X-Goog-Signature=a;b=c":   "https://h/p?X-Goog-Signature=…",
		"https://h/p?Password=%20&sort=up&k=":  "https://h/p?Password=…&sort=up&k=",
		"https://h/%zz":                        "…",
		"https://h/p?access_token&api_key=abc": "https://h/p?access_token&api_key=…",
	} {
		if got := Redact(in); got != want {
			t.Errorf("Redact(%q) = %q, want %q", in, got, want)
		}
	}
}
