package week

import "github.com/pmlam/pmlam/core/recommend"

// For the tests outside of the package.
func (s *State) Change() *recommend.Change { return s.change }
func (s *State) ForgetChange()             { s.change = nil }
