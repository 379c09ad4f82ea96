package report

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestFoldNumbers(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"a":[1,2,3],"b":[]}`, "{\n \"a\": [1, 2, 3],\n \"b\": []\n}"},
		{`{"a":["1","2"]}`, "{\n \"a\": [\n  \"1\",\n  \"2\"\n ]\n}"},
		{`{"a":[[1,-2.5e3],[3]]}`, "{\n \"a\": [\n  [1, -2.5e3],\n  [3]\n ]\n}"},
		{`{"a":"[\n1]"}`, "{\n \"a\": \"[\\n1]\"\n}"},
		{`[1,{"a":2}]`, "[\n 1,\n {\n  \"a\": 2\n }\n]"},
	} {
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(c.in), "", " "); err != nil {
			t.Fatal(err)
		}
		if got := string(foldNumbers(b.Bytes())); got != c.want {
			t.Errorf("foldNumbers of %s:\n%s\nwant\n%s", c.in, got, c.want)
		}
	}
}
