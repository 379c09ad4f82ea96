package rules

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func diffOf(t *testing.T, old, new string, texts []string) *Diff {
	t.Helper()
	var sets []*Set
	for _, text := range []string{old, new} {
		s, err := LoadSources(sources("r.yaml", "version: 1\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, s)
	}
	d, err := NewDiffer(sets[0], sets[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if err := d.Add(record(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	return d.Finish()
}

func TestDiffChanges(t *testing.T) {
	var texts []string
	for i, n := range []int{5, 3, 2} {
		for range n {
			texts = append(texts, fmt.Sprintf("fail: Shop[0]\n      Lease '%c' lost", 'a'+rune(i)))
		}
	}
	texts = append(texts, "info: Shop[0]\n      hello", "warn: Shop[0]\n      odd")
	each := "rules:\n  - id: r\n    match: {pattern: \"Lease '<s>' lost\"}\n    identity: {source: \"l/<s>\"}\n"
	all := "rules:\n  - id: r\n    match: {pattern: \"Lease '<s>' lost\"}\n    identity: {source: leases}\n    mask: [s]\n"
	issues := "issues:\n  - {number: 1, state: open, sources: [l/a]}\n  - {number: 2, state: open, sources: [leases]}\n"
	tests := []struct {
		name, old, new string
		want           []string // change old→new records orphaned
	}{
		{"none", each, each, []string{"unchanged 1→1 5 []", "unchanged 1→1 3 []", "unchanged 1→1 2 []"}},
		{"merge", each + issues, all + issues, []string{"merged 3→1 10 [1]"}},
		{"split", all + issues, each + issues, []string{"split 1→3 10 [2]"}},
		{"move", each, "rules:\n  - id: r\n    match: {pattern: \"Lease '<s>' lost\"}\n    identity: {source: \"m/<s>\"}\n", []string{"moved 1→1 5 []", "moved 1→1 3 []", "moved 1→1 2 []"}},
		{"appear", each, each + "  - id: odd\n    match: {pattern: \"odd<_>\"}\n    severity: error\n",
			[]string{"new 0→1 1 []", "unchanged 1→1 5 []", "unchanged 1→1 3 []", "unchanged 1→1 2 []"}},
		{"vanish", each, each + "    severity: info\n", []string{"gone 1→0 5 []", "gone 1→0 3 []", "gone 1→0 2 []"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := diffOf(t, tt.old, tt.new, texts)
			var got []string
			sum := int64(0)
			for _, r := range d.Rows {
				got = append(got, fmt.Sprintf("%s %d→%d %d %v", r.Change, len(r.Old), len(r.New), r.Records, r.Orphaned))
				sum += r.Records
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if sum != d.Records || d.Read != int64(len(texts)) {
				t.Errorf("rows sum to %d of %d records, %d read", sum, d.Records, d.Read)
			}
			shuffled := append([]string(nil), texts...)
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			if diff := cmp.Diff(d, diffOf(t, tt.old, tt.new, shuffled)); diff != "" {
				t.Errorf("the order of records changes the outcome:\n%s", diff)
			}
			for from, to := range d.Aliases() {
				if from == to {
					t.Errorf("%s is an alias of itself", from)
				}
			}
		})
	}
}

func TestAliases(t *testing.T) {
	texts := []string{"fail: Shop[0]\n      Lease 'a' lost", "fail: Shop[0]\n      Lease 'b' lost"}
	one := "rules:\n  - id: r\n    match: {pattern: \"Lease '<s>' lost\"}\n    identity: {source: leases}\n    mask: [s]\n"
	two := "rules:\n  - id: r\n    match: {pattern: \"Lease '<s>' lost\"}\n    identity: {source: \"l/<s>\"}\n"
	if got := diffOf(t, two, one, texts).Aliases(); len(got) != 2 {
		t.Errorf("a merge of two gives %v", got)
	}
	if got := diffOf(t, one, two, texts).Aliases(); len(got) != 0 {
		t.Errorf("a split gives %v", got)
	}
}

func TestAnnotatedLogProblems(t *testing.T) {
	for text, want := range map[string]string{
		"a line\n":              "test/none",
		"# rule: a\n\n":         "test/none",
		"# rule: a\nx\n":        "",
		"# ok: a\n# ok: b\nx\n": "",
	} {
		r := reader{tree: memory{}}
		r.readLog("x_test.log", []byte(text))
		got := ""
		if len(r.problems) > 0 {
			got = r.problems[0].Check
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if want == "" && len(r.logs) == 0 {
			t.Errorf("%q: no tests", text)
		}
		for _, l := range r.logs {
			if l.Log != "x" {
				t.Errorf("%q: log %q", text, l.Log)
			}
		}
	}
}
