package fingerprint

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"testing"
)

var (
	maskTexts = flag.Int("mask.texts", 200_000, "how many generated texts TestMaskIdempotent masks")
	maskSeed  = flag.Uint64("mask.seed", 11, "seed of the texts that TestMaskIdempotent masks")
)

// maskPieces are what generated texts are put together from: the signs that
// masking looks at, values of every kind, and what placeholders look like.
var maskPieces = []string{
	"0", "1", "12", "345", "00", "a", "A", "b", "f", "x", "an", "ab", "é", "\xff",
	":", "::", ".", "-", "--", "/", "//", "\\", "@", "+", "%", "~", "!", "?", "_", "#", "*", "$", "&", "^", "|", ";",
	" ", " ", " ", "  ", "\t", "\n", "=", "==", "'", "\"", "`", "(", ")", "[", "]", "{", "}", "<", ">", ",", ", ",
	"<num>", "<host>", "<time>", "<value>", "<str>", "<path>", "<size>", "<ip>", "<user>",
	"user", "user ", "for ", "login", "password ", "error", "error=", "key=", "name", "undeclared ", "false", "true", "null",
	"10.0.0.1", ":80", "h1.example.com", "node3", "root@node3", "a@b.org", "https://h.example/a?b=c", "://", "/var/log/x", "C:\\dir\\f", "~/x", "x.log", "a.go:12",
	"2026-09-19T19:00:52.047Z", "2026-09-19", "19:00:52", "12 Sep 2026", "Sep ", "5ms", "5 s", "MB", "3.5 GB", "KB", "1e9", "0x1f", "deadbeef", "v1.2.3",
	"b9000564-fe1a-409b-b8cc-1e88b294cd1d", "00:11:22:33:44:55", "fe80::1", "::1", "sha256:", "eyJhbGciOiJIUzI1NiJ9", "QUJDREVGR0hJSktMTU5PUA==", "blk_-77",
}

// TestMaskIdempotent masks texts put together at random. Fuzzing finds the
// same, in longer time.
func TestMaskIdempotent(t *testing.T) {
	seed := *maskSeed
	r := rand.New(rand.NewPCG(seed, 0))
	var src, once, twice []byte
	failures := 0
	for range *maskTexts {
		src = src[:0]
		for range 1 + r.IntN(9) {
			src = append(src, maskPieces[r.IntN(len(maskPieces))]...)
		}
		var keep KindSet
		if r.IntN(8) == 0 {
			keep = KindSet(r.Uint32())
		}
		once = Mask(once[:0], src, keep)
		twice = Mask(twice[:0], once, keep)
		if !bytes.Equal(once, twice) {
			failures++
			if failures <= 15 {
				t.Errorf("seed %d: not idempotent, keeping %b\n  src %q\n once %q\ntwice %q", seed, keep, src, once, twice)
			}
		}
	}
	if failures > 0 {
		t.Errorf("%d of %d texts change when masked again", failures, *maskTexts)
	}
}
