package choose

import (
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// Part is the item-item part chosen for a training.
type Part struct {
	Kind    ItemPart `json:"kind"` // NoItemPart if no part improves the ranking
	Lambda  float64  `json:"lambda,omitempty"`
	Dropout float64  `json:"dropout,omitempty"`
	Gamma   float64  `json:"gamma,omitempty"`
	Top     int      `json:"top,omitempty"`  // links per title, if it differs from the settings
	Pool    int      `json:"pool,omitempty"` // sources that ridge selects them from; 0: Top
}

// Recipe returns the recipe of the settings' item-item part; they must have one.
func Recipe(c *Settings) itemlinks.Recipe {
	r := itemlinks.Recipe{Kind: itemlinks.Kind(c.ItemPart), Top: c.ItemTop}
	if c.ItemPart == RidgePart {
		r.Pool = c.ItemPool
	}
	if c.ItemPart != CosinePart {
		r.Lambda, r.Dropout = c.ItemLambda, c.ItemDropout
	}
	return r
}

// The most items for which EASE is tried, with several regularisers, and with one of them if the data are large. Its I³
// flops take half a second for 3,000 items on two CPUs.
const mostEASEItems, mostLargeEASEItems = 3000, 5000

// mostWideItems is the most items for which 50 links a title are tried, if the data are sparse and have enoughLikes. A
// regression on so many takes ten seconds for 40,000 items, and the links are a fifth of the file.
const mostWideItems = 50_000

// poolLikes is the mean number of likes per item from which links are also selected from a pool, if the data are large.
const poolLikes = 50

// usualRecipes returns the recipes for links: ridge regressions with top sources per title and, if there are few items,
// EASE with more sources, unless onlyTop. Dropout pays on large data. Larger data need a larger λ. With the largest λ,
// many weak links rank like a model of neighbourhoods.
func usualRecipes(train *dataset.Matrix, top int, onlyTop bool) []itemlinks.Recipe {
	likes := float64(train.Len()) / float64(max(train.Cols, 1))
	some := itemlinks.Recipes(top)
	switch {
	case train.Len() < largeData:
	case likes < poolLikes:
		some = itemlinks.SparseRecipes(top)
	default:
		some = itemlinks.DenseRecipes(top)
	}
	if onlyTop {
		return some
	}
	if train.Len() >= enoughLikes && likes < poolLikes && train.Cols <= mostWideItems {
		some = append(some, itemlinks.Recipe{Kind: itemlinks.ByRidge, Top: 50, Lambda: 10, Dropout: 0.3})
	}
	if train.Len() >= largeData && train.Cols <= mostLargeEASEItems {
		some = append(some, itemlinks.Recipe{Kind: itemlinks.ByEASE, Top: 50, Lambda: Readable(10 * math.Sqrt(likes)),
			Dropout: 0.5})
	}
	if train.Cols > mostEASEItems {
		return some
	}
	for _, top := range []int{50, 255, 1000} {
		for _, strength := range []float64{10, 40, 200} {
			if top < 1000 || strength == 200 {
				some = append(some, itemlinks.Recipe{Kind: itemlinks.ByEASE, Top: top,
					Lambda: Readable(strength * math.Sqrt(likes))})
			}
		}
	}
	return some
}

// recipes returns the usual recipes that agree with settings set by hand.
func recipes(c *Settings, byHand []string, usual []itemlinks.Recipe) (some []itemlinks.Recipe) {
	hand := func(name string) bool { return slices.Contains(byHand, name) }
	for _, r := range usual {
		switch {
		case hand("item_part") && r.Kind != itemlinks.Kind(c.ItemPart),
			hand("item_pool") && c.ItemPool > 0 && (r.Kind != itemlinks.ByRidge || r.Top > c.ItemPool):
			continue
		case r.Kind == itemlinks.ByCosine:
		case hand("item_lambda") && hand("item_dropout"):
			r.Lambda, r.Dropout = c.ItemLambda, c.ItemDropout
		case hand("item_lambda"):
			r.Lambda = c.ItemLambda
		case hand("item_dropout"):
			r.Dropout = c.ItemDropout
		}
		if r.Kind == itemlinks.ByRidge && hand("item_pool") {
			r.Pool = c.ItemPool
		}
		if !slices.Contains(some, r) {
			some = append(some, r)
		}
	}
	if len(some) == 0 { // a kind set by hand that is not usual for such data
		some = append(some, Recipe(c))
	}
	return some
}

// ChooseItemPart chooses the item-item part of c, except settings set by hand. It maximises NDCG@10 on parts.Test,
// ranking with a result trained on parts.Train, and returns that NDCG@10.
func ChooseItemPart(ctx context.Context, r *pmlam.Result, parts dataset.Split, c *Settings, byHand []string,
	workers int) (*Part, float64, error) {
	p, found, err := choosePart(ctx, r, parts.Train, parts, recipes(c, byHand, itemlinks.Recipes(c.ItemTop)), c.ItemTop,
		workers)
	if err != nil {
		return nil, 0, err
	}
	return p, found.Best.NDCG, nil
}

// ItemPartOf chooses the item-item part of c for r, a result trained on train, except settings set by hand. It
// maximises NDCG@10 on visits: users whose rows in r are composed from the likes in visits.Train, with the likes to
// find in visits.Test.
func ItemPartOf(ctx context.Context, r *pmlam.Result, train *dataset.Matrix, visits dataset.Split, c *Settings,
	byHand []string, workers int) (*Part, *itemlinks.Choice, error) {
	some := recipes(c, byHand, usualRecipes(train, c.ItemTop, slices.Contains(byHand, "item_top")))
	return choosePart(ctx, r, train, visits, some, c.ItemTop, workers)
}

// choosePart chooses the recipe and γ that rank best with a result trained on train, by NDCG@10 on parts.Test. found
// holds the NDCG@10 with and without it. top is the usual number of links per title.
func choosePart(ctx context.Context, r *pmlam.Result, train *dataset.Matrix, parts dataset.Split,
	some []itemlinks.Recipe, top, workers int) (p *Part, found *itemlinks.Choice, err error) {
	found, err = itemlinks.Choose(ctx, eval.NewW2(r.Users, r.Items), train, parts.Train, parts.Test, some, workers)
	if err != nil {
		return nil, nil, err
	}
	p = &Part{Kind: NoItemPart}
	if best := found.Best; best.Gamma > 0 {
		*p = Part{Kind: ItemPart(best.Kind), Lambda: best.Lambda, Dropout: best.Dropout,
			Gamma: Readable(float64(best.Gamma)), Pool: best.Pool}
		if best.Top != top {
			p.Top = best.Top
		}
	}
	return p, found, nil
}

func (p *Part) ApplyTo(c *Settings) {
	c.ItemPart, c.ItemPool, c.ItemDropout = p.Kind, p.Pool, p.Dropout
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
