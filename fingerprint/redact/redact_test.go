package redact

import (
	"bytes"
	"strings"
	"testing"
)

func TestString(t *testing.T) {
	const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	cases := []struct{ in, want string }{
		{"GET /x Authorization: Bearer abc123def456", "GET /x Authorization: [redacted]"},
		{"sent bearer abc123def456 to the registry", "sent bearer [redacted] to the registry"},
		{"Authorization: Basic dXNlcjpwYXNz", "Authorization: [redacted]"},
		{"using Basic dXNlcjpwYXNz now", "using Basic [redacted] now"},
		{"{'Authorization': 'Bearer abc123def456', 'Accept': '*/*'}", "{'Authorization': '[redacted]', 'Accept': '*/*'}"},
		{`{"Authorization":"Bearer abc123def456","n":1}`, `{"Authorization":"[redacted]","n":1}`},
		{`headers={Authorization=[Bearer abc123def456], Accept=[*/*]}`, `headers={Authorization=[[redacted]], Accept=[*/*]}`},
		{"Authorization: Bearer abc Accept: */*", "Authorization: [redacted] Accept: */*"},
		{"Cookie: sid=abc; theme=dark", "Cookie: [redacted]"},
		{"Set-Cookie: sid=abc; HttpOnly\nHost: x", "Set-Cookie: [redacted]\nHost: x"},
		{"X-Api-Key: 0123456789", "X-Api-Key: [redacted]"},
		{"https://user:p4ss@host/path?x=1", "https://[redacted]@host/path?x=1"},
		{"postgres://u:p@db:5432/x", "postgres://[redacted]@db:5432/x"},
		{"https://ghp_0123456789abcdefghij0123456789abcdef@github.com/x", "https://[redacted]@github.com/x"},
		{"https://user@host/", "https://user@host/"},
		{"https://host/a?b=c&X-Amz-Signature=00ff&X-Amz-Date=20260101", "https://host/a?b=c&X-Amz-Signature=[redacted]&X-Amz-Date=20260101"},
		{"https://acct.blob.example/c/b?sv=2022&se=2026-01-01&sp=r&sig=ab%2Bc%3D end", "https://acct.blob.example/c/b?sv=2022&se=[redacted]&sp=[redacted]&sig=[redacted] end"},
		{"at https://h/x?token=abc)", "at https://h/x?token=[redacted])"},
		{"https://h/x?access_token=abc#frag", "https://h/x?access_token=[redacted]#frag"},
		{"https://h/x?X-Goog-Signature=abc", "https://h/x?X-Goog-Signature=[redacted]"},
		{"https://h/x?key=AbC&q=1", "https://h/x?key=[redacted]&q=1"},
		{`https://h/x?a=1\u0026sig=abc\u0026b=2`, `https://h/x?a=1\u0026sig=[redacted]\u0026b=2`},
		{"https://h/x?a=1&amp;sig=abc", "https://h/x?a=1&amp;sig=[redacted]"},
		{"token " + jwt + " expired", "token [redacted] expired"},
		{"x-jwt=" + jwt, "x-jwt=[redacted]"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nx", "-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\nx"},
		{"-----BEGIN PRIVATE KEY-----\nMIIE", "-----BEGIN PRIVATE KEY-----[redacted]"},
		{"-----BEGIN CERTIFICATE-----\nMIIE", "-----BEGIN CERTIFICATE-----\nMIIE"},
		{"id AKIAIOSFODNN7EXAMPLE used", "id [redacted] used"},
		{"push with ghp_0123456789abcdefghij0123456789abcdef failed", "push with [redacted] failed"},
		{"slack xoxb-123456789012-abcdef", "slack [redacted]"},
		{"password=hunter2 user=bob", "password=[redacted] user=bob"},
		{"Server=db;User Id=sa;Password=Hunter2!;Timeout=30", "Server=db;User Id=sa;Password=[redacted];Timeout=30"},
		{"DB_PASSWORD=hunter2", "DB_PASSWORD=[redacted]"},
		{`{"password": "hun\"ter2", "n": 1}`, `{"password": "[redacted]", "n": 1}`},
		{`"{\"password\":\"hunter2\",\"n\":1}"`, `"{\"password\":\"[redacted]\",\"n\":1}"`},
		{"password: hunter2", "password: [redacted]"},
		{"client_secret=abc&grant_type=x", "client_secret=[redacted]&grant_type=x"},
		{"AccountName=a;AccountKey=abc+/==;EndpointSuffix=x", "AccountName=a;AccountKey=[redacted];EndpointSuffix=x"},
		{`:password => "hunter2"`, `:password => "[redacted]"`},
		{"token=abcdef", "token=[redacted]"},
		{"mysql --password hunter2 --host db", "mysql --password [redacted] --host db"},
		{"run --client-secret 'a b' now", "run --client-secret '[redacted]' now"},
		{"<User>bob</User><Password>hunter2</Password>", "<User>bob</User><Password>[redacted]</Password>"},
		{`{"password": ["hunter2"]}`, `{"password": ["[redacted]"]}`},
		{`{"Authorization": ["Bearer abc"]}`, `{"Authorization": [[redacted]]}`},
		{"SharedAccessSignature sig=q1W2e3R4t5Y6u7I8o9P0 sr=x", "SharedAccessSignature sig=[redacted] sr=x"},
		{"token: 0123456789abcdef", "token: [redacted]"},
	}
	for _, c := range cases {
		if got := String(c.in); got != c.want {
			t.Errorf("String(%q)\n got %q\nwant %q", c.in, got, c.want)
		}
		if again := String(c.want); again != c.want {
			t.Errorf("redacting again changes %q to %q", c.want, again)
		}
	}
}

func TestStringLeavesTheRestAlone(t *testing.T) {
	for _, s := range []string{
		"",
		"the token bucket is empty",
		"token bucket: rate=5 burst=10",
		"TraceId=4bf92f3577b34da6a3ce929d0e0e4736 SpanId=00f067aa0ba902b7",
		"image sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''",
		"bearer token is missing",
		"Basic authentication failed for user bob",
		"basic settings loaded",
		"password: incorrect",
		"Unexpected token: end of input",
		"cancellationToken = System.Threading.CancellationToken",
		"key=tenant37 cache miss",
		"code=500 se=1 sp=2",
		"signature: void Foo(int)",
		"authentication failure; logname= uid=0 tty=ssh ruser= rhost=10.0.0.1",
		"requirePassword=true",
		"at System.Net.Http.HttpClient.Send(HttpRequestMessage request)",
		"the cookie was set",
		"risk-assessment-2026-report-finished-ok",
		"https://host:8443/path@2x.png?size=3",
		"Invalid password for user root",
		"--password is required",
		"a -- b --- c",
		"List<Token> and <secret/>",
		"sig=11 key=short",
	} {
		if got := String(s); got != s {
			t.Errorf("String(%q) = %q, want no change", s, got)
		}
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	if got := string(Append([]byte("> "), []byte("password=x"))); got != "> password=[redacted]" {
		t.Errorf("Append = %q", got)
	}
}

func TestAppendAllocates(t *testing.T) {
	src := []byte("Resilience event occurred. Source: 'a//b' password=secret https://u:p@h/x?sig=abc")
	dst := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() { dst = Append(dst[:0], src) }); n > 0 {
		t.Errorf("Append allocates %v times", n)
	}
}

func FuzzAppend(f *testing.F) {
	for _, s := range []string{
		"Authorization: Bearer abc123def456", "Cookie: a=b", "https://u:p@h/?sig=x&token=y", `{"password":"x"}`, `\"secret\":\"y\"`,
		"-----BEGIN PRIVATE KEY-----\nx\n-----END", "Authorization: Digest a=b, c=d", "password==x", "token=[redacted]x", "Basic dXNlcjpwYXNz", "eyJhbGciOiJI.eyJzdWIi.x",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		once := Append(nil, src)
		if twice := Append(nil, once); !bytes.Equal(once, twice) {
			t.Errorf("not idempotent\n src %q\nonce %q\ntwice %q", src, once, twice)
		}
		if !strings.Contains(string(once), Mark) && !bytes.Equal(once, src) {
			t.Errorf("changed without a mark: %q to %q", src, once)
		}
	})
}
