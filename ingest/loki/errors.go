package loki

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
)

// StatusError is an answer of the server that is no success.
type StatusError struct {
	Code int
	// Message is what the server says, in one line and cut short.
	Message string
}

// Error tells the status and the server's words.
func (e *StatusError) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("Loki answered with status %d", e.Code)
	}
	return fmt.Sprintf("Loki answered with status %d: %s", e.Code, e.Message)
}

// Refused reports whether the server refuses who asks, not what is asked.
func (e *StatusError) Refused() bool { return e.Code == 401 || e.Code == 403 }

// temporary reports whether asking again may help: the server's own list.
func (e *StatusError) temporary() bool {
	switch e.Code {
	case 429, 500, 502, 503, 504:
		return true
	}
	return false
}

// UnreachableError says that the server did not answer at all, or broke off,
// as often as it was asked.
type UnreachableError struct {
	// Addr is the server's address, without credentials.
	Addr string
	Err  error
}

// Error tells the address and the cause.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("Loki at %s cannot be reached: %v", e.Addr, e.Err)
}

// Unwrap returns the cause.
func (e *UnreachableError) Unwrap() error { return e.Err }

// NotLokiError says that what answers at the address is no Loki.
type NotLokiError struct {
	Addr        string
	ContentType string
}

// Error tells the address and what came.
func (e *NotLokiError) Error() string {
	return fmt.Sprintf("what answers at %s is no Loki: it sent %s instead of JSON; is a path prefix missing?", e.Addr, e.ContentType)
}

// ConfigError is a setting that cannot be used.
type ConfigError struct {
	// Setting is the environment variable or field.
	Setting string
	Err     error
}

// Error names the setting.
func (e *ConfigError) Error() string { return e.Setting + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ConfigError) Unwrap() error { return e.Err }

// withoutURL takes the request's URL, which may hold a password, out of an
// error of net/http.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// brokeOff reports whether err is an answer that never came or was cut off,
// which a server also does when an answer is too large for it.
func brokeOff(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errCutOff) ||
		errors.As(err, &timeout) && timeout.Timeout() && !errors.Is(err, context.Canceled)
}

// notConnected reports whether there was no connection to the server.
func notConnected(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// oneLine makes a server's words fit into an error.
func oneLine(b []byte) string {
	const limit = 400
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(b), "?")), " ")
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + " ..."
	}
	return s
}
