package ui

// feedPart names parts of what the map is fed with.
type feedPart uint16

const (
	feedMarks     feedPart = 1 << iota // marks, the next titles
	feedPlaces                         // the tastes, and where they glow
	feedSelected                       // the title that is opened
	feedDistances                      // which view, and its radii
	feedDim                            // what the filters leave out, and the colours
	feedColours                        // light or dark
	feedSize                           // the map may have been hidden
	feedWords                          // another language
	feedTurn                           // all of an answer has come
	feedAll       feedPart = 1<<iota - 1
)

// feed is what has changed since the painted map was updated. Any part of the page adds to it.
type feed struct {
	dirty feedPart
	radii []float32 // Engine.Radii; nil until the map shows distances
	turn  uint64    // of the last question whose whole answer is here
}
