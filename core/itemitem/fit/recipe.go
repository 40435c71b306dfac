package fit

import (
	"context"
	"fmt"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/itemitem"
)

// Kind is a way of finding the weights of a part.
type Kind string

// The kinds.
const (
	ByCosine Kind = "cosine" // Cosine
	ByEASE   Kind = "ease"   // EASE
)

// Recipe says how a part is found, all but its γ.
type Recipe struct {
	Kind   Kind    `json:"kind"`
	Top    int     `json:"top"`              // sources a target, ≥ 1
	Lambda float64 `json:"lambda,omitempty"` // λ > 0 of ByEASE
}

func (r Recipe) String() string {
	if r.Kind == ByEASE {
		return fmt.Sprintf("%s λ %g, top %d", r.Kind, r.Lambda, r.Top)
	}
	return fmt.Sprintf("%s, top %d", r.Kind, r.Top)
}

// maxEASE is the most items for which Recipes has EASE: a few seconds and 300 MB. It accepts more when it is asked.
const maxEASE = 5000

// Recipes returns what Choose is usually given for a catalogue of so many items. On validation parts of MovieLens small
// all of these lie within the noise of one another, and so do 50 sources, shrunk and asymmetric cosines, other λ from 50 to
// 800, all of EASE's weights in place of the largest, and a γ that is divided by the length of the history or its root.
func Recipes(items int) []Recipe {
	r := []Recipe{{Kind: ByCosine, Top: 10}, {Kind: ByCosine, Top: 20}}
	if items <= maxEASE {
		const lambda = baseline.DefaultLambda
		r = append(r, Recipe{Kind: ByEASE, Lambda: lambda, Top: 10}, Recipe{Kind: ByEASE, Lambda: lambda, Top: 20})
	}
	return r
}

// Build finds the part, with γ = 1. It returns an error for a recipe that cannot be.
func (r Recipe) Build(ctx context.Context, train *dataset.Matrix, workers int) (*itemitem.Part, error) {
	if r.Top < 1 {
		return nil, fmt.Errorf("an item-item part of %d sources a target is asked for; at least 1 is needed", r.Top)
	}
	switch r.Kind {
	case ByCosine:
		return Cosine(ctx, train, r.Top, workers)
	case ByEASE:
		return EASE(ctx, train, r.Lambda, r.Top, workers)
	}
	return nil, fmt.Errorf("unknown kind of item-item part %q: it must be %s or %s", r.Kind, ByCosine, ByEASE)
}
