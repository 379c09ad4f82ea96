package rules

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// shape makes rule files that are good in shape, and then breaks some. A
// value is a Go value as encoding/json has them; JSON is YAML.
type shape struct {
	*rand.Rand
	names int
}

func (g *shape) pick(list ...any) any { return list[g.IntN(len(list))] }

func (g *shape) name() string {
	g.names++
	return fmt.Sprintf("N%d", g.names)
}

// some fills a map with each of the optional keys with even odds.
func (g *shape) some(m map[string]any, optional map[string]func() any) map[string]any {
	for _, k := range sortedKeys(optional) {
		if g.IntN(2) == 0 {
			m[k] = optional[k]()
		}
	}
	return m
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	return sorted(keys)
}

func (g *shape) list(most int, f func() any) []any {
	l := []any{}
	for range g.IntN(most) + 1 {
		l = append(l, f())
	}
	return l
}

func (g *shape) stage() any { return g.pick("send", "tls", "body-stalled", "queue-wait") }

func (g *shape) file() map[string]any {
	g.names = 0
	return g.some(map[string]any{"version": json.Number("1")}, map[string]func() any{
		"budgets": func() any {
			return g.list(3, func() any {
				return g.some(map[string]any{"name": g.name(), "duration": g.pick("120s", "1h30m", "2 * 3m")}, map[string]func() any{
					"attempts": func() any { return json.Number(fmt.Sprint(g.IntN(9) + 1)) },
					"bounds":   func() any { return g.list(2, g.stage) },
					"sources":  func() any { return g.list(2, func() any { return g.pick("a*", "b/c", "ü?") }) },
				})
			})
		},
		"schedules": func() any {
			return g.list(2, func() any { return map[string]any{"name": g.name(), "every": g.pick("3h", "1d")} })
		},
		"rolls": func() any {
			return g.list(2, func() any {
				return g.some(map[string]any{"name": g.name(), "at": "2026-01-02T03:04:05.6Z"}, map[string]func() any{
					"selector": func() any { return `{a="b"}` },
					"fixes":    func() any { return []any{json.Number("3"), json.Number("4")} },
				})
			})
		},
		"issues": func() any {
			n := 0
			return g.list(3, func() any {
				n++
				return g.some(map[string]any{"number": json.Number(fmt.Sprint(n)), "state": g.pick("open", "closed")}, map[string]func() any{
					"title":        func() any { return "t" },
					"incident":     func() any { return "masked" },
					"masked_ids":   func() any { return []any{"00112233445566aa"} },
					"fingerprints": func() any { return []any{"fp1:00112233445566aa"} },
				})
			})
		},
		"defaults": func() any {
			return g.some(map[string]any{}, map[string]func() any{"query": func() any { return `{a="b"}` }})
		},
		"rules": func() any {
			return g.list(3, func() any {
				return g.some(map[string]any{"id": strings.ToLower(g.name()), "match": g.match()}, map[string]func() any{
					"description": func() any { return "d" },
					"priority":    func() any { return json.Number(fmt.Sprint(g.IntN(200) - 100)) },
					"severity":    func() any { return g.pick("warn", "error") },
					"identity":    func() any { return map[string]any{"source": "<category>", "event": "E"} },
					"mask":        func() any { return []any{"level"} },
					"keep":        func() any { return []any{"num", "url.host"} },
					"apart":       func() any { return []any{"event_id"} },
					"stage":       g.stage,
					"tests": func() any {
						return g.list(2, func() any {
							return g.some(map[string]any{"log": "x y"}, map[string]func() any{
								"want":   func() any { return map[string]any{"records": json.Number("1")} },
								"labels": func() any { return map[string]any{"pod": "p"} },
							})
						})
					},
				})
			})
		},
	})
}

func (g *shape) match() any {
	m := g.some(map[string]any{"category": "A.*"}, map[string]func() any{
		"level":  func() any { return g.pick("warn", "error") },
		"fields": func() any { return map[string]any{"EventName": "On*"} },
		"unless": func() any { return []any{map[string]any{"regexp": "x"}} },
	})
	if g.IntN(2) == 0 {
		m["pattern"] = "x <_>"
	} else {
		m["regexp"] = "x+"
	}
	return m
}

// breakIt changes one thing somewhere: a value of another type, another
// value, a key more or a key less. The result may still be good.
func (g *shape) breakIt(v any) any {
	switch c := v.(type) {
	case map[string]any:
		keys := sortedKeys(c)
		switch roll := g.IntN(10); {
		case len(keys) == 0 || roll == 0:
			c[g.pick("name", "match", "bounds", "bogus", "regexp", "none", "every").(string)] = g.pick("x", json.Number("1"), true)
		case roll == 1:
			delete(c, keys[g.IntN(len(keys))])
		default:
			k := keys[g.IntN(len(keys))]
			c[k] = g.breakIt(c[k])
		}
		return c
	case []any:
		switch roll := g.IntN(8); {
		case len(c) == 0 || roll == 0:
			return append(c, g.pick("x", json.Number("7"), nil, []any{}))
		case roll == 1:
			return append(c, c[g.IntN(len(c))])
		case roll == 2:
			return []any{}
		default:
			i := g.IntN(len(c))
			c[i] = g.breakIt(c[i])
			return c
		}
	}
	return g.pick("", "x", "x y", "open", "send", "fp1:00112233445566aa", json.Number("0"), json.Number("1"), json.Number("1.5"), json.Number("2.0"),
		json.Number("-4"), json.Number("99999999"), true, false, nil, []any{}, map[string]any{}, []any{"send"}, "2026-01-02T03:04:05Z")
}

// TestSchemaAgreesWithLoader compares the loader with another validator that
// is given the printed schema, on files that are good or bad in shape.
func TestSchemaAgreesWithLoader(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	other, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	good, bad := 0, 0
	for seed := range uint64(1000) {
		g := &shape{Rand: rand.New(rand.NewPCG(seed, 8))}
		file := g.file()
		for range seed % 3 {
			g.breakIt(file)
		}
		text, err := json.MarshalIndent(file, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		parsed, errs := yamlnode.Parse("f.yaml", text)
		if len(errs) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, errs, text)
		}
		want := other.Validate(plain(parsed.Root.JSON()))
		var got []Problem
		for _, p := range CheckSources([]Source{{Name: "f.yaml", Data: text}}, CheckOptions{MinSeverity: Error}) {
			if strings.HasPrefix(p.Check, "schema/") {
				got = append(got, p)
			}
		}
		if (want != nil) != (len(got) > 0) {
			t.Errorf("seed %d:\n%s\nthe other validator says %v,\nthe loader %v", seed, text, want, got)
		}
		if want == nil {
			good++
		} else {
			bad++
		}
	}
	if good < 300 || bad < 300 {
		t.Errorf("only %d good and %d bad files", good, bad)
	}
	t.Logf("%d good, %d bad", good, bad)
}

// plain turns json.Number into float64, as the other validator wants it.
func plain(v any) any {
	switch c := v.(type) {
	case map[string]any:
		for k := range c {
			c[k] = plain(c[k])
		}
	case []any:
		for i := range c {
			c[i] = plain(c[i])
		}
	case json.Number:
		f, _ := c.Float64()
		return f
	}
	return v
}
