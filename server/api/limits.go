package api

// Bounds of a request beside those of server/intake. With 200,000 items, the longest lists that they allow take about a
// second.
const (
	MaxResults    = 1000 // k, skip, limit
	MaxQuery      = 256  // bytes of a search
	maxParameters = 1024 // bytes of all parameters as they are sent, "%20" for a blank
)
