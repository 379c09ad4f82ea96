package main

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestTransferScripts runs the scripts of testdata/transfer, which find a
// misbehaving server at $SERVER.
func TestTransferScripts(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(misbehave))
	secure := httptest.NewUnstartedServer(http.HandlerFunc(misbehave))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes fail on purpose
	secure.StartTLS()
	// The scripts run in parallel, after this function.
	t.Cleanup(server.Close)
	t.Cleanup(secure.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/transfer",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SERVER", server.URL)
			env.Setenv("SECURE", secure.URL)
			env.Setenv("NO_COLOR", "1")
			if err := os.WriteFile(env.WorkDir+"/ca.pem", authority, 0o666); err != nil {
				return err
			}
			return os.WriteFile(env.WorkDir+"/object", transferObject, 0o666)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}

// transferObject is what the server serves under /object.
var transferObject = bytes.Repeat([]byte("0123456789abcdef"), 20_000)

func misbehave(w http.ResponseWriter, r *http.Request) {
	hijack := func(text string, then func()) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		c.Write([]byte(text))
		if then != nil {
			then()
		}
	}
	hang := func() {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}
	name, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch name {
	case "hello":
		fmt.Fprint(w, "hello")
	case "object":
		w.Header().Set("ETag", `"v1"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(transferObject))
	case "cut":
		// The whole object is promised, and 100,000 bytes come, unless a part
		// is asked for.
		w.Header().Set("ETag", `"v1"`)
		if r.Header.Get("Range") != "" {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(transferObject))
			return
		}
		hijack(fmt.Sprintf("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: %d\r\n\r\n%s", len(transferObject), transferObject[:100_000]), nil)
	case "silent":
		hang()
	case "stalled":
		hijack("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", hang)
	case "status":
		code, _ := strconv.Atoi(rest)
		w.WriteHeader(code)
	case "echo":
		fmt.Fprint(w, r.Header.Get(rest))
	case "away":
		http.Redirect(w, r, "/hello", http.StatusFound)
	}
}
