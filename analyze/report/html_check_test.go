package report

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

// An element is one start tag of a page.
type element struct {
	name  string
	attrs map[string]string
	path  []string // names of the elements around it
}

// A scanned is a page taken apart.
type scanned struct {
	elements []element
	text     string // what is between the tags, outside of the style sheet
}

var (
	openTag  = regexp.MustCompile(`^<([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9:-]*(?:="[^"<>]*")?)*)/?>`)
	closeTag = regexp.MustCompile(`^</([a-z][a-z0-9]*)>`)
	tagAttr  = regexp.MustCompile(` ([a-zA-Z][a-zA-Z0-9:-]*)(?:="([^"<>]*)")?`)

	voidTags = []string{"meta", "br"}
	// allowedTags are the elements that the page is made of. None of them
	// loads or runs anything.
	allowedTags = strings.Fields(`html head meta title style body a header p h1 h2 h3 h4 span nav ul ol li small main section
		article div code pre b q table caption colgroup col thead tbody tr th td details summary figure figcaption dl dt dd br footer
		svg desc defs pattern rect line path text`)
	allowedAttrs = strings.Fields(`lang charset http-equiv content name class href id rel title role aria-label aria-labelledby
		aria-hidden tabindex scope rowspan width height viewBox preserveAspectRatio d x y x1 x2 y1 y2 dy fill patternUnits patternTransform`)
	// selfClosed are elements of pictures that may end at once.
	selfClosed = []string{"rect", "line", "path", "col"}
)

// scan takes a page apart. It knows less of HTML than a browser does and
// refuses whatever it does not know: a page that passes holds nothing but
// known elements, properly nested, with known attributes in double quotes.
func scan(page string) (*scanned, error) {
	const doctype = "<!DOCTYPE html>"
	if !strings.HasPrefix(page, doctype) {
		return nil, fmt.Errorf("no doctype")
	}
	rest := page[len(doctype):]
	doc := &scanned{}
	var text strings.Builder
	var open []string
	for rest != "" {
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			i = len(rest)
		}
		between := rest[:i]
		if strings.ContainsRune(between, '>') {
			return nil, fmt.Errorf("a bare > in %q", between)
		}
		if len(open) == 0 && strings.TrimSpace(between) != "" {
			return nil, fmt.Errorf("text outside of the document: %q", between)
		}
		text.WriteString(html.UnescapeString(between))
		if rest = rest[i:]; rest == "" {
			break
		}
		if m := closeTag.FindStringSubmatch(rest); m != nil {
			if len(open) == 0 || open[len(open)-1] != m[1] {
				return nil, fmt.Errorf("</%s> inside %v", m[1], open)
			}
			open = open[:len(open)-1]
			rest = rest[len(m[0]):]
			text.WriteByte('\n')
			continue
		}
		m := openTag.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("no tag of a known form: %.80q", rest)
		}
		e := element{name: m[1], attrs: map[string]string{}, path: slices.Clone(open)}
		if !slices.Contains(allowedTags, e.name) {
			return nil, fmt.Errorf("element %s is not allowed", e.name)
		}
		for _, a := range tagAttr.FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains(allowedAttrs, a[1]) {
				return nil, fmt.Errorf("attribute %s of %s is not allowed", a[1], e.name)
			}
			if _, twice := e.attrs[a[1]]; twice {
				return nil, fmt.Errorf("attribute %s twice in %s", a[1], m[0])
			}
			e.attrs[a[1]] = html.UnescapeString(a[2])
		}
		doc.elements = append(doc.elements, e)
		rest = rest[len(m[0]):]
		closed := strings.HasSuffix(m[0], "/>")
		switch {
		case closed && !slices.Contains(selfClosed, e.name):
			return nil, fmt.Errorf("%s cannot close itself", m[0])
		case closed || slices.Contains(voidTags, e.name) || e.name == "col":
		case e.name == "style":
			end := strings.Index(rest, "</style>")
			if end < 0 {
				return nil, fmt.Errorf("the style sheet has no end")
			}
			rest = rest[end+len("</style>"):]
		default:
			open = append(open, e.name)
		}
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("not closed: %v", open)
	}
	doc.text = text.String()
	return doc, doc.check()
}

// check holds what every page must: ids that are unique, links that lead
// somewhere and load nothing, headings in order, names for pictures, heads for
// tables.
func (d *scanned) check() error {
	ids := map[string]bool{}
	for _, e := range d.elements {
		if id, ok := e.attrs["id"]; ok {
			if ids[id] || id == "" {
				return fmt.Errorf("id %q twice, or empty", id)
			}
			ids[id] = true
		}
	}
	level, mains := 0, 0
	for i, e := range d.elements {
		for _, ref := range strings.Fields(e.attrs["aria-labelledby"]) {
			if !ids[ref] {
				return fmt.Errorf("aria-labelledby names %q, which is not there", ref)
			}
		}
		if fill, ok := e.attrs["fill"]; ok && !ids[strings.TrimSuffix(strings.TrimPrefix(fill, "url(#"), ")")] {
			return fmt.Errorf("fill %q leads nowhere on the page", fill)
		}
		switch e.name {
		case "a":
			switch to := e.attrs["href"]; {
			case strings.HasPrefix(to, "#"):
				if !ids[to[1:]] {
					return fmt.Errorf("link to %s, which is not there", to)
				}
			case strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "http://"):
				if e.attrs["rel"] != "noopener noreferrer" {
					return fmt.Errorf("link to %s without rel", to)
				}
			default:
				return fmt.Errorf("link to %q", to)
			}
		case "h1", "h2", "h3", "h4":
			n := int(e.name[1] - '0')
			if n > level+1 || n == 1 && level != 0 {
				return fmt.Errorf("heading %s after h%d", e.name, level)
			}
			level = n
		case "main":
			mains++
		case "svg":
			inner := slices.Contains(e.path, "svg")
			if e.attrs["role"] == "img" && (i+1 == len(d.elements) || d.elements[i+1].name != "title") {
				return fmt.Errorf("a picture without a title: %v", e)
			}
			if !inner && e.attrs["role"] != "img" && e.attrs["aria-hidden"] != "true" && !slices.Contains(e.path, "tr") {
				return fmt.Errorf("a picture that is neither named nor hidden: %v", e)
			}
		case "th":
			if e.attrs["scope"] == "" {
				return fmt.Errorf("a head without a scope: %v", e)
			}
		}
	}
	if mains != 1 {
		return fmt.Errorf("%d main elements", mains)
	}
	return nil
}

// count returns how many elements of a name and class there are.
func (d *scanned) count(name, class string) int {
	n := 0
	for _, e := range d.elements {
		if e.name == name && (class == "" || slices.Contains(strings.Fields(e.attrs["class"]), class)) {
			n++
		}
	}
	return n
}
