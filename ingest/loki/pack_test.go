package loki

import (
	"net/url"
	"testing"
	"time"
)

// TestPacking asks for answers over networks and servers of several speeds and
// wants the way that brings more text a second, once both have been tried.
func TestPacking(t *testing.T) {
	const page = 1 << 20
	for _, c := range []struct {
		name string
		took func(n int, packed bool) time.Duration // of the body of answer n
		want func(n int) bool                       // packed, judged over the last answers
	}{
		{
			name: "a fast network", want: func(int) bool { return false },
			took: func(_ int, packed bool) time.Duration {
				return map[bool]time.Duration{true: 20 * time.Millisecond, false: 5 * time.Millisecond}[packed]
			},
		},
		{
			name: "a slow network", want: func(int) bool { return true },
			took: func(_ int, packed bool) time.Duration {
				return map[bool]time.Duration{true: 20 * time.Millisecond, false: 200 * time.Millisecond}[packed]
			},
		},
		{
			name: "as fast both ways", want: func(int) bool { return true },
			took: func(int, bool) time.Duration { return 15 * time.Millisecond },
		},
		{
			name: "a network that becomes slow", want: func(n int) bool { return n > 500 },
			took: func(n int, packed bool) time.Duration {
				if packed {
					return 20 * time.Millisecond
				}
				if n > 300 {
					return 300 * time.Millisecond
				}
				return 5 * time.Millisecond
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p packing
			got := make([]bool, 1000)
			for n := range got {
				got[n] = p.ask()
				p.learn(got[n], page, c.took(n, got[n]))
			}
			for _, at := range []int{250, 600, 1000} {
				other := 0
				for n := at - 50; n < at; n++ {
					if got[n] != c.want(n) {
						other++
					}
				}
				if other > 1 {
					t.Errorf("%d of the 50 answers before number %d were asked for the wrong way", other, at)
				}
			}
			tried := 0
			for n := range 2 * packAgain {
				if got[n] != got[0] {
					tried++
				}
			}
			if tried == 0 {
				t.Error("the other way was never tried")
			}
		})
	}
}

// TestPackingOfSmallAnswers wants small answers to be packed for ever: they
// tell nothing of how fast the network is.
func TestPackingOfSmallAnswers(t *testing.T) {
	var p packing
	for n := range 50 {
		if !p.ask() {
			t.Fatalf("answer %d was asked for plain", n)
		}
		p.learn(true, packFrom-1, time.Second)
	}
}

// TestPacks wants the settings to win, and nothing but lines to be asked for
// plain.
func TestPacks(t *testing.T) {
	plainIsFaster := func() *Client {
		c := &Client{}
		for range packTrials {
			c.packing.learn(true, 1<<20, time.Second)
			c.packing.learn(false, 1<<20, time.Millisecond)
		}
		return c
	}
	lines, counts := url.Values{"query": {`{a="b"}`}}, url.Values{"query": {`sum(count_over_time({a="b"}[1m]))`}}
	for _, c := range []struct {
		name   string
		cfg    Config
		path   string
		params url.Values
		want   bool
	}{
		{"lines", Config{}, "/query_range", lines, false},
		{"lines, always packed", Config{Compression: true}, "/query_range", lines, true},
		{"counts", Config{}, "/query_range", counts, true},
		{"streams", Config{}, "/series", url.Values{}, true},
		{"counts, never packed", Config{NoCompression: true}, "/query_range", counts, false},
	} {
		client := plainIsFaster()
		client.cfg = c.cfg
		if got := client.packs(c.path, c.params); got != c.want {
			t.Errorf("%s: packed %v, want %v", c.name, got, c.want)
		}
	}
}
