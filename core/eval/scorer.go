package eval

import (
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Scorer is anything that can rank the catalogue for a known user.
type Scorer interface {
	// NumItems returns I.
	NumItems() int
	// Score writes the score of every item for the user into dst, length I; higher is better, no value may be NaN.
	// −Inf is allowed and ranks last. Whatever dst held before does not matter. Score is called from several
	// goroutines at once.
	Score(user int, dst []float32)
}

// Amended is a Scorer with the scores of another but for a few items of each user, say those of a W2 with a sparse
// part beside it. Evaluate then need not ask it for every score. Score(u, dst) must be, bit for bit, what
// Base().Score(u, dst) and Amend(u, dst) write together.
type Amended interface {
	Scorer
	// Base returns the scorer that is amended, over the same items.
	Base() Scorer
	// Touched appends the items whose scores Amend may change for the user, in any order, repeated or not.
	Touched(user int, dst []int32) []int32
	// Amend turns the base's scores of the touched items into their own. dst has length I; at other items it holds
	// anything and must be neither read nor written. Called, as Touched, from several goroutines at once.
	Amend(user int, dst []float32)
}

// Lister is a Scorer that ranks by itself, on another device say.
type Lister interface {
	Scorer
	// Lists writes, for each of the users, what TopK makes of the user's scores without the row of train, into lists. A
	// *NaNError is that of the first such user and the first such item. It is called from several goroutines at once,
	// always with the same train and depth.
	Lists(users []int32, train *dataset.Matrix, depth int, lists [][]int32) error
}

// Pointwise is a Scorer that can score some items without the others.
type Pointwise interface {
	Scorer
	// ScoreSome writes the scores of some items for the user into dst, as long as items: the bits that Score writes for
	// them. It is called from several goroutines at once.
	ScoreSome(user int, items []int32, dst []float32)
}

// W2 ranks items by their Wasserstein distance from the user, nearest first: score(u,i) = −W2²(u,i) (paper, Eq. 3).
// It is made by NewW2.
type W2 struct {
	users, items *gaussian.Table
}

var _ Pointwise = (*W2)(nil)

// NewW2 returns the scorer of users (U×2h) and items (I×2h). The tables are kept, not copied. It panics with
// DimensionError if their dimensions differ.
func NewW2(users, items *gaussian.Table) *W2 {
	if users.Dim() != items.Dim() {
		panic(DimensionError{Users: users.Dim(), Items: items.Dim()})
	}
	return &W2{users: users, items: items}
}

// NumItems returns I.
func (s *W2) NumItems() int { return s.items.Len() }

// Score implements Scorer. O(I·h).
func (s *W2) Score(user int, dst []float32) {
	dst = dst[:s.items.Len()]
	vec.SquaredDistances(dst, s.users.Row(user), s.items.Data())
	for i, d := range dst {
		dst[i] = -d
	}
}

// ScoreSome implements Pointwise. O(len(items)·h).
func (s *W2) ScoreSome(user int, items []int32, dst []float32) {
	vec.SquaredDistancesOf(dst, s.users.Row(user), s.items.Data(), items, nil)
	for i, d := range dst[:len(items)] {
		dst[i] = -d
	}
}

// DimensionError is the value NewW2 panics with where users and items do not live in one space.
type DimensionError struct{ Users, Items int }

func (e DimensionError) Error() string {
	return fmt.Sprintf("eval: users of dimension %d cannot be compared with items of dimension %d", e.Users, e.Items)
}
