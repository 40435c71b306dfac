package list

import "github.com/pmlam/pmlam/core/recommend"

// The titles of a list are also compared with each other: nearly all chances of a good list lie within a few points, so
// that the words alone would say the same of each.

// thirds is the shortest list whose thirds are named.
const thirds = 6

// rank counts the titles of the list that are safer than a title, those that are as safe, itself included, and all with
// a stated chance.
func (l *State) rank(s *recommend.Suggestion) (safer, equal, of int) {
	for i := range l.Titles {
		o := &l.Titles[i]
		if o.Certainty == recommend.Unsaid {
			continue
		}
		switch of++; {
		case o.Chance > s.Chance:
			safer++
		case o.Chance == s.Chance:
			equal++
		}
	}
	return safer, equal, of
}

// sure is the certainty in words, with the third of the list that the title is in where that does not contradict them.
func (l *State) sure(s *recommend.Suggestion) string {
	word := l.W.Certainty(s.Certainty)
	safer, equal, of := l.rank(s)
	if word == "" || of < thirds || l.View().Browses() {
		return word
	}
	switch {
	case 3*(safer+equal) <= of && s.Certainty != recommend.Gamble:
		return word + " · " + l.W.SaferHere
	case 3*safer >= 2*of && s.Certainty != recommend.VerySure:
		return word + " · " + l.W.BolderHere
	}
	return word
}

// stretched returns a title's chance within the range of the list's chances, in [0.15, 1].
func (l *State) stretched(s *recommend.Suggestion) float64 {
	least, most := s.Chance, s.Chance
	for i := range l.Titles {
		if o := &l.Titles[i]; o.Certainty != recommend.Unsaid {
			least, most = min(least, o.Chance), max(most, o.Chance)
		}
	}
	if most <= least || s.Certainty == recommend.Unsaid {
		return s.Chance
	}
	const shortest = 0.15
	return shortest + (1-shortest)*(s.Chance-least)/(most-least)
}
