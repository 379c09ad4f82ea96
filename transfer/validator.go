package transfer

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// validator is what tells one version of an object from another, strongly
// enough to put parts of it together. The zero value tells nothing.
type validator struct {
	// ETag is a strong entity tag with its quotes; LastModified the date as
	// the server wrote it. One of them is set.
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"lastModified,omitempty"`
}

// String returns the value for If-Range; empty for the zero validator.
func (v validator) String() string {
	if v.ETag != "" {
		return v.ETag
	}
	return v.LastModified
}

// validatorOf returns the strong validator of a response, if it has one. A
// date counts as strong if the object was a minute old when it was served
// (RFC 9110, section 8.8.2.2): a second change within its second would not
// show in it.
func validatorOf(h http.Header) validator {
	if tag := h.Get("ETag"); tag != "" {
		if len(tag) >= 2 && strings.HasPrefix(tag, `"`) && strings.HasSuffix(tag, `"`) {
			return validator{ETag: tag}
		}
		return validator{}
	}
	modified, err1 := http.ParseTime(h.Get("Last-Modified"))
	date, err2 := http.ParseTime(h.Get("Date"))
	if err1 == nil && err2 == nil && date.Sub(modified) >= time.Minute {
		return validator{LastModified: h.Get("Last-Modified")}
	}
	return validator{}
}

// matches reports whether a response is of the version that v tells.
func (v validator) matches(h http.Header) bool {
	if v.ETag != "" {
		return h.Get("ETag") == v.ETag
	}
	return v.LastModified != "" && h.Get("Last-Modified") == v.LastModified && h.Get("ETag") == ""
}

// coded reports whether the bytes are not the object's own.
func coded(h http.Header) bool {
	coding := strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding")))
	return coding != "" && coding != "identity"
}

// checkSpan checks that a 206 is the part that was asked for, of the version
// that was asked for.
func (x *exchange) checkSpan(resp *http.Response) (contentRange, error) {
	s := x.req.span
	r, ok := parseContentRange(resp.Header.Get("Content-Range"))
	switch {
	case !ok || r.first < 0:
		return r, x.protocol(resp, fmt.Sprintf("the Content-Range %q cannot be", resp.Header.Get("Content-Range")))
	case r.first != s.from || s.to >= 0 && r.last >= s.to:
		return r, x.protocol(resp, fmt.Sprintf("%s was asked for and %d-%d was sent", s.header(), r.first, r.last))
	case resp.ContentLength >= 0 && resp.ContentLength != r.last-r.first+1:
		return r, x.protocol(resp, fmt.Sprintf("the Content-Range %d-%d and the length %d contradict each other", r.first, r.last, resp.ContentLength))
	case coded(resp.Header):
		return r, x.protocol(resp, "a part of the object came under a content coding that its first part had not")
	case s.validator != validator{} && !s.validator.matches(resp.Header):
		return r, x.fault(KindChanged, "the object changed since its first part was read", nil)
	case s.total >= 0 && r.total >= 0 && r.total != s.total:
		return r, x.fault(KindChanged, fmt.Sprintf("the object had %d bytes and now has %d", s.total, r.total), nil)
	case r.total >= 0 && s.to < 0 && r.last != r.total-1, s.to >= 0 && r.last != s.to-1 && r.last != r.total-1:
		return r, x.protocol(resp, fmt.Sprintf("%s was asked for and only %d-%d was sent", s.header(), r.first, r.last))
	}
	return r, nil
}

// checkRange checks a 206 to a Range header of the caller's, as far as that
// asks for one range by its first byte.
func (x *exchange) checkRange(resp *http.Response) error {
	asked := x.req.Header.Get("Range")
	from, to, ok := parseRange(asked)
	if !ok {
		return nil
	}
	value := resp.Header.Get("Content-Range")
	r, ok := parseContentRange(value)
	switch {
	case !ok || r.first < 0:
		return x.protocol(resp, fmt.Sprintf("the Content-Range %q cannot be", value))
	case r.first != from || to >= 0 && r.last > to:
		return x.protocol(resp, fmt.Sprintf("%s was asked for and %d-%d was sent", asked, r.first, r.last))
	case resp.ContentLength >= 0 && resp.ContentLength != r.last-r.first+1:
		return x.protocol(resp, fmt.Sprintf("the Content-Range %d-%d and the length %d contradict each other", r.first, r.last, resp.ContentLength))
	}
	return nil
}
