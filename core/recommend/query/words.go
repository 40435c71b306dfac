package query

import "github.com/pmlam/pmlam/core/recommend"

// modes are the words for recommend.Mode.
var modes = map[string]recommend.Mode{
	"for-you": recommend.ForYou, "hidden-gems": recommend.HiddenGems, "outside-bubble": recommend.OutsideBubble,
}

// orders are the words for recommend.Order.
var orders = map[string]recommend.Order{
	"best": recommend.BestFirst, "known": recommend.BestKnown, "new": recommend.Newest,
	"title": recommend.ByTitle,
}

// certainties are the words for recommend.Certainty.
var certainties = [...]string{"a gamble", "a hunch", "fairly sure", "very sure"}

// Certainty returns the word for c, and false for recommend.Unsaid.
func Certainty(c recommend.Certainty) (word string, ok bool) {
	if c == recommend.Unsaid {
		return "", false
	}
	return certainties[c], true
}
