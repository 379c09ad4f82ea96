package fingerprint

import "slices"

// Kind is a kind of variable part that masks know.
type Kind uint8

// The kinds of masks, each with its placeholder. Kinds that stand for each
// other from one record of a statement to the next share one: a span of time
// may be printed as 90 s or as 00:01:30, a peer by name or by address.
const (
	KindNumber   Kind = iota // <num>: numbers, counters, short hex, lists of them
	KindDuration             // <time>: numbers with a unit of time
	KindSize                 // <size>: numbers with a unit of bytes or rate
	KindTime                 // <time>: dates, times of day, timestamps, h:m:s
	KindUUID                 // <uuid>
	KindHex                  // <hex>: 0x..., and 16 hex digits or more, digests
	KindIP                   // <host>: IPv4 and IPv6, with port or prefix length
	KindMAC                  // <mac>
	KindEmail                // <email>
	KindURL                  // <url>
	KindURLHost              // <url>, with the scheme and host kept when this kind alone is kept
	KindHost                 // <host>: fully qualified host names, with port
	KindPath                 // <path>: file paths, routes, slashed names
	KindQuoted               // <str>: a quoted value without white space
	KindPod                  // <pod>: Kubernetes replica-set and pod suffixes
	KindBlob                 // <blob>: base64 and other random text
	KindVersion              // <ver>
	KindValue                // <*>: values of key=value and JSON pairs
	KindBool                 // <bool>: true and false
	KindUser                 // <user>: the name behind "user"
	kindCount
)

var kindNames = [kindCount]string{
	"num", "dur", "size", "time", "uuid", "hex", "ip", "mac", "email", "url", "url.host",
	"host", "path", "str", "pod", "blob", "ver", "value", "bool", "user",
}

var kindPlaceholders = [kindCount]string{
	"<num>", "<time>", "<size>", "<time>", "<uuid>", "<hex>", "<host>", "<mac>", "<email>", "<url>", "<url>",
	"<host>", "<path>", "<str>", "<pod>", "<blob>", "<ver>", "<*>", "<bool>", "<user>",
}

// String returns the kind's name as rules write it.
func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return "unknown"
}

// KindNames returns the names of all kinds, in the order of declaration.
func KindNames() []string { return slices.Clone(kindNames[:]) }

// kindByName finds a kind by its name.
func kindByName(name string) (Kind, bool) {
	i := slices.Index(kindNames[:], name)
	return Kind(max(i, 0)), i >= 0
}

// KindSet is a set of kinds; the zero value is empty.
type KindSet uint32

// KindSetOf returns the set of the kinds with these names and the names that
// are none.
func KindSetOf(names ...string) (set KindSet, unknown []string) {
	for _, n := range names {
		if k, ok := kindByName(n); ok {
			set |= 1 << k
		} else {
			unknown = append(unknown, n)
		}
	}
	return set, unknown
}

// Has reports whether the set holds k.
func (s KindSet) Has(k Kind) bool { return s&(1<<k) != 0 }
