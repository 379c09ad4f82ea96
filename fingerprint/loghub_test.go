package fingerprint

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// TestPublicLogSets scores ids and families on public log sets with known
// groups, with one setting for all. The sets may be used but not passed on, so
// they lie beside the repository; without them the test has nothing to do.
func TestPublicLogSets(t *testing.T) {
	const dir = "../../shared/loghub"
	files, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no log sets in " + dir)
	}
	var table strings.Builder
	var id, family score
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var truth, ids []string
		var templates [][]byte
		x := NewIdentifier(Options{})
		for _, row := range bytes.Split(bytes.TrimSuffix(data, []byte{'\n'}), []byte{'\n'}) {
			group, text, _ := bytes.Cut(row, []byte{'\t'})
			var d Identity
			ids = append(ids, x.Identify(&ingest.Record{Message: text, Text: text}, &d).String())
			truth = append(truth, string(group))
			templates = append(templates, bytes.Clone(d.Template))
		}
		families := familiesOf(templates, 1, nil)
		for seed := range uint64(10) {
			rng := rand.New(rand.NewPCG(seed, 2))
			for i, f := range familiesOf(templates, []int{1, 2, 3, 10}[seed%4], rng) {
				if f != families[i] {
					t.Fatalf("%s: line %d is in another family after shuffle %d", path, i+1, seed)
				}
			}
		}
		one, other := grouping(truth, ids), grouping(truth, families)
		id.add(one)
		family.add(other)
		fmt.Fprintf(&table, "%-12s id %.3f / %.3f   family %.3f / %.3f\n", strings.TrimSuffix(filepath.Base(path), ".tsv"), one.ga, one.fga, other.ga, other.fga)
	}
	n := float64(len(files))
	id, family = score{id.ga / n, id.fga / n}, score{family.ga / n, family.fga / n}
	t.Logf("GA / FGA\n%s%-12s id %.3f / %.3f   family %.3f / %.3f", table.String(), "average", id.ga, id.fga, family.ga, family.fga)
	if id.ga < 0.95 || id.fga < 0.94 || family.ga < 0.96 || family.fga < 0.96 {
		t.Errorf("below the floor: id .95 / .94, family .96 / .96\n%s", table.String())
	}
}

// familiesOf learns the families of templates, shuffled and cut into shards,
// and returns the family of each.
func familiesOf(templates [][]byte, shards int, rng *rand.Rand) []string {
	parts := make([]*Families, shards)
	for i := range parts {
		parts[i] = NewFamilies(0)
	}
	order := make([]int, len(templates))
	for i := range order {
		order[i] = i
	}
	if rng != nil {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	for n, i := range order {
		parts[n%shards].Add(nil, templates[i], 1)
	}
	for _, p := range parts[1:] {
		parts[0].Merge(p)
	}
	set := parts[0].Learn()
	out := make([]string, len(templates))
	for i, x := range templates {
		out[i] = set.Of(nil, x).ID
	}
	return out
}

// score is grouping accuracy over lines, and its harmonic mean over groups.
type score struct{ ga, fga float64 }

func (s *score) add(o score) { s.ga += o.ga; s.fga += o.fga }

// grouping scores predicted groups: the share of lines whose group holds
// exactly the lines of their true group, and the F-measure over groups.
func grouping(truth, pred []string) score {
	size, want, both := map[string]int{}, map[string]int{}, map[[2]string]int{}
	for i := range truth {
		want[truth[i]]++
		size[pred[i]]++
		both[[2]string{truth[i], pred[i]}]++
	}
	lines, exact := 0, 0
	for k, n := range both {
		if n == want[k[0]] && n == size[k[1]] {
			lines += n
			exact++
		}
	}
	p, r := float64(exact)/float64(len(size)), float64(exact)/float64(len(want))
	s := score{ga: float64(lines) / float64(len(truth))}
	if p+r > 0 {
		s.fga = 2 * p * r / (p + r)
	}
	return s
}
