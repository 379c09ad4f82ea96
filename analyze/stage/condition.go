package stage

import (
	"fmt"
	"strconv"
	"strings"
)

// condition is one compiled entry of Rule.If.
type condition struct {
	field field
	op    byte // '=', '>', '!' (unknown) or '<' (than the other field)
	value float64
	other field
}

// compileCondition reads received=0, declared>0, !declared or received<declared.
func compileCondition(s string) (condition, error) {
	if len(s) > 1 && s[0] == '!' {
		if f, ok := fieldNames[s[1:]]; ok {
			return condition{field: f, op: '!'}, nil
		}
	}
	if less, more, ok := strings.Cut(s, "<"); ok {
		f, known := fieldNames[less]
		if other, ok := fieldNames[more]; ok && known {
			return condition{field: f, op: '<', other: other}, nil
		}
	}
	for i := range len(s) {
		if s[i] != '=' && s[i] != '>' {
			continue
		}
		f, ok := fieldNames[s[:i]]
		x, err := strconv.ParseFloat(s[i+1:], 64)
		if !ok || err != nil {
			break
		}
		return condition{field: f, op: s[i], value: x}, nil
	}
	return condition{}, fmt.Errorf("condition %q: want field=number, field>number, field<field or !field", s)
}

func (k condition) holds(c *captures) bool {
	switch k.op {
	case '!':
		return !c.has[k.field]
	case '=':
		return c.has[k.field] && c.value[k.field] == k.value
	case '<':
		return c.has[k.field] && c.has[k.other] && c.value[k.field] < c.value[k.other]
	}
	return c.has[k.field] && c.value[k.field] > k.value
}
