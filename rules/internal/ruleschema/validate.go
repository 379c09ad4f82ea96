package ruleschema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/vdm-logs/vdm-logs/rules/internal/nearest"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// validate runs the compiled schema over the node and turns its error tree
// into positions and sentences.
func (s *schema) validate(root *yamlnode.Node) []*yamlnode.Error {
	err := s.compiled.Validate(root.JSON())
	if err == nil {
		return nil
	}
	ve, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return []*yamlnode.Error{{Span: root.Span, ID: "schema/type", Msg: err.Error()}}
	}
	t := translator{schema: s, root: root, meant: map[*yamlnode.Node][]string{}}
	t.walk(ve)
	for _, m := range t.missing {
		if !slices.Contains(t.meant[m.node], m.name) {
			t.report(m.node.Span, "schema/missing-key", m.hint, "the key %q is missing", m.name)
		}
	}
	return t.errs
}

type translator struct {
	schema *schema
	root   *yamlnode.Node
	errs   []*yamlnode.Error
	// missing keys wait until all unknown keys of the map are known: a key
	// that was misspelt is not missing as well.
	missing []missingKey
	meant   map[*yamlnode.Node][]string
}

type missingKey struct {
	node       *yamlnode.Node
	name, hint string
}

func (t *translator) report(span yamlnode.Span, id, hint, format string, args ...any) {
	t.errs = append(t.errs, &yamlnode.Error{Span: span, ID: id, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

func (t *translator) walk(e *jsonschema.ValidationError) {
	node := t.root.At(e.InstanceLocation)
	part := t.schema.at(e.SchemaURL)
	hint := description(part)
	last := ""
	if n := len(e.InstanceLocation); n > 0 {
		last = e.InstanceLocation[n-1]
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Group, *kind.Schema, *kind.Reference, *kind.AllOf:
		for _, c := range e.Causes {
			t.walk(c)
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			t.unknownKey(node, part, name)
		}
	case *kind.Required:
		for _, name := range k.Missing {
			props, _ := part["properties"].(map[string]any)
			prop, _ := props[name].(map[string]any)
			t.missing = append(t.missing, missingKey{node, name, description(t.schema.deref(prop))})
		}
	case *kind.DependentRequired:
		t.report(keySpan(node, k.Prop), "schema/missing-key", "", "%q needs %s beside it", k.Prop, quoted(k.Missing))
	case *kind.Type:
		t.wrongType(node, k, hint)
	case *kind.Enum:
		t.notInEnum(node, k, hint)
	case *kind.Const:
		if last == "version" {
			t.report(node.Span, "schema/version", hint, "version %s of the rule language is not known", shown(node))
			return
		}
		t.report(node.Span, "schema/value", hint, "%s where only %v may stand", shown(node), k.Want)
	case *kind.Not:
		t.report(keySpan(t.root.At(e.InstanceLocation[:max(0, len(e.InstanceLocation)-1)]), last), "schema/exclusive", "", "%s", hint)
	case *kind.MinLength:
		t.report(node.Span, "schema/empty", hint, "an empty text")
	case *kind.MinItems, *kind.MinProperties:
		t.report(node.Span, "schema/empty", hint, "nothing in it")
	case *kind.UniqueItems:
		if j := max(k.Duplicates[0], k.Duplicates[1]); j < len(node.Items) {
			node = node.Items[j]
		}
		t.report(node.Span, "schema/repeated", "keep one of the two", "%s is in the list already", shown(node))
	case *kind.Minimum:
		t.report(node.Span, "schema/range", hint, "%s is less than %s", shown(node), k.Want.RatString())
	case *kind.Maximum:
		t.report(node.Span, "schema/range", hint, "%s is more than %s", shown(node), k.Want.RatString())
	case *kind.Pattern:
		t.report(node.Span, "schema/form", hint, "%s does not have the form that is wanted here", shown(node))
	case *kind.PropertyNames:
		t.report(keySpan(node, k.Property), "schema/empty", hint, "%q cannot be a key here", k.Property)
	default:
		t.report(node.Span, "schema/value", hint, "%s is not allowed here", shown(node))
	}
}

// unknownKey reports a key that the schema does not have, with the nearest
// that it does have.
func (t *translator) unknownKey(node *yamlnode.Node, part map[string]any, name string) {
	props, _ := part["properties"].(map[string]any)
	names := make([]string, 0, len(props))
	for p := range props {
		names = append(names, p)
	}
	slices.Sort(names)
	hint := "known here: " + strings.Join(names, ", ")
	if best := nearest.Of(name, names); best != "" {
		hint = fmt.Sprintf("did you mean %q?", best)
		t.meant[node] = append(t.meant[node], best)
	}
	t.report(keySpan(node, name), "schema/unknown-key", hint, "unknown key %q", name)
}

func (t *translator) wrongType(node *yamlnode.Node, k *kind.Type, hint string) {
	want := make([]string, len(k.Want))
	for i, w := range k.Want {
		want[i] = words[w]
	}
	got := words[k.Got]
	if node.Kind == yamlnode.Scalar && node.Type != yamlnode.Null && node.Value != "" {
		got += " " + shown(node)
	}
	t.report(node.Span, "schema/type", hint, "%s where %s is wanted", got, strings.Join(want, " or "))
}

func (t *translator) notInEnum(node *yamlnode.Node, k *kind.Enum, hint string) {
	var names []string
	for _, w := range k.Want {
		if s, ok := w.(string); ok {
			names = append(names, s)
		}
	}
	switch best := nearest.Of(node.Value, names); {
	case node.Kind != yamlnode.Scalar:
	case best != "":
		hint = fmt.Sprintf("did you mean %q?", best)
	default:
		hint = "one of " + strings.Join(names, ", ")
	}
	t.report(node.Span, "schema/value", hint, "%s is not known here", shown(node))
}

// keySpan is the place of a key of a map.
func keySpan(node *yamlnode.Node, name string) yamlnode.Span {
	if p := node.Pair(name); p != nil {
		return p.Key.Span
	}
	return node.Span
}

// words name JSON's types to people.
var words = map[string]string{
	"string": "a text", "number": "a number", "integer": "a whole number", "boolean": "true or false",
	"null": "nothing", "object": "a map", "array": "a list",
}

// shown is a value as it appears in a message: short, on one line.
func shown(n *yamlnode.Node) string {
	switch {
	case n.Kind == yamlnode.Map:
		return "a map"
	case n.Kind == yamlnode.List:
		return "a list"
	case n.Type == yamlnode.String:
		v := []rune(n.Value)
		if len(v) > 60 {
			return fmt.Sprintf("%q…", string(v[:60]))
		}
		return fmt.Sprintf("%q", n.Value)
	case n.Type == yamlnode.Null:
		return "nothing"
	}
	return n.Value
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(q, ", ")
}
