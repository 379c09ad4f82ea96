package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// value reads what a key is set to; what it cannot be is reported.
func (r *reader) value(k *Key, n *yaml.Node, name string) ([]string, bool) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil, false // as if it were not there
	}
	var nodes []*yaml.Node
	switch {
	case n.Kind == yaml.ScalarNode && k.Kind != Command:
		nodes = []*yaml.Node{n} // one may stand for a list of one
	case n.Kind == yaml.SequenceNode && k.Kind.list():
		nodes = n.Content
	}
	if len(nodes) == 0 {
		hint := ""
		if k.Kind == Command {
			hint = "such as [pass, show, loki]; no shell reads it"
		}
		r.report(n, fmt.Sprintf("%s must be %s", name, k.Kind), hint)
		return nil, false
	}
	texts := make([]string, 0, len(nodes))
	for _, c := range nodes {
		if c.Kind != yaml.ScalarNode || c.Tag == "!!null" {
			r.report(c, fmt.Sprintf("%s must be %s", name, k.Kind), "")
			return nil, false
		}
		if err := k.check(c.Value); err != nil {
			r.report(c, name+": "+err.Error(), "")
			return nil, false
		}
		texts = append(texts, c.Value)
	}
	switch {
	case k.Kind == Path || k.Kind == Paths:
		for i := range texts {
			texts[i] = absolute(r.dir, texts[i])
		}
	case k.Kind == Command && strings.ContainsAny(texts[0], `/\`):
		texts[0] = absolute(r.dir, texts[0])
	}
	return texts, true
}

// check refuses a text that the key cannot be. The text is not repeated where
// it is a secret.
func (k *Key) check(text string) error {
	switch k.Kind {
	case Bool:
		if _, err := strconv.ParseBool(text); err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
	case Int:
		if n, err := strconv.Atoi(text); err != nil || n < 0 {
			return fmt.Errorf("%q is no whole number", text)
		}
	case Path, Paths:
		if text == "" {
			return fmt.Errorf("an empty path")
		}
	}
	if k.Check != nil && text != "" {
		return k.Check(text)
	}
	return nil
}

// absolute resolves a path of the file: ~ is the user's home, and what is
// relative starts in the file's folder.
func absolute(dir, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
