//go:build race

package transfer_test

const slowness = 5
