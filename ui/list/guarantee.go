package list

import "github.com/pmlam/pmlam/core/recommend"

// oneInFive is the guaranteed share: on average, at most this share of the covered titles disappoints.
const oneInFive = 0.2

// lastSure returns the last title that the guarantee covers, or −1. It holds only for the visitor's own list without
// filters, mixing or random draws.
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

// surerBelow reports whether a title is rated more certain than one above it.
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
