package stage

import (
	"bytes"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// FuzzClassify feeds any text to the rules: nothing may panic, an answer must
// be one of the vocabulary with evidence from the text, and the same text must
// give the same answer.
func FuzzClassify(f *testing.F) {
	for _, line := range timingLines {
		f.Add([]byte(line))
	}
	f.Add([]byte("timeout=\ntimeout:\n\"timeout\": 1m30s 00:01:40.5 1:2:3:4 timed out after 99999999999999999999s"))
	f.Add([]byte("\x1b[31mFAIL\x1b[0m: dial tcp [::1]:80: i/o timeout\n\tat a.b(C.java:1)\nCaused by: x"))
	f.Add([]byte(`x "GET / HTTP/1.1" 503 UF,URX a - "-" 1 2 3 0/0/0/0/5 200 1 - - sH-- 1/1/1/1/1 0/0`))
	f.Add([]byte("Traceback (most recent call last):\n  File \"/a/aiohttp/helpers.py\", line 7, in __exit__\n    raise\nasyncio.TimeoutError"))
	c, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := &ingest.Record{Text: text}
		var a, b Attribution
		got := c.Classify(r, &a)
		again := c.Classify(r, &b)
		if got != again || got && (a.Stage != b.Stage || a.Rule != b.Rule || a.Elapsed != b.Elapsed || a.BytesReceived != b.BytesReceived) {
			t.Fatalf("two answers: %v %+v, %v %+v", got, a, again, b)
		}
		if !got {
			return
		}
		if !a.Stage.Valid() || a.Stage == NotATimeout || a.Role == "" || a.Confidence <= 0 || a.Confidence > 1 || len(a.Evidence) == 0 || a.Rule == "" {
			t.Fatalf("not an attribution: %+v", a)
		}
		if a.BytesReceived < Unknown || a.BytesDeclared < Unknown || a.Elapsed < Unknown || a.Budget < Unknown {
			t.Fatalf("negative number: %+v", a)
		}
		if e := a.Evidence[0]; a.Rule != "access-log" && !bytes.Contains(text, []byte(e)) {
			t.Fatalf("evidence %q is not in the text", e)
		}
		// A line that is settled stays so behind another record's chatter.
		if !strings.ContainsAny(string(text), "\n\r") && a.Rule != "access-log" && len(text) < 1000 {
			r.Text = append([]byte("starting\n"), text...)
			if !c.Classify(r, &b) || a.Stage != b.Stage {
				t.Fatalf("alone %s by %s, behind another line %s by %s", a.Stage, a.Rule, b.Stage, b.Rule)
			}
		}
	})
}

// FuzzRule compiles any pattern: it either works or is refused.
func FuzzRule(f *testing.F) {
	f.Add("{connect} * {timeout}", "after <elapsed:ms>")
	f.Add("a|b ~ c ** # <received>", "=timeout")
	f.Add("* x", "{nothing}")
	f.Fuzz(func(t *testing.T, match, and string) {
		c, err := New(Options{Rules: []Rule{{ID: "fuzz", Match: match, And: []string{and}, Stage: Connect}}})
		if err != nil {
			return
		}
		var a Attribution
		c.Classify(&ingest.Record{Text: []byte(match + " " + and + " dial tcp: i/o timeout after 5s")}, &a)
	})
}

// FuzzCompleted holds what is read of completed transfers: a size and a time
// that are both more than nothing, the same each time, and never of a text that
// says it failed.
func FuzzCompleted(f *testing.F) {
	for _, line := range []string{
		"fetched 12.5 MB in 3.1 s from https://registry.example/a.zip", "received 1048576 bytes (1.0 MiB) in 500ms", "downloaded 1,234,567 bytes in PT2S",
		"read 12.5MB of 100MB in 3 s", "saved 9e99 bytes in 0 s", "done: 1/2 bytes, 00:00:05",
	} {
		f.Add(line)
	}
	c, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line string) {
		r := &ingest.Record{Text: []byte(line), Message: []byte(line), Level: ingest.LevelInfo}
		got, ok := c.Completed(r)
		if again, same := c.Completed(r); again != got || same != ok {
			t.Errorf("%q: %+v, then %+v", line, got, again)
		}
		if ok && (got.Bytes <= 0 || got.Took <= 0 || got.Rate() < 0 || strings.Contains(line, "failed")) {
			t.Errorf("%q: %+v", line, got)
		}
	})
}
