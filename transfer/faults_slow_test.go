//go:build !race

package transfer_test

// slowness multiplies the lengths of time of tests on real sockets.
const slowness = 1
