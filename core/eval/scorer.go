package eval

import (
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Scorer ranks the catalogue for a known user.
type Scorer interface {
	// NumItems returns I.
	NumItems() int
	// Score writes the score of every item for the user to dst, of length I. Higher is better; −Inf ranks last, and NaN
	// is not allowed. The previous content of dst does not matter. Score is called concurrently.
	Score(user int, dst []float32)
}

// Amended is a Scorer that changes another's scores for only a few items of each user, for example a W2 plus sparse
// item links. Evaluate then need not compute every score. Score(u, dst) must equal Base().Score(u, dst) followed by
// Amend(u, dst), bit for bit.
type Amended interface {
	Scorer
	// Base returns the underlying scorer, over the same items.
	Base() Scorer
	// Touched appends the items whose scores Amend may change for the user, in any order, possibly repeated.
	Touched(user int, dst []int32) []int32
	// Amend turns the base's scores of the touched items into its own. dst has length I; it is undefined at other items
	// and must be neither read nor written there. Like Touched, it is called concurrently.
	Amend(user int, dst []float32)
}

// Lister is a Scorer that ranks by itself, for example on another device.
type Lister interface {
	Scorer
	// Lists writes to lists, for each of the users, TopK of the user's scores without the row of train. A *NaNError
	// names the first such user and the first such item. It is called concurrently, always with the same train and
	// depth.
	Lists(users []int32, train *dataset.Matrix, depth int, lists [][]int32) error
}

// Pointwise is a Scorer that can score some items without the others.
type Pointwise interface {
	Scorer
	// ScoreSome writes the scores of some items for the user to dst, which is as long as items, with the same bits as
	// Score. It is called concurrently.
	ScoreSome(user int, items []int32, dst []float32)
}

// W2 ranks items by their Wasserstein distance from the user, nearest first: score(u,i) = −W2²(u,i) (paper, Eq. 3).
// NewW2 makes it.
type W2 struct {
	users, items *gaussian.Table
}

var _ Pointwise = (*W2)(nil)

// NewW2 returns the scorer of users (U×2h) and items (I×2h). It keeps the tables without copying. It panics with
// DimensionError if their dimensions differ.
func NewW2(users, items *gaussian.Table) *W2 {
	if users.Dim() != items.Dim() {
		panic(DimensionError{Users: users.Dim(), Items: items.Dim()})
	}
	return &W2{users: users, items: items}
}

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

// DimensionError is the panic value of NewW2 if users and items differ in dimension.
type DimensionError struct{ Users, Items int }

func (e DimensionError) Error() string {
	return fmt.Sprintf("eval: users have dimension %d, but items have dimension %d", e.Users, e.Items)
}
