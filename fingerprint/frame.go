package fingerprint

import (
	"bytes"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// frame fills in the topmost application frame: the first one of the root
// exception that is not a framework's, else of the exception around it, and
// so on outwards. Where the order of the frames is not that of the stack, it
// is the application frame that sorts first.
func (x *Identifier) frame(r *ingest.Record, into *Identity) {
	if len(r.Frames) == 0 {
		return
	}
	if r.TiedFrames {
		for _, f := range r.Frames {
			if got := x.appFrame(f); got != nil && (into.Frame == nil || bytes.Compare(got, into.Frame) < 0) {
				into.Frame = got
			}
		}
		return
	}
	for i := len(r.Exceptions) - 1; i >= 0; i-- {
		e := &r.Exceptions[i]
		if e.First < 0 || e.End > len(r.Frames) || e.First > e.End {
			continue
		}
		if into.Frame = x.firstAppFrame(r.Frames[e.First:e.End]); into.Frame != nil {
			return
		}
	}
	into.Frame = x.firstAppFrame(r.Frames)
}

func (x *Identifier) firstAppFrame(frames [][]byte) []byte {
	for _, f := range frames {
		if got := x.appFrame(f); got != nil {
			return got
		}
	}
	return nil
}

// appFrame returns the normal form of an application's frame, else nil.
func (x *Identifier) appFrame(f []byte) []byte {
	n := len(x.arena)
	out, framework := NormalFrame(x.arena, f)
	if framework || len(out) == n {
		return nil
	}
	x.arena = out
	return out[n:len(out):len(out)]
}

// NormalFrame appends to dst the normal form of one stack frame as .NET,
// Java, Python, Go, Node and Ruby print them, and reports whether it belongs
// to a framework or a library rather than to an application. Line numbers,
// arguments, generic arguments, compiler-made names of lambdas, closures,
// local functions and state machines, addresses and the directories above the
// last one go, so that a rebuild, or another place of deployment, does not
// change it. Text that is no frame appends nothing.
func NormalFrame(dst, f []byte) (out []byte, framework bool) {
	f = bytes.TrimSpace(f)
	if rest, ok := bytes.CutPrefix(f, []byte("at ")); ok {
		f = bytes.TrimSpace(rest)
	}
	if len(f) == 0 || f[0] == '-' || bytes.HasPrefix(f, []byte("...")) {
		return dst, false
	}
	switch {
	case bytes.HasPrefix(f, []byte(`File "`)):
		return pythonFrame(dst, f)
	case rubyMark(f) > 0:
		return rubyFrame(dst, f)
	case scriptMark(f) > 0:
		return nodeFrame(dst, f)
	case isGoFile(f):
		return dst, false
	case javaPlace(f) > 0:
		return javaFrame(dst, f)
	case isGoCall(f):
		return goFrame(dst, f)
	}
	return dotnetFrame(dst, f)
}

// appendPlace appends the last directory and the name of a file.
func appendPlace(dst, path []byte) []byte {
	cut := 0
	seen := 0
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			if seen++; seen == 2 {
				cut = i + 1
				break
			}
		}
	}
	for _, c := range bytes.TrimLeft(path[cut:], `/\`) {
		if c == '\\' {
			c = '/'
		}
		dst = append(dst, c)
	}
	return dst
}

// containsAny reports whether b holds one of the texts.
func containsAny(b []byte, texts []string) bool {
	for _, t := range texts {
		if bytes.Contains(b, []byte(t)) {
			return true
		}
	}
	return false
}

var pythonLibraries = []string{"site-packages", "dist-packages", "/lib/python", `\lib\`, "/lib64/python", "<frozen", "<string>", "importlib"}

// pythonFrame reads: File "/app/jobs/sync.py", line 12, in run
func pythonFrame(dst, f []byte) ([]byte, bool) {
	rest := f[len(`File "`):]
	path, rest, ok := bytes.Cut(rest, []byte{'"'})
	if !ok {
		return dst, false
	}
	n := len(dst)
	dst = appendPlace(dst, path)
	if i := bytes.Index(rest, []byte(", in ")); i >= 0 {
		name := bytes.TrimSpace(rest[i+len(", in "):])
		dst = append(dst, ':')
		dst = append(dst, name...)
	}
	return dst, len(dst) > n && containsAny(path, pythonLibraries)
}

// rubyMark returns where ":in " and the quote of a Ruby frame stand, or 0.
func rubyMark(f []byte) int {
	i := bytes.Index(f, []byte(":in `"))
	if i < 0 {
		i = bytes.Index(f, []byte(":in '"))
	}
	return max(i, 0)
}

var rubyLibraries = []string{"/gems/", "/lib/ruby/", "<internal:", "/bin/bundle"}

// rubyFrame reads: /app/models/user.rb:12:in `save'
func rubyFrame(dst, f []byte) ([]byte, bool) {
	i := rubyMark(f)
	place, name := f[:i], f[i+len(":in `"):]
	if j := bytes.LastIndexByte(place, ':'); j > 0 {
		place = place[:j]
	}
	if j := bytes.IndexAny(name, "'`"); j >= 0 {
		name = name[:j]
	}
	for _, word := range []string{"block ", "rescue ", "ensure ", "in "} {
		if j := bytes.LastIndex(name, []byte(word)); j >= 0 {
			name = name[j+len(word):]
		}
	}
	dst = appendPlace(dst, place)
	dst = append(dst, ':')
	return append(dst, name...), containsAny(f[:i], rubyLibraries)
}

var scriptEndings = []string{".js:", ".mjs:", ".cjs:", ".ts:", ".tsx:", ".jsx:"}

// scriptMark returns the end of the file's name in a frame of Node, or 0.
func scriptMark(f []byte) int {
	for _, e := range scriptEndings {
		if i := bytes.Index(f, []byte(e)); i > 0 {
			return i + len(e) - 1
		}
	}
	if i := bytes.Index(f, []byte("node:")); i >= 0 {
		if j := bytes.IndexByte(f[i+len("node:"):], ':'); j > 0 {
			return i + len("node:") + j
		}
	}
	return 0
}

var nodeLibraries = []string{"node_modules", "node:", "(internal/", "internal/process", "internal/modules"}

// nodeFrame reads: async Sync.run (/app/src/sync.js:12:5)
func nodeFrame(dst, f []byte) ([]byte, bool) {
	end := scriptMark(f)
	start := 0
	var name []byte
	if i := bytes.LastIndexByte(f[:end], '('); i > 0 {
		name, start = bytes.TrimSpace(f[:i]), i+1
	}
	library := containsAny(f, nodeLibraries)
	for _, word := range []string{"async ", "new ", "Promise.all "} {
		name = bytes.TrimPrefix(name, []byte(word))
	}
	if i := bytes.Index(name, []byte(" [as ")); i > 0 {
		name = name[:i]
	}
	place := f[start:end]
	if i := bytes.Index(place, []byte("://")); i > 0 {
		place = place[i+len("://"):]
	}
	dst = appendPlace(dst, place)
	if len(name) > 0 {
		dst = append(dst, ':')
		for _, part := range bytes.Split(name, []byte{'.'}) {
			if len(part) == 0 || part[0] == '<' {
				continue
			}
			if dst[len(dst)-1] != ':' {
				dst = append(dst, '.')
			}
			dst = append(dst, part...)
		}
	}
	return dst, library
}
