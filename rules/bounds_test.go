package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// lines joins n lines made by f behind a head.
func lines(head string, n int, f func(i int) string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

// TestHostileFilesAreCheap gives the loader files made to take long. Each
// must be refused, in time that leaves room for a slow and busy machine.
func TestHostileFilesAreCheap(t *testing.T) {
	const bound = 20 * time.Second
	budgets := "version: 1\nbudgets:\n"
	for name, text := range map[string]string{
		"brackets":          strings.Repeat("[", 1<<20),
		"brackets by lines": strings.Repeat("[\n", 1<<18),
		"dashes":            strings.Repeat("- \n", 1<<16),
		"open quotes":       strings.Repeat("a: 'x\n", 1<<16),
		"one key often":     "version: 1\n" + strings.Repeat("a: b\n", 1<<14),
		"deep indentation":  lines("", 2000, func(i int) string { return strings.Repeat(" ", i) + "a:\n" }),
		"anchors":           strings.Repeat("- &a *a\n", 1<<15),
		"wide lines":        lines("a: [\n", 80, func(int) string { return strings.Repeat("ä,", 3300) + "\n" }),
		"chain of budgets":  lines(budgets, 3000, func(i int) string { return fmt.Sprintf("  - {name: A%d, duration: A%d + 1s}\n", i, i+1) }),
		"nest of budgets": lines(budgets, 1000, func(i int) string {
			return fmt.Sprintf("  - {name: A%d, duration: 1s, contains: [A%d, A%d, A%d]}\n", i, i+1, i+2, i+3)
		}),
		"doubling budgets": lines(budgets+"  - {name: A0, duration: 1s}\n", 200, func(i int) string {
			return fmt.Sprintf("  - {name: A%d, duration: A%d + A%d}\n", i+1, i, i)
		}),
		"unknown names": lines(budgets, 3000, func(i int) string { return fmt.Sprintf("  - {name: Abcdefgh%d, duration: Xbcdefgh%d + 1s}\n", i, i) }),
		"unknown keys":  lines("version: 1\n", 3000, func(i int) string { return fmt.Sprintf("budgetsbudgets%d: 1\n", i) }),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			problems := CheckSources([]Source{{Name: "f.yaml", Data: []byte(text)}}, CheckOptions{MinSeverity: Error})
			if len(problems) == 0 {
				t.Error("not refused")
			}
			if took := time.Since(start); took > bound {
				t.Errorf("took %s", took)
			}
		})
	}
}
