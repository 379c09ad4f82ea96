package transfer

import (
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Retry bounds what is tried again: answers with a 5xx status (501 and 505
// excepted) or 429, and connections that were refused, or reset or closed
// before a byte of a response. All tries share one stall budget up to the
// final headers, and no try begins that could not wait its turn within it. A
// stall is never tried again, and neither is anything after the final headers.
type Retry struct {
	// Attempts is how often the request is sent at most; 0 means 3, 1 never
	// tries again.
	Attempts int
	// Base is the wait before the second try, which doubles for each later
	// one; 0 means 100 ms. Half of each wait is random.
	Base time.Duration
	// Max bounds one wait of the client's choosing; 0 means 2 s.
	Max time.Duration
	// MaxAfter bounds the wait that a server may ask for with Retry-After; 0
	// means 10 s. An answer that asks for more is final.
	MaxAfter time.Duration
}

func (r Retry) attempts() int { return orDefault(r.Attempts, 3) }

func orDefault[T int | time.Duration](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}

// wait returns how long to wait after the given attempt, from 1.
func (r Retry) wait(attempt int, random float64) time.Duration {
	d := orDefault(r.Base, 100*time.Millisecond)
	limit := orDefault(r.Max, 2*time.Second)
	for ; attempt > 1 && d < limit; attempt-- {
		d *= 2
	}
	d = min(d, limit)
	return d/2 + time.Duration(random*float64(d/2))
}

func (c *Client) random() float64 {
	if c.Rand != nil {
		return c.Rand()
	}
	return rand.Float64()
}

func retryStatus(status int) bool {
	return status == http.StatusTooManyRequests ||
		status >= 500 && status != http.StatusNotImplemented && status != http.StatusHTTPVersionNotSupported
}

// retryError reports whether err is a fast transient fault of a request of
// which no response byte has come.
func retryError(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || KindOf(err) == KindClosed || isStreamReset(err)
}

// parseRetryAfter reads the header's two forms, seconds and a date. It returns
// false for anything else; a date that is past is a wait of 0.
func parseRetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0, false
	}
	if strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64((1<<63-1)/time.Second) {
			return 1<<63 - 1, true
		}
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(at.Sub(now), 0), true
}
