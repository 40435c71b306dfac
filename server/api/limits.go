package api

// Bounds of a request, in addition to server/intake. With 200,000 items, the longest lists allowed take about a second.
const (
	MaxResults    = 1000 // k, skip, limit
	MaxQuery      = 256  // bytes of a search
	maxParameters = 1024 // bytes of all parameters as sent, with "%20" for a space
)
