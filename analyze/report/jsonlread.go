package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// ErrNoAnalysis is wrapped by the errors of ReadAnalysis for text that is no
// saved analysis, or is one that does not end.
var ErrNoAnalysis = errors.New("no saved analysis")

// VersionError says that a saved analysis is of a version that this program
// does not know: it was written by a newer one.
type VersionError struct{ Version int }

// Error tells the version and the newest known one.
func (e *VersionError) Error() string {
	return fmt.Sprintf("the saved analysis has schemaVersion %d, and this program knows versions up to %d", e.Version, analyze.SchemaVersion)
}

// ReadAnalysis reads back what JSON or JSONL wrote. Fields it does not know
// are ignored, since a later program of the same version may have added them.
// Errors are of the reader, wrap ErrNoAnalysis, or are *VersionError.
func ReadAnalysis(r io.Reader) (*analyze.Analysis, error) {
	br := bufio.NewReaderSize(r, 64<<10)
	if mark, err := br.Peek(3); err == nil && string(mark) == "\ufeff" {
		if _, err := br.Discard(3); err != nil {
			return nil, err
		}
	}
	dec := json.NewDecoder(br)
	var first json.RawMessage
	if err := dec.Decode(&first); err != nil {
		return nil, unreadable(err)
	}
	var head struct {
		Type          string           `json:"type"`
		SchemaVersion int              `json:"schemaVersion"`
		Incidents     *json.RawMessage `json:"incidents"`
	}
	switch err := json.Unmarshal(first, &head); {
	case err != nil, head.SchemaVersion == 0, head.Type == "" && head.Incidents == nil, head.Type != "" && head.Type != lineAnalysis:
		return nil, fmt.Errorf("%w: it does not begin like one", ErrNoAnalysis)
	case head.SchemaVersion > analyze.SchemaVersion || head.SchemaVersion < 0:
		return nil, &VersionError{head.SchemaVersion}
	}
	an := new(analyze.Analysis)
	if err := json.Unmarshal(first, an); err != nil {
		return nil, unreadable(err)
	}
	if head.Type == "" {
		return an, onlySpace(dec)
	}
	return an, readLines(dec, an)
}

// unreadable tells of text that is no JSON; errors of the reader stay theirs.
func unreadable(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it is empty", ErrNoAnalysis)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it ends in the middle", ErrNoAnalysis)
	case errors.As(err, &syntax), errors.As(err, &kind):
		return fmt.Errorf("%w: %w", ErrNoAnalysis, err)
	}
	return err
}

func onlySpace(dec *json.Decoder) error {
	switch _, err := dec.Token(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return unreadable(err)
	}
	return fmt.Errorf("%w: more follows after its end", ErrNoAnalysis)
}

// readLines reads the lines after the first one into an.
func readLines(dec *json.Decoder, an *analyze.Analysis) error {
	an.Findings, an.Incidents, an.MaskedFolds = []analyze.Finding{}, []analyze.Incident{}, []analyze.MaskedFold{}
	an.Fixes, an.Marks = []analyze.Fix{}, []analyze.Mark{}
	whole := false
	for {
		var line json.RawMessage
		err := dec.Decode(&line)
		if err == io.EOF {
			break
		}
		var head struct {
			Type string `json:"type"`
		}
		if err == nil {
			err = json.Unmarshal(line, &head)
		}
		if err != nil {
			return unreadable(err)
		}
		switch head.Type {
		case lineFinding:
			err = readLine(line, &an.Findings)
		case lineIncident:
			err = readLine(line, &an.Incidents)
		case lineMaskedFold:
			err = readLine(line, &an.MaskedFolds)
		case lineFix:
			err = readLine(line, &an.Fixes)
		case lineMark:
			err = readLine(line, &an.Marks)
		case lineRead:
			err, whole = json.Unmarshal(line, &an.Read), true
		case "", lineAnalysis:
			err = fmt.Errorf("%w: %s stands where a line of its own kind is due", ErrNoAnalysis, bytes.TrimSpace(line[:min(len(line), 60)]))
		}
		if err != nil {
			return unreadable(err)
		}
	}
	if !whole {
		return fmt.Errorf("%w: it ends in the middle", ErrNoAnalysis)
	}
	return nil
}

func readLine[T any](line []byte, into *[]T) error {
	var v T
	err := json.Unmarshal(line, &v)
	*into = append(*into, v)
	return err
}
