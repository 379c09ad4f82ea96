package stage

// harmlessRules read sentences that speak of failures that did not happen, or
// no longer matter: advice about settings, and attempts that ended well.
var harmlessRules = []Rule{
	{ID: "harmless-setting", Match: "deprecated", Not: harmlessUnless, Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-setting", Match: "unknown|unrecognized|unsupported|invalid|obsolete * ignored|ignoring", Not: append([]string{"{resolve} * invalid"}, harmlessUnless...), Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-setting", Match: "is|are not set|configured|specified|defined", Not: harmlessUnless, Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-setting", Match: "default|defaults of|for|is|to|changes|changed", Not: harmlessUnless, Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-recovered", Match: "retry|attempt|try ~ succeeded|successful|recovered", Not: []string{"not|never|without|no ~ succeeded|successful|successfully|recovered|completed"}, Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-session", Match: "session =timed out", Not: []string{"connect|connecting|handshake|failed|failure|exception|unable|cannot|refused|aborted", "could not"}, Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-awaited", Match: "=timeout while waiting for {awaited}", Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-job", Match: "job|build|pipeline|workflow|step failed|canceled|cancelled ~ execution {timeout}", Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-slow", Match: "longer than ~ interval|usual|usually|expected|average|normal", Not: []string{"failed|failure|fails|error|errors|exception|unable|cannot|refused|aborted|aborting", "could not", "did not", "timed out", "exceeded|elapsed|expired"}, Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-poll", Match: "poll =timeout ~ expired|exceeded", Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-element", Match: "waiting for locator|selector|element|elements", Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-element", Match: "to find element|elements|content", Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-shelved", Match: "failed ~ times in a row putting on", Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-recovered", Match: "connection|link|session|contact ~ restored|reestablished", Not: []string{"not|never|be|cannot|until restored|reestablished"}, Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-test", Match: "expected ~ to be raised|thrown", Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-lock", Match: "resource busy", Stage: NotATimeout, Rank: RankNothing},
	{ID: "harmless-recovered", Match: "succeeded|successful|successfully|recovered|completed after|on|with|in * attempt|attempts|retry|retries|try|tries", Not: []string{"not|never|without succeeded|successful|successfully|recovered|completed"}, Stage: NotATimeout, Rank: RankNothing},
}

// harmlessUnless are words of a failure that did happen.
var harmlessUnless = []string{"failed|failure|fails|error|errors|exception|unable|cannot|refused|aborted", "could not", "did not", "timed out", "exceeded|elapsed|expired"}
