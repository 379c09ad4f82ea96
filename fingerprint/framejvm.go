package fingerprint

import "bytes"

// javaPlace returns where the place of a JVM frame begins, the bracket of
// "(Sync.java:12)" and its like, or 0.
func javaPlace(f []byte) int {
	i := bytes.LastIndexByte(f, '(')
	if i <= 0 || bytes.IndexByte(f[:i], '.') < 0 {
		return 0
	}
	place := f[i+1:]
	for _, p := range []string{"Unknown Source)", "Native Method)", "<generated>)"} {
		if bytes.HasPrefix(place, []byte(p)) {
			return i
		}
	}
	for _, e := range []string{".java", ".kt", ".scala", ".groovy", ".clj"} {
		if j := bytes.Index(place, []byte(e)); j > 0 {
			if k := j + len(e); k < len(place) && (place[k] == ':' || place[k] == ')') {
				return i
			}
		}
	}
	return 0
}

var jvmLibraries = []string{
	"java.", "javax.", "jakarta.", "jdk.", "sun.", "com.sun.", "kotlin.", "kotlinx.", "scala.", "groovy.", "clojure.", "akka.", "play.",
	"org.springframework.", "org.apache.", "org.hibernate.", "org.eclipse.", "org.jboss.", "org.postgresql.", "org.junit.", "org.slf4j.",
	"io.netty.", "io.grpc.", "io.micrometer.", "io.undertow.", "io.vertx.", "io.quarkus.", "io.opentelemetry.", "io.micronaut.",
	"reactor.", "rx.", "io.reactivex.", "okhttp3.", "okio.", "retrofit2.", "feign.", "com.fasterxml.", "com.google.common.",
	"com.zaxxer.", "com.mysql.", "com.netflix.", "com.rabbitmq.", "ch.qos.logback.", "redis.clients.", "com.amazonaws.", "software.amazon.",
}

// javaFrame reads: java.base/java.util.List.get(List.java:12) and
// com.acme.Sync.lambda$run$0(Sync.java:7)
func javaFrame(dst, f []byte) ([]byte, bool) {
	name := f[:javaPlace(f)]
	module := name
	if i := bytes.IndexByte(name, '$'); i >= 0 {
		module = name[:i] // a slash behind it is part of a lambda's name
	}
	if i := bytes.LastIndexByte(module, '/'); i >= 0 {
		name = name[i+1:]
	}
	library := hasPrefixAny(name, jvmLibraries)
	n := len(dst)
	for len(name) > 0 {
		var part []byte
		part, name, _ = bytes.Cut(name, []byte{'.'})
		before := len(dst)
		if before > n {
			dst = append(dst, '.')
		}
		mark := len(dst)
		dst = appendJavaName(dst, part)
		if len(dst) == mark {
			dst = dst[:before]
		}
	}
	return dst, library
}

// appendJavaName appends a class or a method without what the compiler or a
// proxy maker adds behind dollar signs.
func appendJavaName(dst, name []byte) []byte {
	if i := bytes.Index(name, []byte("$$")); i >= 0 {
		name = name[:i]
	}
	first := true
	for len(name) > 0 {
		var part []byte
		part, name, _ = bytes.Cut(name, []byte{'$'})
		if len(part) == 0 || digitRun(part) == len(part) || string(part) == "lambda" || string(part) == "anonfun" {
			continue
		}
		if !first {
			dst = append(dst, '$')
		}
		dst = append(dst, part...)
		first = false
	}
	return dst
}
