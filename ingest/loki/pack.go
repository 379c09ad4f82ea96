package loki

import (
	"io"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	// packTrials is how many large answers are looked at of each kind before
	// one is chosen.
	packTrials = 3
	// packAgain is how many answers of the chosen kind go by before one of the
	// other is asked for: the way to the server may have changed.
	packAgain = 100
	// packFrom is how large an answer must be, unpacked, to tell anything.
	packFrom = 256 << 10
	// packWorth is how much faster plain answers must come to be preferred:
	// packed ones spare the network.
	packWorth = 1.5
)

// packing decides whether the server is asked to pack its answers with lines.
// Packing costs it more time than a fast network saves, and saves most of the
// time on a slow one: both are tried, and the one that brings more text in a
// second is used. Several goroutines may use it.
type packing struct {
	mu            sync.Mutex
	packed, plain rate
	sinceOther    int // answers of the chosen kind since one of the other
}

// rate is how fast text came lately.
type rate struct {
	seen  int
	bytes float64 // of text a second
}

func (r *rate) learn(bytes float64) {
	r.seen++
	if r.seen == 1 {
		r.bytes = bytes
		return
	}
	r.bytes += (bytes - r.bytes) / 4
}

// ask reports whether the next answer shall be packed.
func (p *packing) ask() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.packed.seen < packTrials:
		return true
	case p.plain.seen < packTrials:
		return false
	}
	best := p.plain.bytes < p.packed.bytes*packWorth
	if p.sinceOther++; p.sinceOther > packAgain {
		p.sinceOther = 0
		return !best
	}
	return best
}

// learn takes in how long the body of an answer took, from its header on, and
// how much text it held.
func (p *packing) learn(packed bool, text int64, took time.Duration) {
	if text < packFrom {
		return
	}
	bytes := float64(text) / max(took, time.Microsecond).Seconds()
	p.mu.Lock()
	defer p.mu.Unlock()
	if packed {
		p.packed.learn(bytes)
	} else {
		p.plain.learn(bytes)
	}
}

// packs reports whether an answer shall be packed: always where it is small,
// and as is faster where it holds lines, unless the settings decide.
func (c *Client) packs(path string, params url.Values) bool {
	switch {
	case c.cfg.NoCompression:
		return false
	case c.cfg.Compression || !isLines(path, params):
		return true
	}
	return c.packing.ask()
}

// isLines reports whether a request asks for log lines.
func isLines(path string, params url.Values) bool {
	return path == "/query_range" && strings.HasPrefix(strings.TrimSpace(params.Get("query")), "{")
}

// countingReader counts what is read through it.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
