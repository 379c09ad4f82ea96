package transfer

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func lookupIn(m map[string]time.Duration) func(string) (time.Duration, bool) {
	return func(n string) (time.Duration, bool) { d, ok := m[n]; return d, ok }
}

var exprValues = map[string]time.Duration{
	"TransferStallBudget": 120 * time.Second, "A": time.Minute, "B": time.Second,
	"a-b.c_d": time.Hour, "Zeit": 5 * time.Second, "über": 7 * time.Second, "Huge": math.MaxInt64,
}

func TestExprEval(t *testing.T) {
	tests := []struct {
		in, canonical string
		want          time.Duration
	}{
		{"90s", "90s", 90 * time.Second},
		{"1h30m", "1h30m", 90 * time.Minute},
		{"1.5s", "1.5s", 1500 * time.Millisecond},
		{"1d", "1d", 24 * time.Hour},
		{"1w2d", "1w2d", 9 * 24 * time.Hour},
		{"0.5d", "0.5d", 12 * time.Hour},
		{"10us", "10us", 10 * time.Microsecond},
		{"10µs", "10µs", 10 * time.Microsecond},
		{"10μs", "10μs", 10 * time.Microsecond},
		{"0s", "0s", 0},
		{"TransferStallBudget + 1m", "TransferStallBudget + 1m", 180 * time.Second},
		{"TransferStallBudget+1m", "TransferStallBudget + 1m", 180 * time.Second},
		{"2 * A + B", "2 * A + B", 121 * time.Second},
		{"2*(A+B)", "2 * (A + B)", 122 * time.Second},
		{"(A + B) * 2 * 3", "(A + B) * 2 * 3", 366 * time.Second},
		{"A - (B - 1s)", "A - (B - 1s)", time.Minute},
		{"A - B - 1s", "A - B - 1s", 58 * time.Second},
		{"B - A + A", "B - A + A", time.Second},
		{"((A))", "A", time.Minute},
		{"a-b.c_d - A", "a-b.c_d - A", 59 * time.Minute},
		{"\tZeit +\nüber ", "Zeit + über", 12 * time.Second},
		{"A*(2*3)", "A * (2 * 3)", 6 * time.Minute},
	}
	for _, tt := range tests {
		e, err := ParseExpr(tt.in)
		if err != nil {
			t.Errorf("ParseExpr(%q): %v", tt.in, err)
			continue
		}
		got, err := e.Eval(lookupIn(exprValues))
		if err != nil || got != tt.want {
			t.Errorf("Eval(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
		}
		if e.String() != tt.canonical {
			t.Errorf("String of %q = %q, want %q", tt.in, e.String(), tt.canonical)
		}
	}
}

func TestExprNames(t *testing.T) {
	e, err := ParseExpr("2 * A + über - A")
	if err != nil {
		t.Fatal(err)
	}
	want := []NameRef{{"A", 4}, {"über", 8}, {"A", 16}}
	if diff := cmp.Diff(want, e.Names()); diff != "" {
		t.Errorf("Names (-want +got):\n%s", diff)
	}
}

func TestExprErrors(t *testing.T) {
	tests := []struct {
		in     string
		offset int
	}{
		{"", 0}, {"  ", 2}, {"5", 0}, {"2 * 3", 2}, {"A + 5", 4}, {"5 + A", 0}, {"1.5 * A", 0},
		{"A * B", 2}, {"A B", 2}, {"(A", 2}, {"A)", 1}, {"A +", 3}, {"A -B", 2}, {"1m-1s", 2},
		{"A- B", 3}, {"3x", 0}, {"2ndBudget", 0}, {"1h30", 2}, {"1..5s", 0}, {"-A", 0}, {"A / 2", 2},
		{"300y", 0}, {"999999999d", 0}, {"20000000000s", 0}, {"A + $x", 4}, {"1h 30m", 3},
		{"99999999999999999999 * A", 0},
	}
	for _, tt := range tests {
		e, err := ParseExpr(tt.in)
		var xe *ExprError
		if !errors.As(err, &xe) {
			t.Errorf("ParseExpr(%q) = %v, %v, want an *ExprError", tt.in, e, err)
			continue
		}
		if xe.Offset != tt.offset {
			t.Errorf("ParseExpr(%q): %v, at offset %d, want %d", tt.in, xe.Msg, xe.Offset, tt.offset)
		}
	}
}

func TestExprEvalErrors(t *testing.T) {
	for in, offset := range map[string]int{
		"A + Nobody": 4, "B - A": 2, "Huge + 1ns": 5, "2 * Huge": 2, "9223372036854775807 * 9223372036854775807 * 1ns": 20,
		"0s - Huge - Huge": 10,
	} {
		e, err := ParseExpr(in)
		if err != nil {
			t.Fatalf("ParseExpr(%q): %v", in, err)
		}
		got, err := e.Eval(lookupIn(exprValues))
		var xe *ExprError
		if !errors.As(err, &xe) || xe.Offset != offset {
			t.Errorf("Eval(%q) = %v, %v, want an *ExprError at offset %d", in, got, err, offset)
		}
	}
}

func FuzzParseExpr(f *testing.F) {
	for _, s := range []string{"TransferStallBudget + 1m", "2 * (A - B)", "1h30m", "((", "1.5.5s", "a--b - -", "µ", "A*(2*3)*(B)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := ParseExpr(s)
		if err != nil {
			var xe *ExprError
			if !errors.As(err, &xe) || xe.Offset < 0 || xe.Offset > len(s) {
				t.Fatalf("ParseExpr(%q): bad error %v", s, err)
			}
			return
		}
		look := func(n string) (time.Duration, bool) { return time.Duration(len(n)) * time.Second, true }
		d1, err1 := e.Eval(look)
		again, err := ParseExpr(e.String())
		if err != nil {
			t.Fatalf("%q prints as %q, which does not parse: %v", s, e.String(), err)
		}
		d2, err2 := again.Eval(look)
		if d1 != d2 || (err1 == nil) != (err2 == nil) || again.String() != e.String() {
			t.Fatalf("%q = %v, %v but %q = %v, %v", s, d1, err1, e.String(), d2, err2)
		}
		if err1 == nil && d1 < 0 {
			t.Fatalf("%q is negative: %v", s, d1)
		}
	})
}
