package output

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/vdm-logs/vdm-logs/rules"
)

// JUnit writes one suite for each file that was checked: a case that passes
// where nothing is wrong, and one for each problem. Remarks are skipped cases.
func JUnit(w io.Writer, problems []rules.Problem, checked []string) error {
	byFile := map[string][]rules.Problem{}
	files := slices.Clone(checked)
	for _, p := range problems {
		byFile[p.File] = append(byFile[p.File], p)
		files = append(files, p.File)
	}
	slices.Sort(files)
	all := junit.Testsuites{Name: "vdm-logs rules check"}
	for _, f := range slices.Compact(files) {
		suite := junit.Testsuite{Name: f, File: f, Time: "0"}
		if len(byFile[f]) == 0 {
			suite.AddTestcase(junit.Testcase{Name: f, Classname: "rules.check"})
		}
		for _, p := range byFile[f] {
			c := junit.Testcase{Name: p.Check + " " + p.Place(), Classname: "rules.check"}
			var text bytes.Buffer
			if err := Text(&text, []rules.Problem{p}); err != nil {
				return err
			}
			res := &junit.Result{Message: p.Message, Type: p.Severity.String(), Data: strings.ReplaceAll(text.String(), "]]>", "]] >")}
			if p.Severity == rules.Info {
				c.Skipped = res
			} else {
				c.Failure = res
			}
			suite.AddTestcase(c)
		}
		all.AddSuite(suite)
	}
	return all.WriteXML(w)
}

// JUnitTests writes the outcome of rules' tests, one suite for each file.
func JUnitTests(w io.Writer, report *rules.Report) error {
	all := junit.Testsuites{Name: "vdm-logs rules test"}
	var suites []junit.Testsuite
	index := map[string]int{}
	for i := range report.Results {
		r := &report.Results[i]
		k, ok := index[r.Test.File]
		if !ok {
			k = len(suites)
			index[r.Test.File] = k
			suites = append(suites, junit.Testsuite{Name: r.Test.File, File: r.Test.File, Time: "0"})
		}
		c := junit.Testcase{Name: TestName(r), Classname: "rules.test"}
		if !r.Passed() {
			p := TestProblem(r)
			res := &junit.Result{Message: p.Message, Type: "mismatch", Data: p.Hint}
			if r.Test.Todo {
				c.Skipped = res
			} else {
				c.Failure = res
			}
		}
		suites[k].AddTestcase(c)
	}
	for _, s := range suites {
		all.AddSuite(s)
	}
	return all.WriteXML(w)
}
