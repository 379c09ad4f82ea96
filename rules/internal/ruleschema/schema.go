// Package ruleschema holds the published JSON Schema of rule files and
// validates parsed files with it. The schema that is printed and the one that
// is applied are the same bytes, so they cannot differ.
//
// The descriptions in the schema are more than documentation: they are the
// hints that problems carry.
package ruleschema

import (
	"bytes"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

//go:embed rules.schema.json
var rulesSchema []byte

// Rules returns the text of the schema of rule files. The caller must not
// change it.
func Rules() []byte { return rulesSchema }

// schema is a compiled schema beside its own text as JSON values.
type schema struct {
	compiled *jsonschema.Schema
	raw      any
}

var rules = sync.OnceValue(func() *schema { return compile(rulesSchema) })

// compile panics if the embedded schema is broken: that is a bug of ours.
func compile(text []byte) *schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(fmt.Sprintf("embedded schema: %v", err))
	}
	id := doc.(map[string]any)["$id"].(string)
	c := jsonschema.NewCompiler()
	if err := c.AddResource(id, doc); err != nil {
		panic(fmt.Sprintf("embedded schema: %v", err))
	}
	s, err := c.Compile(id)
	if err != nil {
		panic(fmt.Sprintf("embedded schema: %v", err))
	}
	return &schema{compiled: s, raw: doc}
}

// Validate checks the shape of a rule file and returns what is wrong with it,
// with positions, in no particular order.
func Validate(root *yamlnode.Node) []*yamlnode.Error { return rules().validate(root) }

// at returns the part of the schema's text that a location such as
// https://…/x.json#/$defs/budget names, or nil.
func (s *schema) at(location string) map[string]any {
	_, pointer, _ := strings.Cut(location, "#")
	v := s.raw
	for _, step := range strings.Split(pointer, "/") {
		if step == "" {
			continue
		}
		step = strings.NewReplacer("~1", "/", "~0", "~", "%24", "$").Replace(step)
		switch c := v.(type) {
		case map[string]any:
			v = c[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(c) {
				return nil
			}
			v = c[i]
		default:
			return nil
		}
	}
	m, _ := v.(map[string]any)
	return s.deref(m)
}

// deref follows a $ref inside the schema.
func (s *schema) deref(m map[string]any) map[string]any {
	if ref, ok := m["$ref"].(string); ok {
		return s.at(ref)
	}
	return m
}

// description returns the description of a schema part, for hints.
func description(m map[string]any) string {
	d, _ := m["description"].(string)
	return d
}
