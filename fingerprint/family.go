package fingerprint

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Families collects the templates of a window and learns from them which
// differ only in words that no mask can know: names of users, files, states.
//
// What is learned depends on the set of templates and on nothing else: not on
// the order in which they came, not on how the window was cut into pieces
// that were collected apart and merged. Memory is bounded: of the distinct
// keys of templates those with the smallest hashes are kept, which is the
// same choice in any order; the others take no part in the learning, and are
// told apart by their own words or join a family that was learned.
//
// A family is for display and statistics and never an id: another window may
// teach other families.
type Families struct {
	limit int
	seen  map[string]*familyKey // by source, NUL, template
	keys  map[string]*familyKey // by source, NUL, key
	// floor is the least hash that was dropped; keys at or above it are no
	// longer kept.
	floor   uint64
	dropped bool
	buf     []byte
	text    []byte
}

// familyKey is one distinct key of templates of one Source.
type familyKey struct {
	source, key string
	hash        uint64
	records     int64
	// The first and the last of its templates in order of text: what is
	// shown, and whether there are several.
	template, lastTemplate string
}

// DefaultFamilyLimit is how many distinct keys are kept when nothing else is
// asked for.
const DefaultFamilyLimit = 1 << 15

// NewFamilies makes an empty collection that keeps up to limit keys; 0 means
// DefaultFamilyLimit.
func NewFamilies(limit int) *Families {
	if limit <= 0 {
		limit = DefaultFamilyLimit
	}
	return &Families{limit: limit, seen: map[string]*familyKey{}, keys: map[string]*familyKey{}, floor: ^uint64(0)}
}

// Add counts n records of a Source with a template. A template seen before
// costs no allocation.
func (f *Families) Add(source, template []byte, n int64) {
	f.buf = append(append(append(f.buf[:0], source...), 0), template...)
	if k, ok := f.seen[string(f.buf)]; ok {
		k.records += n
		return
	}
	f.text = AppendFamilyKey(f.text[:0], template)
	f.add(string(f.buf), string(source), string(f.text), string(template), string(template), n)
}

// add files a template that was not seen before.
func (f *Families) add(full, source, key, first, last string, records int64) {
	name := source + "\x00" + key
	k, ok := f.keys[name]
	if !ok {
		h := hash64(name)
		if h >= f.floor {
			f.dropped = true
			return
		}
		k = &familyKey{source: source, key: key, hash: h, template: first, lastTemplate: last}
		f.keys[name] = k
	}
	k.records += records
	k.template = min(k.template, first)
	k.lastTemplate = max(k.lastTemplate, last)
	if full != "" && len(f.seen) < 4*f.limit {
		f.seen[full] = k
	}
	if len(f.keys) >= 2*f.limit {
		f.shrink()
	}
}

// shrink drops the keys with the largest hashes until the limit is met.
func (f *Families) shrink() {
	if len(f.keys) <= f.limit {
		return
	}
	hashes := make([]uint64, 0, len(f.keys))
	for _, k := range f.keys {
		hashes = append(hashes, k.hash)
	}
	slices.Sort(hashes)
	f.floor = hashes[f.limit]
	f.dropped = true
	for name, k := range f.keys {
		if k.hash >= f.floor {
			delete(f.keys, name)
		}
	}
	for full, k := range f.seen {
		if k.hash >= f.floor {
			delete(f.seen, full)
		}
	}
}

// Merge adds what another collection of the same limit has seen.
func (f *Families) Merge(o *Families) {
	f.dropped = f.dropped || o.dropped
	if o.floor < f.floor {
		f.floor = o.floor
		for name, k := range f.keys {
			if k.hash >= f.floor {
				delete(f.keys, name)
			}
		}
		clear(f.seen)
	}
	for _, k := range o.keys {
		f.add("", k.source, k.key, k.template, k.lastTemplate, k.records)
	}
}

// Family is one learned group of templates of one Source.
type Family struct {
	// ID is "fm1:" and 16 hex digits over Source and Pattern.
	ID     string
	Source string
	// Pattern is what the members share, with <*> for what differs.
	Pattern string
	// Template is the template for display: that of the only key where there
	// is one, else Pattern.
	Template string
	// Templates is how many distinct keys of templates are in the family.
	Templates int
	Records   int64
}

// FamilySet is what was learned. It is immutable and may be used by several
// goroutines.
type FamilySet struct {
	families []Family
	byKey    map[string]int // source, NUL, key
	byHole   map[string]int // source, NUL, key with one word open
	Dropped  bool           // keys were dropped: the limit was reached
}

// All returns the families, most records first, then by Source and Pattern.
func (s *FamilySet) All() []Family { return s.families }

// Of returns the family of a template. One that was not collected, or was
// dropped, gets the family that its words fit, else one of its own.
func (s *FamilySet) Of(source, template []byte) Family {
	name := append(append([]byte{}, source...), 0)
	name = AppendFamilyKey(name, template)
	if i, ok := s.byKey[string(name)]; ok {
		return s.families[i]
	}
	key := string(name[len(source)+1:])
	words := strings.Split(key, " ")
	for i := range words {
		if j, ok := s.byHole[string(source)+"\x00"+withHole(words, i)]; ok {
			return s.families[j]
		}
	}
	return Family{ID: familyID(string(source), key), Source: string(source), Pattern: key, Template: string(template), Templates: 1}
}

func familyID(source, pattern string) string {
	sum := sha256.Sum256([]byte("fm1;" + source + "\x00" + pattern))
	return "fm1:" + hex.EncodeToString(sum[:8])
}

// AppendFamilyKey appends the key of a template: its words, with every part
// of a word that holds a placeholder reduced to <*>. Templates with one key
// are of one family whatever else is learned. A template without any word
// left is its own key.
func AppendFamilyKey(dst, template []byte) []byte {
	start := len(dst)
	words := false
	for i := 0; i < len(template); {
		c := template[i]
		if isKeySeparator(c) || c == '<' && placeholderAt(template[i:]) == 0 || c == '>' {
			dst = append(dst, c)
			i++
			continue
		}
		j := i
		masked := false
		for j < len(template) && !isKeySeparator(template[j]) {
			if template[j] == '<' {
				n := placeholderAt(template[j:])
				if n == 0 {
					break
				}
				masked = true
				j += n
				continue
			}
			if template[j] == '>' {
				break
			}
			j++
		}
		if !masked {
			dst = append(dst, template[i:j]...)
			words = true
		} else {
			dst = append(dst, wildcard...)
		}
		i = j
	}
	if !words {
		dst = append(dst[:start], template...)
	}
	return dst
}

const wildcard = "<*>"

func isKeySeparator(c byte) bool {
	switch c {
	case ' ', '=', ':', ',', ';', '(', ')', '[', ']', '{', '}', '"', '\'', '|':
		return true
	}
	return false
}

// hash64 is FNV-1a with a final mix, the same on every machine.
func hash64(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h ^= uint64(s[i])
		h *= 1099511628211
	}
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// sorted returns the kept keys in a fixed order.
func (f *Families) sorted() []*familyKey {
	f.shrink()
	keys := make([]*familyKey, 0, len(f.keys))
	for _, k := range f.keys {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b *familyKey) int {
		return cmp.Or(strings.Compare(a.source, b.source), strings.Compare(a.key, b.key))
	})
	return keys
}

// withHole returns the words with word i open.
func withHole(words []string, i int) string {
	var b bytes.Buffer
	for j, w := range words {
		if j > 0 {
			b.WriteByte(' ')
		}
		if j == i {
			b.WriteString(wildcard)
		} else {
			b.WriteString(w)
		}
	}
	return b.String()
}
