package pmlam

import (
	"math"
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
)

// Result is the result of a training.
type Result struct {
	Users *gaussian.Table // U×2h: every user's Gaussian, composed if users are composed
	Items *gaussian.Table // I×2h

	// I×2h: the learned rows that Items are composed of (Config.Shrinkage), or Items itself
	Own *gaussian.Table

	UserItem, UserUser, ItemItem *margin.Network // nil if the margin is fixed

	Epoch          int     // the epoch whose state this is
	Batches        int     // batches of the next epoch also included, if the training stopped within one
	ValidationNDCG float64 // NDCG@10 on the validation part; NaN if this state was not measured
}

// networks returns the margin networks by task; nil if the margin is fixed.
func (t *Trainer) networks() (nets [3]*margin.Network) {
	for k, task := range t.tasks {
		if task != nil {
			nets[k] = task.net
		}
	}
	return nets
}

// result returns the best state, or the present one without a validation. It shares the trainer's memory.
func (t *Trainer) result() *Result {
	theta, nets := t.theta, t.networks()
	r := &Result{ValidationNDCG: math.NaN()}
	r.Epoch, r.Batches = t.Epochs()
	if best := t.Best(); best != nil {
		theta = gaussian.TableOf(t.cfg.Dim, best.Tensor("theta"))
		for k, net := range nets {
			if net != nil {
				nets[k] = net.Clone()
				nets[k].Parameters(func(name string, values []float32) {
					copy(values, best.Tensor(t.tasks[k].name+"."+name))
				})
			}
		}
		r.Epoch, r.Batches, r.ValidationNDCG = best.Epoch, 0, best.NDCG
	}
	r.Own, r.Items = t.ownTable(theta), t.itemsTable(theta)
	r.Users = t.usersTable(theta, r.Items)
	r.UserItem, r.UserUser, r.ItemItem = nets[userItem], nets[userUser], nets[itemItem]
	return r
}

// itemsTable returns the items' rows: their part of theta, sharing its memory, or rows composed of it.
func (t *Trainer) itemsTable(theta *gaussian.Table) *gaussian.Table {
	if t.shrunk != nil {
		return t.shrunk.table(&t.cfg, theta, t.items, t.workers)
	}
	return t.ownTable(theta)
}

// ownTable returns the items' part of theta, sharing its memory.
func (t *Trainer) ownTable(theta *gaussian.Table) *gaussian.Table {
	return gaussian.TableOf(t.cfg.Dim, theta.Data()[t.items*2*t.cfg.Dim:])
}

// usersTable returns every user's Gaussian. That is the users' part of theta, sharing its memory unless some users have
// no likes. If users are composed, it is a new table composed from all their training items. Users without items get
// the row of visitors without likes (gaussian.Composition.Silent). O(nnz·h) if composed.
func (t *Trainer) usersTable(theta, items *gaussian.Table) *gaussian.Table {
	users, width := t.train.Rows(), 2*t.cfg.Dim
	silent := sync.OnceValue(func() []float32 { return t.silent(items) })
	if t.cfg.UserWeight == 0 {
		learned := gaussian.TableOf(t.cfg.Dim, theta.Data()[:users*width:users*width])
		out := learned
		for u := range users {
			if len(t.train.Row(u)) == 0 {
				if out == learned {
					out = learned.Clone()
				}
				copy(out.Row(u), silent())
			}
		}
		return out
	}
	out := gaussian.NewTable(users, t.cfg.Dim)
	parallel.Do(t.workers, users, func(_, _, from, to int) {
		sum := make([]float32, width)
		for u := from; u < to; u++ {
			row := t.train.Row(u)
			if len(row) == 0 {
				copy(out.Row(u), silent())
				continue
			}
			var free []float32
			if t.cfg.FreeUsers {
				free = theta.Row(u)
			}
			t.cfg.compose(out.Row(u), free, items, row, sum)
		}
	})
	return out
}

// compose writes the row of a user with the given free part (nil: none) and at least one liked item. sum is scratch
// memory for a row. O(n·h).
func (c *Config) compose(dst, free []float32, items *gaussian.Table, liked []int32, sum []float32) {
	clear(sum)
	for _, i := range liked {
		vec.Axpy(1, items.Row(int(i)), sum)
	}
	gaussian.Compose(dst, free, sum, float32(c.UserWeight)/float32(len(liked)), float32(c.Radius))
}

// Compose gives users that the training has not seen rows composed from their rows of likes (U×I). Users without likes
// keep theirs. cfg must be the training's, and must compose users without free parts (Config.ComposesAnybody).
// O(nnz·h) of these users.
func (r *Result) Compose(users []int, likes *dataset.Matrix, cfg Config) {
	sum := make([]float32, 2*cfg.Dim)
	for _, u := range users {
		if row := likes.Row(u); len(row) > 0 {
			cfg.compose(r.Users.Row(u), nil, r.Items, row, sum)
		}
	}
}

// silent returns the row of a user without training items. O(nnz + I·h).
func (t *Trainer) silent(items *gaussian.Table) []float32 {
	counts := make([]float64, t.train.Cols)
	for _, i := range t.train.Indices {
		counts[i]++
	}
	mean := make([]float32, 2*t.cfg.Dim)
	for d, m := range items.WeightedMean(func(i int) float64 { return counts[i] }) {
		mean[d] = float32(m)
	}
	return t.cfg.composition().Silent(mean, float32(t.cfg.Radius))
}

func zeroLike(n *margin.Network) *margin.Network { return margin.Zero(n.Input, n.Dim(), n.H) }
