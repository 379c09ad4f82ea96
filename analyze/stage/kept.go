package stage

// kept hands out strings of bytes, and the same string again where the bytes
// have come before: the records of an incident say the same again and again.
// It holds a few strings of bounded length, whatever comes.
type kept [keptStrings]string

const (
	keptStrings = 64 // a power of two
	keptLength  = 256
)

// string returns b as a string.
func (k *kept) string(b []byte) string {
	if len(b) == 0 || len(b) > keptLength {
		return string(b)
	}
	h := (uint64(len(b)) ^ load(b, 0) ^ load(b, max(0, len(b)-window))<<1) * 0x9e3779b97f4a7c15
	at := &k[h>>58]
	if *at != string(b) {
		*at = string(b)
	}
	return *at
}
