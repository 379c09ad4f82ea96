package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/report"
)

// analysisForm is one form in which an analysis is written.
type analysisForm struct {
	name  string
	write func(w io.Writer, an *analyze.Analysis, l look) error
}

// analysisForms lists the forms of an analysis, the default first.
func analysisForms() []analysisForm {
	return []analysisForm{
		{"text", func(w io.Writer, an *analyze.Analysis, l look) error {
			return report.Text(w, an, l.screen(w))
		}},
		{"json", func(w io.Writer, an *analyze.Analysis, _ look) error { return report.JSON(w, an) }},
		{"jsonl", func(w io.Writer, an *analyze.Analysis, _ look) error { return report.JSONL(w, an) }},
		{"markdown", func(w io.Writer, an *analyze.Analysis, l look) error {
			return report.Markdown(w, an, report.MarkdownOptions{Zone: l.zone})
		}},
		{"html", func(w io.Writer, an *analyze.Analysis, l look) error {
			return report.HTML(w, an, report.HTMLOptions{Zone: l.zone})
		}},
	}
}

// analysisFormNames lists the names of the forms of an analysis.
func analysisFormNames() []string {
	var names []string
	for _, f := range analysisForms() {
		names = append(names, f.name)
	}
	return names
}

// outputFlags say in which forms an analysis is written, and where to.
type outputFlags struct {
	list []string
	look look
}

func (o *outputFlags) register(f *pflag.FlagSet) {
	f.StringArrayVarP(&o.list, "output", "o", nil, "`form` of the result: "+orList(analysisFormNames())+"; FORM=FILE writes a file; repeatable, such as -o text -o json=got.json; text without it")
	o.look.register(f)
}

// target is one form and its place.
type target struct {
	form analysisForm
	path string // empty for standard output
}

// parse checks the flags and returns what is to be written, in the order of
// the flags. Folders that are missing are found here, before anything is read.
func (o *outputFlags) parse() ([]target, error) {
	list := o.list
	if len(list) == 0 {
		list = []string{analysisForms()[0].name}
	}
	var targets []target
	for _, text := range list {
		t, err := parseTarget(text)
		if err != nil {
			return nil, err
		}
		for _, other := range targets {
			switch {
			case other.path != t.path:
			case t.path == "":
				return nil, usageError{
					err:  fmt.Errorf("-o %s and -o %s both go to standard output", other.form.name, t.form.name),
					hint: fmt.Sprintf("Write one of them to a file: -o %s=FILE.", t.form.name),
				}
			default:
				return nil, usageError{err: fmt.Errorf("-o %s and -o %s both go to %s", other.form.name, t.form.name, t.path), hint: "Give each a file of its own."}
			}
		}
		targets = append(targets, t)
	}
	return targets, nil
}

func parseTarget(text string) (target, error) {
	name, path, toFile := strings.Cut(text, "=")
	i := slices.IndexFunc(analysisForms(), func(f analysisForm) bool { return f.name == name })
	if i < 0 {
		return target{}, usageError{
			err:  fmt.Errorf("-o %q is no output form", text),
			hint: suggestion(name, analysisFormNames()) + "The forms are " + strings.Join(analysisFormNames(), ", ") + ", each with =FILE if it is to be written to a file.",
		}
	}
	t := target{form: analysisForms()[i], path: path}
	switch {
	case !toFile || path == "-":
		t.path = ""
	case path == "":
		return target{}, usageError{err: fmt.Errorf("-o %s names no file", text), hint: fmt.Sprintf("Write -o %s for standard output, or -o %s=FILE.", name, name)}
	default:
		if err := canWrite(path); err != nil {
			return target{}, outputError(fmt.Errorf("-o %s: %w", text, err))
		}
	}
	return t, nil
}

// write writes the analysis to every target. One that fails does not keep the
// others from being written.
func (o *outputFlags) write(std stdio, targets []target, an *analyze.Analysis) error {
	var errs []error
	for _, t := range targets {
		write := func(w io.Writer) error { return t.form.write(w, an, o.look) }
		if t.path == "" {
			if err := write(std.out); err != nil {
				errs = append(errs, fmt.Errorf("writing the result: %w", err))
			}
			continue
		}
		if err := writeFile(t.path, write); err != nil {
			errs = append(errs, outputError(fmt.Errorf("writing %s: %w", t.path, err)))
			continue
		}
		std.note("wrote %s (%s)", t.path, t.form.name)
	}
	return errors.Join(errs...)
}

// outputError gives an error of a file that was to be written its exit code.
func outputError(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return codeError{code: exitRefused, err: err}
	}
	return usageError{err: err}
}

// orList joins names for a sentence: "a, b or c".
func orList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
