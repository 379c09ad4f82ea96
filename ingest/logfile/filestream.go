package logfile

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// fileStream is the stream of lines that come without labels: that of the pod
// where the path is one of the kubelet's, else the file's name.
func (env *environment) fileStream(more ...ingest.Label) *ingest.Stream {
	labels := append(env.fileLabels(nil), more...)
	sortLabels(labels)
	return env.streams.Intern(labels)
}

// fileLabels are the labels of fileStream, without those whose names known has.
func (env *environment) fileLabels(known []ingest.Label) []ingest.Label {
	labels := podOfPath(env.in.path)
	if labels == nil {
		labels = []ingest.Label{{Name: "filename", Value: cmp.Or(env.in.stream, streamName(env.in.path))}}
	}
	return slices.DeleteFunc(labels, func(l ingest.Label) bool {
		return slices.ContainsFunc(known, func(k ingest.Label) bool { return k.Name == l.Name })
	})
}

// The kubelet's paths: pods/NAMESPACE_POD_UID/CONTAINER/N.log, and its links
// containers/POD_NAMESPACE_CONTAINER-ID.log; and those in which oc adm
// must-gather saves logs, namespaces/NAMESPACE/pods/POD/CONTAINER/...
var (
	podPath       = regexp.MustCompile(`(?:^|/)pods/([^_/]+)_([^_/]+)_[^_/]+/([^/]+)/\d+\.log[^/]*$`)
	gatherPath    = regexp.MustCompile(`(?:^|/)namespaces/([^/]+)/pods/([^/]+)/([^/]+)/(?:[^/]+/)*[^/]+\.log[^/]*$`)
	containerPath = regexp.MustCompile(`(?:^|/)([^_/]+)_([^_/]+)_([^_/]+)-[0-9a-f]{64}\.log[^/]*$`)
)

func podOfPath(path string) []ingest.Label {
	path = filepath.ToSlash(path)
	var namespace, pod, container string
	if m := podPath.FindStringSubmatch(path); m != nil {
		namespace, pod, container = m[1], m[2], m[3]
	} else if m := gatherPath.FindStringSubmatch(path); m != nil {
		namespace, pod, container = m[1], m[2], m[3]
	} else if m := containerPath.FindStringSubmatch(path); m != nil {
		pod, namespace, container = m[1], m[2], m[3]
	} else {
		return nil
	}
	return []ingest.Label{{Name: "container", Value: container}, {Name: "namespace", Value: namespace}, {Name: "pod", Value: pod}}
}

// nameStreams gives the inputs the names of their streams. Files of one name in
// several folders are of different streams, and are called by as much of their
// folders as tells these apart.
func nameStreams(inputs []*input) {
	folders := map[string][]string{} // by the stream's name
	dir := func(in *input) string {
		if d := filepath.ToSlash(filepath.Dir(in.path)); d != "." {
			return d
		}
		return ""
	}
	for _, in := range inputs {
		in.stream = streamName(in.path)
		if d := dir(in); in.path != "-" && !slices.Contains(folders[in.stream], d) {
			folders[in.stream] = append(folders[in.stream], d)
		}
	}
	for _, in := range inputs {
		if all := folders[in.stream]; in.path != "-" && len(all) > 1 {
			rest := strings.TrimPrefix(dir(in)[len(commonFolder(all)):], "/")
			in.stream = strings.TrimPrefix(rest+"/"+in.stream, "/")
		}
	}
}

// commonFolder is the longest path of whole folders that all begin with.
func commonFolder(folders []string) string {
	common := folders[0]
	for _, f := range folders[1:] {
		n := 0
		for i := 0; ; i++ {
			endA, endB := i == len(common) || common[i] == '/', i == len(f) || f[i] == '/'
			if endA && endB {
				n = i
			}
			if i == len(common) || i == len(f) || common[i] != f[i] {
				break
			}
		}
		common = common[:n]
	}
	return common
}

// What log rotation adds to a name: a number at its end; or a date, with a
// time or without, behind the name or before its extension, as logrotate's
// dateext, logback, log4j and lumberjack have it.
var (
	rotated = regexp.MustCompile(`^(.*[^.0-9])\.\d{1,3}$`)
	dated   = regexp.MustCompile(`^(.+?)[-._](?:20\d{6}(?:[-_T]?\d{2,6})?|20\d{2}-\d{2}-\d{2}(?:[-_T]\d{2}(?:[-.]?\d{2}(?:[-.]?\d{2}(?:\.\d{3})?)?)?)?)(?:[-._]\d{1,3})?(\.[A-Za-z]\w*)?$`)
)

// streamName is the value of the label filename: the file's base name, without
// a suffix of compression and without the number or date that log rotation
// adds, since all parts are one stream.
func streamName(path string) string {
	if path == "-" {
		return "stdin"
	}
	base := filepath.Base(path)
	for _, suffix := range packedSuffixes {
		if whole, found := strings.CutSuffix(base, suffix); found && whole != "" {
			base = whole
			break
		}
	}
	if m := rotated.FindStringSubmatch(base); m != nil {
		base = m[1]
	}
	if m := dated.FindStringSubmatch(base); m != nil {
		base = m[1] + m[2]
	}
	return base
}
