package ingest

import "bytes"

// The sentences of Polly's telemetry, by event id (Polly.Extensions, Log.cs).
var pollySentences = [...][]byte{
	0: []byte("Resilience event occurred. "),
	1: []byte("Resilience pipeline executing. "),
	2: []byte("Resilience pipeline executed. "),
	3: []byte("Execution attempt. "),
}

var (
	pollyCategory = []byte("Polly")
	pollyIDs      = [...][]byte{[]byte("0"), []byte("1"), []byte("2"), []byte("3")}
)

// pollySentence returns the event id of a Polly message, -1 for any other.
func pollySentence(message []byte) int {
	if len(message) < 20 || message[0] != 'R' && message[0] != 'E' {
		return -1
	}
	for id, s := range pollySentences {
		if bytes.HasPrefix(message, s) && bytes.HasPrefix(message[len(s):], []byte("EventName: '")) == (id == 0) {
			return id
		}
	}
	return -1
}

// pollyLevel is the level at which Polly reports such an event unless told
// otherwise: the documented default of its severity, by event.
func pollyLevel(id int, message []byte) Level {
	switch id {
	case 0:
		rest := message[len(pollySentences[0])+len("EventName: '"):]
		if i := bytes.IndexByte(rest, '\''); i >= 0 {
			rest = rest[:i]
		}
		switch string(rest) {
		case "OnTimeout", "OnCircuitOpened", "OnRateLimiterRejected", "ReloadFailed", "DisposeFailed":
			return LevelError
		case "OnRetry", "OnHedging", "OnFallback", "OnCircuitHalfOpened":
			return LevelWarn
		case "PipelineExecuting":
			return LevelDebug
		}
		return LevelInfo
	case 1:
		return LevelDebug
	case 2:
		return LevelInfo
	}
	if bytes.Contains(message, []byte("Handled: 'True'")) {
		return LevelWarn
	}
	return LevelInfo
}

// pollyHeader gives a message whose header is missing what its sentence says
// of it.
func pollyHeader(r *Record) {
	id := pollySentence(r.Message)
	if id < 0 {
		return
	}
	r.Category, r.EventID = pollyCategory, pollyIDs[id]
	if r.Level == LevelUnknown {
		r.Level = pollyLevel(id, r.Message)
	}
}
