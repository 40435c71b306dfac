package ui

import "github.com/pmlam/pmlam/ui/keep"

// What the visitor says, in the words of package keep.
type (
	State    = keep.State
	Settings = keep.Settings
	Mark     = keep.Mark
)

// The marks.
const (
	Unmarked = keep.Unmarked
	LikedIt  = keep.Liked
	NotForMe = keep.NotForMe
	SeenIt   = keep.Seen
)
