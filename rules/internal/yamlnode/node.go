package yamlnode

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Kind says what a node is.
type Kind uint8

// The kinds of node.
const (
	Map Kind = iota
	List
	Scalar
)

// Type is the type that YAML's core rules give to a scalar.
type Type uint8

// The types of scalar. Quoted scalars are always strings. A time is kept as
// its text: for a schema it is a string.
const (
	String Type = iota
	Int
	Float
	Bool
	Null
)

// Span is a stretch of source text. Lines and columns count from 1, columns
// in code points; EndCol is the column after the last.
type Span struct {
	Line, Col, EndLine, EndCol int
}

// Node is one value of the document. Nodes are immutable after Parse and may
// be shared by several parents through aliases.
type Node struct {
	Kind Kind
	// Type is the type of a scalar.
	Type Type
	// Value is the decoded text of a scalar.
	Value string
	// Pairs are a map's entries in source order, without repeated keys.
	Pairs []Pair
	// Items are a list's elements.
	Items []*Node
	// Span is where the value stands: the whole of a scalar, the first key
	// of a block map, the opening mark of a list or flow map. A value that
	// was left out has the span of its key.
	Span Span

	style style
	flow  bool // a map or list in brackets
	file  *File
}

// Pair is one entry of a map.
type Pair struct {
	Key, Value *Node
}

// Get returns the value of a key of a map, or nil.
func (n *Node) Get(key string) *Node {
	if p := n.Pair(key); p != nil {
		return p.Value
	}
	return nil
}

// Pair returns the entry with the key, or nil.
func (n *Node) Pair(key string) *Pair {
	if n == nil || n.Kind != Map {
		return nil
	}
	for i := range n.Pairs {
		if n.Pairs[i].Key.Value == key {
			return &n.Pairs[i]
		}
	}
	return nil
}

// Text returns the value of a key that holds a scalar, or "".
func (n *Node) Text(key string) string {
	if v := n.Get(key); v != nil && v.Kind == Scalar && v.Type != Null {
		return v.Value
	}
	return ""
}

// Elements returns the elements of a key that holds a list.
func (n *Node) Elements(key string) []*Node {
	if v := n.Get(key); v != nil && v.Kind == List {
		return v.Items
	}
	return nil
}

// At follows a path of keys and list indices as far as it leads and returns
// the last node reached.
func (n *Node) At(path []string) *Node {
	for _, step := range path {
		var next *Node
		switch n.Kind {
		case Map:
			next = n.Get(step)
		case List:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Items) {
				next = n.Items[i]
			}
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// JSON returns the node as the values of encoding/json: map[string]any,
// []any, string, json.Number, bool and nil. Numbers that JSON does not have
// become strings.
func (n *Node) JSON() any {
	switch n.Kind {
	case Map:
		m := make(map[string]any, len(n.Pairs))
		for _, p := range n.Pairs {
			m[p.Key.Value] = p.Value.JSON()
		}
		return m
	case List:
		l := make([]any, len(n.Items))
		for i, it := range n.Items {
			l[i] = it.JSON()
		}
		return l
	}
	switch n.Type {
	case Null:
		return nil
	case Bool:
		return strings.EqualFold(n.Value, "true")
	case Int:
		if i, ok := n.Int(); ok {
			return json.Number(strconv.FormatInt(i, 10))
		}
		return n.Value
	case Float:
		f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return n.Value
		}
		return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
	}
	return n.Value
}

// Int returns the value of a whole number that fits 64 bits. As in JSON
// Schema, 2.0 is a whole number.
func (n *Node) Int() (int64, bool) {
	if n.Kind == Scalar && n.Type == Float {
		f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
		return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
	}
	if n.Kind != Scalar || n.Type != Int {
		return 0, false
	}
	i, err := strconv.ParseInt(n.Value, 0, 64)
	return i, err == nil
}
