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
	// Labels are sorted by name.
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

// Get returns the value of a label and whether the stream has it.
func (s *Stream) Get(name string) (string, bool) {
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
	serviceNames   = []string{"service_name", "service.name", "service", "app", "app_kubernetes_io_name", "app.kubernetes.io/name", "application", "k8s_deployment_name", "k8s.deployment.name", "component", "job", "container", "unit", "syslog_identifier"}
	containerNames = []string{"container", "k8s_container_name", "k8s.container.name", "container_name", "kubernetes_container_name"}
)

// NewStream makes a Stream of labels, which it sorts in place and keeps.
func NewStream(labels []Label) *Stream {
	slices.SortStableFunc(labels, func(a, b Label) int { return strings.Compare(a.Name, b.Name) })
	s := &Stream{Labels: labels, Key: string(appendKey(nil, labels))}
	s.Pod = s.first(podNames)
	s.Namespace = s.first(namespaceNames)
	s.Service = s.first(serviceNames)
	s.Container = s.first(containerNames)
	return s
}

func (s *Stream) first(names []string) string {
	for _, n := range names {
		if v, ok := s.Get(n); ok && v != "" {
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
	streams map[string]*Stream
	key     []byte
}

// Intern returns the stream with these labels, which must be sorted by name;
// it copies what it keeps. A known stream costs no allocation.
func (t *StreamTable) Intern(labels []Label) *Stream {
	t.key = appendKey(t.key[:0], labels)
	if s, ok := t.streams[string(t.key)]; ok {
		return s
	}
	own := make([]Label, len(labels))
	for i, l := range labels {
		own[i] = Label{Name: strings.Clone(l.Name), Value: strings.Clone(l.Value)}
	}
	s := NewStream(own)
	if t.streams == nil {
		t.streams = map[string]*Stream{}
	}
	t.streams[s.Key] = s
	return s
}

// Len returns how many streams the table holds.
func (t *StreamTable) Len() int { return len(t.streams) }
