// Package period finds fixed-period recurrences in event times: the same
// thing happening every so often on one stream or on several.
//
// It is a pure package: times and stream names in, recurrences out. It knows
// nothing of logs, reads no clock and keeps no state.
package period
