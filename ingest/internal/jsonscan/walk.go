package jsonscan

// Members consumes an object and calls member with each of its keys, decoded
// and valid until the call returns; member consumes the value.
func (s *Scanner) Members(member func(key []byte) error) error {
	if err := s.Expect('{'); err != nil {
		return err
	}
	var scratch [64]byte
	for first := true; ; first = false {
		more, err := s.More(first, '}')
		if err != nil || !more {
			return err
		}
		key, err := s.Key(scratch[:0])
		if err != nil {
			return err
		}
		if err := member(key); err != nil {
			return err
		}
	}
}

// Elements consumes an array and calls element before each of its elements,
// which element consumes.
func (s *Scanner) Elements(element func() error) error {
	if err := s.Expect('['); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := s.More(first, ']')
		if err != nil || !more {
			return err
		}
		if err := element(); err != nil {
			return err
		}
	}
}

// Raw consumes one value of any kind and appends its text to dst, at most
// limit bytes of it; cut says that there was more.
func (s *Scanner) Raw(dst []byte, limit int) (raw []byte, cut bool, err error) {
	c, err := s.Peek()
	if err != nil {
		return dst, false, s.short()
	}
	if c != '"' && c != '{' && c != '[' {
		dst, err = s.Scalar(dst)
		return dst, false, err
	}
	limit += len(dst)
	var stack nesting
	quoted := false
	for s.fill() {
		start, done := s.pos, false
		for s.pos < s.end && !done {
			c := s.buf[s.pos]
			s.pos++
			switch {
			case quoted && c == '\\':
				// The next byte is a part of the escape, perhaps in the next
				// buffer.
				if s.pos == s.end {
					s.pos--
					dst, cut = appendUpTo(dst, s.buf[start:s.pos], limit, cut)
					var two [2]byte
					if s.gather(two[:]) < 2 {
						return dst, cut, s.short()
					}
					start = s.pos
					s.pos++
				}
				s.pos++
			case c == '"':
				quoted = !quoted
				done = !quoted && stack.depth == 0
			case quoted:
			case c == '{' || c == '[':
				if !stack.push(c == '{') {
					return dst, cut, s.fail(ErrDepth)
				}
			case c == '}' || c == ']':
				if !stack.pop(c == '}') {
					return dst, cut, s.fail(ErrSyntax)
				}
				done = stack.depth == 0
			}
		}
		dst, cut = appendUpTo(dst, s.buf[start:s.pos], limit, cut)
		if done {
			return dst, cut, nil
		}
	}
	return dst, cut, s.short()
}

// appendUpTo appends what fits below limit.
func appendUpTo(dst, b []byte, limit int, cut bool) ([]byte, bool) {
	if room := max(limit-len(dst), 0); room < len(b) {
		return append(dst, b[:room]...), true
	}
	return append(dst, b...), cut
}

// SkipLine consumes up to the next line break and reports whether there was
// one.
func (s *Scanner) SkipLine() bool {
	for s.fill() {
		for s.pos < s.end {
			s.pos++
			if s.buf[s.pos-1] == '\n' {
				return true
			}
		}
	}
	return false
}
