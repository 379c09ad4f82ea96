package logfile

import (
	"bytes"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// shipped is what a JSON object tells beside the record in it: shippers of logs
// (fluent-bit, fluentd, Vector, Filebeat, stern -o json) and log services
// (Google Cloud, CloudWatch, Azure, Elasticsearch, Splunk) put the line that a
// program wrote into a member, and beside it where it comes from.
//
// A member that nothing but a log service has ("textPayload") is the program's
// line. One that loggers may have too is if no logger left its mark ("log"),
// or besides a shipper did, or there is nothing beside it ("message");
// otherwise the object is the record.
type shipped struct {
	object []byte // the record: the object, or the one inside a service's envelope
	stamp  stamp.Stamp
	timed  bool

	text, message []byte // undecoded
	haveText      bool
	surely        bool // no logger has the member of text
	haveMessage   bool
	shipper       bool
	logger        bool
	origins       [originCount][]byte // undecoded
	plain         [originCount]bool   // told by a member that loggers use for what they speak of, too
	level         []byte
	trace, span   []byte
	event         []byte // an object that Splunk's collectors put the record into
	pid, gelf     bool
	others        int // members of no known meaning
}

// The members that tell where a line comes from.
const (
	originNone = iota
	originPod
	originNamespace
	originContainer
	originService
	originHost
	originHostname // counts beside a process id only: proxies have one too
	originOutput
	originLogStream
	originLogGroup
	originUnit
	originCount
)

// originLabels are the labels they become.
var originLabels = [originCount]string{"", "pod", "namespace", "container", "service", "host", "host", "stream", "log_stream", "log_group", "unit"}

// shippedDepth is how deep the objects lie that are looked into.
const shippedDepth = 3

// read takes an object apart.
func (s *shipped) read(line []byte) bool {
	*s = shipped{object: line}
	end, err := s.members(line, 0, nil, 0)
	if s.event != nil && s.timed && !s.logger && !s.haveMessage {
		s.object = s.event
	}
	return err == nil && jsonscan.Space(line, end) == len(line)
}

// members reads the members of the object at i; prefix is the path to it.
func (s *shipped) members(line []byte, i int, prefix []byte, depth int) (int, error) {
	var path [64]byte
	base := copy(path[:], prefix)
	return jsonscan.Object(line, i, func(key []byte, i int) (int, error) {
		if base+len(key) > len(path)-1 {
			return jsonscan.Skip(line, i)
		}
		n := base
		for _, c := range key {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			path[n] = c
			n++
		}
		if depth == 0 && !s.timed && stamp.IsTimeKey(key) {
			end, err := jsonscan.Skip(line, i)
			if err == nil {
				s.stamp, s.timed = stamp.Member(line[i:end])
			}
			return end, err
		}
		if i < len(line) && line[i] == '{' {
			return s.object1(line, i, path[:n], depth)
		}
		end, err := jsonscan.Skip(line, i)
		if err == nil {
			s.scalar(path[:n], line[i:end])
		}
		return end, err
	})
}

// object1 reads a member that is an object: one that tells of the origin, or
// an envelope's, whose content is the record if it has a time.
func (s *shipped) object1(line []byte, i int, path []byte, depth int) (int, error) {
	switch string(path) {
	case "kubernetes", "agent", "@metadata":
		s.shipper = true
	case "_source", "result", "attributes", "record":
		end, err := jsonscan.Skip(line, i)
		if err != nil || depth > 0 || s.timed {
			return end, err
		}
		if _, ok := stamp.InJSON(line[i:end]); ok {
			s.object = line[i:end]
			_, err = s.members(s.object, 0, nil, 0)
		}
		return end, err
	case "resource", "resource.labels", "kubernetes.pod", "kubernetes.container", "k8s", "k8s.pod", "service", "host", "log", "properties", "instrumentationscope", "error", "labels", "fields":
	case "event":
		end, err := jsonscan.Skip(line, i)
		if err == nil && depth == 0 {
			s.event = line[i:end]
		}
		return end, err
	default:
		s.others++
		return jsonscan.Skip(line, i)
	}
	if depth >= shippedDepth || len(path) > 60 {
		return jsonscan.Skip(line, i)
	}
	return s.members(line, i, append(path, '.'), depth+1)
}

// scalar takes a member that is no object.
func (s *shipped) scalar(path, value []byte) {
	if len(value) == 0 {
		return
	}
	text := value[0] == '"'
	if text {
		value = value[1 : len(value)-1]
	}
	origin := originNone
	switch string(path) {
	case "kubernetes.pod_name", "kubernetes.pod.name", "resource.labels.pod_name", "podname", "pod_name", "k8s.pod.name", "pod", "properties.pod", "fields.pod", "labels.pod":
		origin = originPod
		s.shipper = s.shipper || string(path) == "podname"
	case "kubernetes.namespace_name", "kubernetes.namespace", "kubernetes.pod_namespace", "resource.labels.namespace_name", "podnamespace", "namespace_name", "namespace", "k8s.namespace.name", "fields.namespace", "labels.namespace":
		origin = originNamespace
	case "kubernetes.container_name", "kubernetes.container.name", "resource.labels.container_name", "containername", "container_name", "_container_name", "k8s.container.name", "container", "fields.container", "labels.container":
		origin = originContainer
	case "service.name", "service", "service_name", "resource.labels.service_name", "resource.labels.function_name", "fields.app", "labels.app", "fields.service_name", "labels.service_name":
		origin = originService
	case "host.name", "nodename", "computer":
		origin = originHost
	case "hostname":
		origin = originHostname
	case "host":
		// A proxy's is the host that was asked for.
		origin = originHostname
	case "stream", "logsource", "properties.stream":
		if string(value) == "stdout" || string(value) == "stderr" {
			origin = originOutput
		}
	case "logstreamname", "logstream", "@logstream":
		origin = originLogStream
		s.shipper = true
	case "loggroup", "@log":
		origin = originLogGroup
	case "pid":
		s.pid = true
	case "short_message", "sourcetype":
		s.gelf = true
	case "source_type", "ingestiontime", "_index", "logtag":
		s.shipper = true
	case "log", "line":
		if text && !s.haveText {
			s.text, s.haveText = value, true
		}
	case "id", "eventid":
	case "_raw", "textpayload", "logmessage", "logentry", "properties.log":
		if text {
			s.text, s.haveText, s.surely = value, true, true
			s.gelf = s.gelf || string(path) == "_raw"
		}
	case "message", "@message":
		if text {
			s.message, s.haveMessage = value, true
			s.shipper = s.shipper || path[0] == '@'
		}
	case "event":
		if text && !s.haveMessage {
			s.message, s.haveMessage = value, true
		}
	case "severity", "detected_level":
		s.level = value
	case "level", "loglevel", "lvl", "level_name", "levelname", "log.level", "@l":
		s.level, s.logger = value, true
	case "msg", "@m", "@mt", "logger", "logger_name", "loggername", "log.logger", "stack_trace", "error.stack_trace", "error.type", "thread_name", "caller":
		s.logger = true
	case "trace", "trace_id", "traceid", "trace.id":
		s.trace = value
		if i := bytes.LastIndexByte(value, '/'); i >= 0 {
			s.trace = value[i+1:]
		}
	case "spanid", "span_id", "span.id":
		s.span = value
	default:
		s.others++
	}
	if origin != originNone && text && len(value) > 0 && (s.origins[origin] == nil || s.plain[origin]) {
		s.origins[origin], s.plain[origin] = value, isPlain(path)
	}
}

// isPlain reports whether a member may name what a record speaks of: a
// controller's records name the pod they are about.
func isPlain(path []byte) bool {
	switch string(path) {
	case "service", "pod", "namespace", "container", "pod_name", "namespace_name", "container_name", "k8s.pod.name", "k8s.namespace.name", "k8s.container.name":
		return true
	}
	return false
}

// line is the line that a program wrote, undecoded, if the object is not the
// record itself.
func (s *shipped) line() ([]byte, bool) {
	switch {
	case s.haveText && (s.surely || !s.logger):
		return s.text, true
	case s.haveMessage && !s.logger && (s.shipper || s.gelf || s.others == 0):
		return s.message, true
	}
	return nil, false
}

// time is the object's time, or that of the line in it where it has none.
func (s *shipped) time(buf []byte) (stamp.Stamp, bool) {
	if s.timed {
		return s.stamp, true
	}
	raw, ok := s.line()
	if !ok {
		return stamp.Stamp{}, false
	}
	text, err := jsonscan.Unescape(buf[:0], raw)
	if err != nil {
		return stamp.Stamp{}, false
	}
	return stamp.Any(text)
}

// appendKey appends what tells the stream, as written.
func (s *shipped) appendKey(key []byte) []byte {
	if !s.pid && !s.gelf {
		s.origins[originHostname] = nil
	}
	if _, ok := s.line(); !ok {
		for i := range s.origins {
			if s.plain[i] {
				s.origins[i] = nil
			}
		}
	}
	if s.origins[originPod] != nil {
		// A pod lives on one host.
		s.origins[originHost], s.origins[originHostname] = nil, nil
	}
	for i, v := range s.origins {
		if v != nil {
			key = append(append(append(key, byte(i)), v...), 0)
		}
	}
	return key
}

// labels are the labels of the origin. One that tells no instance has those
// of the file too.
func (s *shipped) labels(env *environment) []ingest.Label {
	var labels []ingest.Label
	alone := false
	for i, v := range s.origins {
		if v == nil || i == originHostname && s.origins[originHost] != nil {
			continue
		}
		value, err := jsonscan.Unescape(nil, v)
		if err != nil {
			continue
		}
		switch i {
		case originPod, originHost, originHostname, originLogStream:
			alone = true
		}
		labels = append(labels, ingest.Label{Name: originLabels[i], Value: string(value)})
	}
	if !alone {
		labels = append(labels, env.fileLabels(labels)...)
	}
	sortLabels(labels)
	return labels
}

// metadata is what the object tells of the record, for one whose line tells
// less.
func (s *shipped) metadata() []ingest.Label {
	var m []ingest.Label
	for _, p := range [...]struct {
		name  string
		value []byte
	}{{"severity_text", s.level}, {"span_id", s.span}, {"trace_id", s.trace}} {
		if len(p.value) > 0 && len(p.value) <= 100 && bytes.IndexByte(p.value, '\\') < 0 {
			m = append(m, ingest.Label{Name: p.name, Value: string(p.value)})
		}
	}
	return m
}
