package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/rules/output"
)

// outputHelp is the help of the flag that reportOutputs reads.
const outputHelp = "text, json, sarif, junit, github or codequality (GitLab), with =FILE to write a file; may be given several times"

// reportOutputs writes a report in every form that -o asks for: FORM writes
// to stdout, FORM=FILE to a file.
func reportOutputs(list []string, stdout io.Writer, write func(w io.Writer, form string) error) error {
	for _, o := range list {
		form, file, toFile := strings.Cut(o, "=")
		if !slices.Contains(output.Forms(), form) || toFile && file == "" {
			return usageError{err: fmt.Errorf("-o %q is no output", o), hint: "The outputs are " + strings.Join(output.Forms(), ", ") + ", each with =FILE if you like."}
		}
	}
	for _, o := range list {
		form, file, toFile := strings.Cut(o, "=")
		if !toFile {
			if err := write(stdout, form); err != nil {
				return err
			}
			continue
		}
		if err := writeFile(file, func(w io.Writer) error { return write(w, form) }); err != nil {
			return outputError(fmt.Errorf("writing %s: %w", file, err))
		}
	}
	return nil
}
