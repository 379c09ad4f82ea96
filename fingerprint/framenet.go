package fingerprint

import "bytes"

var dotnetLibraries = []string{
	"System.", "Microsoft.", "Npgsql.", "Orleans.", "Polly.", "Newtonsoft.", "Serilog.", "NLog.", "Grpc.", "Azure.", "Google.", "Amazon.",
	"StackExchange.", "MySql.", "MySqlConnector.", "Oracle.", "MongoDB.", "RabbitMQ.", "Confluent.", "MassTransit.", "MediatR.", "AutoMapper.",
	"Dapper.", "Castle.", "Autofac.", "Quartz.", "Hangfire.", "OpenTelemetry.", "Internal.", "Interop.", "Mono.", "FSharp.", "Xunit.", "NUnit.",
	"lambda_method", "Interop", "ReactiveUI.", "HotChocolate.", "NpgsqlTypes.", "IdentityModel.", "Swashbuckle.", "FluentValidation.",
}

// dotnetFrame reads: Acme.Sync.<Run>d__12.MoveNext() in /src/Sync.cs:line 7
// and the readable forms that some loggers print instead.
func dotnetFrame(dst, f []byte) ([]byte, bool) {
	open := openBracket(f)
	if open <= 0 {
		return dst, false
	}
	name := f[:open]
	// A readable form has a return type, async and the like in front.
	depth := 0
	for i := len(name) - 1; i >= 0; i-- {
		switch name[i] {
		case '>', ']', ')':
			depth++
		case '<', '[', '(':
			depth--
		case ' ':
			if depth == 0 {
				name = name[i+1:]
				i = 0
			}
		}
	}
	n := len(dst)
	dst = appendDotnetName(dst, name)
	return dst, hasPrefixAny(dst[n:], dotnetLibraries)
}

// openBracket returns where the arguments begin: the first round bracket that
// is not inside angle brackets.
func openBracket(f []byte) int {
	depth := 0
	for i, c := range f {
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		case '(':
			if depth <= 0 {
				return i
			}
		}
	}
	return -1
}

// appendDotnetName appends a method's full name without generic arguments and
// without the names that the compiler makes: <>c, <Run>d__1, <Run>b__0_1,
// <Run>g__Local|0_0 and MoveNext.
func appendDotnetName(dst, name []byte) []byte {
	n := len(dst)
	machine := false
	for len(name) > 0 {
		end := segmentEnd(name)
		part := name[:end]
		name = name[min(end+1, len(name)):]
		if machine && string(part) == "MoveNext" {
			continue
		}
		machine = false
		before := len(dst)
		if before > n {
			dst = append(dst, '.')
		}
		mark := len(dst)
		dst, machine = appendDotnetPart(dst, part)
		if len(dst) == mark {
			dst = dst[:before]
		}
	}
	return dst
}

// segmentEnd returns the end of the segment that name begins with: the first
// full stop or plus sign outside all brackets.
func segmentEnd(name []byte) int {
	depth := 0
	for i, c := range name {
		switch c {
		case '<', '[':
			depth++
		case '>', ']':
			depth--
		case '.', '+':
			if depth <= 0 && i > 0 {
				return i
			}
		}
	}
	return len(name)
}

// appendDotnetPart appends one segment and reports whether it is the name of
// a state machine.
func appendDotnetPart(dst, part []byte) ([]byte, bool) {
	if part[0] == '<' {
		end := bytes.LastIndexByte(part, '>')
		if end <= 1 {
			return dst, false // <>c and <>c__DisplayClass0_0
		}
		inner, tail := part[1:end], part[end+1:]
		if rest, ok := bytes.CutPrefix(inner, []byte{'<'}); ok { // <<Run>b__0>d
			if i := bytes.IndexByte(rest, '>'); i > 0 {
				inner = rest[:i]
			}
		}
		dst, _ = appendDotnetPart(dst, inner)
		if local, ok := bytes.CutPrefix(tail, []byte("g__")); ok {
			local, _, _ = bytes.Cut(local, []byte{'|'})
			dst = append(dst, '.')
			return append(dst, local...), false
		}
		return dst, len(tail) > 0 && tail[0] == 'd'
	}
	for i, c := range part {
		if c == '`' || c == '[' || c == '<' {
			return append(dst, part[:i]...), false
		}
	}
	return append(dst, part...), false
}
