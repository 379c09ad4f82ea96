package fingerprint

// idCache remembers the ids of parts that were hashed before, since most
// records repeat a few identities and SHA-256 costs more than the rest. It
// only saves time: the id is a function of the parts.
type idCache struct {
	ids map[string]ID
}

// maxCachedIDs bounds the cache; when it is full it is emptied.
const maxCachedIDs = 1 << 13

func (x *Identifier) id(d *Identity) ID {
	x.preimage = d.appendPreimage(x.preimage[:0])
	if id, ok := x.cache.ids[string(x.preimage)]; ok {
		return id
	}
	id := hashID(x.preimage)
	if x.cache.ids == nil || len(x.cache.ids) >= maxCachedIDs {
		x.cache.ids = make(map[string]ID)
	}
	x.cache.ids[string(x.preimage)] = id
	return id
}
