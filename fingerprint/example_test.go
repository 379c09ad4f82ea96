package fingerprint_test

import (
	"fmt"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

func ExampleIdentifier() {
	x := fingerprint.NewIdentifier(fingerprint.Options{})
	record := ingest.Record{
		Level:    ingest.LevelError,
		Category: []byte("Polly"),
		Message:  []byte("Resilience event occurred. EventName: 'OnTimeout', Source: 'registry-standard//Standard-AttemptTimeout', Operation Key: '', Result: ''"),
	}
	var d fingerprint.Identity
	id := x.Identify(&record, &d)
	fmt.Println(id)
	fmt.Printf("%s %s\n", d.Source, d.Event)
	// Output:
	// fp1:f74e27ae0eae003c
	// registry-standard//Standard-AttemptTimeout OnTimeout
}

func ExampleMask() {
	fmt.Printf("%s\n", fingerprint.Mask(nil, []byte("GET https://h.example/x?id=7 from 10.0.0.7 took 15ms, package 'acme.widgets' failed"), 0))
	// Output:
	// GET <url> from <host> took <time>, package '<str>' failed
}

func ExampleFamilies() {
	families := fingerprint.NewFamilies(0)
	for _, line := range []string{
		"volume root3_local is full",
		"volume storage1422 is full",
		"volume root3_local is gone",
	} {
		families.Add(nil, fingerprint.Mask(nil, []byte(line), 0), 1)
	}
	for _, f := range families.Learn().All() {
		fmt.Println(f.Records, f.Pattern)
	}
	// Output:
	// 2 volume <*> is full
	// 1 volume <*> is gone
}

func ExampleCompilePattern() {
	p, err := fingerprint.CompilePattern("<_>Source: '<source>'<_>")
	if err != nil {
		fmt.Println(err)
		return
	}
	line := []byte("EventName: 'OnTimeout', Source: 'a//b', Result: ''")
	spans, ok := p.Match(line, nil)
	fmt.Printf("%v %s=%s\n", ok, p.Names()[0], line[spans[0].Start:spans[0].End])
	// Output:
	// true source=a//b
}

func ExampleMasked() {
	var m fingerprint.Masked
	id, ok := m.Lines([][]byte{
		[]byte("fail: Polly[0]"),
		[]byte("      Resilience event occurred. EventName: 'OnTimeout', Source: 'any//Standard-AttemptTimeout', Operation Key: '', Result: ''"),
	})
	fmt.Println(id, ok)
	// Output:
	// 4c7856a2414c6b32 true
}
