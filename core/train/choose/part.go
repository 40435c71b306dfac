package choose

import (
	"context"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// Part is the item-item part chosen for a training.
type Part struct {
	Kind   ItemPart `json:"kind"` // NoItemPart if no part improves the ranking
	Lambda float64  `json:"lambda,omitempty"`
	Gamma  float64  `json:"gamma,omitempty"`
	Top    int      `json:"top,omitempty"`  // links per title, if it differs from the settings
	Pool   int      `json:"pool,omitempty"` // sources that ridge selects them from; 0: Top
}

// Recipe returns the recipe of the settings' item-item part; they must have one.
func Recipe(c *Settings) itemlinks.Recipe {
	r := itemlinks.Recipe{Kind: itemlinks.Kind(c.ItemPart), Top: c.ItemTop}
	if c.ItemPart == RidgePart {
		r.Pool = c.ItemPool
	}
	if c.ItemPart != CosinePart {
		r.Lambda = c.ItemLambda
	}
	return r
}

// recipes returns the recipes to choose from: the usual ones for each number of links per title in tops, except those
// that contradict settings set by hand.
func recipes(c *Settings, byHand []string, usual func(top int) []itemlinks.Recipe, tops ...int) (
	some []itemlinks.Recipe) {
	kind, lambda := slices.Contains(byHand, "item_part"), slices.Contains(byHand, "item_lambda")
	pool := slices.Contains(byHand, "item_pool")
	if kind && c.ItemPart != RidgePart {
		usual = itemlinks.Recipes // those for large data omit cosines
	}
	for _, top := range tops {
		if c.ItemPart == EASEPart { // it costs I³, so only on request
			r := Recipe(c)
			r.Top = top
			some = append(some, r)
			continue
		}
		for _, r := range usual(top) {
			if r.Kind == itemlinks.ByRidge && lambda {
				r.Lambda = c.ItemLambda
			}
			if r.Kind == itemlinks.ByRidge && pool {
				r.Pool = c.ItemPool
			}
			if pool && c.ItemPool > 0 && (r.Kind != itemlinks.ByRidge || top > c.ItemPool) {
				continue // excluded by a pool set by hand
			}
			if (!kind || r.Kind == itemlinks.Kind(c.ItemPart)) && !slices.Contains(some, r) {
				some = append(some, r)
			}
		}
	}
	return some
}

// ChooseItemPart chooses the item-item part of c, except settings set by hand. It maximises NDCG@10 on parts.Test,
// ranking with a result trained on parts.Train, and returns that NDCG@10.
func ChooseItemPart(ctx context.Context, r *pmlam.Result, parts dataset.Split, c *Settings, byHand []string,
	workers int) (*Part, float64, error) {
	p, found, err := choosePart(ctx, r, parts, recipes(c, byHand, itemlinks.Recipes, c.ItemTop), c.ItemTop, workers)
	if err != nil {
		return nil, 0, err
	}
	return p, found.Best.NDCG, nil
}

// choosePart chooses the recipe and γ that rank best with a result trained on parts.Train, by NDCG@10 on parts.Test.
// found holds the NDCG@10 with and without it. top is the usual number of links per title.
func choosePart(ctx context.Context, r *pmlam.Result, parts dataset.Split, some []itemlinks.Recipe, top, workers int) (
	p *Part, found *itemlinks.Choice, err error) {
	found, err = itemlinks.Choose(ctx, eval.NewW2(r.Users, r.Items), parts.Train, parts.Test, some, workers)
	if err != nil {
		return nil, nil, err
	}
	p = &Part{Kind: NoItemPart}
	if best := found.Best; best.Gamma > 0 {
		*p = Part{Kind: ItemPart(best.Kind), Lambda: best.Lambda, Gamma: Readable(float64(best.Gamma)),
			Pool: best.Pool}
		if best.Top != top {
			p.Top = best.Top
		}
	}
	return p, found, nil
}

func (p *Part) ApplyTo(c *Settings) {
	c.ItemPart, c.ItemPool = p.Kind, p.Pool
	if p.Gamma > 0 {
		c.ItemWeight = p.Gamma
	}
	if p.Top > 0 {
		c.ItemTop = p.Top
	}
	if p.Lambda > 0 {
		c.ItemLambda = p.Lambda
	}
}
