package recommend

import "iter"

// Nearby lists the items of a catalogue by their cost for a visitor, roughly. It must be safe for concurrent use.
// chunks/writer.NewCells makes one.
type Nearby interface {
	// Order returns all items in an order in which similar ones are near each other. It must not be changed.
	Order() []int32
	// Near yields the places from (inclusive) to (exclusive) of groups of items in Order, those that probably cost
	// least first. Each item is in one group.
	Near(t Tendency) iter.Seq2[int, int]
}

// Tendency describes a visitor's costs, apart from links: W2² from Row, minus Genres of the item's genres, minus Rare
// times τ·ln((1 + c)/(1 + count)), where τ is Formula.Unit and c Formula.FewKnow.
type Tendency struct {
	Row    []float32 // 2h
	Genres []float32 // by place in Engine.Genres
	Rare   float32
}
