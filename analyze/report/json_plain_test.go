package report

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestPlainJSON(t *testing.T) {
	const hostile = "a\x1b[31m\u009b31m \u202eevil\u2066 \u200b\ufeff\x7f é 日本 \U0001f600 <b>"
	const want = `"a\u001b[31m\u009b31m \u202eevil\u2066 \u200b\ufeff\u007f é 日本 😀 <b>"` + "\n"
	var b bytes.Buffer
	enc := json.NewEncoder(PlainJSON(&b))
	enc.SetEscapeHTML(false)
	if err := enc.Encode(hostile); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
	var back string
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != hostile {
		t.Errorf("read back as %q, %v", back, err)
	}
}
