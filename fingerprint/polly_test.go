package fingerprint

import (
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func fields(kv ...string) []ingest.Field {
	var fs []ingest.Field
	for i := 0; i < len(kv); i += 2 {
		fs = append(fs, ingest.Field{Name: []byte(kv[i]), Value: []byte(kv[i+1])})
	}
	return fs
}

func metadata(kv ...string) []ingest.Label {
	var ls []ingest.Label
	for i := 0; i < len(kv); i += 2 {
		ls = append(ls, ingest.Label{Name: kv[i], Value: kv[i+1]})
	}
	return ls
}

func TestPollySource(t *testing.T) {
	msg := func(s string) ingest.Record { return ingest.Record{Category: []byte("Polly"), Message: []byte(s)} }
	cases := []struct {
		name                         string
		r                            ingest.Record
		source, event                string
		pipeline, instance, strategy string
	}{
		{"empty instance", msg("Resilience event occurred. EventName: 'OnTimeout', Source: 'x-standard//Standard-AttemptTimeout', Operation Key: '', Result: ''"),
			"x-standard//Standard-AttemptTimeout", "OnTimeout", "x-standard", "", "Standard-AttemptTimeout"},
		{"null instance", msg("Resilience event occurred. EventName: 'OnTimeout', Source: 'Orleans.Placement/(null)/Timeout', Operation Key: '', Result: ''"),
			"Orleans.Placement/(null)/Timeout", "OnTimeout", "Orleans.Placement", "(null)", "Timeout"},
		{"slashes in the instance", msg("Resilience event occurred. EventName: 'OnHedging', Source: 'c-hedging-endpoint/https://h:443/StandardHedging-AttemptTimeout', Operation Key: 'k', Result: ''"),
			"c-hedging-endpoint/https://h:443/StandardHedging-AttemptTimeout", "OnHedging", "c-hedging-endpoint", "https://h:443", "StandardHedging-AttemptTimeout"},
		{"attempt", msg("Execution attempt. Source: 'a//Standard-Retry', Operation Key: '', Result: 'The operation didn't complete within the allowed timeout of '00:00:10'.', Handled: 'True', Attempt: '2', Execution Time: 12.3ms"),
			"a//Standard-Retry", "ExecutionAttempt", "a", "", "Standard-Retry"},
		{"two parts", msg("Resilience pipeline executed. Source: 'a/b/c', Operation Key: '', Result: '200', Execution Time: 12ms"),
			"a/b/c", "PipelineExecuted", "a", "b/c", ""},
		{"escaped apostrophes", msg(`Resilience event occurred. EventName: \u0027OnTimeout\u0027, Source: \u0027a//b\u0027, Operation Key: \u0027\u0027, Result: \u0027\u0027`),
			"a//b", "OnTimeout", "a", "", "b"},
		{"rendered with double quotes", msg(`Resilience event occurred. EventName: '"OnTimeout"', Source: '"a"/""/"b"', Operation Key: 'null', Result: 'null'`),
			"a//b", "OnTimeout", "a", "", "b"},
		{"rendered null", msg(`Resilience event occurred. EventName: '"OnTimeout"', Source: '"a"/null/"b"', Operation Key: 'null', Result: 'null'`),
			"a/(null)/b", "OnTimeout", "a", "(null)", "b"},
		{"JSON state", ingest.Record{Fields: fields("State.EventName", "OnTimeout", "State.PipelineName", "a", "State.PipelineInstance", "", "State.StrategyName", "b", "State.Result", "null")},
			"a//b", "OnTimeout", "a", "", "b"},
		{"Serilog properties", ingest.Record{Template: []byte("Execution attempt. Source: '{PipelineName}/{PipelineInstance}/{StrategyName}', Operation Key: '{OperationKey}', Result: '{Result}'"),
			Message: []byte("Execution attempt. Source: '{PipelineName}/{PipelineInstance}/{StrategyName}', Operation Key: '{OperationKey}', Result: '{Result}'"),
			Fields:  fields("PipelineName", "a", "PipelineInstance", "null", "StrategyName", "b", "Handled", "true")},
			"a/(null)/b", "ExecutionAttempt", "a", "(null)", "b"},
		{"state before the sentence, where null was lost", ingest.Record{Message: []byte("Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''"),
			Fields: fields("EventName", "OnTimeout", "PipelineName", "a", "PipelineInstance", "null", "StrategyName", "b")},
			"a/(null)/b", "OnTimeout", "a", "(null)", "b"},
		{"null as Go writes it", ingest.Record{Fields: fields("EventName", "OnTimeout", "PipelineName", "a", "PipelineInstance", "<nil>", "StrategyName", "b")},
			"a/(null)/b", "OnTimeout", "a", "(null)", "b"},
		{"OTLP metadata", ingest.Record{Metadata: metadata("EventName", "OnTimeout", "PipelineName", "a", "StrategyName", "b")},
			"a/(null)/b", "OnTimeout", "a", "(null)", "b"},
	}
	x := NewIdentifier(Options{})
	for _, c := range cases {
		var d Identity
		x.Identify(&c.r, &d)
		if string(d.Source) != c.source || string(d.Event) != c.event || d.Rule != RulePolly {
			t.Errorf("%s: Source %q, event %q, rule %q; want %q, %q", c.name, d.Source, d.Event, d.Rule, c.source, c.event)
		}
		if p := d.Parts; string(p.Pipeline) != c.pipeline || string(p.Instance) != c.instance || string(p.Strategy) != c.strategy {
			t.Errorf("%s: parts %q %q %q; want %q %q %q", c.name, p.Pipeline, p.Instance, p.Strategy, c.pipeline, c.instance, c.strategy)
		}
	}
}

func TestPollySameIDInEveryShape(t *testing.T) {
	shapes := []ingest.Record{
		{Category: []byte("Polly"), Message: []byte("Resilience event occurred. EventName: 'OnTimeout', Source: 'a/(null)/b', Operation Key: 'x', Result: ''")},
		{Category: []byte("Polly"), Message: []byte(`Resilience event occurred. EventName: \u0027OnTimeout\u0027, Source: \u0027a/(null)/b\u0027, Operation Key: \u0027\u0027, Result: \u0027\u0027`)},
		{Fields: fields("State.EventName", "OnTimeout", "State.PipelineName", "a", "State.PipelineInstance", "null", "State.StrategyName", "b", "State.Result", "null")},
		{Metadata: metadata("EventName", "OnTimeout", "PipelineName", "a", "StrategyName", "b")},
		{Template: []byte("Resilience event occurred. EventName: '{EventName}', Source: '{PipelineName}/{PipelineInstance}/{StrategyName}', Operation Key: '{OperationKey}', Result: '{Result}'"),
			Message: []byte("Resilience event occurred. EventName: 'OnTimeout', Source: 'a//b', Operation Key: '', Result: ''"),
			Fields:  fields("EventName", "OnTimeout", "PipelineName", "a", "PipelineInstance", "null", "StrategyName", "b", "OperationKey", "null", "Result", "null")},
	}
	x := NewIdentifier(Options{})
	var d Identity
	want := x.Identify(&shapes[0], &d)
	for i := range shapes[1:] {
		if got := x.Identify(&shapes[i+1], &d); got != want {
			t.Errorf("shape %d: id %v, want %v (template %q)", i+1, got, want, d.Template)
		}
	}
}
