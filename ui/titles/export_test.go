package titles

// For the tests outside of the package.
var (
	GroupGenres = groupGenres
	RegionKeys  = regionKeys
)
