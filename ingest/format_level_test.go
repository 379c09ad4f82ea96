package ingest

import "testing"

// Sentences that speak of errors are not errors.
func TestProseHasNoLevel(t *testing.T) {
	for _, line := range []string{
		"error reading file",
		"Error reading file",
		"no error",
		"0 errors, 0 warnings",
		"errors: 0",
		"error: null",
		"Critical: 0",
		"Fatal: none",
		"warning: 3",
		"fail: 0",
		"fail: none",
		"info: 5 passed",
		"debug: true",
		"alert: HighErrorRate is not firing",
		"Connection error (ERROR) resolved",
		"The following ERROR was ignored",
		"Retry after error: none",
		"2026-09-19 10:00:00 error budget is fine",
		"2026-09-19 10:00:00 Received ERROR from upstream",
		"2026-09-19 10:00:00 GET /error 200",
		"2026-09-19 10:00:00 recovered from FATAL state",
		"Dec 10 06:55:46 host cron[1]: job finished without error",
		`{"msg":"error: fatal panic","status":"error"}`,
		`msg="fatal error" count=3 status=error`,
		"      HttpClient timeout error policy: fatal after 3",
		"step 3 of 5 (error handling) done",
		"at least one error was fatal",
	} {
		got := assemble(t, AssemblerOptions{}, entriesOf(testStream("p"), 0, 1, line))
		if len(got) != 1 || got[0].Level >= LevelWarn {
			t.Errorf("%q: level %v", line, got[0].Level)
		}
	}
}

func TestLevelWords(t *testing.T) {
	for _, c := range []struct {
		value string
		want  Level
	}{
		{"Information", LevelInfo}, {"WARNING", LevelWarn}, {"Crit", LevelFatal}, {"50", LevelError}, {"60", LevelFatal}, {"10", LevelTrace},
		{"3", LevelError}, {"e", LevelError}, {"I", LevelInfo}, {"ERROR+4", LevelError}, {"INFO-2", LevelInfo}, {"high", LevelUnknown}, {"", LevelUnknown},
		{"100", LevelUnknown}, {"trce", LevelTrace},
	} {
		if got := levelValue([]byte(c.value)); got != c.want {
			t.Errorf("%q: got %v, want %v", c.value, got, c.want)
		}
	}
	for n, want := range map[string]Level{"0": LevelUnknown, "1": LevelTrace, "8": LevelDebug, "9": LevelInfo, "13": LevelWarn, "17": LevelError, "24": LevelFatal, "25": LevelUnknown, "x": LevelUnknown} {
		if got := otelLevel([]byte(n)); got != want {
			t.Errorf("severity number %s: got %v, want %v", n, got, want)
		}
	}
}

// What comes beside the line counts only where the line says nothing, and
// what the logger said before what a server guessed.
func TestLevelBesideTheLine(t *testing.T) {
	labelled := NewStream([]Label{{"level", "warn"}, {"pod", "p"}})
	for _, c := range []struct {
		name   string
		stream *Stream
		line   string
		meta   []Label
		want   Level
	}{
		{"own level", testStream("p"), "info: A.B[0]", []Label{{"detected_level", "error"}, {"severity_text", "ERROR"}}, LevelInfo},
		{"guess", testStream("p"), "text", []Label{{"detected_level", "error"}}, LevelError},
		{"said and guessed", testStream("p"), "text", []Label{{"detected_level", "error"}, {"severity_text", "Information"}}, LevelInfo},
		{"number", testStream("p"), "text", []Label{{"severity_number", "13"}}, LevelWarn},
		{"label", labelled, "text", nil, LevelWarn},
		{"a sentence that is known", testStream("p"), "      Resilience event occurred. EventName: 'OnRetry', Source: 'a//b', Operation Key: '', Result: ''", []Label{{"detected_level", "error"}}, LevelWarn},
		{"nothing", testStream("p"), "text", []Label{{"detected_level", "unknown"}}, LevelUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := assemble(t, AssemblerOptions{}, []Entry{{Stream: c.stream, Line: []byte(c.line), Metadata: c.meta, Ordered: true}})
			if got[0].Level != c.want {
				t.Errorf("got %v, want %v", got[0].Level, c.want)
			}
		})
	}
}
