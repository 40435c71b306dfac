//go:build js

package recommend

// In a browser all items of a recommender are scanned: see package chunks for large catalogues.
const canBeNear = false

type fromNearby struct{}

func recommendNear(*Recommender, *Visit, *Taste, *Request) ([]Suggestion, bool) { return nil, false }

func similarNear(*Recommender, int, *Visit, int) ([]Suggestion, bool) { return nil, false }

func extrapolate(*work) {}

func surpriseAmong(*work, int, *Request) {}
