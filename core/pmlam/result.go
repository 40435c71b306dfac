package pmlam

import (
	"context"
	"math"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/profile"
)

// Result is what a training learned.
type Result struct {
	Users *gaussian.Table // U×2h: every user's Gaussian; composed where users are composed
	Items *gaussian.Table // I×2h

	UserItem, UserUser, ItemItem *margin.Network // nil where the margin is fixed

	Epoch          int     // the epoch that this is the state of
	ValidationNDCG float64 // NDCG@10 on the validation part; NaN without one
}

// keep copies the current state out.
func (t *Trainer) keep(epoch int, ndcg float64) *Result {
	width := 2 * t.cfg.Dim
	r := &Result{
		Users:          t.usersTable(),
		Items:          gaussian.TableOf(t.cfg.Dim, append([]float32(nil), t.theta.Data()[t.items*width:]...)),
		Epoch:          epoch,
		ValidationNDCG: ndcg,
	}
	for k, dst := range []**margin.Network{&r.UserItem, &r.UserUser, &r.ItemItem} {
		if task := t.tasks[k]; task != nil && task.net != nil {
			*dst = task.net.Clone()
		}
	}
	return r
}

// usersTable returns every user's Gaussian, composed from all their training items where users are composed.
// O(nnz·h).
func (t *Trainer) usersTable() *gaussian.Table {
	users, width := t.train.Rows(), 2*t.cfg.Dim
	out := gaussian.NewTable(users, t.cfg.Dim)
	if t.cfg.UserWeight == 0 {
		copy(out.Data(), t.theta.Data())
		return out
	}
	parallel(t.workers, users, func(_, _, from, to int) {
		sum := make([]float32, width)
		for u := from; u < to; u++ {
			clear(sum)
			row := t.train.Row(u)
			for _, i := range row {
				vec.Axpy(1, t.theta.Row(t.items+int(i)), sum)
			}
			var free []float32
			if t.cfg.FreeUsers {
				free = t.theta.Row(u)
			}
			c := float32(t.cfg.UserWeight) / float32(max(len(row), 1))
			profile.Compose(out.Row(u), free, sum, c, float32(t.cfg.Radius))
		}
	})
	return out
}

// validate returns NDCG@10 on the validation part.
func (t *Trainer) validate(ctx context.Context) (float64, error) {
	width := 2 * t.cfg.Dim
	items := gaussian.TableOf(t.cfg.Dim, t.theta.Data()[t.items*width:])
	r, err := eval.Evaluate(ctx, eval.NewW2(t.usersTable(), items), t.train, t.held, eval.Options{Ks: []int{10}, Workers: t.workers})
	if err != nil {
		return math.NaN(), err
	}
	return r.NDCG[0], nil
}

func zeroLike(n *margin.Network) *margin.Network { return margin.Zero(n.Input, n.Dim(), n.H) }

// Snapshot returns the current state, between epochs.
func (t *Trainer) Snapshot() *Result { return t.keep(t.epoch, math.NaN()) }
