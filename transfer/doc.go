// Package transfer is an HTTP client that bounds silence, not time, and whose
// refusals say what was silent. It imports the standard library only.
package transfer
