package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// rec is a log record before a program's logger has formatted it.
type rec struct {
	level    string // debug, info, warn, error
	category string
	event    int
	message  string
	trace    []string // exception and frames, one a line
	template string   // the message with {placeholders}
	state    []field
}

type field struct {
	name  string
	value any
}

// format renders a record to the lines that its logger writes.
type format func(r rec, at time.Time) []string

func levelWord(r rec, debug, info, warn, err string) string {
	return map[string]string{"debug": debug, "info": info, "warn": warn, "error": err}[r.level]
}

func (r rec) exception() string { return strings.Join(r.trace, "\n") }

// dotnetConsole is the simple console.
func dotnetConsole(r rec, _ time.Time) []string {
	out := []string{fmt.Sprintf("%s: %s[%d]", levelWord(r, "dbug", "info", "warn", "fail"), r.category, r.event), "      " + r.message}
	for _, l := range r.trace {
		out = append(out, "      "+l)
	}
	return out
}

// dotnetSingle is the simple console with SingleLine.
func dotnetSingle(r rec, _ time.Time) []string {
	return []string{strings.Join(append([]string{fmt.Sprintf("%s: %s[%d] %s", levelWord(r, "dbug", "info", "warn", "fail"), r.category, r.event, r.message)}, r.trace...), " ")}
}

// object marshals fields in their order, as .NET's encoder does.
func object(dotnet bool, fs ...field) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, f := range fs {
		if i > 0 {
			b.WriteByte(',')
		}
		v, _ := json.Marshal(f.value)
		if raw, ok := f.value.(json.RawMessage); ok {
			v = raw
		}
		s := string(v)
		if dotnet {
			s = strings.ReplaceAll(s, "'", `\u0027`)
		}
		b.WriteString(strconv.Quote(f.name) + ":" + s)
	}
	b.WriteByte('}')
	return b.String()
}

// dotnetJSON is the JSON console.
func dotnetJSON(r rec, at time.Time) []string {
	fs := []field{{"EventId", r.event}, {"LogLevel", levelWord(r, "Debug", "Information", "Warning", "Error")}, {"Category", r.category}, {"Message", r.message}}
	if len(r.trace) > 0 {
		fs = append(fs, field{"Exception", strings.Join(r.trace, " ")})
	}
	state := append([]field{{"Message", r.message}}, r.state...)
	if r.template != "" {
		state = append(state, field{"{OriginalFormat}", r.template})
	}
	return []string{object(true, append(fs, field{"State", json.RawMessage(object(true, state...))})...)}
}

// serilog is the compact form, without the rendered sentence.
func serilog(r rec, at time.Time) []string {
	template := r.template
	if template == "" {
		template = r.message
	}
	fs := []field{{"@t", at.Format(time.RFC3339Nano)}, {"@mt", template}}
	if r.level != "info" {
		fs = append(fs, field{"@l", levelWord(r, "Debug", "", "Warning", "Error")})
	}
	if len(r.trace) > 0 {
		fs = append(fs, field{"@x", r.exception()})
	}
	fs = append(fs, r.state...)
	return []string{object(false, append(fs, field{"SourceContext", r.category})...)}
}

func quoted(s string) string {
	if strings.ContainsAny(s, " \"=\n") || s == "" {
		return strconv.Quote(s)
	}
	return s
}

// logfmt renders time, level, logger, msg and the state.
func logfmt(r rec, at time.Time) []string {
	b := fmt.Sprintf("time=%s level=%s logger=%s msg=%s", at.Format(time.RFC3339Nano), r.level, r.category, quoted(r.message))
	for _, f := range r.state {
		if f.value == nil {
			f.value = "null"
		}
		b += fmt.Sprintf(" %s=%s", f.name, quoted(fmt.Sprint(f.value)))
	}
	if len(r.trace) > 0 {
		b += " err=" + quoted(r.exception())
	}
	return []string{b}
}

// slogJSON is log/slog's JSON handler.
func slogJSON(r rec, at time.Time) []string {
	fs := []field{{"time", at.Format(time.RFC3339Nano)}, {"level", levelWord(r, "DEBUG", "INFO", "WARN", "ERROR")}, {"msg", r.message}}
	if r.category != "" {
		fs = append(fs, field{"logger", r.category})
	}
	fs = append(fs, r.state...)
	if len(r.trace) > 0 {
		fs = append(fs, field{"error", r.exception()})
	}
	return []string{object(false, fs...)}
}

// zapJSON is zap's production encoder.
func zapJSON(r rec, at time.Time) []string {
	fs := []field{{"level", r.level}, {"ts", float64(at.UnixMicro()) / 1e6}, {"logger", r.category}, {"caller", "client/get.go:81"}, {"msg", r.message}}
	fs = append(fs, r.state...)
	if len(r.trace) > 0 {
		fs = append(fs, field{"error", r.trace[0]})
	}
	return []string{object(false, fs...)}
}

// logback is its usual pattern; frames follow as lines of their own.
func logback(r rec, at time.Time) []string {
	head := fmt.Sprintf("%s %-5s [http-exec-3] %s - %s", at.Format("2006-01-02 15:04:05.000"), levelWord(r, "DEBUG", "INFO", "WARN", "ERROR"), r.category, r.message)
	return append([]string{head}, r.trace...)
}

// pythonLog is logging.basicConfig's commonest form.
func pythonLog(r rec, at time.Time) []string {
	head := fmt.Sprintf("%s %s %s: %s", at.Format("2006-01-02 15:04:05,000"), levelWord(r, "DEBUG", "INFO", "WARNING", "ERROR"), r.category, r.message)
	return append([]string{head}, r.trace...)
}

// onTimeout is what a resilience pipeline logs when a timer fires.
func onTimeout(pipeline, instance, strategy string) rec {
	return pollyEvent("OnTimeout", "error", pipeline, instance, strategy)
}

func pollyEvent(event, level, pipeline, instance, strategy string) rec {
	printed := instance
	var inst any = instance
	if instance == "(null)" {
		inst = nil
	}
	return rec{
		level: level, category: "Polly",
		message:  fmt.Sprintf("Resilience event occurred. EventName: '%s', Source: '%s/%s/%s', Operation Key: '', Result: ''", event, pipeline, printed, strategy),
		template: "Resilience event occurred. EventName: '{EventName}', Source: '{PipelineName}/{PipelineInstance}/{StrategyName}', Operation Key: '{OperationKey}', Result: '{Result}'",
		state:    []field{{"EventName", event}, {"PipelineName", pipeline}, {"PipelineInstance", inst}, {"StrategyName", strategy}, {"OperationKey", nil}, {"Result", nil}},
	}
}
