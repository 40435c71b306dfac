package list

import "github.com/pmlam/pmlam/core/recommend"

// oneInFive is the share of titles that disappoint at most, of those that the list says it of.
const oneInFive = 0.2

// lastSure returns the last title of the list that the guarantee covers; −1: none. It holds for the visitor's own list
// as it comes: nothing filtered, mixed or drawn.
func (l *State) lastSure() int {
	s := l.Settings()
	if !l.Ordered() || recommend.Mode(s.Mode) != recommend.ForYou || len(s.Genres) > 0 || s.Decade > 0 {
		return -1
	}
	n := l.About.Reliability.Guaranteed(l.Titles, oneInFive)
	if n == 0 {
		return -1
	}
	return l.Titles[n-1].Item
}

// surerBelow reports whether a title of the list is called surer than one before it.
func (l *State) surerBelow() bool {
	last := recommend.VerySure
	for _, s := range l.Titles {
		switch {
		case s.Certainty == recommend.Unsaid:
			return false
		case s.Certainty > last:
			return true
		}
		last = s.Certainty
	}
	return false
}
