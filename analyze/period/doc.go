// Package period finds fixed-period recurrences in event times: the same thing
// happening every so often, on one stream or on several.
//
// It is a pure package: times and stream names in, recurrences out. It knows
// nothing of logs, reads no clock, and the same arguments give the same answer
// on any machine. [Find] does the work; [Summary] keeps the times of a stream in
// bounded memory until then; [Matches] names what has a period's length.
//
// # Model
//
// A stream is a point process. Under the alternative some of its events belong
// to a recurrence of period P: they fall into slots P apart, each slot holds one
// event at most, and any slot may be empty. The errors of the events follow one
// of two laws. On a grid (fixed rate) the error of an event does not touch the
// next one: t = phase + k·P + e. In a walk (fixed delay) it does: the gap between
// two events k slots apart has mean k·P and variance k·σ². All other events are
// noise of the stream's own local rate. Two likelihoods are used.
//
// The chain sees a stream as runs of events with unbroken phase, with other
// events between. The best set of runs is found by dynamic programming over the
// events; a run may start anywhere, skip up to seven slots, and pass over any
// number of other events. Errors follow Student's t with four degrees of
// freedom; period, σ, the share of empty slots, of noise and of starts are
// fitted by alternating with the runs. It follows restarts, steps of the clock,
// changes of the period, passes, and fixed delay. The first interval of every
// run counts nothing: it says what the spacing is. Two events are never
// evidence.
//
// The fold sees a stream as one grid whose phase never breaks: the phase density
// of every event is a mixture of a wrapped normal and a constant, fitted by
// expectation maximisation. It uses all phases at once and so finds wide jitter
// under much noise, where following from event to event does not.
//
// Candidate periods come from differences of event times that are more frequent
// than their surroundings let expect, at relative widths from 1e-5 to 0.3, and
// from the periodogram (Rayleigh's statistic, and its sum over four multiples of
// a frequency).
//
// # Null hypothesis
//
// The null is composite, and the best of its members is what a recurrence must
// beat: Poisson events of the local rate, estimated from the neighbours so that
// bursts and day-and-night waves explain themselves; gamma renewal processes of
// shape up to six; any renewal process whose intervals have a distribution that
// is smooth on a scale of 0.4 in the logarithm, by a leave-one-out kernel
// estimate; and, in the fold, such processes whose next interval depends on the
// last. Intervals with a coefficient of variation of about 0.41 and more are
// therefore not periodic, by definition.
//
// What is regular but does not recur is refused outright, or judged after what
// makes it regular is taken out: fewer than three slots in ten filled; spacing
// that drifts (von Neumann's ratio below 0.8 of what independent intervals
// have); retry ladders (each reduced to its first event); pairs a fixed time
// apart (judged without the partners); peaks that hold more events than there
// are slots (a modulated rate).
//
// # Evidence and its correction
//
// Evidence is the log-likelihood ratio of the alternative to the best null, in
// nats, less what was paid for choosing: starts, shares and gaps by predictive
// (Krichevsky-Trofimov) coding, streams by the even mixture of taking part and
// not, period and jitter by a cost that grows with the number of differences or
// of independent frequencies that could have been chosen. It is thus close to
// the logarithm of an e-value for the whole search, over all candidate periods
// and streams, and exp(-Evidence) bounds the probability of an answer as clear
// as this when nothing recurs: that is FalseAlarm. The two constants of each
// cost are not derived but set by simulation, so that for Poisson and for gamma
// events, 3 to 300 on a stream, the share of searches that reach evidence x is
// at most about exp(-x). For n of 3, 5, 8, 16 and 40 Poisson events 10,000
// searches gave shares beyond x = 5 of 0.002, 0.009, 0.008, 0.010 and 0.006,
// where exp(-5) is 0.007.
//
// Streams that share a period are searched together first, then each alone with
// a Bonferroni factor of their number; each of the two gets half of
// [Options].FalseAlarm. A second recurrence in the same events must show eight
// nats more, since what the first leaves is not quite the data of the null.
//
// # Which period
//
// Multiples and fractions compete by likelihood. Where slots are empty at random
// the slot spacing wins, because its gaps are cheaper than twice the events left
// over; where every second slot is always empty the double period wins. Where
// the empty slots change from random to regular on the way (a hidden Markov model
// over the gaps decides, at eight nats a change) the period changed, and both are
// reported. One finer grid competes with up to twelve phases of its multiple.
// Rows of three events or more that come again after pauses are a [Pass]: one
// recurrence, of the spacing inside the row. A period of which another on the
// same stream and time is a small multiple is told as phases of that one.
//
// # What is estimated
//
// The period is the least-squares slope of time over slots (grid) or the mean
// interval (walk), over all runs; Low and High are its 95 % confidence interval
// by Student's t, the wider of the two laws while the kind is unknown.
//
// The kind is a Bayes factor with phase, period and log σ integrated out under
// flat priors; the walk is seen through the clock's rounding (a Kalman filter).
// Three events give odds of exactly one. With a posterior below 0.6 it is
// UnknownKind. A grid whose slots stand at full minutes, and whose period a
// calendar schedule can have, is Cron; by chance that happens to one phase in
// twenty.
//
// Members are events within a few σ of their slots, one a slot. Noise that
// happens to fall there is a member, too, and an event that is very late is not.
// Events logged twice within a fiftieth of the usual interval count as one.
//
// # Limits
//
// Not found: periods shorter than four steps of the clock; recurrences of fewer
// than three events on a stream, unless several streams share them; fixed delay
// with wide jitter under noise of several times its rate. A job in local time
// is followed over a change of daylight saving as two segments of one period,
// and as one when [Options].Location says whose time it is.
// Of more than 3000 events candidates are compared on windows of 750 consecutive
// events, three to four of them; what is too weak to show there is not found,
// though the fit that is reported is of all events. Jitter below two millionths
// of the period gains no further evidence.
//
// Measured, by the rules of TestCases: on the development corpus of 366 cases
// (246 periodic), after twelve rounds of changes judged by it, F1 0.998, no
// false alarm in 120, the period right within one per cent or three standard
// errors in 262 of 264; fixed delay told in 37 of 46, where a reader who knows
// period and jitter would tell 86 %, and one who must estimate them 80 %. On
// 729 cases from a seed that had not been looked at, judged once: F1 0.996, no
// false alarm in 240, period right in 515 of 525, fixed delay told in 63 of 81.
// What that showed was mended; on 727 cases of one more seed: F1 0.992, none of
// 240, 515 of 523, 69 of 87. Of 7560 cases of TestStructureless 6 were called
// periodic, of 2520 retry ladders 3.
//
// # Cost
//
// Beyond the sample of 3000 events the work is a fixed number of passes of O(n)
// with a factor for the most slots skipped; within it, sorting up to 60,000
// differences and transforms of up to 2^18 points. Memory is O(n). BenchmarkFind
// on one core of a shared machine, half of the events noise:
//
//	   events    time
//	      100    5 ms
//	    1,000   60 ms
//	   10,000  450 ms
//	  100,000  900 ms
//	1,000,000  4.2 s
//
// 10,000 streams of 50 events take 4.5 s of processor time when each has a
// period of its own or none, and 1.3 s when they share one. They are searched on
// all processors; the answer does not depend on how many there are.
//
// # Sources
//
// Bretthorst, Bayesian Spectrum Analysis and Parameter Estimation (1988);
// Gregory and Loredo, A new method for the detection of a periodic signal of
// unknown shape and period (1992); Mardia and Jupp, Directional Statistics
// (2000), for Rayleigh's test; von Neumann, Distribution of the ratio of the
// mean square successive difference to the variance (1941); Rissanen, Universal
// coding, information, prediction, and estimation (1984); Wasserman, Ramdas and
// Balakrishnan, Universal inference (2020), for likelihood ratios against the
// best of a composite null; Krichevsky and Trofimov, The performance of universal
// encoding (1981), for the coding of shares.
//
// Compatibility: fields may be added; evidence and thresholds may change with
// any version.
package period
