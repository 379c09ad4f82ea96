package stage

import (
	"strconv"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/transfer"
)

// transferLine reads the lines of this module's own transfer client, which
// name the stage in a field made for it. It reports whether the record is such
// a line with a verdict, and whether that verdict is a failed transfer. A
// retry notice has none of its own: its error text is read as any other.
func transferLine(r *ingest.Record, a *Attribution) (decided, failed bool) {
	var s Name
	switch string(r.Message) {
	case transfer.MsgRefused:
		name, _ := r.Field("stage")
		s = Name(name)
	case transfer.MsgCancelled:
		s = OuterCancelled
	case transfer.MsgFailed:
		s = failedStage(r)
	default:
		return false, false
	}
	if s == "" || !s.Valid() {
		return s == "" && string(r.Message) == transfer.MsgFailed, false
	}
	phase, _ := r.Field("phase")
	kind, _ := r.Field("kind")
	target, _ := r.Field("target")
	a.Stage, a.Phase, a.Target = s, string(phase), cleanURL(target)
	a.Role, a.Confidence, a.Rule = Cause, 1, "transfer-client"
	if s == OuterCancelled {
		a.Role = Outer
	}
	switch k := transfer.Kind(kind); k {
	case transfer.KindRefused, transfer.KindReset, transfer.KindClosed, transfer.KindNotFound:
		a.Kind = string(k)
	}
	a.BytesReceived = intField(r, "bytesReceived")
	a.BytesDeclared = intField(r, "bytesDeclared")
	a.Elapsed = time.Duration(intField(r, "elapsedNs"))
	a.Budget = time.Duration(intField(r, "budgetNs"))
	if a.Budget == Unknown {
		a.Budget = time.Duration(intField(r, "outerBudgetNs"))
	}
	a.Evidence = append(a.Evidence, string(r.Message)+": "+string(s))
	return true, true
}

// failedStage maps the kind and phase of a transfer that failed without being
// refused. Answers that came whole (a status, a digest) are no failed
// transfer; a 504 is a gateway's report.
func failedStage(r *ingest.Record) Name {
	kind, _ := r.Field("kind")
	phase, _ := r.Field("phase")
	inBody := string(phase) == string(transfer.PhaseBody)
	switch transfer.Kind(kind) {
	case transfer.KindRefused:
		return Connect
	case transfer.KindNotFound:
		return Resolve
	case transfer.KindTLS:
		return TLS
	case transfer.KindTruncated:
		return Truncated
	case transfer.KindStatus:
		if status, _ := r.Field("status"); len(status) == 3 {
			return statusVerdicts[string(status)].stage
		}
		return ""
	case transfer.KindReset, transfer.KindClosed:
		if inBody {
			return Truncated
		}
	case transfer.KindTimeout:
	default:
		return ""
	}
	return ofPhase[transfer.Phase(phase)]
}

// ofPhase is the stage of a timer that ran out in a phase.
var ofPhase = map[transfer.Phase]Name{
	transfer.PhaseQueue: QueueWait, transfer.PhaseResolve: Resolve, transfer.PhaseConnect: Connect, transfer.PhaseTLS: TLS,
	transfer.PhaseSend: Send, transfer.PhaseHeaders: NoResponse, transfer.PhaseBody: BodyStalled,
}

func intField(r *ingest.Record, name string) int64 {
	b, ok := r.Field(name)
	if !ok {
		return Unknown
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil || n < 0 {
		return Unknown
	}
	return n
}
