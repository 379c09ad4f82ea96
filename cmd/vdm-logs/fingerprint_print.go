package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/fingerprint"
)

// fingerprintPrinter writes rows as tsv or jsonl.
type fingerprintPrinter struct {
	w        *bufio.Writer
	json     bool
	byFamily bool
	rest     int64 // records beyond the limit, in no row
}

func newFingerprintPrinter(o fingerprintOptions, out io.Writer) *fingerprintPrinter {
	return &fingerprintPrinter{w: bufio.NewWriterSize(out, 64<<10), json: o.output == "jsonl", byFamily: o.summary == "family"}
}

func (p *fingerprintPrinter) flush() error { return p.w.Flush() }

// record writes one record's line, which is made once for every row.
func (p *fingerprintPrinter) record(r *row) error {
	if r.line == nil {
		var err error
		if r.line, err = p.line(r, -1); err != nil {
			return err
		}
	}
	_, err := p.w.Write(r.line)
	return err
}

// fingerprintJSON is one record, or one group of a summary, in the jsonl
// output.
type fingerprintJSON struct {
	Records     *int64 `json:"records,omitempty"`
	Fingerprint string `json:"fingerprint"`
	Family      string `json:"family"`
	MaskedID    string `json:"maskedId"`
	Source      string `json:"source"`
	Event       string `json:"event"`
	Template    string `json:"template"`
}

// line makes the line of a row; records below 0 leave the count out.
func (p *fingerprintPrinter) line(r *row, records int64) ([]byte, error) {
	source, event, template := redacted(r.source), redacted(r.event), redacted(r.template)
	if p.json {
		j := fingerprintJSON{Fingerprint: r.id, Family: r.family, MaskedID: r.masked, Source: source, Event: event, Template: template}
		if records >= 0 {
			j.Records = &records
		}
		b, err := json.Marshal(j)
		return append(report.AppendPlain(nil, b), '\n'), err
	}
	var b []byte
	if records >= 0 {
		b = append(strconv.AppendInt(b, records, 10), '\t')
	}
	for i, s := range []string{r.id, r.family, r.masked, source, event, template} {
		if i > 0 {
			b = append(b, '\t')
		}
		b = appendTSV(b, s)
	}
	return append(report.AppendPlain(nil, b), '\n'), nil
}

// appendTSV appends a value with the bytes escaped that end a column or a line,
// and those that a terminal takes for an order.
func appendTSV(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\t':
			b = append(b, `\t`...)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\\':
			b = append(b, `\\`...)
		default:
			if c < 0x20 {
				b = fmt.Appendf(b, `\x%02x`, c)
			} else {
				b = append(b, c)
			}
		}
	}
	return b
}

// summary writes one line for every group, with its count in front.
func (p *fingerprintPrinter) summary(rows []row, families *fingerprint.FamilySet) error {
	for _, g := range groupRows(rows, families, p.byFamily) {
		b, err := p.line(&g.row, g.records)
		if err != nil {
			return err
		}
		if _, err := p.w.Write(b); err != nil {
			return err
		}
	}
	if p.rest > 0 {
		r := row{template: "(records beyond --max-distinct)"}
		b, err := p.line(&r, p.rest)
		if err != nil {
			return err
		}
		_, err = p.w.Write(b)
		return err
	}
	return nil
}
