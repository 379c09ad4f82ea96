package period

import (
	"math"
	"math/bits"
	"math/cmplx"
)

// fft is a radix-2 transform of one size, with its twiddle factors.
type fft struct {
	n int
	w []complex128
}

func newFFT(n int) *fft {
	f := &fft{n: n, w: make([]complex128, n/2)}
	for i := range f.w {
		f.w[i] = cmplx.Rect(1, -2*math.Pi*float64(i)/float64(n))
	}
	return f
}

// transform replaces x, of length n, by its discrete Fourier transform.
func (f *fft) transform(x []complex128) {
	shift := 64 - bits.TrailingZeros(uint(f.n))
	for i := range x {
		if j := int(bits.Reverse64(uint64(i)) >> shift); i < j {
			x[i], x[j] = x[j], x[i]
		}
	}
	for size := 2; size <= f.n; size *= 2 {
		half, step := size/2, f.n/size
		for base := 0; base < f.n; base += size {
			for k, w := 0, 0; k < half; k, w = k+1, w+step {
				a, b := x[base+k], x[base+k+half]*f.w[w]
				x[base+k], x[base+k+half] = a+b, a-b
			}
		}
	}
}
