package fingerprint

import (
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func TestNormalFrame(t *testing.T) {
	cases := []struct {
		in, want  string
		framework bool
	}{
		// .NET
		{"Portal.Data.NodeSource.Apply(Node node) in /src/Portal.Data/NodeSource.cs:line 12", "Portal.Data.NodeSource.Apply", false},
		{"at Portal.Data.NodeSource.<>c.<Update>b__12_0(Node node)", "Portal.Data.NodeSource.Update", false},
		{"Portal.X.<>c__DisplayClass5_0.<<Run>b__0>d.MoveNext()", "Portal.X.Run", false},
		{"Portal.X.<RunAsync>d__12.MoveNext() in /src/X.cs:line 7", "Portal.X.RunAsync", false},
		{"Portal.X.<Run>g__Local|3_0(Int32 n)", "Portal.X.Run.Local", false},
		{"Portal.X`1.Run[T](T x)", "Portal.X.Run", false},
		{"Portal.X..ctor()", "Portal.X..ctor", false},
		{"async Task<int> Portal.X.RunAsync(int n)", "Portal.X.RunAsync", false},
		{"System.Reactive.Linq.ObservableImpl.Timeout`1.Relative._.OnTimeout()", "System.Reactive.Linq.ObservableImpl.Timeout.Relative._.OnTimeout", true},
		{"--- End of inner exception stack trace ---", "", false},
		// JVM
		{"com.acme.Sync.lambda$run$0(Sync.java:12)", "com.acme.Sync.run", false},
		{"app//com.acme.Sync$Reader$1.run(Sync.java:12)", "com.acme.Sync$Reader.run", false},
		{"java.base/java.net.Socket.connect(Socket.java:633)", "java.net.Socket.connect", true},
		{"com.acme.Sync$$Lambda$14/0x0000000800c03000.run(Unknown Source)", "com.acme.Sync.run", false},
		{"... 12 more", "", false},
		// Python
		{`File "/app/jobs/sync.py", line 12, in run`, "jobs/sync.py:run", false},
		{`File "/usr/lib/python3.12/site-packages/requests/api.py", line 59, in get`, "requests/api.py:get", true},
		{`File "<frozen importlib._bootstrap>", line 241, in _call`, "<frozen importlib._bootstrap>:_call", true},
		// Go
		{"github.com/acme/sync.(*Job).Run.func1(0xc000010000, 0x5)", "github.com/acme/sync.(*Job).Run", false},
		{"/src/acme/sync/job.go:12 +0x1d", "", false},
		{"main.main()", "main.main", false},
		{"net/http.(*conn).serve(0xc0001, {0x7, 0x8})", "net/http.(*conn).serve", true},
		{"created by github.com/acme/sync.Start in goroutine 7", "github.com/acme/sync.Start", false},
		{"github.com/acme/sync.Map[...](0x1)", "github.com/acme/sync.Map", false},
		// Node
		{"async Sync.run (/app/src/sync.js:12:5)", "src/sync.js:Sync.run", false},
		{"/app/src/sync.js:12:5", "src/sync.js", false},
		{"Object.<anonymous> (/app/src/sync.js:12:5)", "src/sync.js:Object", false},
		{"Socket.connect (node:net:1040:18)", "node:net:Socket.connect", true},
		{"run (/app/node_modules/x/lib/i.js:1:2)", "lib/i.js:run", true},
		// Ruby
		{"/app/models/user.rb:12:in `block in save'", "models/user.rb:save", false},
		{"/usr/lib/ruby/gems/3.3.0/gems/x/lib/x.rb:1:in 'y'", "lib/x.rb:y", true},
		// No frames
		{"", "", false},
		{"plain words", "", false},
	}
	for _, c := range cases {
		got, framework := NormalFrame(nil, []byte(c.in))
		if string(got) != c.want || framework != c.framework {
			t.Errorf("NormalFrame(%q) = %q, %v; want %q, %v", c.in, got, framework, c.want, c.framework)
		}
	}
}

func TestTopFrame(t *testing.T) {
	frames := [][]byte{
		[]byte("System.Linq.ThrowHelper.ThrowNoElementsException()"),
		[]byte("Portal.Data.NodeSource.Apply(Node node)"),
		[]byte("Portal.Data.NodeSource.<>c.<Run>b__0_1()"),
		[]byte("Portal.Api.Controller.Get()"),
	}
	r := func(tied bool, order ...int) *ingest.Record {
		rec := &ingest.Record{TiedFrames: tied, Exceptions: []ingest.Exception{{Type: []byte("E"), End: len(frames)}}}
		for _, i := range order {
			rec.Frames = append(rec.Frames, frames[i])
		}
		return rec
	}
	x := NewIdentifier(Options{})
	var d Identity
	x.Identify(r(false, 0, 1, 2, 3), &d)
	if string(d.Frame) != "Portal.Data.NodeSource.Apply" {
		t.Errorf("top frame %q, want the first of the application", d.Frame)
	}
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}} {
		x.Identify(r(true, order...), &d)
		if string(d.Frame) != "Portal.Api.Controller.Get" {
			t.Errorf("order %v of tied frames: top frame %q, want the one that sorts first", order, d.Frame)
		}
	}
	inner := &ingest.Record{
		Exceptions: []ingest.Exception{{Type: []byte("Outer"), First: 0, End: 1}, {Type: []byte("Root"), First: 1, End: 3}},
		Frames:     [][]byte{frames[3], frames[0], frames[1]},
	}
	x.Identify(inner, &d)
	if string(d.Frame) != "Portal.Data.NodeSource.Apply" || string(d.Exception) != "Outer < Root" || string(d.Event) != "Outer" {
		t.Errorf("chain: frame %q, exception %q, event %q; want the root's frame", d.Frame, d.Exception, d.Event)
	}
}

func FuzzNormalFrame(f *testing.F) {
	for _, s := range []string{"A.<B>d__1.MoveNext()", "a.b$c$1(D.java:1)", `File "x", line 1, in y`, "x.(*Y).Z.func1(0x1)", "f (/a/b.js:1:2)", "/a/b.rb:1:in `c'", "<<", "A.<(", "x[)(", "created by "} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		out, _ := NormalFrame([]byte("keep"), b)
		if string(out[:4]) != "keep" {
			t.Errorf("NormalFrame(%q) changed what was in dst", b)
		}
	})
}
