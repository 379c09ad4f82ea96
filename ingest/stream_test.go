package ingest

import "testing"

func TestStreamNames(t *testing.T) {
	for _, c := range []struct {
		name                              string
		labels                            []Label
		pod, namespace, service, key, get string
	}{
		{"scraped", []Label{{"pod", "p-1"}, {"namespace", "n"}, {"app", "web"}}, "p-1", "n", "web", `{app="web", namespace="n", pod="p-1"}`, "web"},
		{"the same, from Loki", []Label{{"pod", "p-1"}, {"namespace", "n"}, {"app", "web"}, {"service_name", "web"}}, "p-1", "n", "web", `{app="web", namespace="n", pod="p-1"}`, "web"},
		{"a service of its own", []Label{{"app", "web"}, {"service_name", "shop"}}, "", "", "shop", `{app="web", service_name="shop"}`, "shop"},
		{"no service", []Label{{"zone", "a"}, {"service_name", "unknown_service"}}, "", "", "", `{zone="a"}`, ""},
		{"OpenTelemetry in Loki", []Label{{"k8s_pod_name", "p"}, {"k8s_namespace_name", "n"}, {"service_name", "shop"}}, "p", "n", "shop", `{k8s_namespace_name="n", k8s_pod_name="p", service_name="shop"}`, "shop"},
		{"OpenTelemetry", []Label{{"k8s.pod.name", "p"}, {"service.name", "shop"}}, "p", "", "shop", `{k8s.pod.name="p", service.name="shop"}`, "shop"},
		{"empty", nil, "", "", "", "{}", ""},
		{"quoted", []Label{{"app", "a\"b\n"}}, "", "", "a\"b\n", `{app="a\"b\n"}`, "a\"b\n"},
	} {
		s := NewStream(c.labels)
		if s.Pod != c.pod || s.Namespace != c.namespace || s.Service != c.service || s.Key != c.key {
			t.Errorf("%s: pod %q, namespace %q, service %q, key %s; want %q, %q, %q, %s", c.name, s.Pod, s.Namespace, s.Service, s.Key, c.pod, c.namespace, c.service, c.key)
		}
		if got, _ := s.Get("service_name"); got != c.get {
			t.Errorf("%s: service_name %q, want %q", c.name, got, c.get)
		}
	}
}

func TestInternKnowsOneStreamInTwoForms(t *testing.T) {
	var table StreamTable
	a := table.Intern([]Label{{"app", "web"}})
	b := table.Intern([]Label{{"app", "web"}, {"service_name", "web"}})
	c := table.Intern([]Label{{"app", "web"}, {"service_name", "shop"}})
	if a != b || a == c || table.Len() != 2 {
		t.Errorf("web %p, from Loki %p, another service %p, %d streams", a, b, c, table.Len())
	}
	labels := []Label{{"app", "web"}, {"service_name", "web"}}
	if n := testing.AllocsPerRun(100, func() { table.Intern(labels) }); n != 0 {
		t.Errorf("interning a known stream allocates %v times", n)
	}
}
