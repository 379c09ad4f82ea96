package transfer

import (
	"context"
	"io"
)

// guardedBody reads a body of others in a goroutine of its own. Such a body may
// notice neither the end of its context nor its own Close; it is then left
// behind, and not waited for. It costs a copy, which net/http's own bodies are
// spared.
type guardedBody struct {
	c    *Client
	ctx  context.Context
	body io.Reader
	buf  *[]byte // the goroutine's, while a read is under way
	ask  chan int
	got  chan readResult
	away bool // a read is under way
}

type readResult struct {
	n   int
	err error
}

func (c *Client) guardBody(ctx context.Context, body io.Reader) *guardedBody {
	g := &guardedBody{c: c, ctx: ctx, body: body, buf: c.buffer(), ask: make(chan int), got: make(chan readResult, 1)}
	go func() {
		for n := range g.ask {
			n, err := g.body.Read((*g.buf)[:n])
			g.got <- readResult{n, err}
		}
	}()
	return g
}

// Read reads from the body, or returns the context's error when that ends
// first. It must not be called after that.
func (g *guardedBody) Read(p []byte) (int, error) {
	g.away = true
	g.ask <- min(len(p), len(*g.buf))
	var r readResult
	select {
	case r = <-g.got:
	case <-g.ctx.Done():
		select {
		case r = <-g.got: // both have come: the bytes count
		default:
			return 0, g.ctx.Err()
		}
	}
	g.away = false
	return copy(p, (*g.buf)[:r.n]), r.err
}

// stop ends the goroutine, as soon as the body lets it.
func (g *guardedBody) stop() {
	close(g.ask)
	if !g.away {
		g.c.buffers.Put(g.buf)
	}
}
