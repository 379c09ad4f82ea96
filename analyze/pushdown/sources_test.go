package pushdown

import (
	"regexp"
	"testing"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// counted is the group in which a server counts a line.
func counted(s *sources, st *ingest.Stream, text string) *Count {
	l := fakeLine{stream: st, text: text}
	return &Count{Labels: l.labels(s.expressions, s.labels)}
}

// read is the Source that a line tells by itself.
func read(s *sources, st *ingest.Stream, text string) string {
	source := ""
	asm := ingest.NewAssembler(ingest.AssemblerOptions{Lines: true}, func(rec *ingest.Record) error {
		var id fingerprint.Identity
		s.identify.Identify(rec, &id)
		source = string(id.Source)
		return nil
	})
	if err := asm.Add(&ingest.Entry{Stream: st, Line: []byte(text)}); err != nil {
		return err.Error()
	}
	if err := asm.Flush(); err != nil {
		return err.Error()
	}
	return source
}

func pattern(t *testing.T, text string) fingerprint.Condition {
	t.Helper()
	p, err := fingerprint.CompilePattern(text)
	if err != nil {
		t.Fatal(err)
	}
	return fingerprint.Condition{Pattern: p}
}

func expression(text string) fingerprint.Condition {
	return fingerprint.Condition{Regexp: regexp.MustCompile(text)}
}

// TestSources wants a line counted by the Source that it tells, which is given
// beside it so that both cannot be wrong in the same way.
func TestSources(t *testing.T) {
	portal := stream("app", "portal", "pod", "portal-0")
	queue := stream("job", "queue", "pod", "queue-0")
	bare := stream("filename", "/var/log/x.log")
	rules := []fingerprint.Rule{
		{ID: "job", Priority: 5, Condition: pattern(t, "<_>job <queue>/<name> failed<_>"), Source: "jobs/<queue>/<name>"},
		{ID: "hidden", Priority: 9, Condition: expression(`job secret/`)},
		{ID: "none", Priority: 8, Condition: expression(`job quiet/`), None: true},
		{ID: "store", Priority: 4, Category: "Shop.*", Condition: expression(`^Store (?P<store>\w*) is (?:away|gone)$`), Source: "<category>#<store>"},
		{ID: "labels", Priority: 3, Labels: []fingerprint.LabelMatcher{{Name: "job", Value: "queue"}}, Condition: expression(`broker (?P<b>\d+)`), Source: "broker <b> of <service>"},
		{ID: "late", Late: true, Priority: -1, Condition: expression(`upstream (?P<u>[a-z]+) timed out`), Source: "upstream:<u>"},
	}
	s := newSources(rules, []*ingest.Stream{portal, queue, bare})
	if len(s.notes) > 0 {
		t.Errorf("notes %q", s.notes)
	}
	for _, c := range []struct {
		stream     *ingest.Stream
		text, want string
	}{
		{portal, "error: job mail/send failed at last", "jobs/mail/send"},
		{portal, "error: job secret/send failed at last", "portal"},
		{portal, "error: job quiet/send failed at last", "portal"},
		{portal, "fail: Shop.Web[3] Store north is away", "Shop.Web#north"},
		{portal, "fail: Bank.Web[3] Store north is away", "Bank.Web"},
		{queue, "error: broker 17 failed", "broker 17 of queue"},
		{portal, "error: broker 17 failed", "portal"},
		{portal, "error: upstream api timed out", "upstream:api"},

		{portal, "fail: Polly[3]", "Polly"},
		{portal, timeout("parts//Standard-AttemptTimeout")[1], "parts//Standard-AttemptTimeout"},
		{portal, timeout("parts/https://a.example:443/Retry")[1], "parts/https://a.example:443/Retry"},
		{portal, `{"EventId":0,"LogLevel":"Error","Category":"Polly","Message":"Resilience event occurred. EventName: \u0027OnTimeout\u0027, Source: \u0027a/(null)/b\u0027, Operation Key: \u0027\u0027, Result: \u0027\u0027","State":{"EventName":"OnTimeout","PipelineName":"a","PipelineInstance":null,"StrategyName":"b"}}`, "a/(null)/b"},
		{portal, `{"@t":"2027-03-09T05:01:27Z","@mt":"Resilience event occurred. EventName: '{EventName}', Source: '{PipelineName}/{PipelineInstance}/{StrategyName}', Operation Key: '{OperationKey}', Result: '{Result}'","@l":"Error","EventName":"OnTimeout","PipelineName":"parts","PipelineInstance":"","StrategyName":"T","SourceContext":"Polly"}`, "parts//T"},

		{portal, "fail: Shop.Web.Orders[7]", "Shop.Web.Orders"},
		{portal, "crit: Shop.Web.Orders", "Shop.Web.Orders"},
		{portal, "      System.TimeoutException: The operation has timed out.", "portal"},
		{portal, `{"level":"error","logger":"billing.cart","msg":"charge failed"}`, "billing.cart"},
		{portal, `{"level":"error","msg":"charge failed","error":"x","name":"bil\"ling"}`, `bil"ling`},
		{portal, `{"level":"error","msg":"charge failed","user":{"name":"x"}}`, "portal"},
		{portal, `{"level":"error","target":"https://a.example/x","msg":"charge failed"}`, "portal"},
		{portal, `{"Timestamp":"2027-03-09T05:01:27Z","Level":"Error","Properties":{"SourceContext":"Shop.Web"},"MessageTemplate":"failed {X}"}`, "Shop.Web"},
		{portal, `ts=2027-03-09T05:01:27Z level=error component=cart msg="get x failed"`, "cart"},
		{portal, `time="2027-03-09" level=error msg="get x failed" logger="a b"`, "a b"},
		{portal, `level=error msg="get x failed" caller=x.go:3`, "portal"},
		{portal, `E1129 05:01:27.123456       1 reflector.go:147] Failed to watch`, "reflector.go"},
		{portal, `2027/03/09 05:01:27 [error] 31#31: *17 upstream timed out`, "nginx"},
		{portal, `2027-03-09 05:01:27,123 ERROR [main] com.shop.Orders - call failed`, "com.shop.Orders"},
		{portal, `2027-03-09T05:01:27.123Z ERROR 1 --- [shop] [exec-1] com.shop.Orders : call failed`, "com.shop.Orders"},
		{portal, `2027-03-09 05:01:27,123 - shop.orders - ERROR - call failed`, "shop.orders"},
		{portal, `ERROR:shop.orders:call failed`, "shop.orders"},
		{portal, `curl: (28) Operation timed out`, "portal"},
		{queue, `panic: runtime error`, "queue"},
		{bare, `panic: runtime error`, ""},
	} {
		if got := read(s, c.stream, c.text); got != c.want {
			t.Errorf("%s tells %q, want %q", c.text, got, c.want)
		}
		if got := s.of(counted(s, c.stream, c.text)); got != c.want {
			t.Errorf("%s is counted by %q, want %q", c.text, got, c.want)
		}
	}
}

// TestRulesThatNoLineShows wants rules told by which the server does not count.
func TestRulesThatNoLineShows(t *testing.T) {
	rules := []fingerprint.Rule{
		{ID: "level", MinLevel: ingest.LevelError, Condition: expression("x"), Source: "a"},
		{ID: "fields", Condition: fingerprint.Condition{Fields: []fingerprint.FieldMatcher{{Name: "op"}}}, Source: "<op>"},
		{ID: "unless", Condition: expression("x"), Unless: []fingerprint.Condition{expression("y")}, Source: "a"},
		{ID: "exception", Condition: expression("x"), Source: "<exception>"},
		{ID: "no text", Condition: expression(`(?P<a>\d+)`), Source: "<a>"},
		{ID: "no Source", Condition: expression(`(?P<a>\d+)`)},
	}
	s := newSources(rules, nil)
	if len(s.notes) != 5 {
		t.Errorf("notes %q, want one of each rule but the last", s.notes)
	}
}

func FuzzSources(f *testing.F) {
	portal := stream("app", "portal")
	s := newSources([]fingerprint.Rule{{ID: "a", Condition: expression(`job (?P<a>\S*)`), Source: "<a>"}}, []*ingest.Stream{portal})
	f.Add(timeout("parts//T")[1])
	f.Add(`{"logger":"a\u00","name":"\"","PipelineName":null,"PipelineInstance":"\x"}`)
	f.Add("job ")
	f.Fuzz(func(t *testing.T, text string) {
		if source := s.of(counted(s, portal, text)); source == "" {
			t.Errorf("%q is counted by no Source, though its service is known", text)
		}
	})
}
