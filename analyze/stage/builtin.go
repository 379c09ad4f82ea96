package stage

// builtin returns the rules that every Classifier has.
func builtin() []Rule {
	var all []Rule
	for _, t := range [][]Rule{genericRules, proseRules, codeRules, curlRules, goRules, dotnetRules, pollyRules, javaRules, pythonRules, nodeRules, moreRules, proxyRules, harmlessRules} {
		all = append(all, t...)
	}
	return all
}
