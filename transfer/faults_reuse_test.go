package transfer_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
)

const kept = okLine + "Content-Length: 5\r\n\r\nhello"

// TestKeptConnections makes several transfers one after the other, over
// connections that the server has promised to keep.
func TestKeptConnections(t *testing.T) {
	tests := []struct {
		name        string
		script      func(*peer)
		stalls      []bool // what each transfer must come to
		connections int
	}{
		{name: "kept", script: func(p *peer) {
			for p.request() != nil {
				p.send(kept)
			}
		}, stalls: []bool{false, false, false}, connections: 1},
		{name: "closed after each answer, unannounced", script: func(p *peer) {
			p.request()
			p.send(kept)
		}, stalls: []bool{false, false, false}, connections: 3},
		{name: "reset at the second request", script: func(p *peer) {
			p.request()
			p.send(kept)
			if p.request() != nil {
				p.reset()
			}
		}, stalls: []bool{false, false, false}, connections: 3},
		{name: "silent at the second request, only once", script: func(p *peer) {
			p.request()
			p.send(kept)
			p.request()
			if p.n == 1 {
				p.silence()
				return
			}
			p.send(kept)
		}, stalls: []bool{false, true, false, false}, connections: 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := serveBadly(t, nil, tt.script)
			defer server.close()
			client := &transfer.Client{Retry: transfer.Retry{Base: time.Millisecond}, Budget: transfer.Budget{Duration: faultBudget}}
			defer client.CloseIdleConnections()
			for i, stalls := range tt.stalls {
				res, err := client.Get(t.Context(), transfer.Request{URL: "http://" + server.addr})
				if errors.Is(err, transfer.ErrStalled) != stalls || !stalls && (err != nil || string(res.Body) != "hello") {
					t.Errorf("transfer %d: %q, error %v; want a stall: %v", i+1, res.Body, err, stalls)
				}
			}
			if got := server.connections(); got != tt.connections {
				t.Errorf("%d connections were made, want %d", got, tt.connections)
			}
		})
	}
}

// TestStreamsAreApart lets one of several transfers over one HTTP/2 connection
// stall: the others must not notice.
func TestStreamsAreApart(t *testing.T) {
	f := fault{tls: serverTLS("h2"), script: func(p *peer) {
		if !p.preface() {
			return
		}
		answer := func(stream uint32) {
			p.send("%s", frame(frameHeaders, flagEndHeaders, stream, status200+length(5)))
			if stream != 3 {
				p.send("%s", frame(frameData, flagEnd, stream, "hello"))
			}
		}
		answer(1)
		for stream := p.nextRequest(); stream != 0; stream = p.nextRequest() {
			answer(stream)
		}
	}}
	server := serveBadly(t, f.tls, f.script)
	defer server.close()
	client, closeClient := f.client()
	defer closeClient()
	var mu sync.Mutex
	complete, stalled := 0, 0
	get := func() {
		_, err := client.Get(t.Context(), transfer.Request{URL: "https://" + server.addr})
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			complete++
		case errors.Is(err, transfer.ErrBodyStalled):
			stalled++
		default:
			t.Error(err)
		}
	}
	get() // makes the connection
	var wg sync.WaitGroup
	for range 9 {
		wg.Go(get)
	}
	wg.Wait()
	if complete != 9 || stalled != 1 || server.connections() != 1 {
		t.Errorf("%d complete, %d stalled over %d connections; want 9, 1, 1", complete, stalled, server.connections())
	}
}
