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

	Epoch          int     // the epoch after which this was the state
	Batches        int     // batches of the next epoch that are in it too, where the training was stopped within one
	ValidationNDCG float64 // NDCG@10 on the validation part; NaN where this state was not measured
}

// state is a copy of what was learned, of the best epoch.
type state struct {
	theta []float32 // N×2h
	nets  [3]*margin.Network
	epoch int
	ndcg  float64
}

// remember copies the present state into best, whose memory is used again.
func (t *Trainer) remember(epoch int, ndcg float64) {
	if t.best == nil {
		t.best = t.emptyState()
	}
	s := t.best
	copy(s.theta, t.theta.Data())
	for k, net := range t.networks() {
		if net != nil {
			s.nets[k] = net.Clone()
		}
	}
	s.epoch, s.ndcg = epoch, ndcg
}

// emptyState makes room for a copy of the table.
func (t *Trainer) emptyState() *state { return &state{theta: make([]float32, len(t.theta.Data()))} }

// networks returns the margin networks by task; nil where the margin is fixed.
func (t *Trainer) networks() (nets [3]*margin.Network) {
	for k, task := range t.tasks {
		if task != nil {
			nets[k] = task.net
		}
	}
	return nets
}

// result hands out the best state, or the present one where no validation has chosen. It shares its memory.
func (t *Trainer) result() *Result {
	theta, nets := t.theta, t.networks()
	r := &Result{Epoch: t.epoch, Batches: t.batchesIn(t.at), ValidationNDCG: math.NaN()}
	if t.best != nil {
		theta, nets = gaussian.TableOf(t.cfg.Dim, t.best.theta), t.best.nets
		r.Epoch, r.Batches, r.ValidationNDCG = t.best.epoch, 0, t.best.ndcg
	}
	r.Users, r.Items = t.usersTable(theta), t.itemsTable(theta)
	r.UserItem, r.UserUser, r.ItemItem = nets[userItem], nets[userUser], nets[itemItem]
	return r
}

// itemsTable returns the items' part of theta, which it shares.
func (t *Trainer) itemsTable(theta *gaussian.Table) *gaussian.Table {
	return gaussian.TableOf(t.cfg.Dim, theta.Data()[t.items*2*t.cfg.Dim:])
}

// usersTable returns every user's Gaussian: the users' part of theta, which it shares; or, where users are composed,
// a table of them, composed from all their training items. O(nnz·h) then.
func (t *Trainer) usersTable(theta *gaussian.Table) *gaussian.Table {
	users, width := t.train.Rows(), 2*t.cfg.Dim
	if t.cfg.UserWeight == 0 {
		return gaussian.TableOf(t.cfg.Dim, theta.Data()[:users*width:users*width])
	}
	out := gaussian.NewTable(users, t.cfg.Dim)
	parallel(t.workers, users, func(_, _, from, to int) {
		sum := make([]float32, width)
		for u := from; u < to; u++ {
			clear(sum)
			row := t.train.Row(u)
			for _, i := range row {
				vec.Axpy(1, theta.Row(t.items+int(i)), sum)
			}
			var free []float32
			if t.cfg.FreeUsers {
				free = theta.Row(u)
			}
			c := float32(t.cfg.UserWeight) / float32(max(len(row), 1))
			profile.Compose(out.Row(u), free, sum, c, float32(t.cfg.Radius))
		}
	})
	return out
}

// validate returns NDCG@10 and Recall@10 on the validation part.
func (t *Trainer) validate(ctx context.Context) (ndcg, recall float64, err error) {
	scorer := eval.NewW2(t.usersTable(t.theta), t.itemsTable(t.theta))
	r, err := eval.Evaluate(ctx, scorer, t.train, t.held, eval.Options{Ks: []int{10}, Workers: t.workers})
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	return r.NDCG[0], r.Recall[0], nil
}

func zeroLike(n *margin.Network) *margin.Network { return margin.Zero(n.Input, n.Dim(), n.H) }
