package redact_test

import (
	"fmt"

	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
)

func ExampleString() {
	fmt.Println(redact.String("GET https://user:secret@registry.example/x?page=2&sig=ab12 with Authorization: Bearer abc.def.123"))
	// Output: GET https://[redacted]@registry.example/x?page=2&sig=[redacted] with Authorization: [redacted]
}
