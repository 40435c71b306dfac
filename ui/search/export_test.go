package search

// For the tests outside of the package.
var (
	Closest = closest
	Hint    = hint
)
