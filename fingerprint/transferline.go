package fingerprint

import (
	"bytes"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// RuleTransfer is the Rule of identities that come from a line of this
// module's own transfer client.
const RuleTransfer = "builtin:transfer"

// transferLine identifies the lines of package transfer, whose message is the
// same for every way in which a transfer ends: what tells them apart is the
// stage of a refusal or the kind of a failure. Which object it was is no part
// of the identity.
func (x *Identifier) transferLine(r *ingest.Record, into *Identity) bool {
	var key string
	switch string(r.Message) {
	case "transfer refused":
		key = "stage"
	case "transfer failed", "transfer cancelled":
		key = "kind"
	default:
		return false
	}
	event, ok := fieldOf(r, key)
	if !ok || len(event) == 0 {
		return false
	}
	into.Rule = RuleTransfer
	into.Source = transferSource(r)
	into.Event = event
	into.Template = r.Message
	return true
}

// transferSource is the default Source, with the line's own name and target
// passed over where a reader of structured logs took one for a logger's name.
func transferSource(r *ingest.Record) []byte {
	if r.Stream != nil && len(r.Stream.Service) > 0 {
		for _, key := range [...]string{"name", "target"} {
			if v, ok := fieldOf(r, key); ok && bytes.Equal(v, r.Category) {
				return []byte(r.Stream.Service)
			}
		}
	}
	return defaultSource(r)
}
