package main

import "github.com/vdm-logs/vdm-logs/fingerprint/redact"

// redacted takes secrets out of a text that will be shown.
func redacted(s string) string { return redact.String(s) }
