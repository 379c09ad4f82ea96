package stage

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
	"time"
)

// corpusRecord is one event of the stage corpus with its true stage.
type corpusRecord struct {
	ID, Client string
	Lines      []string
	Truth      struct {
		Stage         Name
		Accept        []Name
		Role          Role
		Phase         string
		Source        string
		BytesReceived *float64 `json:"bytes_received"`
		BytesDeclared *float64 `json:"bytes_declared"`
		ElapsedMS     *float64 `json:"elapsed_ms"`
		BudgetMS      *float64 `json:"budget_ms"`
		BytesApprox   bool     `json:"bytes_approx"`
	}
}

// corpusScore is what a run over a corpus comes to.
type corpusScore struct {
	decidable, strict    int // records whose text decides, and those right
	all, lenient         int // all records, and those right or acceptable
	negatives, invented  int // records of no failure, and those given a stage
	stated, right, extra int // numbers: stated, read right, read where none is
	fields, fieldsRight  int // phase, role and source, where stated
	wrong                []string
}

func TestCorpus(t *testing.T) {
	s := scoreCorpus(t, "testdata/corpus.jsonl")
	s.check(t)
}

// TestSharedCorpus runs the whole open part where it is at hand.
func TestSharedCorpus(t *testing.T) {
	const path = "../../../shared/stages/dev.jsonl"
	if _, err := os.Stat(path); err != nil {
		t.Skip("no ../shared")
	}
	s := scoreCorpus(t, path)
	s.check(t)
}

// check holds the score against the floor.
func (s *corpusScore) check(t *testing.T) {
	t.Helper()
	t.Logf("decidable %d of %d, lenient %d of %d, negatives attributed %d of %d, numbers %d of %d and %d invented, phase, role and source %d of %d",
		s.strict, s.decidable, s.lenient, s.all, s.invented, s.negatives, s.right, s.stated, s.extra, s.fieldsRight, s.fields)
	if float64(s.strict) < 0.97*float64(s.decidable) || float64(s.lenient) < 0.97*float64(s.all) || s.invented > 1 ||
		float64(s.right) < 0.99*float64(s.stated) || s.extra > 0 || float64(s.fieldsRight) < 0.95*float64(s.fields) {
		t.Error("below the floor")
	}
	for _, w := range s.wrong {
		t.Log(w)
	}
}

func scoreCorpus(t *testing.T, path string) *corpusScore {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &corpusScore{}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	for sc.Scan() {
		var r corpusRecord
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		s.add(t, c, &r)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	if s.all == 0 {
		t.Fatalf("%s is empty", path)
	}
	return s
}

func (s *corpusScore) add(t *testing.T, c *Classifier, r *corpusRecord) {
	var a Attribution
	got := NotATimeout
	if c.ClassifyEvent(assembled(t, r.Lines), &a) {
		got = a.Stage
	}
	want := &r.Truth
	s.all++
	if len(want.Accept) == 0 {
		s.decidable++
		if got == want.Stage {
			s.strict++
		}
	}
	if got == want.Stage || slices.Contains(want.Accept, got) {
		s.lenient++
	} else {
		s.wrong = append(s.wrong, r.ID+" "+r.Client+": got "+string(got)+" by "+a.Rule+", want "+string(want.Stage))
	}
	if want.Stage == NotATimeout {
		s.negatives++
		if got != NotATimeout {
			s.invented++
		}
		return
	}
	bytesTolerance := 0.0
	if want.BytesApprox {
		bytesTolerance = 0.01
	}
	s.number(r, "bytes received", want.BytesReceived, float64(a.BytesReceived), 0, bytesTolerance)
	s.number(r, "bytes declared", want.BytesDeclared, float64(a.BytesDeclared), 0, bytesTolerance)
	s.number(r, "elapsed", want.ElapsedMS, millis(a.Elapsed), 1, 0)
	s.number(r, "budget", want.BudgetMS, millis(a.Budget), 1, 0)
	for _, f := range [][2]string{{want.Phase, a.Phase}, {string(want.Role), string(a.Role)}, {want.Source, a.Source}} {
		if f[0] != "" {
			s.fields++
			if f[0] == f[1] {
				s.fieldsRight++
			}
		}
	}
}

func millis(d time.Duration) float64 {
	if d < 0 {
		return Unknown
	}
	return float64(d) / 1e6
}

func (s *corpusScore) number(r *corpusRecord, name string, want *float64, got, abs, rel float64) {
	switch {
	case want == nil && got < 0:
		return
	case want == nil:
		s.extra++
	default:
		s.stated++
		if got >= 0 && math.Abs(*want-got) <= max(abs, rel**want) {
			s.right++
			return
		}
	}
	s.wrong = append(s.wrong, r.ID+" "+r.Client+": "+name)
}
