package transfer

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// The files beside the one that is being made. Both are gone when it is there.
const (
	partSuffix  = ".part"
	stateSuffix = ".part.json"
)

// checkpointEvery is how often a transfer that may be gone on with notes how
// far it is; a process that is killed loses no more than that.
const checkpointEvery = time.Second

// partState is what is known about a part file. It never claims bytes that
// are not on disk.
type partState struct {
	Version   int       `json:"version"`
	Object    string    `json:"object"` // a hash of the address, which may hold secrets
	Validator validator `json:"validator"`
	Total     int64     `json:"total"`
	// Done are the parts [from, to) that are there, sorted, not touching.
	Done [][2]int64 `json:"done"`
}

const partVersion = 1

func objectID(url string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(url))) }

// part is a file in the making. Its sections are written by a goroutine each.
type part struct {
	path   string // of the part file
	dest   string
	keep   bool // it may be gone on with by a later transfer
	object string
	clock  Clock

	f  *os.File
	mu sync.Mutex
	// validator and total are those of the version being read.
	validator validator
	total     int64
	sections  []*section
	done      [][2]int64 // before the sections
	saved     time.Time
	digest    *follower
}

// destination returns where a file at path is really to be made: behind a
// symbolic link, if it is one. What is there and is no regular file, such as
// /dev/null, must not be replaced by one.
func destination(path string) (string, error) {
	there, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return path, nil
	case err != nil:
		return "", err
	case !there.Mode().IsRegular():
		return "", &RequestError{Msg: fmt.Sprintf("%s is there and is no regular file", path)}
	}
	return filepath.EvalSymlinks(path)
}

// openPart opens the part file of dest: with keep the one that is there, else
// a new one of its own name, so that several transfers cannot meet in it.
func openPart(dest, url string, keep bool, clock Clock) (*part, error) {
	p := &part{dest: dest, keep: keep, object: objectID(url), clock: clock, total: Unknown, saved: clock.Now()}
	if !keep {
		return p, p.openNew()
	}
	p.path = dest + partSuffix
	for {
		var err error
		if p.f, err = os.OpenFile(p.path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
			return nil, err
		}
		if err := lockFile(p.f); err != nil {
			p.f.Close()
			return nil, &RequestError{Msg: fmt.Sprintf("another transfer is writing %s", p.path)}
		}
		// Another transfer may have finished, and renamed the file, between
		// its opening here and its locking.
		opened, err1 := p.f.Stat()
		named, err2 := os.Stat(p.path)
		if err1 == nil && err2 == nil && os.SameFile(opened, named) {
			break
		}
		p.f.Close()
	}
	p.load()
	return p, nil
}

// openNew makes a part file under a name that nobody has.
func (p *part) openNew() (err error) {
	for {
		p.path = filepath.Join(filepath.Dir(p.dest), fmt.Sprintf(".%s.%08x%s", filepath.Base(p.dest), rand.Uint32(), partSuffix))
		if p.f, err = os.OpenFile(p.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); !errors.Is(err, os.ErrExist) {
			return err
		}
	}
}

// load reads the state. Whatever is not wholly right counts as not there.
func (p *part) load() {
	raw, err := os.ReadFile(p.dest + stateSuffix)
	if err != nil {
		return
	}
	var s partState
	size, err2 := p.f.Seek(0, io.SeekEnd)
	if json.Unmarshal(raw, &s) != nil || err2 != nil || s.Version != partVersion || s.Object != p.object || s.Validator == (validator{}) || s.Total < Unknown {
		return
	}
	last := int64(0)
	for i, r := range s.Done {
		if r[0] < last || r[0] >= r[1] || r[1] > size || s.Total >= 0 && r[1] > s.Total || i > 0 && r[0] == last || s.Total < 0 && (i > 0 || r[0] != 0) {
			return
		}
		last = r[1]
	}
	p.validator, p.total, p.done = s.Validator, s.Total, s.Done
}

// have returns how many bytes are there.
func (p *part) have() (n int64) {
	for _, r := range p.ranges() {
		n += r[1] - r[0]
	}
	return n
}

// prefix returns how far the file is whole from its start. It is asked for
// with every chunk and allocates nothing.
func (p *part) prefix() (at int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for moved := true; moved; {
		moved = false
		for _, r := range p.done {
			if r[0] <= at && at < r[1] {
				at, moved = r[1], true
			}
		}
		for _, s := range p.sections {
			if s.from <= at && at < s.at {
				at, moved = s.at, true
			}
		}
	}
	return at
}

// gaps returns what is missing; the last gap of an object of unknown size
// ends at -1.
func (p *part) gaps() [][2]int64 {
	var gaps [][2]int64
	at := int64(0)
	for _, r := range p.ranges() {
		if r[0] > at {
			gaps = append(gaps, [2]int64{at, r[0]})
		}
		at = r[1]
	}
	if p.total < 0 {
		return append(gaps, [2]int64{at, -1})
	}
	if at < p.total {
		gaps = append(gaps, [2]int64{at, p.total})
	}
	return gaps
}

// restart forgets everything and prepares for another version.
func (p *part) restart(v validator, total int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.validator, p.total, p.done, p.sections = v, total, nil, nil
	if err := os.Remove(p.dest + stateSuffix); p.keep && err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return p.f.Truncate(0)
}

// section is a stretch of the file that one goroutine writes.
type section struct {
	p        *part
	from, at int64
	// overlap are bytes that are there already and must come again.
	overlap []byte
}

// errChanged says that the bytes that came again are not those that are there.
var errChanged = errors.New("the object changed: bytes that are there already came again, and differ")

// section opens a section at from. The first again bytes before it are read
// and expected to come first.
func (p *part) section(from, again int64) (*section, error) {
	s := &section{p: p, from: from, at: from}
	if again > 0 {
		s.overlap = make([]byte, again)
		if _, err := p.f.ReadAt(s.overlap, from-again); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sections = append(p.sections, s)
	return s, nil
}

// Write puts b where the section has come to.
func (s *section) Write(b []byte) (int, error) {
	again := min(len(b), len(s.overlap))
	if !bytes.Equal(b[:again], s.overlap[:again]) {
		return 0, errChanged
	}
	s.overlap = s.overlap[again:]
	n, err := s.p.f.WriteAt(b[again:], s.at)
	s.p.mu.Lock()
	s.at += int64(n)
	due := s.p.keep && s.p.validator != validator{} && s.p.clock.Now().Sub(s.p.saved) >= checkpointEvery
	if due {
		s.p.saved = s.p.clock.Now()
	}
	s.p.mu.Unlock()
	if s.p.digest != nil {
		s.p.digest.advance(s.p.prefix())
	}
	if err == nil && due {
		err = s.p.save()
	}
	return again + n, err
}

// ranges returns what is there, merged and sorted.
func (p *part) ranges() [][2]int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := slices.Clone(p.done)
	for _, s := range p.sections {
		if s.at > s.from {
			all = append(all, [2]int64{s.from, s.at})
		}
	}
	slices.SortFunc(all, func(a, b [2]int64) int { return int(min(max(a[0]-b[0], -1), 1)) })
	merged := all[:0]
	for _, r := range all {
		if n := len(merged); n > 0 && r[0] <= merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], r[1])
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

// save notes what is there, after it has reached the disk.
func (p *part) save() error {
	s := partState{Version: partVersion, Object: p.object, Validator: p.validator, Total: p.total, Done: p.ranges()}
	if err := p.f.Sync(); err != nil {
		return err
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	name := p.dest + stateSuffix
	if err := os.WriteFile(name+".new", raw, 0o666); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// commit makes the part the file.
func (p *part) commit() error {
	if there, err := os.Stat(p.dest); err == nil {
		// The new file is as private as the one that it replaces.
		if err := p.f.Chmod(there.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := p.f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(p.path, p.dest); err != nil {
		return err
	}
	if p.keep {
		os.Remove(p.dest + stateSuffix)
	}
	p.f.Close()
	// The new name is on disk when its directory is. Not every file system
	// can be asked; the file itself is safe by then.
	if d, err := os.Open(filepath.Dir(p.dest)); err == nil {
		d.Sync()
		d.Close()
	}
	return nil
}

// abandon leaves what a later transfer can go on with, and nothing else.
func (p *part) abandon() error {
	if p.keep && p.validator != (validator{}) && p.have() > 0 {
		err := p.save()
		p.f.Close()
		return err
	}
	p.discard()
	return nil
}

// discard removes everything.
func (p *part) discard() {
	os.Remove(p.path)
	if p.keep {
		os.Remove(p.dest + stateSuffix)
	}
	p.f.Close()
}
