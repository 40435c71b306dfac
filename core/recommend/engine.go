package recommend

import (
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
)

// Visit holds a visitor's likes, dislikes and seen titles as item indices, each list in the order of entry. An item
// should be in one list only; otherwise the first of Likes, Dislikes, Seen counts. The zero value is a neutral visitor.
//
// Recent holds the items that the visitor had to do with of late, such as products viewed or bought, the latest last.
// An item may also be in another list. If the model knows the order of likes (model.Model.Next), the latest RecentItems
// of them raise the items that people choose next. Without likes they also count as likes. They are left out of lists
// unless Again is set, for goods that people buy again.
//
// Weights holds, by item, the weights of likes that count more or less than one like, for example by their stars
// (Evidence.Weights); nil: all count 1.
type Visit struct {
	Likes, Dislikes, Seen []int
	Weights               []float32
	Recent                []int
	Again                 bool
}

// Mode is a way of choosing titles.
type Mode uint8

// The modes.
const (
	ForYou        Mode = iota // lowest cost first: W2² less the item-item bonus
	HiddenGems                // the same among little-known titles, without gambles
	OutsideBubble             // the same among titles of genres that are unusual for the visitor
)

// Order is the order of a list.
type Order uint8

// The orders. Ties go to the better-known title, then to the lower index.
const (
	BestFirst Order = iota // as given by the mode, Diversity and Exploration
	BestKnown              // most likes first
	Newest                 // by year, unknown years last
	ByTitle                // A to Z by catalogue.Fold, ignoring the article in front
)

// Filter selects items. The zero value selects all.
type Filter struct {
	Genres           []string          // at least one of these; none given: any
	FromYear, ToYear int               // inclusive; 0: open. An item of unknown year passes only where both are 0
	Region           int               // 1 for the first of Engine.Regions and so on: items in that region; 0: anywhere
	Columns          map[string]string // further catalogue columns that must equal this text
}

// Request asks for recommendations. The zero value asks for nothing (K is 0).
type Request struct {
	K           int // the most titles to return
	Mode        Mode
	Filter      Filter
	Diversity   float64 // in [0,1]: 0 best first; ¼, ½, ¾, 1: 2, 4, 6, 8 of ten are unlike the others
	Exploration float64 // in [0,1]: 0 best first; ¼, ½, ¾, 1: 2, 4, 6, 8 of ten are drawn at random from the next 40
	Seed        uint64  // of the random draws; same seed, same answer
	Bare        bool    // return the items only; no other field of the suggestions is computed
	Order       Order   // unless BestFirst, all items that pass the filter; Mode, Diversity, Exploration are ignored
	Skip        int     // titles to skip at the start, for pages of a longer list
	Later       bool    // leave chances that need draws to Stability: Chance is then 0, and Certainty Unsaid
	Instead     []int   // titles to replace by others that are unlike them
}

// Suggestion is one recommended item.
type Suggestion struct {
	Item     int
	Distance float64 // W2 between the visitor and the item, in latent units
	Match    float64 // share of the catalogue that costs more, in [0,1]; the cost is W2² minus the item-item bonus

	// Chance is the chance of the event in About().Reliability.Of: that the visitor likes the item if they rate it, or
	// that it stays in their top ten; 0 if Certainty is Unsaid. Certainty expresses the chance as a word, see
	// ChanceOf.From. It is Unsaid for visitors without likes and for models without calibration.
	Chance    float64
	Certainty Certainty

	Spread  float64  // radius of the uncertainty along two dimensions, in latent units
	Reasons []Reason // the strongest first, at most three; none that is far from the item or of other genres
	// General is the share of the score that comes from general popularity, in [0,1]. It is 0 without likes, without a
	// prior, and if the prior speaks against the item.
	General float64
	Pinned  bool // the owner's Rules put it first
}

// Change is the effect of liking a title: the titles that would enter and leave the first Top, each best first. The
// title itself is in neither.
type Change struct {
	In, Out  []int
	Variance float64 // Taste.Variance relative to its present value
}

// Found is a title found by a search.
type Found struct {
	Item  int
	Score float64 // in (0,1]; 1: exactly this title
}

// Ellipses are nested regions that contain a Gaussian's projection with the probabilities Probabilities.
type Ellipses [3]model.Ellipse

var Probabilities = [3]float64{0.50, 0.80, 0.95}

// Engine lists the questions that the page, the command and the studies ask of a recommender. *Recommender is the only
// implementation in this module; the interface is narrow so that another one could replace it.
type Engine interface {
	About() About
	Len() int                   // I, the number of items
	Item(i int) *catalogue.Item // read only
	Columns() []string          // names of the items' further columns, as given by the site's owner; read only
	Genres() []string           // all genres, most frequent first

	Search(query string, limit int) []Found // fuzzy, best first
	// titles with too few interactions for a place in the model, best first, and the score of the best
	LeftOut(query string, limit int) (names []string, score float64)
	Starters(n, page int) []int  // well-known titles of varied genre and decade; pages cycle
	Keeps(f Filter) ItemSet      // titles that pass the filter
	Count(v Visit, f Filter) int // titles that pass the filter and are not in the visit

	Taste(v Visit, warm *Taste) *Taste // warm: the taste of a similar visit, or nil
	Recommend(v Visit, t *Taste, r Request) []Suggestion
	Together(a, b Visit, ta, tb *Taste, r Request) []Shared        // for two people, near both
	Stability(v Visit, t *Taste, r Request, items []int) []float64 // chance that each stays in the visitor's top ten
	Change(v Visit, t *Taste, r Request, item int) Change          // effect of liking the item
	Question(v Visit, t *Taste) (a, b int, ok bool)                // the two titles to ask about next
	Similar(item int, mentioned Visit, k int) []Suggestion         // items most like it, without the item itself

	Distance(t *Taste, i int) float64  // W2 between the visitor and item i
	Radii(v Visit, t *Taste) []float32 // by item: a distance that ascends in the order of ForYou
	Point(i int) (x, y float64)        // place of item i on the map, in the unit square
	Regions() []model.Region           // of the map, by ascending level; read only
	Places(v Visit, t *Taste) Places   // the visitor's tastes on the map, and the places of their next titles
}

// About holds facts about the model, for people.
type About struct {
	Dataset     string             // "MovieLens latest small"
	Users       int                // in training
	Items       int                //
	Positives   int                // interactions in training
	Trained     string             // always "": a model file holds no date
	Program     string             // version that wrote the model
	Preset      string             // its settings' name
	Metrics     map[string]float64 // "recall@10" and so on, on held-out data
	Reliability Reliability        // accuracy of its chances
	Order       bool               // it knows which items people choose after others
	Again       bool               // people choose items again: the default of Visit.Again
	Licence     string             //
	Attribution string             // text that the data's licence asks to show
	Digest      string             // SHA-256 of the model's content, hex
	Scan        string             // the kernel that scans: "simd", "go" or "avx"
}
