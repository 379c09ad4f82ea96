package fingerprint

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
	"unicode/utf8"
)

// maskCase is a text and its masked form. The cases are also written to
// testdata/mask-vectors.jsonl, for other implementations to check against.
type maskCase struct {
	In   string `json:"in"`
	Want string `json:"masked"`
}

func TestMask(t *testing.T) {
	cases := []maskCase{
		{"", ""},
		{"  two   words \n", "two words"},
		// Numbers and quantities.
		{"retry 3 of 5 in -7", "retry <num> of <num> in <num>"},
		{"took 15ms, then 1.5 s or 1h30m5.5s and 900 seconds", "took <time>, then <time> or <time> and <time>"},
		{"read 64172MB of 17.7 GB at 3.5MB/s", "read <size> of <size> at <size>"},
		{"sent 1190 bytes (1.16 KB) in all, took 1500 ms (1.5 s)", "sent <size> in all, took <time>"},
		{"0 of an undeclared number of byte(s)", "<num> of <num> byte(s)"},
		{"0 of 6291456 byte(s)", "<num> of <num> byte(s)"},
		{"blk_-7724713468912166542 and blk_7724", "blk_<num> and blk_<num>"},
		{"the 2nd of 1e-05 at 50%", "the <num> of <num> at <num>%"},
		{"ids 4 8 15, 16", "ids <num>"},
		{"nodes n1 n2 n3 n4 down", "nodes n<num> down"},
		{"a1 b2 a3 b4 end", "a<num> b<num> end"},
		// Times.
		{"at 2026-09-19T19:00:52.047Z or 2026-09-19 19:03:52,052+02:00", "at <time> or <time>"},
		{"[19/Sep/2026:19:00:52 +0000] x", "[<time>] x"},
		{"at Fri Sep 18 07:07:00 2026 then Sep  8 07:07:00", "at <time> then <time>"},
		{"Mon, 02 Feb 2026 15:04:05 GMT", "<time>"},
		{"after 00:02:00, 1.02:03:04 or 00:30", "after <time> or <time>"},
		{"May I come in March", "May I come in March"},
		{"on June 17, 2005 07:07:00, Friday 5 Sep 2026", "on <time>"},
		{"\x1b[31mred\x1b[0m alert", "red alert"},
		// Identifiers.
		{"node 7a2f1c4e-9b3d-4a21-8f65-0c1d2e3f4a5b_del", "node <uuid>_del"},
		{"hash deadbeefdeadbeefdeadbee1 at 0x1F", "hash <hex> at <hex>"},
		{"commit 20cb04f and 4886d9d9", "commit <num> and <num>"},
		{"pod memex-portal-6f9c7d5b8-2kcwk restarted", "pod memex-portal-<pod> restarted"},
		{"attempt_201706092018_0024_m_000004_1026 and _r_1", "attempt_<num> and _r_<num>"},
		{"sha256 over IPv6 by oauth2", "sha256 over IPv6 by oauth2"},
		{"key dGhpcyBJcyBhIFRlc3QxMjM0NTY3ODkw end", "key <blob> end"},
		{"v1.2.3 and 2.6.5-1.358", "<ver> and <ver>"},
		{"at R02-M1-N0-C:J12-U11 and R63-M0-N2-I:J18-U01 of 1d2h3m", "at <num> and <num> of <time>"},
		{"package kb2928120~31bf3856ad364e35~amd64~~6.1.1.2 of block rdd_1_2", "package <num> of block rdd_<num>"},
		{"token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3 end", "token <blob> end"},
		{"sig q1w2E3R4t5Y6+7/AbCdEfGh12ZzXx== end", "sig <blob> end"},
		{"org.acme.Foo@deadbeef and Bar@1a2b", "org.acme.Foo@<num> and Bar@<num>"},
		// Addresses.
		{"from 10.0.0.7:8080 to /10.0.0.8 and fe80::1%eth0", "from <host> to /<host> and <host>"},
		{"00:1a:2b:3c:4d:5e up, 88:75:56:a0:95:ed down", "<mac> up, <mac> down"},
		{"login root@node3 failed", "login <email> failed"},
		{"mail bob.b@example.org to db-1.corp.example:5432", "mail <email> to <host>"},
		{"std::bad_alloc in a::b", "std::bad_alloc in a::b"},
		{"GET https://h.example/a/b?id=42#x, then (http://h/x)", "GET <url>, then (<*>)"},
		{"GET /v2/54fa/servers?all=True&x=1 HTTP/1.1", "GET <path> HTTP/<num>"},
		// Paths.
		{"open /var/lib/x.db or C:\\temp\\x.bin", "open <path> or <path>"},
		{"node tenant37/Foo/89542 failed", "node <path> failed"},
		{"power/control problem with read/write", "power/control problem with read/write"},
		{"wrote part-00590.parquet and index.json, see mice.c", "wrote <path> and <path>, see mice.c"},
		{`open C:\Program Files\Acme\a b.txt failed`, "open <path> failed"},
		// Quotes.
		{"package 'acme.widgets.7' and \"x\" and ''", "package '<str>' and \"<str>\" and '<str>'"},
		{"can't read 'alpha' because it isn't there", "can't read '<str>' because it isn't there"},
		{`error "connection refused by 10.0.0.1"`, `error "connection refused by <host>"`},
		{"code: 'ECONNRESET' errno=ENOENT", "code: 'ECONNRESET' errno=ENOENT"},
		{"--2026-11-29 23:05:14--", "--<time>--"},
		// Pairs.
		{"logname= uid=0 tty=ssh rhost=10.0.0.1  user=root", "logname=<*> uid=<*> tty=<*> rhost=<*> user=<*>"},
		{"name = com.acme.x, type =4", "name = <*>, type =<*>"},
		{`err="dial tcp 10.0.0.1:80: i/o timeout" op=read`, `err="dial tcp <host>: i/o timeout" op=read`},
		{`{"key":"v 1","n":5,"ok":true,"error":"not found"}`, `{"key":"<*>","n":<*>,"ok":<*>,"error":"not found"}`},
		{"a == b, a => b", "a == b, a => b"},
		{"stats=[] and stats=[1, 2]", "stats=[<*>] and stats=[<*>]"},
		{"peer () and peer (h1.corp.example) of init()", "peer (<*>) and peer (<*>) of init()"},
		// Users.
		{"session opened for user root by (uid=0)", "session opened for user <user> by (uid=<*>)"},
		{"invalid user test9 and user unknown", "invalid user <user> and user unknown"},
		{"Failed password for bob from 10.0.0.1", "Failed password for <user> from <host>"},
		// Other scripts.
		{"Größe 345 für données/été", "Größe <num> für données/été"},
	}
	for _, c := range cases {
		got := string(Mask(nil, []byte(c.In), 0))
		if got != c.Want {
			t.Errorf("Mask(%q)\n got %q\nwant %q", c.In, got, c.Want)
		}
		if again := string(Mask(nil, []byte(got), 0)); again != got {
			t.Errorf("masking again changes %q to %q", got, again)
		}
	}
	var vectors bytes.Buffer
	enc := json.NewEncoder(&vectors)
	enc.SetEscapeHTML(false)
	for _, c := range cases {
		if err := enc.Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	const path = "testdata/mask-vectors.jsonl"
	if *update {
		if err := os.WriteFile(path, vectors.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, vectors.Bytes()) {
		t.Errorf("%s is not what the cases say; run with -update", path)
	}
}

func TestMaskKeep(t *testing.T) {
	cases := []struct {
		keep     []string
		in, want string
	}{
		{[]string{"num"}, "retry 3 for 5 s", "retry 3 for <time>"},
		{[]string{"url.host"}, "GET https://u@h.example:8/a?b=1", "GET https://h.example:8/<path>"},
		{[]string{"str"}, "package 'x7'", "package 'x7'"},
		{[]string{"path", "host"}, "open /var/x on h.corp.example", "open /var/x on h.corp.example"},
		{[]string{"value"}, "a=b c=d", "a=b c=d"},
	}
	for _, c := range cases {
		keep, unknown := KindSetOf(c.keep...)
		if len(unknown) > 0 {
			t.Fatalf("unknown kinds %q", unknown)
		}
		if got := string(Mask(nil, []byte(c.in), keep)); got != c.want {
			t.Errorf("keep %v: Mask(%q) = %q, want %q", c.keep, c.in, got, c.want)
		}
	}
}

func TestMaskAppends(t *testing.T) {
	if got := string(Mask([]byte("<num> "), []byte("5 x"), 0)); got != "<num> <num> x" {
		t.Errorf("Mask = %q: what was in dst must not take part", got)
	}
}

func FuzzMask(f *testing.F) {
	for _, s := range []string{
		"retry 3 of 5", "a='b c' d=\"e\" {\"k\": \"v\"}", "10.0.0.1:80 2026-09-19T19:00:52.047Z", "user bob, password for 5", "<num> 5 <1 s (<host>) []",
		"a1 a2, a3 b", "https://x/y?z 'q", "an undeclared number of", "\xff\xfe 0x", "x=<5 y=<num>5", "/a/b?c=d 1_2-3", "a\\ 5\\ 6", "1 1 1 MB, 1", "(5 5)",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		once := Mask(nil, src, 0)
		twice := Mask(nil, once, 0)
		if !bytes.Equal(once, twice) {
			t.Errorf("not idempotent\n  src %q\n once %q\ntwice %q", src, once, twice)
		}
		if utf8.Valid(src) && !utf8.Valid(once) {
			t.Errorf("invalid UTF-8 from %q: %q", src, once)
		}
	})
}
