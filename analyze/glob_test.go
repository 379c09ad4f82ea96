package analyze

import "testing"

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		glob, text string
		want       bool
	}{
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a/b//c", true},
		{"plugin-*//*", "plugin-registry//Standard-AttemptTimeout", true},
		{"plugin-*//*", "plugin-registry/x/Standard-AttemptTimeout", false},
		{"*Timeout", "Standard-AttemptTimeout", true},
		{"*Timeout", "Standard-AttemptTimeouts", false},
		{"a?c", "abc", true},
		{"a?c", "aéc", true},
		{"a?c", "ac", false},
		{`a\*c`, "a*c", true},
		{`a\*c`, "abc", false},
		{`a\\c`, `a\c`, true},
		{"*a*b*c*", "xxaxxbxxcxx", true},
		{"*a*b*c*", "xxaxxcxxbxx", false},
		{"Portal.[x]", "Portal.[x]", true},
		{"PORTAL", "portal", false},
		{"**", "a", true},
		{`a\`, "a", false},
	} {
		if got := Glob(c.glob).Match(c.text); got != c.want {
			t.Errorf("Glob(%q).Match(%q) = %v, want %v", c.glob, c.text, got, c.want)
		}
	}
}

func TestGlobLiteral(t *testing.T) {
	for _, c := range []struct {
		glob, want string
		ok         bool
	}{
		{"a//b", "a//b", true},
		{"a*", "", false},
		{`a\*`, "a*", true},
		{"?", "", false},
	} {
		if got, ok := Glob(c.glob).Literal(); got != c.want || ok != c.ok {
			t.Errorf("Glob(%q).Literal() = %q, %v, want %q, %v", c.glob, got, ok, c.want, c.ok)
		}
	}
}

// TestGlobIsNotExponential holds the matcher against a pattern on which a
// backtracking one takes years.
func TestGlobIsNotExponential(t *testing.T) {
	text := make([]byte, 5000)
	for i := range text {
		text[i] = 'a'
	}
	pattern := Glob("*a*a*a*a*a*a*a*a*a*a*a*a*b")
	if pattern.Match(string(text)) {
		t.Errorf("%s matches a text without b", pattern)
	}
}
