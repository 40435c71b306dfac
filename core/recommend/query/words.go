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
