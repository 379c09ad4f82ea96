package ingest

import (
	"slices"
	"strconv"
	"strings"
)

// Label is one name with its value.
type Label struct {
	Name, Value string
}

// Stream is one set of labels. Streams are interned by a [StreamTable], so two
// entries of one table are of the same stream exactly if the pointers are
// equal. A Stream is immutable and may be shared between goroutines.
type Stream struct {
	// Labels are sorted by name. A service_name that only repeats what Loki
	// derives from another label is not among them: the same lines have it
	// when Loki sends them and lack it in the file they were pushed from.
	Labels []Label
	// Key is the canonical selector form, {a="b", c="d"}: it orders streams
	// and tells them apart across tables.
	Key string
	// Pod, Namespace, Service and Container are read from the usual label
	// names, Prometheus' and OpenTelemetry's; empty where no label tells.
	Pod, Namespace, Service, Container string
}

// Name returns the shortest name a person knows the stream by: its pod, else
// its service, else its key.
func (s *Stream) Name() string {
	switch {
	case s.Pod != "":
		return s.Pod
	case s.Service != "":
		return s.Service
	}
	return s.Key
}

// Get returns the value of a label and whether the stream has it. Every
// stream whose service is known has a service_name.
func (s *Stream) Get(name string) (string, bool) {
	if v, ok := s.get(name); ok {
		return v, true
	}
	return s.Service, name == serviceName && s.Service != ""
}

func (s *Stream) get(name string) (string, bool) {
	i, ok := slices.BinarySearchFunc(s.Labels, name, func(l Label, n string) int { return strings.Compare(l.Name, n) })
	if !ok {
		return "", false
	}
	return s.Labels[i].Value, true
}

// The label names that tell of pod, namespace, service and container, best
// first: Kubernetes scrape configurations, promtail and Alloy, then
// OpenTelemetry's resource attributes as Loki spells them, with and without
// the dots replaced.
var (
	podNames       = []string{"pod", "k8s_pod_name", "k8s.pod.name", "kubernetes_pod_name", "pod_name", "instance", "service_instance_id", "service.instance.id", "host", "hostname", "host_name", "host.name"}
	namespaceNames = []string{"namespace", "k8s_namespace_name", "k8s.namespace.name", "kubernetes_namespace_name", "namespace_name", "service_namespace", "service.namespace"}
	// The order is that in which Loki derives service_name from other labels.
	serviceNames   = []string{serviceName, "service.name", "service", "app", "application", "app_name", "name", "app_kubernetes_io_name", "app.kubernetes.io/name", "container", "container_name", "k8s_container_name", "k8s.container.name", "component", "workload", "job", "k8s_job_name", "k8s_deployment_name", "k8s.deployment.name", "unit", "syslog_identifier"}
	containerNames = []string{"container", "k8s_container_name", "k8s.container.name", "container_name", "kubernetes_container_name"}
)

// serviceName is the label that Loki gives to every stream it takes in, and
// unknownService its value where no other label tells.
const (
	serviceName    = "service_name"
	unknownService = "unknown_service"
)

// NewStream makes a Stream of labels, which it sorts in place and keeps.
func NewStream(labels []Label) *Stream {
	slices.SortStableFunc(labels, func(a, b Label) int { return strings.Compare(a.Name, b.Name) })
	s := &Stream{Labels: labels}
	s.Pod = s.first(podNames)
	s.Namespace = s.first(namespaceNames)
	s.Container = s.first(containerNames)
	derived := s.first(serviceNames[1:])
	s.Service = derived
	if own, ok := s.get(serviceName); ok && own != "" {
		if own == derived || own == unknownService {
			s.Labels = slices.DeleteFunc(s.Labels, func(l Label) bool { return l.Name == serviceName })
		} else {
			s.Service = own
		}
	}
	s.Key = string(appendKey(nil, s.Labels))
	return s
}

func (s *Stream) first(names []string) string {
	for _, n := range names {
		if v, ok := s.get(n); ok && v != "" {
			return v
		}
	}
	return ""
}

func appendKey(b []byte, labels []Label) []byte {
	b = append(b, '{')
	for i, l := range labels {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, l.Name...)
		b = append(b, '=')
		b = strconv.AppendQuote(b, l.Value)
	}
	return append(b, '}')
}

// StreamTable interns streams by their labels. The zero value is ready to use.
type StreamTable struct {
	written map[string]*Stream // by the labels as written, where Key is another
	streams map[string]*Stream // by Key
	key     []byte
}

// Intern returns the stream with these labels, which must be sorted by name;
// it copies what it keeps. A known stream costs no allocation.
func (t *StreamTable) Intern(labels []Label) *Stream {
	t.key = appendKey(t.key[:0], labels)
	if s, ok := t.streams[string(t.key)]; ok {
		return s
	}
	if s, ok := t.written[string(t.key)]; ok {
		return s
	}
	own := make([]Label, len(labels))
	for i, l := range labels {
		own[i] = Label{Name: strings.Clone(l.Name), Value: strings.Clone(l.Value)}
	}
	s := NewStream(own)
	if t.streams == nil {
		t.written, t.streams = map[string]*Stream{}, map[string]*Stream{}
	}
	if known, ok := t.streams[s.Key]; ok {
		s = known
	}
	t.streams[s.Key] = s
	if s.Key != string(t.key) {
		t.written[string(t.key)] = s
	}
	return s
}

// Len returns how many streams the table holds.
func (t *StreamTable) Len() int { return len(t.streams) }
