package stage

import (
	"bytes"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// flagFields are the usual names of Envoy's response flags in access logs that
// are written as fields, as JSON or as key=value.
var flagFields = []string{"response_flags", "response_flag", "responseFlags", "RESPONSE_FLAGS"}

// accessFields reads an access log whose parts are fields: Envoy's flags, or
// HAProxy's termination state under its usual name. It reports whether those
// decided; a status alone is left to the rules.
func accessFields(r *ingest.Record) (d accessVerdict, evidence string, millis int64, ok bool) {
	if len(r.Fields) == 0 {
		return accessVerdict{}, "", Unknown, false
	}
	for i := range r.Fields {
		if f := &r.Fields[i]; bytes.HasSuffix(f.Name, []byte("termination_state")) && len(f.Value) >= 2 && isState(f.Value[:2]) {
			return haproxyStates[string(f.Value[:2])], "termination_state=" + string(f.Value[:2]), Unknown, true
		}
	}
	for _, name := range flagFields {
		flags, found := r.Field(name)
		if !found || !isFlags(flags) {
			continue
		}
		details, _ := r.Field("response_code_details")
		if len(details) == 0 {
			details, _ = r.Field("status_details")
		}
		d, flag := envoyVerdict(flags, details)
		if flag == "" {
			return accessVerdict{}, "", Unknown, false
		}
		millis = Unknown
		for _, name := range []string{"duration", "total_time_ms", "duration_ms"} {
			if b, found := r.Field(name); found {
				if n, ok := parseDigits(b); ok {
					millis = n
				}
			}
		}
		return d, name + "=" + flag, millis, true
	}
	return accessVerdict{}, "", Unknown, false
}
