package transfer

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Expr is a duration written as arithmetic over names, literals and integers:
//
//	TransferStallBudget + 1m
//	2 * (Index + Bundle) - 30s
//	1h30m
//
// Literals are one or more numbers, each with a unit: ns us µs ms s m h d w;
// a day has 24 hours and a week seven days. Numbers may have a fraction. A
// number without a unit is a factor and may only stand beside a *. A name
// begins with a letter or an underscore and goes on with letters, digits, and
// any of _ . - so a minus sign needs a space on both sides.
//
// An Expr is immutable and may be used by any number of goroutines.
type Expr struct {
	root  *exprNode
	names []NameRef
}

// NameRef is one use of a name in an Expr.
type NameRef struct {
	Name string
	// Offset is where the name begins, in bytes from the start of the text.
	Offset int
}

// ExprError says where an expression is wrong, and why.
type ExprError struct {
	// Offset is in bytes from the start of the text.
	Offset int
	// Msg is the complaint, without the position.
	Msg string
}

// Error returns the complaint with its position, counted from 1.
func (e *ExprError) Error() string { return fmt.Sprintf("at %d: %s", e.Offset+1, e.Msg) }

// Expressions are written by people; these bounds keep hostile ones cheap.
const (
	maxExprLength = 4096
	maxExprDepth  = 64
)

type exprOp byte

const (
	opDuration exprOp = iota
	opFactor
	opName
	opAdd
	opSubtract
	opMultiply
)

type exprNode struct {
	op          exprOp
	value       int64 // of opDuration (ns) and opFactor
	text        string
	offset      int
	left, right *exprNode
}

// isFactor reports whether the node is a plain number, without a dimension.
func (n *exprNode) isFactor() bool {
	return n.op == opFactor || n.op == opMultiply && n.left.isFactor() && n.right.isFactor()
}

// ParseExpr parses s. The error is an *ExprError.
func ParseExpr(s string) (*Expr, error) {
	if len(s) > maxExprLength {
		return nil, &ExprError{Offset: maxExprLength, Msg: fmt.Sprintf("the expression is longer than %d bytes", maxExprLength)}
	}
	p := exprParser{text: s}
	root, err := p.sum(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.pos < len(s) {
		return nil, p.unexpected("an operator")
	}
	if root.isFactor() {
		return nil, &ExprError{Offset: root.offset, Msg: "a number without a unit is no duration; write 90s, 1m30s or 1.5h"}
	}
	return &Expr{root: root, names: p.names}, nil
}

// Names returns the names that the expression uses, each use once, in order.
func (e *Expr) Names() []NameRef { return slices.Clone(e.names) }

// Eval computes the duration. lookup gives the value of a name and whether it
// has one. Eval fails with an *ExprError on an unknown name, on overflow of
// time.Duration, and when the result is negative; a part may be negative.
func (e *Expr) Eval(lookup func(name string) (time.Duration, bool)) (time.Duration, error) {
	v, err := e.root.eval(lookup)
	if err != nil {
		return 0, err
	}
	if v < 0 {
		return 0, &ExprError{Offset: e.root.offset, Msg: fmt.Sprintf("the result is negative: %s", time.Duration(v))}
	}
	return time.Duration(v), nil
}

// String returns the expression in one canonical spelling, which parses to the
// same expression.
func (e *Expr) String() string {
	var b strings.Builder
	e.root.print(&b)
	return b.String()
}

func (n *exprNode) eval(lookup func(string) (time.Duration, bool)) (int64, error) {
	switch n.op {
	case opDuration, opFactor:
		return n.value, nil
	case opName:
		if lookup != nil {
			if d, ok := lookup(n.text); ok {
				return int64(d), nil
			}
		}
		return 0, &ExprError{Offset: n.offset, Msg: fmt.Sprintf("unknown name %q", n.text)}
	}
	l, err := n.left.eval(lookup)
	if err != nil {
		return 0, err
	}
	r, err := n.right.eval(lookup)
	if err != nil {
		return 0, err
	}
	var v int64
	ok := true
	switch n.op {
	case opAdd:
		v, ok = addInt64(l, r)
	case opSubtract:
		if ok = r != math.MinInt64; ok {
			v, ok = addInt64(l, -r)
		}
	case opMultiply:
		v, ok = multiplyInt64(l, r)
	}
	if !ok {
		return 0, &ExprError{Offset: n.offset, Msg: "the result does not fit a duration (292 years)"}
	}
	return v, nil
}

func addInt64(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func multiplyInt64(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	p := a * b
	return p, p/b == a && (a != math.MinInt64 || b != -1) && (b != math.MinInt64 || a != -1)
}

// rank orders operators by how tightly they bind.
func (n *exprNode) rank() int {
	switch n.op {
	case opAdd, opSubtract:
		return 1
	case opMultiply:
		return 2
	}
	return 3
}

func (n *exprNode) print(b *strings.Builder) {
	if n.left == nil {
		b.WriteString(n.text)
		return
	}
	n.left.printIn(b, n.left.rank() < n.rank())
	b.WriteString(map[exprOp]string{opAdd: " + ", opSubtract: " - ", opMultiply: " * "}[n.op])
	// The operators lean left, so a right operand of equal rank keeps its
	// parentheses: a - (b - c) is not a - b - c.
	n.right.printIn(b, n.right.rank() <= n.rank())
}

func (n *exprNode) printIn(b *strings.Builder, parens bool) {
	if parens {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	n.print(b)
}

type exprParser struct {
	text  string
	pos   int
	names []NameRef
}

func (p *exprParser) fail(offset int, format string, args ...any) error {
	return &ExprError{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

func (p *exprParser) unexpected(wanted string) error {
	if p.pos >= len(p.text) {
		return p.fail(len(p.text), "the expression ends where %s is needed", wanted)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return p.fail(p.pos, "%q where %s is needed", r, wanted)
}

// space skips white space and reports whether there was any.
func (p *exprParser) space() bool {
	start := p.pos
	for p.pos < len(p.text) && isSpace(p.text[p.pos]) {
		p.pos++
	}
	return p.pos > start
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (p *exprParser) sum(depth int) (*exprNode, error) {
	left, err := p.product(depth)
	if err != nil {
		return nil, err
	}
	for {
		p.space()
		if p.pos >= len(p.text) {
			return left, nil
		}
		spaced := p.pos > 0 && isSpace(p.text[p.pos-1])
		offset, op := p.pos, opAdd
		switch p.text[p.pos] {
		case '+':
		case '-':
			op = opSubtract
			if p.pos++; !spaced || !p.space() {
				return nil, p.fail(offset, "a minus sign needs a space on both sides, because names may hold a '-'")
			}
			p.pos--
		default:
			return left, nil
		}
		p.pos++
		right, err := p.product(depth)
		if err != nil {
			return nil, err
		}
		for _, side := range []*exprNode{left, right} {
			if side.isFactor() {
				return nil, p.fail(side.offset, "a number without a unit cannot be added or subtracted; write 90s, 1m30s or 1.5h")
			}
		}
		left = &exprNode{op: op, offset: offset, left: left, right: right}
	}
}

func (p *exprParser) product(depth int) (*exprNode, error) {
	left, err := p.operand(depth)
	if err != nil {
		return nil, err
	}
	for {
		if p.space(); p.pos >= len(p.text) || p.text[p.pos] != '*' {
			return left, nil
		}
		offset := p.pos
		p.pos++
		right, err := p.operand(depth)
		if err != nil {
			return nil, err
		}
		if !left.isFactor() && !right.isFactor() {
			return nil, p.fail(offset, "a duration times a duration is no duration; one side must be an integer")
		}
		left = &exprNode{op: opMultiply, offset: offset, left: left, right: right}
	}
}

func (p *exprParser) operand(depth int) (*exprNode, error) {
	p.space()
	if p.pos >= len(p.text) {
		return nil, p.unexpected("a duration, a name or a number")
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	switch {
	case r == '(':
		if depth++; depth > maxExprDepth {
			return nil, p.fail(p.pos, "more than %d parentheses inside one another", maxExprDepth)
		}
		p.pos++
		n, err := p.sum(depth)
		if err != nil {
			return nil, err
		}
		if p.space(); p.pos >= len(p.text) || p.text[p.pos] != ')' {
			return nil, p.unexpected("')' or an operator")
		}
		p.pos++
		return n, nil
	case r >= '0' && r <= '9':
		return p.literal()
	case r == '_' || unicode.IsLetter(r):
		start := p.pos
		p.pos += strings.IndexFunc(p.text[p.pos:]+"\x00", func(r rune) bool { return !isNameRune(r) })
		name := p.text[start:p.pos]
		p.names = append(p.names, NameRef{Name: name, Offset: start})
		return &exprNode{op: opName, text: name, offset: start}, nil
	}
	return nil, p.unexpected("a duration, a name or a number")
}

func isNameRune(r rune) bool {
	return r == '_' || r == '.' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// literal parses 2, 90s or 1h30m.
func (p *exprParser) literal() (*exprNode, error) {
	start := p.pos
	var total int64
	for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
		from := p.pos
		for p.pos < len(p.text) && (p.text[p.pos] == '.' || p.text[p.pos] >= '0' && p.text[p.pos] <= '9') {
			p.pos++
		}
		number, unitAt := p.text[from:p.pos], p.pos
		p.pos += strings.IndexFunc(p.text[p.pos:]+"\x00", func(r rune) bool { return !unicode.IsLetter(r) })
		unit := p.text[unitAt:p.pos]
		if unit == "" {
			if from != start {
				return nil, p.fail(from, "the number %s has no unit", number)
			}
			n, err := strconv.ParseInt(number, 10, 64)
			if err != nil {
				return nil, p.fail(from, "%s is neither an integer factor nor, without a unit, a duration", number)
			}
			return &exprNode{op: opFactor, value: n, text: number, offset: start}, nil
		}
		part, err := parseUnit(number, unit)
		if err != "" {
			return nil, p.fail(from, "%s", err)
		}
		sum, ok := addInt64(total, part)
		if !ok {
			return nil, p.fail(from, "the duration does not fit (292 years)")
		}
		total = sum
	}
	return &exprNode{op: opDuration, value: total, text: p.text[start:p.pos], offset: start}, nil
}

// parseUnit returns number times unit in nanoseconds, or a complaint.
func parseUnit(number, unit string) (ns int64, complaint string) {
	times := int64(1)
	switch unit {
	case "ns", "us", "µs", "μs", "ms", "s", "m", "h":
	case "d":
		times, unit = 24, "h"
	case "w":
		times, unit = 7*24, "h"
	default:
		return 0, fmt.Sprintf("unknown unit %q; the units are ns us ms s m h d w", unit)
	}
	d, err := time.ParseDuration(number + unit)
	if err != nil {
		return 0, fmt.Sprintf("%q is not a duration", number+unit)
	}
	ns, ok := multiplyInt64(int64(d), times)
	if !ok {
		return 0, "the duration does not fit (292 years)"
	}
	return ns, ""
}
