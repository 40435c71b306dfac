package week

import "github.com/pmlam/pmlam/core/recommend"

// Change gives external tests the effect of liking the pick.
func (s *State) Change() *recommend.Change { return s.change }
func (s *State) ForgetChange()             { s.change = nil }
