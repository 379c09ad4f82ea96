package loki

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
	"github.com/vdm-logs/vdm-logs/ingest/internal/lokijson"
)

// batch is a number of entries with their text.
type batch struct {
	entries []entry
	text    []byte
}

// entry is one line of a batch.
type entry struct {
	nano       int64
	stream     *ingest.Stream
	metadata   []ingest.Label
	start, end int // of the line in the batch's text
}

func (b *batch) line(e *entry) []byte { return b.text[e.start:e.end:e.end] }

func (b *batch) reset() { b.entries, b.text = b.entries[:0], b.text[:0] }

// clip drops the entries outside a window.
func (b *batch) clip(w ingest.Window) {
	b.entries = slices.DeleteFunc(b.entries, func(e entry) bool { return !w.Contains(e.nano) })
}

// bytes is what a batch holds of lines.
func (b *batch) bytes() int { return len(b.text) }

// sort puts the entries in the total order. Lines of one stream and time
// come in no order, so that their text decides: the order is then the same
// whatever the pages were.
func (b *batch) sort() {
	slices.SortFunc(b.entries, func(x, y entry) int {
		if x.nano != y.nano {
			return cmp.Compare(x.nano, y.nano)
		}
		if x.stream != y.stream {
			return strings.Compare(x.stream.Key, y.stream.Key)
		}
		return cmp.Or(
			slices.Compare(b.text[x.start:x.end], b.text[y.start:y.end]),
			slices.CompareFunc(x.metadata, y.metadata, func(a, b ingest.Label) int {
				return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value))
			}))
	})
}

// streams interns the streams of several pages that are decoded at once.
type streams struct {
	mu    sync.Mutex
	table ingest.StreamTable
}

// intern returns the stream with these labels; Loki's shard label is no part
// of it.
func (s *streams) intern(labels []ingest.Label) *ingest.Stream {
	labels = lokijson.WithoutShard(labels)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.table.Intern(labels)
}

// pageHandler gathers a page.
type pageHandler struct {
	streams  *streams
	batch    *batch
	stream   *ingest.Stream
	merged   []ingest.Label // metadata that came merged into the labels
	cutLines int64
	bad      int64
}

// Stream begins a result stream.
func (h *pageHandler) Stream(labels []ingest.Label, categorized bool) error {
	h.merged = nil
	if !categorized {
		labels, h.merged = lokijson.SplitMetadata(labels)
	}
	h.stream = h.streams.intern(labels)
	return nil
}

// Entry keeps a line.
func (h *pageHandler) Entry(ns int64, line []byte, cut bool, metadata []ingest.Label) error {
	if cut {
		h.cutLines++
	}
	if len(h.merged) > 0 {
		metadata = append(slices.Clone(h.merged), metadata...)
	}
	b := h.batch
	start := len(b.text)
	b.text = append(b.text, line...)
	b.entries = append(b.entries, entry{nano: ns, stream: h.stream, metadata: metadata, start: start, end: len(b.text)})
	return nil
}

// Bad counts a value that is no line.
func (h *pageHandler) Bad(int64, error) error {
	h.bad++
	return nil
}

// page is one answer of query_range.
type page struct {
	batch
	decoder  lokijson.Decoder
	summary  lokijson.Summary
	cutLines int64
	bad      int64
}

// entriesLimitError says that the server takes a smaller limit only.
type entriesLimitError struct {
	limit int
	err   error
}

func (e *entriesLimitError) Error() string { return e.err.Error() }
func (e *entriesLimitError) Unwrap() error { return e.err }

// lengthLimitError says that the server takes shorter windows only.
type lengthLimitError struct {
	limit time.Duration
	err   error
}

func (e *lengthLimitError) Error() string { return e.err.Error() }
func (e *lengthLimitError) Unwrap() error { return e.err }

var (
	entriesLimitText = regexp.MustCompile(`max_entries_limit[a-z_]* \(\d+ > (\d+)\)`)
	lengthLimitText  = regexp.MustCompile(`time range exceeds the limit \(query length: [^,]+, limit: ([0-9a-z.]+)\)`)
)

// limitsIn finds the limits that the text of a refusal names.
func limitsIn(err error) error {
	var s *StatusError
	if !errors.As(err, &s) || s.Code != 400 {
		return err
	}
	if m := entriesLimitText.FindStringSubmatch(s.Message); m != nil {
		if n, convErr := strconv.Atoi(m[1]); convErr == nil && n > 0 {
			return &entriesLimitError{limit: n, err: err}
		}
	}
	if m := lengthLimitText.FindStringSubmatch(s.Message); m != nil {
		if d := duration(m[1]); d > 0 {
			return &lengthLimitError{limit: d, err: err}
		}
	}
	return err
}

// fetchPage asks for the first limit lines of the window, into p. An error
// leaves p empty.
func (c *Client) fetchPage(ctx context.Context, query string, w ingest.Window, limit int, tries uint, st *streams, p *page, lineLimit int) error {
	params := window(url.Values{
		"query":     {query},
		"limit":     {strconv.Itoa(limit)},
		"direction": {"forward"},
	}, w)
	err := c.get(ctx, "/query_range", params, tries, func(r io.Reader) error {
		p.reset()
		h := &pageHandler{streams: st, batch: &p.batch}
		p.decoder.LineLimit = lineLimit
		sum, err := p.decoder.Decode(r, h)
		p.summary, p.cutLines, p.bad = sum, h.cutLines, h.bad
		var at *jsonscan.Error
		switch {
		case err == io.EOF || errors.As(err, &at) && at.Err == jsonscan.ErrShort:
			return errCutOff
		case err == nil && sum.ResultType != "streams":
			return &NotLokiError{Addr: c.Addr(), ContentType: "an answer that holds no log streams"}
		}
		return err
	})
	if err != nil {
		p.reset()
		return limitsIn(err)
	}
	return nil
}
