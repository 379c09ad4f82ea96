package fingerprint

import "encoding/binary"

// idCache remembers the ids of parts that were hashed before, since most
// records repeat a few identities and SHA-256 costs more than a look. It only
// saves time: the id is a function of the parts.
type idCache struct {
	ids map[string]ID
	key []byte
}

// maxCachedIDs bounds the cache; when it is full it is emptied.
const maxCachedIDs = 1 << 13

// of returns the id of the parts; scratch is used on a miss and returned.
func (c *idCache) of(d *Identity, scratch []byte) (ID, []byte) {
	head := templateHead(d.Template)
	// Lengths first, so that the key is unambiguous.
	k := c.key[:0]
	for _, n := range [...]int{len(d.Source), len(d.Event), len(d.Exception), len(d.Frame)} {
		k = binary.LittleEndian.AppendUint32(k, uint32(n))
	}
	k = append(k, d.Source...)
	k = append(k, d.Event...)
	k = append(k, d.Exception...)
	k = append(k, d.Frame...)
	k = append(k, head...)
	c.key = k
	if id, ok := c.ids[string(k)]; ok {
		return id, scratch
	}
	scratch = d.appendPreimage(scratch[:0])
	id := hashID(scratch)
	if c.ids == nil || len(c.ids) >= maxCachedIDs {
		c.ids = make(map[string]ID)
	}
	c.ids[string(k)] = id
	return id, scratch
}
