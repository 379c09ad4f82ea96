package limiter_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer/limiter"
)

func TestReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := bytes.Repeat([]byte("0123456789abcdef"), 16<<10) // 256 KiB
		l := limiter.New(128<<10, limiter.WithBurst(0))
		start := time.Now()
		r := l.NewTask(0, 1).Reader(t.Context(), bytes.NewReader(data))
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("read %d bytes, error %v; want the %d bytes written", len(got), err, len(data))
		}
		if took := time.Since(start).Round(time.Millisecond); took != 2*time.Second {
			t.Errorf("256 KiB at 128 KiB/s took %v", took)
		}
		if r.Waited().Round(time.Millisecond) != 2*time.Second {
			t.Errorf("Waited() = %v, want 2s", r.Waited())
		}
	})
}

func TestReaderErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault := errors.New("fault")
		done, cancel := context.WithCancel(t.Context())
		cancel()
		tests := []struct {
			name  string
			ctx   context.Context
			r     io.Reader
			bytes int
			want  error
		}{
			{"end", t.Context(), iotest.DataErrReader(bytes.NewReader([]byte("abc"))), 3, io.EOF},
			{"fault", t.Context(), iotest.ErrReader(fault), 0, fault},
			{"cancelled", done, bytes.NewReader([]byte("abc")), 3, context.Canceled},
			{"fault before cancellation", done, iotest.ErrReader(fault), 0, fault},
		}
		for _, tt := range tests {
			r := limiter.New(1<<10).NewTask(0, 1).Reader(tt.ctx, tt.r)
			n, err := r.Read(make([]byte, 8))
			if n != tt.bytes || err != tt.want {
				t.Errorf("%s: Read = %d, %v, want %d, %v", tt.name, n, err, tt.bytes, tt.want)
			}
		}
	})
}

// stingy takes so many bytes and then fails.
type stingy struct {
	takes int
	err   error
	got   bytes.Buffer
}

func (s *stingy) Write(p []byte) (int, error) {
	n := min(len(p), s.takes)
	s.takes -= n
	s.got.Write(p[:n])
	if n < len(p) {
		return n, s.err
	}
	return n, nil
}

func TestWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := bytes.Repeat([]byte("x"), 200<<10)
		fault := errors.New("disk full")
		tests := []struct {
			name    string
			w       *stingy
			written int
			want    error
			took    time.Duration
		}{
			{"all", &stingy{takes: 1 << 20}, 200 << 10, nil, 2 * time.Second},
			{"fault", &stingy{takes: 100 << 10, err: fault}, 100 << 10, fault, 1280 * time.Millisecond},
			{"short", &stingy{takes: 100 << 10}, 100 << 10, io.ErrShortWrite, 1280 * time.Millisecond},
		}
		for _, tt := range tests {
			l := limiter.New(100<<10, limiter.WithBurst(time.Second))
			task := l.NewTask(0, 1)
			if err := task.Wait(t.Context(), 100<<10); err != nil { // the burst
				t.Fatal(err)
			}
			start := time.Now()
			w := task.Writer(t.Context(), tt.w)
			n, err := w.Write(data)
			if n != tt.written || err != tt.want || tt.w.got.Len() != n {
				t.Errorf("%s: Write = %d, %v, want %d, %v", tt.name, n, err, tt.written, tt.want)
			}
			if took := time.Since(start).Round(time.Millisecond); took != tt.took || w.Waited().Round(time.Millisecond) != tt.took {
				t.Errorf("%s: took %v, waited %v, want %v", tt.name, took, w.Waited(), tt.took)
			}
			// What was not written was given back: the next takes as long as
			// if only what was written had been asked for.
			if err := task.Wait(t.Context(), 50<<10); err != nil {
				t.Fatal(err)
			}
			paid := tt.written + 50<<10
			if took, want := time.Since(start).Round(time.Millisecond), seconds(paid, 100<<10).Round(time.Millisecond); took != want {
				t.Errorf("%s: %d bytes took %v, want %v", tt.name, paid, took, want)
			}
		}
	})
}
