//go:build race

package limiter_test

// raceEnabled tells tests of speed and memory that the numbers mean nothing.
const raceEnabled = true
