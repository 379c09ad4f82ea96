package fingerprint

import "bytes"

// name masks src[start:end], text without marks that holds a digit: a number
// with its unit, a version, a hash, a host, or a name with digits in it. It
// returns where to go on, which is behind end when a unit stood in the next
// chunk.
func (m *masker) name(start, end int) int {
	src := m.src
	b := src[start:end]
	if n, kind := quantity(b); n == len(b) {
		return m.number(start, end, kind)
	}
	switch {
	case isTechnical(b):
		m.dst = append(m.dst, b...)
		return end
	case isHexLiteral(b):
		m.put(KindHex, b)
		return end
	case isVersion(b):
		m.put(KindVersion, b)
		return end
	case isBlob(b):
		m.put(KindBlob, b)
		return end
	}
	if n := podSuffix(b); n > 0 {
		m.digitsIn(start, end-n)
		m.dst = append(m.dst, '-')
		m.put(KindPod, b[len(b)-n+1:])
		return end
	}
	return m.digitsIn(start, end)
}

// number puts the placeholder of a number and takes a unit that stands alone
// behind it.
func (m *masker) number(start, end int, kind Kind) int {
	src := m.src
	next := end
	if kind == KindNumber && end+1 < len(src) && src[end] == ' ' {
		u := end + 1
		for u < len(src) && (isLetter(src[u]) || src[u] == '/' || src[u] == 0xc2 || src[u] == 0xb5 || src[u] == 0xce || src[u] == 0xbc) {
			u++
		}
		if u < len(src) && (src[u] == '(' || isWordByte(src[u])) {
			u = end + 1
		}
		if k, ok := unitKind(src[end+1 : u]); ok {
			kind, next = k, u
		}
	}
	if kind == KindSize && next+1 < len(src) && src[next] == '/' && src[next+1] == 's' && (next+2 == len(src) || !isWordByte(src[next+2])) {
		next += len("/s")
	}
	m.put(kind, src[start:next])
	return next
}

// digitsIn masks the parts of a name, which are cut at . _ - $ and the like.
func (m *masker) digitsIn(start, end int) int {
	src := m.src
	for p := start; p < end; {
		if !isWordByte(src[p]) || src[p] == '_' {
			// A sign belongs to the number when nothing stands before it.
			if src[p] != '-' || m.keep.Has(KindNumber) || p+1 >= end || !isDigit(src[p+1]) || m.behind() != '_' && joins(m.behind()) {
				m.dst = append(m.dst, src[p])
			}
			p++
			continue
		}
		if n := uuidAt(src[p:end]); n > 0 {
			m.put(KindUUID, src[p:p+n])
			p += n
			continue
		}
		q := p
		digits, letters, changes := 0, 0, 0
		hex := true
		for q < end && isWordByte(src[q]) && src[q] != '_' {
			d := isDigit(src[q])
			if d {
				digits++
			} else {
				letters++
			}
			hex = hex && isHex(src[q])
			if q > p && d != isDigit(src[q-1]) {
				changes++
			}
			q++
		}
		if letters == 1 && digits == 0 && p > start && q+1 < end && (src[q] == '_' || src[q] == '-') && isDigit(src[q+1]) && m.behindNumber(src[p-1]) {
			p = q // one letter between the numbers of an identifier
			continue
		}
		m.part(src[p:q], digits, letters, changes, hex)
		p = q
	}
	return end
}

// behindNumber reports whether the output ends with a masked number and the
// separator sep.
func (m *masker) behindNumber(sep byte) bool {
	const num = "<num>"
	n := len(m.dst)
	return n > len(num)+m.base && m.dst[n-1] == sep && string(m.dst[n-1-len(num):n-1]) == num
}

// part masks one part of a name.
func (m *masker) part(b []byte, digits, letters, changes int, hex bool) {
	switch {
	case digits == 0:
		m.dst = append(m.dst, b...)
	case letters == 0:
		m.put(KindNumber, b)
	case hex && len(b) >= 16:
		m.put(KindHex, b)
	case isDigit(b[0]), hex && len(b) >= 6, changes >= 3:
		m.put(KindNumber, b)
	case isTechnical(b):
		m.dst = append(m.dst, b...)
	default:
		for i := 0; i < len(b); {
			if !isDigit(b[i]) {
				m.dst = append(m.dst, b[i])
				i++
				continue
			}
			n := digitRun(b[i:])
			m.put(KindNumber, b[i:i+n])
			i += n
		}
	}
}

// quantity returns the length of the number that b begins with, with its unit
// or units, and its kind. Known are signs, fractions, exponents, ordinals, a
// percent sign and sums such as 1h30m5.5s.
func quantity(b []byte) (int, Kind) {
	i := 0
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	kind := KindNumber
	var unit byte
	for parts := 0; ; parts++ {
		n := digitRun(b[i:])
		if n == 0 {
			return 0, 0
		}
		i += n
		if i+1 < len(b) && b[i] == '.' && isDigit(b[i+1]) {
			i += 1 + digitRun(b[i+1:])
		}
		if i+1 < len(b) && b[i]|0x20 == 'e' {
			e := i + 1
			if b[e] == '-' && e+1 < len(b) {
				e++
			}
			if k := digitRun(b[e:]); k > 0 && k <= 3 && e+k == len(b) {
				return len(b), KindNumber
			}
		}
		u := i
		for u < len(b) && (isLetter(b[u]) || class[b[u]]&cHigh != 0) {
			u++
		}
		if u == i {
			if parts > 0 {
				return 0, 0 // a number without unit behind one with
			}
			return i, kind
		}
		k, ok := unitKind(b[i:u])
		switch {
		case !ok && parts == 0 && isOrdinal(b[i:u]):
			return u, KindNumber
		case !ok || parts > 0 && k != KindDuration:
			return 0, 0
		}
		if parts > 0 && b[i] == unit {
			return 0, 0 // 1d2d is hex, not a span of time
		}
		unit = b[i]
		kind, i = k, u
		if i == len(b) || kind != KindDuration || !isDigit(b[i]) {
			return i, kind
		}
	}
}

func isOrdinal(b []byte) bool {
	switch string(b) {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}

// unitKind tells which kind of quantity a unit makes. Letters that are also
// common words or sizes of anything (a, in, g, l) are not among them.
func unitKind(u []byte) (Kind, bool) {
	if len(u) == 0 || len(u) > 12 {
		return 0, false
	}
	switch string(u) {
	case "ns", "us", "µs", "μs", "ms", "s", "m", "h", "d", "sec", "secs", "second", "seconds", "msec", "msecs", "usec", "usecs",
		"millisecond", "milliseconds", "microsecond", "microseconds", "nanosecond", "nanoseconds", "min", "mins", "minute", "minutes",
		"hr", "hrs", "hour", "hours", "day", "days", "week", "weeks", "Seconds", "Minutes", "Hours", "MS":
		return KindDuration, true
	case "B", "b", "byte", "bytes", "Byte", "Bytes", "kb", "kB", "KB", "Kb", "mb", "MB", "Mb", "gb", "GB", "Gb", "tb", "TB", "PB",
		"KiB", "MiB", "GiB", "TiB", "Ki", "Mi", "Gi", "Ti", "k", "K", "M", "G", "T", "kiB", "kib", "mib", "gib",
		"B/s", "kB/s", "KB/s", "MB/s", "GB/s", "KiB/s", "MiB/s", "GiB/s", "bytes/s", "kb/s", "Mb/s", "Gb/s", "bps", "kbps", "Mbps", "Gbps",
		"kilobytes", "megabytes", "gigabytes":
		return KindSize, true
	}
	return 0, false
}

// technicalNames are names whose digits are no index. They are compared
// without regard to case.
var technicalNames = setOf(
	"ipv4", "ipv6", "ip4", "ip6", "icmpv6", "dhcpv4", "dhcpv6", "sha1", "sha2", "sha3", "sha224", "sha256", "sha384", "sha512", "md4", "md5",
	"utf8", "utf16", "utf32", "base32", "base64", "x86", "x64", "amd64", "arm64", "i386", "i686", "http2", "http3", "h2", "h2c",
	"ssh1", "ssh2", "oauth2", "s3", "ec2", "k8s", "log4j", "log4net", "slf4j", "http1", "win32", "win64", "int32", "int64", "uint32", "uint64",
	"float32", "float64", "p50", "p90", "p95", "p99", "x509", "krb5", "lz4", "bzip2", "iso8859", "ext2", "ext3", "ext4", "ntlmv2", "smb2", "smb3",
	"tls1", "ed25519", "aes128", "aes256", "pkcs1", "pkcs7", "pkcs8", "pkcs11", "pkcs12", "crc32", "murmur3", "blake2", "g1", "l1", "l2", "l3",
)

// isTechnical reports whether b is one of the technical names.
func isTechnical(b []byte) bool {
	if len(b) < 2 || len(b) > 8 {
		return false
	}
	var low [8]byte
	for i, c := range b {
		low[i] = lower(c)
	}
	return technicalNames[string(low[:len(b)])]
}

// isHexLiteral reports whether b is 0x and hex digits, or at least 16 hex
// digits of which one is a letter.
func isHexLiteral(b []byte) bool {
	if len(b) > 2 && b[0] == '0' && b[1]|0x20 == 'x' {
		b = b[2:]
		for _, c := range b {
			if !isHex(c) {
				return false
			}
		}
		return true
	}
	if len(b) < 16 {
		return false
	}
	letters := 0
	for _, c := range b {
		if !isHex(c) {
			return false
		}
		if !isDigit(c) {
			letters++
		}
	}
	return letters > 0
}

// isVersion reports whether b is v and a number, or a number with two dots or
// more, with a suffix such as -rc.1.
func isVersion(b []byte) bool {
	v := b[0]|0x20 == 'v' && len(b) > 1 && isDigit(b[1])
	if v {
		b = b[1:]
	}
	if !isDigit(b[0]) {
		return false
	}
	dots, i := 0, 0
	for i < len(b) {
		n := digitRun(b[i:])
		if n == 0 {
			break
		}
		i += n
		if i+1 < len(b) && b[i] == '.' && isDigit(b[i+1]) {
			dots++
			i++
			continue
		}
		break
	}
	if dots == 0 || dots == 1 && !v {
		return false
	}
	if i == len(b) {
		return true
	}
	if isLetter(b[i]) {
		return bytes.IndexByte(b[i:], '.') < 0
	}
	return b[i] == '-' || b[i] == '+' || b[i] == '_'
}

// podAlphabet are the letters and digits that Kubernetes makes suffixes of.
const podAlphabet = "bcdfghjklmnpqrstvwxz2456789"

// podSuffix returns the length of "-<hash>-<five>" at the end of the name of
// a pod of a deployment, or of "-<five>" of a daemon set or job, or 0.
func podSuffix(b []byte) int {
	if len(b) < 8 || b[len(b)-6] != '-' || !fromPodAlphabet(b[len(b)-5:]) {
		return 0
	}
	rest := b[:len(b)-6]
	dash := bytes.LastIndexByte(rest, '-')
	if dash > 0 {
		if h := rest[dash+1:]; len(h) >= 8 && len(h) <= 10 && fromPodAlphabetOrHex(h) {
			return len(b) - dash
		}
	}
	for _, c := range b[len(b)-5:] {
		if isDigit(c) {
			return 6
		}
	}
	return 0
}

func fromPodAlphabet(b []byte) bool {
	for _, c := range b {
		if bytes.IndexByte([]byte(podAlphabet), c) < 0 {
			return false
		}
	}
	return true
}

// fromPodAlphabetOrHex also accepts the plain hex hashes of older clusters,
// and asks for a digit.
func fromPodAlphabetOrHex(b []byte) bool {
	digit := false
	for _, c := range b {
		digit = digit || isDigit(c)
		if !isDigit(c) && (c < 'a' || c > 'z') {
			return false
		}
	}
	return digit
}

// isBlob reports whether b looks like random text: 20 bytes or more of
// letters and digits in a mix of upper case, lower case and digits that
// changes often.
func isBlob(b []byte) bool {
	if len(b) < 20 {
		return false
	}
	var upper, low, digit, changes int
	last := 0
	for _, c := range b {
		kind := 0
		switch {
		case isDigit(c):
			digit++
			kind = 1
		case c >= 'a' && c <= 'z':
			low++
			kind = 2
		case c >= 'A' && c <= 'Z':
			upper++
			kind = 3
		case c == '_' || c == '-':
			continue
		default:
			return false
		}
		if last != 0 && kind != last {
			changes++
		}
		last = kind
	}
	return digit > 0 && upper > 0 && low > 0 && changes*3 >= len(b)
}
