package recommend

import (
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
)

// Visit is all that a visitor has said: item indices, each list in the order it was said. An item stands in one list
// at most; where it stands in several, the first of Likes, Dislikes, Seen counts. The zero value is a visitor who has
// said nothing.
type Visit struct {
	Likes, Dislikes, Seen []int
}

// Mode is a way of looking for the next title.
type Mode uint8

// The modes.
const (
	ForYou        Mode = iota // lowest cost first: W2² less the item-item bonus
	HiddenGems                // the same among what few know, without gambles
	OutsideBubble             // the same among those of genres that are not the visitor's usual
)

// Order is in what order titles come.
type Order uint8

// The orders. Ties go to the better known title, and then to the lower index.
const (
	BestFirst Order = iota // as the mode, Diversity and Exploration have it
	BestKnown              // those that most people like first
	Newest                 // by year, unknown years last
	ByTitle                // A to Z as catalogue.Fold has it, without the article in front
)

// Filter keeps items. The zero value keeps all.
type Filter struct {
	Genres           []string          // at least one of these; none given: any
	FromYear, ToYear int               // inclusive; 0: open. An item of unknown year passes only where both are 0
	Region           int               // 1 for the first of Engine.Regions and so on: what lies in it; 0: anywhere
	Columns          map[string]string // further catalogue columns that must equal this text
}

// Request asks for recommendations. The zero value asks for nothing (K is 0).
type Request struct {
	K           int // how many at most
	Mode        Mode
	Filter      Filter
	Diversity   float64 // in [0,1]: 0 best first; ¼, ½, ¾, 1: 2, 4, 6, 8 of ten are unlike the others
	Exploration float64 // in [0,1]: 0 best first; ¼, ½, ¾, 1: 2, 4, 6, 8 of ten are drawn by lot from the next 40
	Seed        uint64  // of the lots; same seed, same answer
	Bare        bool    // return the items only; no other field of the suggestions is computed
	Order       Order   // any but BestFirst: all that pass the filter; Mode, Diversity and Exploration do not count
	Skip        int     // how many of the first are left out: pages of a longer list
	Later       bool    // leave chances that take draws to Stability: Chance is 0 then, and Certainty Unsaid
	Instead     []int   // titles to replace: none of them comes, and what comes is unlike them
}

// Suggestion is one recommended item.
type Suggestion struct {
	Item     int
	Distance float64 // W2 between the visitor and the item, in latent units
	Match    float64 // share of the catalogue that costs more, in [0,1]; the cost is W2² less the item-item bonus

	// Chance is the chance of what About().Reliability.Of says: that the visitor likes the item if they rate it, or
	// that it stays in their top ten; 0 where Certainty is Unsaid. Certainty is the chance in a word, see
	// ChanceOf.From; Unsaid for a visitor without likes, and by a model that is not calibrated.
	Chance    float64
	Certainty Certainty

	Spread  float64  // radius of the uncertainty along two dimensions, in latent units
	Reasons []Reason // the strongest first, at most three
	// General is the share of what people like in general, in [0,1]; 0 without likes, by a model without a prior, and
	// where the prior speaks against the item.
	General float64
	Pinned  bool // the owner's Rules put it first
}

// Change is what a title would change if it were liked: of the first Top, what would come and what would go, each the
// best first. The title itself is in neither.
type Change struct {
	In, Out  []int
	Variance float64 // Taste.Variance as a share of what it is now
}

// Found is a title that a search found.
type Found struct {
	Item  int
	Score float64 // in (0,1]; 1: the very title
}

// Ellipses are the nested regions that hold a Gaussian's projection with the probabilities Probabilities.
type Ellipses [3]model.Ellipse

// Probabilities are those of Ellipses.
var Probabilities = [3]float64{0.50, 0.80, 0.95}

// Engine is everything the page, the command and the studies ask of a recommender. *Recommender is the only one in this
// module; the interface is narrow so that another engine could take its place.
type Engine interface {
	About() About
	Len() int                   // I, the number of items
	Item(i int) *catalogue.Item // read only
	Columns() []string          // names of the items' further columns, as the site's owner has them; read only
	Genres() []string           // all genres, most frequent first

	Search(query string, limit int) []Found // fuzzy, best first
	Starters(n, page int) []int             // well-known titles of varied genre and decade; pages cycle
	Keeps(f Filter) ItemSet                 // titles that pass the filter
	Count(v Visit, f Filter) int            // titles that pass the filter and that the visit does not mention

	Taste(v Visit, warm *Taste) *Taste // warm: the taste of a visit that differs a little, or nil
	Recommend(v Visit, t *Taste, r Request) []Suggestion
	Together(a, b Visit, ta, tb *Taste, r Request) []Shared        // for two people, near both
	Stability(v Visit, t *Taste, r Request, items []int) []float64 // chance that each stays in the visitor's top ten
	Change(v Visit, t *Taste, r Request, item int) Change          // what liking the item would change
	Question(v Visit, t *Taste) (a, b int, ok bool)                // the two titles to ask about next
	Similar(item int, mentioned Visit, k int) []Suggestion         // nearest items by W2, without the item itself

	Distance(t *Taste, i int) float64  // W2 between the visitor and item i
	Radii(v Visit, t *Taste) []float32 // by item: a distance that ascends in the order of ForYou
	Point(i int) (x, y float64)        // where item i lies on the map, in the unit square
	Regions() []model.Region           // of the map, by ascending level; read only
	Places(v Visit, t *Taste) Places   // the visitor's tastes on the map, and where their next titles lie
}

// About is what is known of the model, for people.
type About struct {
	Dataset     string             // "MovieLens latest small"
	Users       int                // in training
	Items       int                //
	Positives   int                // interactions in training
	Trained     string             // always "": a model file holds no date
	Program     string             // version that wrote the model
	Preset      string             // its settings' name
	Metrics     map[string]float64 // "recall@10" and so on, on held-out data
	Reliability Reliability        // how far its chances can be trusted
	Licence     string             //
	Attribution string             // text the data's licence asks to show
	Digest      string             // SHA-256 of the model's content, hex
	Scan        string             // which kernel scans: "simd", "go" or "avx"
}
