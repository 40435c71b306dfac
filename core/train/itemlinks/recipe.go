package itemlinks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
)

// Kind names a method of weighting links.
type Kind string

const (
	ByCosine Kind = "cosine" // Cosine
	ByRidge  Kind = "ridge"  // Ridge
	ByEASE   Kind = "ease"   // EASE
)

// Recipe describes how to build links, except their γ.
type Recipe struct {
	Kind   Kind    `json:"kind"`
	Top    int     `json:"top"`              // sources per target, ≥ 1
	Pool   int     `json:"pool,omitempty"`   // of ByRidge: sources to select the Top from; 0: Top
	Lambda float64 `json:"lambda,omitempty"` // λ > 0 of ByRidge and ByEASE
	// p in [0, 1) of ByRidge and ByEASE: λ becomes λ + p/(1−p)·n for a source with n users
	Dropout float64 `json:"dropout,omitempty"`
}

func (r Recipe) String() string {
	if r.Kind == ByCosine {
		return fmt.Sprintf("%s, %d sources", r.Kind, r.Top)
	}
	text := fmt.Sprintf("%s, %d sources of a pool of %d, λ %g", r.Kind, r.Top, r.Sources(), r.Lambda)
	if r.Dropout > 0 {
		text += fmt.Sprintf(", dropout %g", r.Dropout)
	}
	return text
}

// Recipes returns the usual recipes for Choose, with top sources per target (at most 64). On six validation parts of
// MovieLens small's first fold, a tenth each, ridge regression with λ 20 or 50 was always best or second. EASE's
// largest weights came close for 10 sources, and cosines were far behind; ridge regression also leads on large sparse
// data. 20 sources are slightly better than 10 and almost double the added file size. Shrunk or asymmetric cosines, all
// of EASE's weights, and a γ divided by the length of the history or its square root make no difference on MovieLens
// small.
func Recipes(top int) []Recipe {
	return []Recipe{
		{Kind: ByRidge, Top: top, Lambda: 20}, {Kind: ByRidge, Top: top, Lambda: 50}, {Kind: ByRidge, Top: top,
			Lambda: 100},
		{Kind: ByCosine, Top: top},
	}
}

// SparseRecipes returns the recipes for large data with few likes per item, where a regression on more sources than are
// kept fits noise. Dropout is as good as 50 sources on Yelp2018 (core/lab/docs/unseen.md).
func SparseRecipes(top int) []Recipe {
	return []Recipe{{Kind: ByRidge, Top: top, Lambda: 20}, {Kind: ByRidge, Top: top, Lambda: 50},
		{Kind: ByRidge, Top: top, Lambda: 10, Dropout: 0.3}}
}

// DenseRecipes returns the recipes for large data with many likes per item. There the sources of highest cosine are
// much alike, and a regression on MaxPool of them finds better ones.
func DenseRecipes(top int) []Recipe {
	return []Recipe{
		{Kind: ByRidge, Top: top, Lambda: 50},
		{Kind: ByRidge, Top: top, Pool: MaxPool, Lambda: 50}, {Kind: ByRidge, Top: top, Pool: MaxPool, Lambda: 200},
	}
}

// Sources returns the number of sources in a regression: the pool, or Top if that is larger.
func (r Recipe) Sources() int { return max(r.Pool, r.Top) }

// Check returns an error if the recipe is invalid.
func (r Recipe) Check() error {
	switch {
	case r.Kind != ByCosine && r.Kind != ByRidge && r.Kind != ByEASE:
		return fmt.Errorf("unknown kind of item links %q; use %s, %s or %s", brief.Text(string(r.Kind)),
			ByCosine, ByRidge, ByEASE)
	case r.Top < 1:
		return fmt.Errorf("item links need at least 1 source per target, not %d", r.Top)
	case r.Kind == ByRidge && r.Sources() > MaxPool:
		return fmt.Errorf("ridge regression has at most %d sources per target, not %d", MaxPool, r.Sources())
	case r.Kind == ByRidge && (!(r.Lambda > 0) || math.IsInf(r.Lambda, 0)):
		return fmt.Errorf("λ of ridge regression must be a positive number, not %g", r.Lambda)
	case !(r.Dropout >= 0 && r.Dropout < 1):
		return fmt.Errorf("dropout of item links must be at least 0 and below 1, not %g", r.Dropout)
	}
	return nil
}

// Build builds the links, with γ = 1. It fails if the recipe is invalid.
func (r Recipe) Build(ctx context.Context, train *dataset.Matrix, workers int) (*model.ItemLinks, error) {
	return r.BuildFor(ctx, train, nil, workers)
}

// BuildFor is Build for some targets (nil: all); other items have no sources. EASE costs the same for one target as for
// all, the other kinds cost in proportion.
func (r Recipe) BuildFor(ctx context.Context, train *dataset.Matrix, targets []int, workers int) (*model.ItemLinks,
	error) {
	return one(build(ctx, train, targets, []Recipe{r}, workers))
}

// build builds the links of several recipes for some targets (nil: all), with γ = 1. Regressions share one search for
// sources, and EASE with the same regulariser one inverse.
func build(ctx context.Context, train *dataset.Matrix, targets []int, recipes []Recipe, workers int) (
	[]*model.ItemLinks, error) {
	parts := make([]*model.ItemLinks, len(recipes))
	var at []int // of the regressions
	for k, r := range recipes {
		err := r.Check()
		switch {
		case err != nil:
		case r.Kind == ByCosine:
			parts[k], err = nearest(ctx, train, targets, r.Top, workers)
		case r.Kind == ByRidge:
			at = append(at, k)
		case r.Kind == ByEASE && parts[k] == nil:
			err = easeOf(ctx, train, targets, recipes, k, parts, workers)
		}
		if err != nil {
			return nil, err
		}
	}
	if at == nil {
		return parts, nil
	}
	slices.SortStableFunc(at, func(a, b int) int { return recipes[b].Sources() - recipes[a].Sources() })
	regressions := make([]Recipe, len(at))
	for k, a := range at {
		regressions[k] = recipes[a]
	}
	found, err := regress(ctx, train, targets, regressions, workers)
	for k := range found {
		parts[at[k]] = found[k]
	}
	return parts, err
}

// easeOf builds the links of recipe k and of later ones that differ in Top alone.
func easeOf(ctx context.Context, train *dataset.Matrix, targets []int, recipes []Recipe, k int,
	parts []*model.ItemLinks, workers int) error {
	var at, tops []int
	for j := k; j < len(recipes); j++ {
		r := recipes[j]
		same := r
		if same.Top = recipes[k].Top; same == recipes[k] && r.Check() == nil {
			at, tops = append(at, j), append(tops, r.Top)
		}
	}
	found, err := ease(ctx, train, targets, recipes[k], tops, workers)
	for j := range found {
		parts[at[j]] = found[j]
	}
	return err
}
