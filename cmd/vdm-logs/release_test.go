package main

import (
	"os"
	"regexp"
	"testing"
)

// TestInstallable wants no directive in go.mod with which 'go install
// ...@latest' refuses to work.
func TestInstallable(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`(?m)^(replace|exclude)\b.*`).Find(text); m != nil {
		t.Errorf("go.mod: %s", m)
	}
}
