package logfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// syslogFrames reads syslog messages as they travel over TCP with octet
// counting (RFC 6587): the length in decimal, a space, the message, which may
// hold line breaks. A line break after a message is passed over.
type syslogFrames struct {
	r   *bufio.Reader
	env *environment
}

// maxFrameDigits bounds the length's digits.
const maxFrameDigits = 9

var errFrame = errors.New("no length and space where a message should begin")

func (s *syslogFrames) each(entry func(*item) error, bad func(*pieceError)) error {
	cal := stamp.Calendar{Zone: s.env.zone, Near: s.env.near}
	stream := s.env.fileStream()
	var text []byte
	at, last, known := int64(0), int64(0), false
	for seq := uint64(0); ; seq++ {
		place := fmt.Sprintf("byte %d", at)
		size, read, err := frameLength(s.r)
		at += read
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, errFrame) || err == io.ErrUnexpectedEOF:
			bad(&pieceError{place: place, err: err})
			return nil
		case err != nil:
			return err
		}
		keep := min(size, int64(s.env.maxLine))
		var b bytes.Buffer
		b.Grow(int(min(keep, 64<<10)))
		n, err := io.CopyN(&b, s.r, keep)
		if err == nil {
			var rest int64
			rest, err = io.CopyN(io.Discard, s.r, size-keep)
			n += rest
		}
		at += n
		if err != nil && err != io.EOF {
			return err
		}
		if n < size {
			bad(&pieceError{place: place, err: fmt.Errorf("the input ends %d bytes into a message of %d", n, size), kept: b.Len() > 0})
			if b.Len() == 0 {
				return nil
			}
		} else if keep < size {
			bad(&pieceError{place: place, err: fmt.Errorf("entry cut after %d bytes", keep), kept: true})
		}
		text = bytes.TrimRight(b.Bytes(), "\r\n")
		ns, ok := int64(0), false
		if st, found := stamp.Syslog(text); found {
			ns, ok = cal.Nanos(st)
		}
		switch {
		case ok:
			last, known = ns, true
		case !known:
			bad(&pieceError{place: place, err: errors.New("no timestamp in this message, nor before it")})
			continue
		}
		if err := entry(&item{nano: last, stream: stream, line: text, seq: seq}); err != nil {
			return err
		}
	}
}

// frameLength reads a message's length and the space after it, and how many
// bytes that were.
func frameLength(r io.ByteReader) (size, read int64, err error) {
	digits := 0
	for {
		c, err := r.ReadByte()
		if err != nil {
			if err == io.EOF && digits > 0 {
				err = io.ErrUnexpectedEOF
			}
			return 0, read, err
		}
		read++
		switch {
		case digits == 0 && (c == '\n' || c == '\r'):
		case c-'0' <= 9 && digits < maxFrameDigits && (digits > 0 || c != '0'):
			size = size*10 + int64(c-'0')
			digits++
		case c == ' ' && digits > 0:
			return size, read, nil
		default:
			return 0, read, errFrame
		}
	}
}

func syslogFramesFormat() *Format {
	return &Format{
		Name:    "syslog-frames",
		Title:   "syslog with octet counting, as captured from TCP",
		Example: `61 <131>1 2026-09-19T08:10:16.049Z host app 123 - - fetch failed`,
		detect: func(h *head) string {
			r := bytes.NewReader(h.data)
			size, read, err := frameLength(r)
			if err != nil {
				return "it does not begin with a message's length"
			}
			message := h.data[read:]
			if int64(len(message)) > size {
				message = message[:size]
			}
			if len(message) == 0 || message[0] != '<' {
				return "no syslog message follows the length"
			}
			if _, ok := stamp.Syslog(message); !ok {
				return "no syslog message follows the length"
			}
			if next := h.data[min(int(read)+len(message), len(h.data)):]; len(next) > 0 {
				if _, _, err := frameLength(bytes.NewReader(next)); errors.Is(err, errFrame) {
					return "the first message does not end where its length says"
				}
			}
			return ""
		},
		document: func(r io.Reader, env *environment) document {
			return &syslogFrames{r: bufio.NewReaderSize(r, 64<<10), env: env}
		},
	}
}
