package rules_test

import (
	"fmt"
	"os"

	"github.com/vdm-logs/vdm-logs/rules"
	"github.com/vdm-logs/vdm-logs/rules/output"
)

// Every problem of every file comes with its place, down to the character
// inside a text.
func ExampleCheckSources() {
	problems := rules.CheckSources([]rules.Source{{Name: "clocks.yaml", Data: []byte(`version: 1
budgets:
  - name: TransferStallBudget
    duration: 120s
  - name: PerPackageBudget
    duration: TransferStalBudget + 1m
`)}}, rules.CheckOptions{})
	if err := output.Text(os.Stdout, problems); err != nil {
		fmt.Println(err)
	}
	// Output:
	// clocks.yaml:6:15-33: error: there is no budget TransferStalBudget (budget/unknown-name)
	//  6 |     duration: TransferStalBudget + 1m
	//    |               ^^^^^^^^^^^^^^^^^^
	//    = did you mean "TransferStallBudget"?
}

// Files are merged; durations are computed over names.
func ExampleLoadSources() {
	set, err := rules.LoadSources([]rules.Source{
		{Name: "inner.yaml", Data: []byte("version: 1\nbudgets: [{name: Transfer, duration: 120s, attempts: 3}]\n")},
		{Name: "outer.yaml", Data: []byte("version: 1\nbudgets: [{name: Package, duration: 3 * Transfer + 1m, contains: [Transfer]}]\n")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range set.Config.Budgets {
		fmt.Println(b.Name, b.Duration)
	}
	// Output:
	// Transfer 2m0s
	// Package 7m0s
}
