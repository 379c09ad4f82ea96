package yamlnode

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// builder turns the module's nodes into ours and reports what rule files may
// not hold.
type builder struct {
	file   *File
	errs   []*Error
	nodes  int // nodes of the document with aliases followed
	full   bool
	active map[*yaml.Node]bool // nodes that are being built: an alias to one is a loop
	done   map[*yaml.Node]*Node
	size   map[*yaml.Node]int
}

func (b *builder) report(s Span, id, msg, hint string) {
	if len(b.errs) >= maxErrors {
		return
	}
	b.errs = append(b.errs, &Error{Span: s, ID: id, Msg: msg, Hint: hint})
}

// build returns the node for y. It never returns nil: what cannot be built
// stands as null, and has been reported.
func (b *builder) build(y *yaml.Node, depth int) *Node {
	if b.full {
		return &Node{Kind: Scalar, Type: Null, Span: Span{1, 1, 1, 1}, file: b.file}
	}
	alias := y
	if y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	span := b.file.span(alias)
	null := &Node{Kind: Scalar, Type: Null, Span: span, file: b.file}
	switch {
	case y == nil:
		return null
	case b.active[y]:
		b.report(span, "yaml/alias-loop", "the alias stands inside what it names", "")
		return null
	case depth > maxDepth:
		b.full = true
		b.report(span, "yaml/too-deep", fmt.Sprintf("nested more than %d deep", maxDepth), "")
		return null
	}
	if n, ok := b.done[y]; ok { // an alias, or the anchor it repeats
		if b.nodes += b.size[y]; b.nodes > maxNodes {
			b.full = true
			b.report(span, "yaml/alias-bomb", fmt.Sprintf("with its aliases followed the document has more than %d values", maxNodes), "write the values out")
		}
		return n
	}
	if b.nodes++; b.nodes > maxNodes {
		b.full = true
		b.report(span, "yaml/too-large", fmt.Sprintf("the document has more than %d values", maxNodes), "split it into several files")
		return null
	}
	before := b.nodes - 1
	b.active[y] = true
	n := b.node(y, depth)
	delete(b.active, y)
	if y.Anchor != "" {
		if b.size == nil {
			b.size = map[*yaml.Node]int{}
		}
		b.done[y], b.size[y] = n, b.nodes-before
	}
	return n
}

func (b *builder) node(y *yaml.Node, depth int) *Node {
	n := &Node{Span: b.file.span(y), file: b.file, style: styleOf(y), flow: y.Style&yaml.FlowStyle != 0}
	if y.Style&yaml.TaggedStyle != 0 {
		n.Span = b.file.word(y.Line, y.Column)
		b.report(n.Span, "yaml/tag", fmt.Sprintf("explicit tag %s", y.Tag), "rule files have no tags; quote the value to make it text")
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = Map
		seen := map[string]Span{}
		for i := 0; i+1 < len(y.Content); i += 2 {
			if p, ok := b.pair(y.Content[i], y.Content[i+1], seen, depth); ok {
				n.Pairs = append(n.Pairs, p)
			}
		}
	case yaml.SequenceNode:
		n.Kind = List
		for _, c := range y.Content {
			n.Items = append(n.Items, b.build(c, depth+1))
		}
	default:
		n.Kind, n.Value = Scalar, y.Value
		switch y.ShortTag() {
		case "!!int":
			n.Type = Int
		case "!!float":
			n.Type = Float
		case "!!bool":
			n.Type = Bool
		case "!!null":
			n.Type = Null
		}
	}
	return n
}

func (b *builder) pair(yk, yv *yaml.Node, seen map[string]Span, depth int) (Pair, bool) {
	k := b.build(yk, depth+1)
	v := b.build(yv, depth+1)
	if b.full {
		return Pair{}, false
	}
	if k.Kind != Scalar {
		b.report(k.Span, "yaml/key", "a key must be a plain text", "")
		return Pair{}, false
	}
	if yk.Tag == "!!merge" {
		b.report(k.Span, "yaml/merge-key", "merge keys are not part of rule files", "write the keys out")
		return Pair{}, false
	}
	if first, ok := seen[k.Value]; ok {
		b.report(k.Span, "yaml/duplicate-key", fmt.Sprintf("the key %q is already on line %d", k.Value, first.Line), "keep one of the two")
		return Pair{}, false
	}
	seen[k.Value] = k.Span
	if v.Kind == Scalar && v.Type == Null && strings.TrimSpace(v.Value) == "" {
		v.Span = k.Span
	}
	return Pair{Key: k, Value: v}, true
}
