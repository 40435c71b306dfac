package coldstart

import (
	"context"
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// Held reports the share of the places in lists of similar items that go to items without likes.
type Held struct {
	Share  float64 `json:"share"`  // target
	Before float64 `json:"before"` // before Hold
	After  float64 `json:"after"`
}

const (
	heldPlaces  = 10    // in a list
	heldLists   = 1500  // lists that are counted, for items spread over the catalogue
	heldSteps   = 6     // bisections of the range of D
	leastHeld   = 0.001 // first D to try
	heldEnough  = 0.005 // tolerance above the target
	heldInBlock = 64
)

// AddHeld calls Add and, if items were added, Hold with about.Share.
func AddHeld(ctx context.Context, m *model.Model, about Items, workers int) (*model.Model, *Report, error) {
	with, r, err := Add(ctx, m, about, workers)
	if err != nil || r.Added == 0 {
		return with, r, err
	}
	r.Held, err = Hold(ctx, with, m.Items.Len(), about.Share)
	return with, r, err
}

// Hold moves the items of m numbered from and above away from all others, until items without likes have at most this
// share of the places in lists of similar items. A share of 0 means their share of the catalogue; 1 or more moves
// nothing. Predicted rows are nearer to the middle than learned ones, and rows with similar features are near each
// other, so such items would crowd the lists. An item moves by t in n coordinates of s chosen for it, with
//
//	n·t² = D        n = ⌈D²⌉, at most h/7: ‖Σ‖ ≤ 1 has room for D ≤ √n
//
// so W2² grows by about D to learned items, and by 2D to others without likes. A search finds the least D that meets
// the target, measured on the first 10 places of 1,500 lists. Held shows if none does. O(search·lists·I·h).
func Hold(ctx context.Context, m *model.Model, from int, share float64) (*Held, error) {
	n := m.Items.Len()
	cold := make([]bool, n)
	all := 0
	for i := range cold {
		if cold[i] = m.Catalogue.Items[i].Count == 0; cold[i] {
			all++
		}
	}
	if all == 0 || all == n || share >= 1 || from >= n {
		return nil, nil
	}
	h := &Held{Share: share}
	if share <= 0 {
		h.Share = float64(all) / float64(n)
	}
	kept := gaussian.NewTable(n-from, m.Items.Dim())
	for i := from; i < n; i++ {
		copy(kept.Row(i-from), m.Items.Row(i))
	}
	half := m.Items.Dim() / 2
	most := math.Sqrt(float64(half) / 7)
	try := func(d float64) (float64, error) {
		for i := from; i < n; i++ {
			row := m.Items.Row(i)
			copy(row, kept.Row(i-from))
			if d > 0 {
				moveApart(row[half:], i, d)
				gaussian.Bound(row, m.Objective.Radius)
			}
		}
		return coldPlaces(ctx, m, cold)
	}
	var err error
	if h.Before, err = try(0); err != nil {
		return nil, err
	}
	if h.After = h.Before; h.Before <= h.Share+heldEnough {
		return h, nil
	}
	low, high := 0.0, leastHeld
	for {
		if h.After, err = try(high); err != nil {
			return nil, err
		}
		if h.After <= h.Share+heldEnough || high >= most {
			break
		}
		low, high = high, min(2*high, most)
	}
	if h.After > h.Share+heldEnough {
		return h, nil // as far as they can be moved
	}
	for range heldSteps {
		middle := (low + high) / 2
		after, err := try(middle)
		if err != nil {
			return nil, err
		}
		if after <= h.Share+heldEnough {
			high = middle
		} else {
			low = middle
		}
	}
	h.After, err = try(high)
	return h, err
}

// moveApart moves item i by D = d, see Hold.
func moveApart(s []float32, i int, d float64) {
	h := len(s)
	n := min(int(math.Ceil(d*d)), max(h/7, 1))
	t := float32(math.Sqrt(d / float64(n)))
	stride := 1 + i/h%max(h-1, 1)
	for gcd(stride, h) != 1 {
		stride++
	}
	for k := range n {
		s[(i+k*stride)%h] += t
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// coldPlaces returns the share of the places in lists of similar items that go to cold items.
func coldPlaces(ctx context.Context, m *model.Model, cold []bool) (float64, error) {
	plain := &model.Model{Catalogue: m.Catalogue, Items: m.Items, Objective: m.Objective, Precision: m.Precision}
	r, err := recommend.Open(plain, recommend.Options{})
	if err != nil {
		return 0, err
	}
	n := r.Len()
	step := max(1, (n+heldLists-1)/heldLists)
	places, theirs := 0, 0
	for at := 0; at < n; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		var block []int
		for ; at < n && len(block) < heldInBlock; at += step {
			block = append(block, at)
		}
		for _, list := range r.SimilarItems(block, heldPlaces) {
			for _, i := range list {
				if places++; cold[i] {
					theirs++
				}
			}
		}
	}
	if places == 0 {
		return 0, nil
	}
	return float64(theirs) / float64(places), nil
}
