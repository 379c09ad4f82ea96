package transfer

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"net/url"
	"regexp"
	"strings"
)

// digestSpec is an algorithm and the hexadecimal digits that it must give;
// no digits mean that the digest is computed only.
type digestSpec struct {
	algorithm, hex string
}

func (d digestSpec) String() string { return d.algorithm + ":" + d.hex }

func newHash(algorithm string) hash.Hash {
	switch algorithm {
	case "sha256":
		return sha256.New()
	case "sha384":
		return sha512.New384()
	case "sha512":
		return sha512.New()
	case "sha1":
		return sha1.New()
	case "md5":
		return md5.New()
	}
	return nil
}

// parseDigest reads algorithm:hex.
func parseDigest(s string) (digestSpec, error) {
	algorithm, digits, ok := strings.Cut(s, ":")
	algorithm, digits = strings.ToLower(strings.TrimSpace(algorithm)), strings.ToLower(strings.TrimSpace(digits))
	h := newHash(algorithm)
	if !ok || h == nil {
		return digestSpec{}, &RequestError{Msg: fmt.Sprintf("the digest %q does not begin with sha256:, sha384:, sha512:, sha1: or md5:", s)}
	}
	if raw, err := hex.DecodeString(digits); err != nil || len(raw) != h.Size() {
		return digestSpec{}, &RequestError{Msg: fmt.Sprintf("the digest %q has not the %d hexadecimal digits of %s", s, 2*h.Size(), algorithm)}
	}
	return digestSpec{algorithm, digits}, nil
}

// addressed matches the end of the path under which the OCI distribution
// protocol serves blobs and manifests by their digest.
var addressed = regexp.MustCompile(`^/v2/.+/(?:blobs|manifests)/((?:sha256|sha384|sha512):[0-9a-fA-F]+)$`)

// digestFor returns what to compute for a request, and to compare with.
func digestFor(req *Request, u *url.URL) (digestSpec, error) {
	if req.Digest != "" {
		return parseDigest(req.Digest)
	}
	if m := addressed.FindStringSubmatch(u.Path); m != nil {
		return parseDigest(m[1])
	}
	if req.ComputeDigest != "" {
		if newHash(req.ComputeDigest) == nil {
			return digestSpec{}, &RequestError{Msg: fmt.Sprintf("the digest algorithm %q is none of sha256, sha384, sha512, sha1, md5", req.ComputeDigest)}
		}
		return digestSpec{algorithm: req.ComputeDigest}, nil
	}
	return digestSpec{}, nil
}

// adoptServerDigest takes the registry's own word for the object's digest
// where the caller named none, and refuses a registry that announces another
// one than was asked for.
func (x *exchange) adoptServerDigest(value string) error {
	if value == "" {
		return nil
	}
	d, err := parseDigest(value)
	switch {
	case err != nil:
		return nil // an algorithm that we cannot check is no contradiction
	case x.verify.hex == "":
		x.verify = d
	case x.verify.algorithm == d.algorithm && x.verify.hex != d.hex:
		return x.fault(KindDigest, fmt.Sprintf("the registry announces the object %s and not %s", d, x.verify), nil)
	}
	return nil
}

// checkDigest compares a computed digest with the expected one.
func (x *exchange) checkDigest(sum string) error {
	if x.verify.hex == "" || x.verify.String() == sum {
		return nil
	}
	return x.fault(KindDigest, fmt.Sprintf("the bytes have the digest %s and not %s", sum, x.verify), nil)
}

// hasher digests chunks in a goroutine of its own. The buffers go round: take
// hands a full one over and returns an empty one.
type hasher struct {
	algorithm string
	full      chan hashChunk
	empty     chan *[]byte
	done      chan string
}

type hashChunk struct {
	buf *[]byte
	n   int
}

// hashBuffers is how many buffers go round beside the one being filled: one
// is being hashed, and those that wait even out the unsteadiness of both.
const hashBuffers = 4

func newHasher(c *Client, algorithm string) *hasher {
	h := &hasher{algorithm: algorithm, full: make(chan hashChunk, hashBuffers), empty: make(chan *[]byte, hashBuffers), done: make(chan string, 1)}
	for range hashBuffers {
		h.empty <- c.buffer()
	}
	go func() {
		sum := newHash(algorithm)
		for c := range h.full {
			sum.Write((*c.buf)[:c.n])
			h.empty <- c.buf
		}
		h.done <- algorithm + ":" + hex.EncodeToString(sum.Sum(nil))
	}()
	return h
}

// take queues the first n bytes of buf and returns another buffer to fill.
func (h *hasher) take(buf *[]byte, n int) *[]byte {
	h.full <- hashChunk{buf, n}
	return <-h.empty
}

// sum ends the goroutine and returns the digest of all chunks.
func (h *hasher) sum(c *Client) string {
	close(h.full)
	sum := <-h.done
	for range hashBuffers {
		c.buffers.Put(<-h.empty)
	}
	return sum
}
