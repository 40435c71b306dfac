package fit

import (
	"context"
	"fmt"

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

// Recipes are what Choose is usually given. On validation parts of MovieLens small the two, 50 sources, shrunk and
// asymmetric cosines, and EASE's weights for λ from 50 to 800 with 10 sources or with all, all lie within the noise of
// one another; the cosine costs no I³ and few sources little space.
var Recipes = []Recipe{{Kind: ByCosine, Top: 10}, {Kind: ByCosine, Top: 20}}

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
