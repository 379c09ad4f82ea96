package transfer

import (
	"encoding/hex"
	"hash"
	"io"
	"sync"
)

// follower digests a file that is being written, as far as it is whole from
// its start, in a goroutine of its own.
type follower struct {
	algorithm string
	file      io.ReaderAt

	mu    sync.Mutex
	moved *sync.Cond
	limit int64
	ended bool

	done chan struct{}
	hash hash.Hash
	err  error
}

func follow(algorithm string, file io.ReaderAt) *follower {
	f := &follower{algorithm: algorithm, file: file, done: make(chan struct{}), hash: newHash(algorithm)}
	f.moved = sync.NewCond(&f.mu)
	go f.run()
	return f
}

// advance says that the file is whole up to limit.
func (f *follower) advance(limit int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if limit > f.limit {
		f.limit = limit
		f.moved.Signal()
	}
}

func (f *follower) run() {
	defer close(f.done)
	buf := make([]byte, chunkSize)
	for at := int64(0); ; {
		f.mu.Lock()
		for f.limit == at && !f.ended {
			f.moved.Wait()
		}
		n := min(f.limit-at, int64(len(buf)))
		f.mu.Unlock()
		if n == 0 {
			return
		}
		if _, err := f.file.ReadAt(buf[:n], at); err != nil {
			f.err = err
			return
		}
		f.hash.Write(buf[:n])
		at += n
	}
}

// sum ends the goroutine, once it has come to the limit, and returns the
// digest.
func (f *follower) sum() (string, error) {
	f.mu.Lock()
	f.ended = true
	f.moved.Signal()
	f.mu.Unlock()
	<-f.done
	return f.algorithm + ":" + hex.EncodeToString(f.hash.Sum(nil)), f.err
}
