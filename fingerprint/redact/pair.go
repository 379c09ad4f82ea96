package redact

import "bytes"

// nameClass says how sure a name makes us that its value is secret.
type nameClass uint8

const (
	notSecret nameClass = iota
	always              // password and the like, in any pair
	quoted              // token and the like: any value behind =, else only one that looks random
	query               // short names that mean a secret in a query string only
	header              // Authorization: scheme and credentials
	cookie              // Cookie: the rest of the line
)

// names maps names, in lower case without - _ and full stops, to their class.
var names = map[string]nameClass{
	"password": always, "passwd": always, "pwd": always, "pass": quoted, "passphrase": always, "secret": always, "clientsecret": always,
	"secretkey": always, "secretaccesskey": always, "awssecretaccesskey": always, "apikey": always, "xapikey": always, "xapitoken": always,
	"apitoken": always, "apisecret": always, "accesskey": quoted, "accesskeyid": quoted, "accountkey": always, "sharedaccesskey": always,
	"sharedaccesssignature": always, "privatekey": always, "signingkey": always, "encryptionkey": always, "masterkey": always, "connectionstring": notSecret,
	"token": quoted, "accesstoken": always, "refreshtoken": always, "idtoken": always, "authtoken": always, "sessiontoken": always,
	"securitytoken": always, "xamzsecuritytoken": always, "bearertoken": always, "csrftoken": always, "xsrftoken": always, "xcsrftoken": always,
	"xxsrftoken": always, "xauthtoken": always, "bottoken": always, "devicetoken": always, "personalaccesstoken": always, "vaulttoken": always,
	"xvaulttoken": always, "privatetoken": always, "jobtoken": always, "idtokenhint": always, "clientassertion": always, "codeverifier": always,
	"credentials": quoted, "credential": quoted, "xamzsignature": always, "xamzcredential": always, "xgoogsignature": always, "xgoogcredential": always,
	"sig": query, "signature": query, "se": query, "sp": query, "key": query, "code": query, "auth": query, "hmac": query, "policy": query,
	"keypairid": query, "awsaccesskeyid": quoted, "googleaccessid": query, "jwt": quoted, "assertion": query, "ticket": query, "sessionid": quoted,
	"authorization": header, "proxyauthorization": header, "xauthorization": header, "wwwauthorization": header, "xforwardedauthorization": header,
	"cookie": cookie, "setcookie": cookie, "setcookie2": cookie, "ocpapimsubscriptionkey": always, "subscriptionkey": always, "xfunctionskey": always,
}

// endings are ends of longer names that make them secret: db_password.
var endings = []string{"password", "passwd", "passphrase", "secret", "apikey", "secretkey", "accountkey", "privatekey", "accesstoken", "refreshtoken", "authtoken"}

// classify returns the class of a name.
func classify(name []byte) nameClass {
	var buf [48]byte
	n := 0
	for _, c := range name {
		if c == '-' || c == '_' || c == '.' {
			continue
		}
		if n == len(buf) {
			return notSecret
		}
		buf[n] = lower(c)
		n++
	}
	if n < 2 {
		return notSecret
	}
	if class, ok := names[string(buf[:n])]; ok {
		return class
	}
	for _, e := range endings {
		if n > len(e) && string(buf[n-len(e):n]) == e {
			return always
		}
	}
	return notSecret
}

// lastLetters are the letters that the names and endings above end with.
var lastLetters = func() (t [256]bool) {
	for n := range names {
		t[n[len(n)-1]] = true
		t[n[len(n)-1]&^0x20] = true
	}
	t['2'] = true
	return t
}()

// atSign looks for the secret behind the sign of a pair at src[i].
func atSign(src []byte, i int) (start, end int) {
	if src[i] == ':' && hasPrefix(src, i, "://") {
		return userinfo(src, i+3)
	}
	// Backwards over white space and a closing quote to the name.
	stop := i
	for stop > 0 && src[stop-1] == ' ' && i-stop < 2 {
		stop--
	}
	if stop > 0 && isQuote(src[stop-1]) {
		stop--
		if stop > 0 && src[stop-1] == '\\' {
			stop--
		}
	}
	if stop == 0 || !lastLetters[src[stop-1]] {
		return -1, 0
	}
	begin := stop
	for begin > 0 && stop-begin < 64 && (isName(src[begin-1]) || src[begin-1] == '-' || src[begin-1] == '.') {
		begin--
	}
	inQuery := false
	if src[i] == '=' && begin > 0 {
		switch {
		case src[begin-1] == '?' || src[begin-1] == '&' || bytes.HasSuffix(src[:begin], []byte("&amp;")):
			inQuery = true
		case src[begin-1] == '\\' && hasPrefix(src, begin, "u0026"): // an ampersand as JSON escapes it
			begin += len("u0026")
			inQuery = true
		}
	}
	class := classify(src[begin:stop])
	p := i + 1
	if src[i] == '>' {
		return element(src, begin, p, class)
	}
	if class == query && !inQuery {
		// Outside a query a signature is told by its look.
		if end := tokenEnd(src, p); src[i] == '=' && end-p >= 20 && looksRandom(src[p:end]) && isSignature(src[begin:stop]) {
			return secret(src, p, end)
		}
		return -1, 0
	}
	if class == notSecret {
		return -1, 0
	}
	if src[i] == '=' && p < len(src) && (src[p] == '>' || src[p] == '=') {
		p++
	}
	return pairValue(src, p, pairContext{class, src[i], inQuery})
}

// isSignature reports whether a short name is one of a signature.
func isSignature(name []byte) bool {
	for _, s := range []string{"sig", "signature", "hmac"} {
		if len(name) == len(s) && hasPrefixFold(name, 0, s) {
			return true
		}
	}
	return false
}

// element returns the text of an XML element whose name begins at src[begin]
// and whose text begins at src[p].
func element(src []byte, begin, p int, class nameClass) (start, end int) {
	if begin == 0 || src[begin-1] != '<' || class == notSecret || class == query {
		return -1, 0
	}
	end = p
	for end < len(src) && src[end] != '<' && src[end] != '\n' {
		end++
	}
	if !hasPrefix(src, end, "</") {
		return -1, 0
	}
	return secret(src, p, end)
}

// pairContext is what is known when the value of a pair is looked at.
type pairContext struct {
	class   nameClass
	sign    byte
	inQuery bool
}

// pairValue returns the range of the value at or after src[p].
func pairValue(src []byte, p int, c pairContext) (start, end int) {
	if c.inQuery {
		end = p
		for end < len(src) && !isSpace(src[end]) && bytes.IndexByte([]byte("&#\"'`<>\\|,;)]}"), src[end]) < 0 {
			end++
		}
		return secret(src, p, end)
	}
	spaces := p
	for p < len(src) && src[p] == ' ' {
		p++
	}
	spaces = p - spaces
	if p == len(src) || hasPrefix(src, p, Mark) {
		return -1, 0
	}
	switch q := src[p]; {
	case isQuote(q) || q == '\\' && p+1 < len(src) && isQuote(src[p+1]):
		return quotedValue(src, p)
	case q == '[' && p+1 < len(src) && isQuote(src[p+1]) && c.class < header:
		return quotedValue(src, p+1)
	case q == '[' || q == '(':
		close := byte(']')
		if q == '(' {
			close = ')'
		}
		if k := bytes.IndexByte(src[p:], close); k > 0 && c.class >= header {
			return secret(src, p+1, p+k)
		}
		if c.class < header {
			return -1, 0
		}
	case q == '{' || q == '<':
		return -1, 0
	}
	switch c.class {
	case cookie:
		end = lineEnd(src, p)
	case header:
		end = credentials(src, p)
	default:
		end = p
		for end < len(src) && !isSpace(src[end]) && bytes.IndexByte([]byte(";,&\"'`)]}<>|"), src[end]) < 0 {
			end++
		}
		v := src[p:end]
		if c.class == quoted && !looksRandom(v) && (c.sign == ':' || spaces > 0) {
			return -1, 0
		}
		// "password: incorrect" is prose, so is "pwd = missing".
		if (c.sign == ':' || spaces > 0) && isPlainAnswer(v) {
			return -1, 0
		}
	}
	return secret(src, p, end)
}

// secret returns the range unless there is nothing in it to hide.
func secret(src []byte, start, end int) (int, int) {
	for end > start && isSpace(src[end-1]) {
		end--
	}
	v := src[start:end]
	if len(v) == 0 {
		return -1, 0
	}
	switch string(v) {
	case "true", "false", "True", "False", "null", "nil", "None", "-", "undefined":
		return -1, 0
	}
	if len(bytes.Trim(v, "*")) == 0 || len(bytes.Trim(v, ".")) == 0 {
		return -1, 0
	}
	return start, end
}

// plainAnswers are what prose says of a password behind a colon.
var plainAnswers = []string{"incorrect", "invalid", "wrong", "missing", "required", "expired", "empty", "failed", "failure", "rejected", "denied", "mismatch", "unknown", "not", "no", "must", "is", "the", "a", "cannot", "could", "too", "yes", "ok", "accepted", "unexpected", "authentication", "user", "change", "changed", "set", "unset", "none"}

func isPlainAnswer(v []byte) bool {
	v = bytes.TrimRight(v, ".!?:")
	for _, w := range plainAnswers {
		if len(v) == len(w) && hasPrefixFold(v, 0, w) {
			return true
		}
	}
	return false
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// quotedValue returns what stands between the quotes that open at src[p],
// which may be escaped themselves, or up to the end of the line when they are
// not closed.
func quotedValue(src []byte, p int) (start, end int) {
	escaped := src[p] == '\\'
	if escaped {
		p++
	}
	q := src[p]
	start = p + 1
	for end = start; end < len(src); end++ {
		switch {
		case src[end] == '\n':
			return secret(src, start, end)
		case escaped && src[end] == '\\' && end+1 < len(src) && src[end+1] == q:
			return secret(src, start, end)
		case !escaped && src[end] == '\\' && end+1 < len(src):
			end++
		case src[end] == q && !escaped:
			return secret(src, start, end)
		}
	}
	return secret(src, start, len(src))
}

func lineEnd(src []byte, p int) int {
	for p < len(src) && src[p] != '\n' && src[p] != '\r' && src[p] != '"' && src[p] != ']' && src[p] != '}' {
		p++
	}
	return p
}

// credentials returns the end of scheme and credentials of an Authorization
// header: one word, or two when the first is a scheme, or for schemes with
// parameters the rest of the line.
func credentials(src []byte, p int) int {
	end := wordEnd(src, p)
	first := src[p:end]
	if end == len(src) || src[end] != ' ' || len(first) > 20 {
		return end
	}
	for _, scheme := range []string{"digest", "aws4-hmac-sha256", "ntlm", "negotiate", "hawk", "oauth", "signature"} {
		if len(first) == len(scheme) && hasPrefixFold(first, 0, scheme) {
			return lineEnd(src, p)
		}
	}
	for _, c := range first {
		if !isName(c) && c != '-' {
			return end
		}
	}
	next := end + 1
	stop := wordEnd(src, next)
	if hasPrefix(src, next, Mark) {
		return p
	}
	if bytes.IndexByte(src[next:stop], ':') > 0 {
		return end // the next header of the dump
	}
	return stop
}

func wordEnd(src []byte, p int) int {
	for p < len(src) && !isSpace(src[p]) && bytes.IndexByte([]byte("\"'`,;)]}<>|"), src[p]) < 0 {
		p++
	}
	return p
}

// userinfo returns the user and password of a URL whose authority begins at
// src[p]; a user without a password stays, unless it looks random.
func userinfo(src []byte, p int) (start, end int) {
	at, colon := -1, -1
	for i := p; i < len(src) && i-p < 512; i++ {
		c := src[i]
		if c == '@' {
			at = i
			continue
		}
		if c == ':' && colon < 0 {
			colon = i
		}
		if isSpace(c) || bytes.IndexByte([]byte("/?#\"'`<>\\"), c) >= 0 {
			break
		}
	}
	if at < 0 || at == p {
		return -1, 0
	}
	if colon > 0 && colon < at-1 || len(src[p:at]) >= 20 && looksRandom(src[p:at]) {
		return p, at
	}
	return -1, 0
}
