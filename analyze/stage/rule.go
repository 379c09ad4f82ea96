package stage

// Rule says how a failure of one kind shows in a record. Rules are plain data;
// [New] compiles the built-in ones and any that are added.
//
// # Patterns
//
// Match and the entries of And and Not are patterns: elements separated by
// spaces that must follow each other, word by word, on one line. Punctuation
// between words does not count, letter case does not count, and joined names
// are taken apart first: the pattern "connect timeout" is found in
// ConnectTimeoutError, CONNECT_TIMEOUT and "Connect: timeout".
//
//	word       the word; a number without a unit is a word, too (504). The
//	           words timeout and timed match only where they tell of a timer
//	           that ran out, not where they name a setting
//	=word      the word, and nothing asked about it
//	a|b        one of these words
//	{class}    any phrase of a class of the lexicon, e.g. {timeout}
//	~          up to three words of the same sentence, or none
//	*          up to eight words of the same sentence, or none
//	**         up to 256 words of the same line, or none
//	#          any number
//	<field>    a number, kept: received, declared, elapsed, budget,
//	           missing (a remainder), after (elapsed, or a budget if in whole
//	           seconds); with a
//	           default unit after a colon for bare numbers: <budget:ms>
//
// Words of stack frames match only rules with Frame set, and those match
// nothing else. Source code echoed in a record and the insides of URLs match
// nothing.
type Rule struct {
	// ID names the rule in Attribution.Rule.
	ID string
	// Match is the pattern that decides; And lists patterns that must also
	// occur somewhere in the record, Not those that must not.
	Match string
	And   []string
	Not   []string
	// If lists conditions on the numbers that Match kept: received=0,
	// declared>0, !declared (not stated), received<declared. All must hold.
	If []string
	// Frame says that Match describes a stack frame.
	Frame bool
	// Stage and the further fields are what the rule concludes. A rule of
	// stage NotATimeout that wins makes the record tell of no failure. The
	// zero Role is Cause.
	Stage Name
	Phase string
	Kind  string
	Role  Role
	// Rank orders rules that match the same record; the higher wins, between
	// equals the innermost match. Zero is RankPhase.
	Rank Rank
	// Confidence is that of the attribution; zero is what the rank implies.
	Confidence float64
}

// Rank is the strength of a kind of evidence.
type Rank int

// The ranks, weakest first, with room between them for a caller's own. They
// follow the order of preference of the vocabulary's definition: an explicit
// phase word or code, then a stack frame, then byte counts, then the kind of
// clock.
const (
	RankBare    Rank = 10 // only that a timer ran out somewhere
	RankOuter   Rank = 20 // something outside cancelled
	RankClock   Rank = 30 // which clock fired
	RankRead    Rank = 40 // a read ended badly, of what is open
	RankBytes   Rank = 50 // byte counts
	RankFrame   Rank = 60 // a stack frame
	RankPhase   Rank = 70 // words for the phase beside words for the failure
	RankCode    Rank = 80 // a code or sentence made for one phase by one program
	RankField   Rank = 90 // a field made to name the stage
	RankNothing Rank = 95 // the form of the record says that nothing failed
)

// confidence is what a rank implies where the rule does not say.
func (r Rank) confidence() float64 {
	switch {
	case r >= RankField:
		return 1
	case r >= RankCode:
		return 0.9
	case r >= RankPhase:
		return 0.8
	case r >= RankFrame:
		return 0.8
	case r >= RankBytes:
		return 0.7
	case r >= RankRead:
		return 0.6
	case r >= RankClock:
		return 0.5
	case r >= RankOuter:
		return 0.4
	}
	return 0.3
}
