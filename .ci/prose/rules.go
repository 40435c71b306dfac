package main

import (
	"regexp"
	"strings"
)

// rule is a turn of phrase that reads as a translation, and the advice for the writer.
type rule struct {
	found  *regexp.Regexp
	except *regexp.Regexp // matches of found that are fine, compared with the match and the word after it; may be nil
	advice string
}

func newRule(found, except, advice string) rule {
	r := rule{found: regexp.MustCompile(`(?i)` + found), advice: advice}
	if except != "" {
		r.except = regexp.MustCompile(`(?i)^(?:` + except + `)\b`)
	}
	return r
}

const (
	noClause = "use a noun instead of a clause"
	noWho    = "name the person: visitors, users, customers"
	verbs    = `(?:asks|does|has|have|is|are|likes|needs|wants|was|were)`
)

var rules = []rule{
	newRule(`\b(?:after|and|as|because|before|beyond|by|for|from|if|in|is|of|on|or|than|that|to|unless|where|with) `+
		`what\b`, `\w+ what if`, noClause),
	newRule(`(?:^|[.:;] )what (?:a|are|each|has|have|is|it|no|nobody|the|they|was|were)\b[^?]*(?:[.;]|$)`, "",
		noClause),
	newRule(`\bwhom\b`, "", noWho),
	newRule(`\b(?:and|by|for|from|of|or|than|that|to|with),? who `+verbs+`\b`, "", noWho),
	newRule(`(?:^|[.:;] )who `+verbs+`\b[^?]*(?:[.;]|$)`, "", noWho),
	newRule(`\b(?:there )?(?:are|is|was|were) no [a-z]+`, `there \w+ no \w+|\w+ no (?:doubt|difference|less|limit|`+
		`longer|more|need|other|point|reason|such|way)`, `say "is not a"`),
	newRule(`\b(?:which there (?:are|is)|there (?:are|is) none|of which none|has none of)\b`, "",
		"say what is missing"),
	newRule(`\b(?:be it|be they)\b`, "", `say "whether", or name the cases`),
	newRule(`\bhowever (?:it|they) (?:are|is) (?:asked|called|done)\b`, "", `say "in any way"`),
	newRule(`\b(?:are|be|is|not be|was|were) had\b`, "", "say who has it"),
	newRule(`\bin (?:its|the|their) (?:place|stead)\b|\bin place of\b`, "", `say "instead of"`),
	newRule(`\bbeside\b`, "", `say "next to", "compared with" or "besides"`),
	newRule(`\b(?:all that|all of it|all of them|nothing that|all else)\b`, "",
		`say "every" or "the rest", with a noun`),
	newRule(`\b(?:that|those) of [a-z]+`, `\w+ of the art`, "repeat the noun"),
	newRule(`\b(?:come|comes|go|goes) (?:to (?:it|its end|them|their end|[0-9])|before (?:it|them|the)|by)\b`, "",
		"use a verb that says what happens"),
	newRule(`\b(?:as many as|by so many|for so many|how many of|of so many)\b`, "", "give the number a name"),
}

// find returns the phrases of a text that a rule objects to, each with the advice, in the order of the rules.
func find(text string) (phrases, advice []string) {
	for _, r := range rules {
		for _, phrase := range r.found.FindAllString(text, -1) {
			phrase = strings.TrimLeft(phrase, ".:; ")
			if r.except != nil && r.except.MatchString(phrase+following(text, phrase)) {
				continue
			}
			phrases, advice = append(phrases, phrase), append(advice, r.advice)
		}
	}
	return phrases, advice
}

// following returns the blank and the word after a phrase.
func following(text, phrase string) string {
	_, rest, _ := strings.Cut(text, phrase)
	word, _, _ := strings.Cut(strings.TrimPrefix(rest, " "), " ")
	return " " + word
}
