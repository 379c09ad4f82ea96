package report

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// HTMLOptions say how the page is written. The zero value is ready to use.
type HTMLOptions struct {
	// Title heads the page; "vdm-logs" without it.
	Title string
	// Zone is what times are shown in, always with their offset; UTC without
	// it.
	Zone *time.Location
	// MaxBytes is the size that the page stays below: 1,900,000 without it,
	// and never below 200,000. What does not fit is told in less detail, the
	// last incidents first, and the page says so.
	MaxBytes int
}

func (o HTMLOptions) withDefaults() HTMLOptions {
	if o.Title == "" {
		o.Title = "vdm-logs"
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 1_900_000
	}
	o.MaxBytes = max(o.MaxBytes, 200_000)
	return o
}

//go:embed html
var htmlFiles embed.FS

// htmlTemplates are parsed once; executing a template does not change it.
var htmlTemplates = template.Must(template.ParseFS(htmlFiles, "html/*.tmpl"))

// htmlStyle is the style sheet, without the comments and indentation that only
// its authors need.
var htmlStyle = func() template.CSS {
	css, err := htmlFiles.ReadFile("html/style.css")
	if err != nil {
		panic(err)
	}
	return template.CSS(packCSS(css))
}()

// packCSS drops comments and the spaces at the starts of lines.
func packCSS(css []byte) string {
	var b bytes.Buffer
	for len(css) > 0 {
		before, after, found := bytes.Cut(css, []byte("/*"))
		b.Write(before)
		if !found {
			break
		}
		_, css, _ = bytes.Cut(after, []byte("*/"))
	}
	var out bytes.Buffer
	for line := range bytes.Lines(b.Bytes()) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			out.Write(line)
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// HTML writes the analysis as one page that stands alone: style and pictures
// are inside, there is no script, and nothing is loaded from anywhere. What
// logs say is shown as text, whatever it says. The page is a function of the
// analysis and the options.
func HTML(w io.Writer, an *analyze.Analysis, o HTMLOptions) error {
	p := newPage(an, o.withDefaults())
	if err := p.fill(); err != nil {
		return err
	}
	return htmlTemplates.ExecuteTemplate(w, "page", p)
}

// execute runs one of the page's templates.
func execute(name string, data any) (template.HTML, error) {
	var b bytes.Buffer
	if err := htmlTemplates.ExecuteTemplate(&b, name, data); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil
}
