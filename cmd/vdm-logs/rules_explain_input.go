package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// fileAndLine is how a line of a file is named; nameAndLine is what can hardly
// be anything else.
var (
	fileAndLine = regexp.MustCompile(`^(.+):([1-9][0-9]*)$`)
	nameAndLine = regexp.MustCompile(`^[\w./~+@-]*[\w]\.[A-Za-z0-9]+:[1-9][0-9]*$`)
)

// maxExplained bounds the text that is explained at once.
const maxExplained = 1 << 20

// explainInput returns the text that is to be explained, and the labels of its
// stream where the file tells them.
func explainInput(what string, in io.Reader) (string, []ingest.Label, error) {
	if what == "-" {
		b, err := io.ReadAll(io.LimitReader(in, maxExplained))
		return string(b), nil, err
	}
	m := fileAndLine.FindStringSubmatch(what)
	if m == nil {
		if info, err := os.Stat(what); err == nil && info.Mode().IsRegular() {
			return "", nil, usageError{err: fmt.Errorf("%s is a file", what), hint: fmt.Sprintf("Name one of its lines, such as %s:1.", what)}
		}
		return what, nil, nil
	}
	f, err := os.Open(m[1])
	switch {
	case errors.Is(err, fs.ErrNotExist) && nameAndLine.MatchString(what):
		return "", nil, usageError{err: fmt.Errorf("there is no file %s", m[1]), hint: "If this is a record's text, give it on standard input: rules explain -"}
	case err != nil && !errors.Is(err, fs.ErrPermission):
		return what, nil, nil // a text that happens to end in a number
	case err != nil:
		return "", nil, codeError{code: exitRefused, err: err}
	}
	defer f.Close()
	n, err := strconv.Atoi(m[2])
	if err != nil {
		return "", nil, usageError{err: fmt.Errorf("%s is no number of a line", m[2])}
	}
	return recordOfLine(f, m[1], n)
}

// logcliLine is a line of 'logcli query -o jsonl'.
type logcliLine struct {
	Labels map[string]string `json:"labels"`
	Line   *string           `json:"line"`
}

// recordOfLine reads a file up to the end of the record that holds line n: the
// line with the indented lines around it, of the same stream where the file
// says of which each is. No more than a record of each stream is held.
func recordOfLine(in io.Reader, name string, n int) (string, []ingest.Label, error) {
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, 16<<20)
	open := map[string][]string{} // by stream, the record that is being read
	wanted, found := "", false
	var labels []ingest.Label
	i := 0
	for sc.Scan() {
		i++
		text, stream := strings.TrimSuffix(sc.Text(), "\r"), ""
		var l logcliLine
		if strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &l) == nil && l.Line != nil && l.Labels != nil {
			text, stream = strings.TrimSuffix(*l.Line, "\n"), fmt.Sprint(l.Labels) // fmt sorts a map's keys
		}
		if found && stream != wanted {
			continue
		}
		if text == "" || text[0] != ' ' && text[0] != '\t' || len(open[stream]) >= maxExplained/100 {
			if found {
				break
			}
			open[stream] = open[stream][:0]
		}
		open[stream] = append(open[stream], text)
		if i == n {
			wanted, found = stream, true
			for name, value := range l.Labels {
				labels = append(labels, ingest.Label{Name: name, Value: value})
			}
		}
	}
	if err := sc.Err(); err != nil {
		return "", nil, usageError{err: fmt.Errorf("%s, line %d: %w", name, i+1, err)}
	}
	if !found {
		return "", nil, usageError{err: fmt.Errorf("%s has %d lines", name, i), hint: "Name one of them after the colon."}
	}
	return strings.Join(open[wanted], "\n"), labels, nil
}
