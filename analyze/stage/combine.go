package stage

// Combine settles on one attribution of an occurrence of which several records
// tell: the first is the one that decides. A record that is evidence of the
// stage decides over one that repeats it, and that over an enclosing clock;
// between equals the one with the higher confidence, then the one that comes
// first. Numbers, target and source that the deciding record does not state
// are taken from the others, in that order. It panics if there is none.
func Combine(all []Attribution) Attribution {
	best := 0
	for i := range all {
		if decides(&all[i], &all[best]) {
			best = i
		}
	}
	out := all[best]
	out.Evidence = append([]string(nil), out.Evidence...)
	for i := range all {
		if i == best {
			continue
		}
		a := &all[i]
		if out.BytesReceived == Unknown {
			out.BytesReceived = a.BytesReceived
		}
		if out.BytesDeclared == Unknown {
			out.BytesDeclared = a.BytesDeclared
		}
		if out.Target == "" {
			out.Target = a.Target
		}
		if out.Source == "" {
			out.Source = a.Source
		}
		if a.Stage == out.Stage { // another clock's time and bound are its own
			if out.Elapsed == Unknown {
				out.Elapsed = a.Elapsed
			}
			if out.Budget == Unknown {
				out.Budget = a.Budget
			}
			if out.Phase == "" {
				out.Phase = a.Phase
			}
		}
	}
	return out
}

// decides reports whether x decides over y.
func decides(x, y *Attribution) bool {
	if rx, ry := x.Role.order(), y.Role.order(); rx != ry {
		return rx < ry
	}
	return x.Confidence > y.Confidence
}

func (r Role) order() int {
	switch r {
	case Cause:
		return 0
	case Duplicate:
		return 1
	}
	return 2
}
