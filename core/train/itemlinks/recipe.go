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

// Kind is a way of finding the weights of a part.
type Kind string

// The kinds.
const (
	ByCosine Kind = "cosine" // Cosine
	ByRidge  Kind = "ridge"  // Ridge
	ByEASE   Kind = "ease"   // EASE
)

// Recipe says how a part is found, all but its γ.
type Recipe struct {
	Kind   Kind    `json:"kind"`
	Top    int     `json:"top"`              // sources a target, ≥ 1
	Pool   int     `json:"pool,omitempty"`   // of ByRidge: sources that the Top are taken from; 0: Top
	Lambda float64 `json:"lambda,omitempty"` // λ > 0 of ByRidge and ByEASE
}

func (r Recipe) String() string {
	if r.Kind == ByCosine {
		return fmt.Sprintf("%s, %d sources", r.Kind, r.Top)
	}
	return fmt.Sprintf("%s, %d sources of a pool of %d, λ %g", r.Kind, r.Top, r.Sources(), r.Lambda)
}

// Recipes returns the recipes that Choose is usually given, for links with so many sources a target (at most 64). On
// six validation parts of MovieLens small's first fold, a tenth each, ridge regression with λ 20 or 50 was the best or
// next to it every time, EASE's largest weights came near for 10 sources, and cosines were far behind; on its own it
// also leads on large sparse data. 20 sources are a little better than 10 and nearly double the added size of the file.
// No difference on MovieLens small: shrunk and asymmetric cosines, all of EASE's weights in place of the largest, and a
// γ divided by the length of the history or its root.
func Recipes(top int) []Recipe {
	return []Recipe{
		{Kind: ByRidge, Top: top, Lambda: 20}, {Kind: ByRidge, Top: top, Lambda: 50}, {Kind: ByRidge, Top: top,
			Lambda: 100},
		{Kind: ByCosine, Top: top},
	}
}

// SparseRecipes returns the recipes that Choose is given on large data where items have few likes, in place of Recipes:
// there a regression on more sources than are kept finds noise.
func SparseRecipes(top int) []Recipe {
	return []Recipe{{Kind: ByRidge, Top: top, Lambda: 20}, {Kind: ByRidge, Top: top, Lambda: 50}}
}

// DenseRecipes is SparseRecipes where items have many likes: the sources of highest cosine are much alike, and a
// regression on MaxPool of them finds better ones.
func DenseRecipes(top int) []Recipe {
	return []Recipe{
		{Kind: ByRidge, Top: top, Lambda: 50},
		{Kind: ByRidge, Top: top, Pool: MaxPool, Lambda: 50}, {Kind: ByRidge, Top: top, Pool: MaxPool, Lambda: 200},
	}
}

// Sources returns how many sources a regression has: the pool, or as many as are kept.
func (r Recipe) Sources() int { return max(r.Pool, r.Top) }

// Check returns an error for a recipe that cannot be.
func (r Recipe) Check() error {
	switch {
	case r.Kind != ByCosine && r.Kind != ByRidge && r.Kind != ByEASE:
		return fmt.Errorf("unknown kind of item-item part %q: it must be %s, %s or %s", brief.Text(string(r.Kind)),
			ByCosine, ByRidge, ByEASE)
	case r.Top < 1:
		return fmt.Errorf("an item-item part of %d sources a target is asked for; at least 1 is needed", r.Top)
	case r.Kind == ByRidge && r.Sources() > MaxPool:
		return fmt.Errorf("an item-item part by ridge regression is asked for with %d sources a target; it has at "+
			"most %d", r.Sources(), MaxPool)
	case r.Kind == ByRidge && (!(r.Lambda > 0) || math.IsInf(r.Lambda, 0)):
		return fmt.Errorf("an item-item part by ridge regression is asked for with λ = %g; λ must be a positive number",
			r.Lambda)
	}
	return nil
}

// Build finds the part, with γ = 1. It returns an error for a recipe that cannot be.
func (r Recipe) Build(ctx context.Context, train *dataset.Matrix, workers int) (*model.ItemLinks, error) {
	return r.BuildFor(ctx, train, nil, workers)
}

// BuildFor is Build for some targets, nil for all: the others have no sources. EASE costs as much for one as for all,
// the other kinds in proportion.
func (r Recipe) BuildFor(ctx context.Context, train *dataset.Matrix, targets []int, workers int) (*model.ItemLinks,
	error) {
	return one(build(ctx, train, targets, []Recipe{r}, workers))
}

// build finds the parts of several recipes for some targets, nil for all, with γ = 1. Regressions search for sources
// once.
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
		case r.Kind == ByEASE:
			parts[k], err = ease(ctx, train, targets, r.Lambda, r.Top, workers)
		}
		if err != nil {
			return nil, err
		}
	}
	if at == nil {
		return parts, nil
	}
	// Those on the same sources follow one another, so that they share what is counted of them.
	slices.SortStableFunc(at, func(a, b int) int { return recipes[a].Sources() - recipes[b].Sources() })
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
