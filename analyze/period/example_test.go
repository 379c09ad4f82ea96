package period_test

import (
	"fmt"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// Three timeouts on one pod, 180 seconds apart.
func ExampleFind() {
	var times []int64
	for _, s := range []string{"19:00:52.047", "19:03:52.052", "19:06:52.052"} {
		t, err := time.Parse("2006-01-02 15:04:05.000", "2026-09-19 "+s)
		if err != nil {
			panic(err)
		}
		times = append(times, t.UnixNano())
	}
	for _, r := range period.Find([]period.Series{{Stream: "2kcwk", Times: times}}, period.Options{}) {
		fmt.Printf("every %v, %s, by chance %.0e\n", r.Period, r.Kind, r.FalseAlarm)
		next := time.Unix(0, r.Phases[0].NextDue).UTC()
		fmt.Println("next due", next.Format("15:04:05.00"))
		budgets := []period.Named{{Name: "TransferStallBudget", Length: 2 * time.Minute}}
		for _, m := range period.Matches(r.Period, r.Low, r.High, budgets) {
			fmt.Println("=", m.Text)
		}
	}
	// Output:
	// every 3m0.0025s, unknown-kind, by chance 4e-05
	// next due 19:09:52.05
	// = TransferStallBudget + 1m
}

func ExampleSummary() {
	s := period.NewSummary(1000)
	for i := range int64(5000) {
		s.Add(i * int64(time.Minute))
	}
	fmt.Println(s.Count(), s.Thinned(), len(s.Times()) <= 1000)
	r := period.Find([]period.Series{{Times: s.Times()}}, period.Options{})[0]
	fmt.Println(r.Period)
	// Output:
	// 5000 true true
	// 1m0s
}
