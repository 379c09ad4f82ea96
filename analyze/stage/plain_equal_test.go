package stage

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sampleTexts are the events of the testdata, one text each.
func sampleTexts(t testing.TB) []string {
	var out []string
	for _, path := range []string{"testdata/clients.txt", "testdata/unseen.txt"} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(string(b), "\n") {
			if rest, ok := strings.CutPrefix(l, "| "); ok {
				out[len(out)-1] += "\n" + rest
			} else if _, text, ok := strings.Cut(l, ": "); ok {
				out = append(out, text)
			}
		}
	}
	for _, m := range []map[string]string{timingLines, familyLines} {
		for _, text := range m {
			out = append(out, text)
		}
	}
	return out
}

// disturb changes a text as logs differ: cut, joined, in another letter case,
// with other digits, joints and signs.
func disturb(r *rand.Rand, texts []string) string {
	s := texts[r.IntN(len(texts))]
	for range 1 + r.IntN(3) {
		b := []byte(s)
		switch r.IntN(8) {
		case 0:
			if len(s) > 0 {
				from, to := r.IntN(len(s)), r.IntN(len(s))
				s = s[min(from, to):max(from, to)]
			}
		case 1:
			joints := []string{" ", "\n", ": ", "\n\tat ", "\nCaused by: ", "", "_", "'"}
			s += joints[r.IntN(len(joints))] + texts[r.IntN(len(texts))]
		case 2:
			words := strings.Split(s, " ")
			r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			s = strings.Join(words, " ")
		case 3:
			for i, c := range b {
				if isDigit(c) {
					b[i] = '0' + byte(r.IntN(10))
				}
			}
			s = string(b)
		case 4:
			for i, c := range b {
				if isLetter(c) && r.IntN(8) == 0 {
					b[i] ^= 0x20
				}
			}
			s = string(b)
		case 5:
			joints := []string{"_", "-", "", ".", "/", "\t"}
			s = strings.ReplaceAll(s, " ", joints[r.IntN(len(joints))])
		case 6:
			const signs = " .,:;'\"()[]{}=<>/\\-_\t\n\x00\x1b\xc2\xb5\xe2|!#@0159azAZPT%"
			for range min(4, len(b)) {
				b[r.IntN(len(b))] = signs[r.IntN(len(signs))]
			}
			s = string(b)
		case 7:
			parts := []string{"PT2S", "1m30s", "00:01:40", "5 s", "1,234,567", "0x80072EE2", "http://a.b/c?d=e", "\x1b[31m", "│ ", "didn't", "x509", "HTTPHeader", "1.5GiB", "504", "12µs", "192.0.2.1:80"}
			at := r.IntN(len(s) + 1)
			s = s[:at] + parts[r.IntN(len(parts))] + s[at:]
		}
	}
	return s[:min(len(s), maxText)]
}

// checkTokens holds the tokenizer against the plain one.
func checkTokens(t *testing.T, c *Classifier, p *plainReader, text []byte) {
	v := &c.view
	v.text = text
	v.tokenize(c.words)
	if len(v.tokens) >= maxTokens || len(v.tokens) == 0 {
		return
	}
	want := p.read(text, v.tokens)
	if !slices.Equal(want, v.tokens) {
		t.Fatalf("%q is cut otherwise than plainly:\n%s", text, cmp.Diff(want, v.tokens, cmp.AllowUnexported(token{}, lineInfo{})))
	}
	if v.steps != maxSteps || v.mask != 0 {
		t.Fatalf("%q: a view is not begun anew", text)
	}
}

func TestTokensArePlain(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := newPlainReader(c.words)
	texts := sampleTexts(t)
	for _, s := range texts {
		checkTokens(t, c, p, []byte(s))
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 20_000 {
		s := disturb(r, texts)
		checkTokens(t, c, p, []byte(s))
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range timingLines {
		f.Add([]byte(s))
	}
	f.Add([]byte("aB ABc HTTPHeader x509Error didn't it's_ a-b_c-9 PT1M30.5S 1m30s5h 12:34:56.7 1,234.5kB 0xC000000F a://b. /x//y \x1b[1;31mz"))
	c, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	p := newPlainReader(c.words)
	f.Fuzz(func(t *testing.T, text []byte) { checkTokens(t, c, p, text[:min(len(text), maxText)]) })
}
