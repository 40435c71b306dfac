package pmlam

import (
	"math"
	"sync"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
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

// networks returns the margin networks by task; nil where the margin is fixed.
func (t *Trainer) networks() (nets [3]*margin.Network) {
	for k, task := range t.tasks {
		if task != nil {
			nets[k] = task.net
		}
	}
	return nets
}

// result returns the best state, or the present one where there was no validation. It shares its memory.
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
	r.Users, r.Items = t.usersTable(theta), t.itemsTable(theta)
	r.UserItem, r.UserUser, r.ItemItem = nets[userItem], nets[userUser], nets[itemItem]
	return r
}

// itemsTable returns the items' part of theta, which it shares.
func (t *Trainer) itemsTable(theta *gaussian.Table) *gaussian.Table {
	return gaussian.TableOf(t.cfg.Dim, theta.Data()[t.items*2*t.cfg.Dim:])
}

// usersTable returns every user's Gaussian: the users' part of theta, which it shares; or, where users are composed,
// a table of them, composed from all their training items. Users without any are composed of the mean of all training
// items, each as often as it is liked, as visitors who have said nothing are. O(nnz·h) then.
func (t *Trainer) usersTable(theta *gaussian.Table) *gaussian.Table {
	users, width := t.train.Rows(), 2*t.cfg.Dim
	if t.cfg.UserWeight == 0 {
		return gaussian.TableOf(t.cfg.Dim, theta.Data()[:users*width:users*width])
	}
	weight, radius := float32(t.cfg.UserWeight), float32(t.cfg.Radius)
	nobody := sync.OnceValue(func() []float32 { return t.meanItem(theta) })
	out := gaussian.NewTable(users, t.cfg.Dim)
	parallel.Do(t.workers, users, func(_, _, from, to int) {
		sum := make([]float32, width)
		for u := from; u < to; u++ {
			row := t.train.Row(u)
			if len(row) == 0 {
				gaussian.Compose(out.Row(u), nil, nobody(), weight, radius)
				continue
			}
			clear(sum)
			for _, i := range row {
				vec.Axpy(1, theta.Row(t.items+int(i)), sum)
			}
			var free []float32
			if t.cfg.FreeUsers {
				free = theta.Row(u)
			}
			gaussian.Compose(out.Row(u), free, sum, weight/float32(len(row)), radius)
		}
	})
	return out
}

// meanItem returns the mean row of all training items, each as often as it is liked. O(nnz + I·h).
func (t *Trainer) meanItem(theta *gaussian.Table) []float32 {
	counts, total := make([]float64, t.train.Cols), 0.0
	for u := range t.train.Rows() {
		for _, i := range t.train.Row(u) {
			counts[i]++
			total++
		}
	}
	sum := make([]float64, 2*t.cfg.Dim)
	for i, n := range counts {
		for d, v := range theta.Row(t.items + i) {
			sum[d] += n * float64(v)
		}
	}
	mean := make([]float32, len(sum))
	for d, v := range sum {
		mean[d] = float32(v / max(total, 1))
	}
	return mean
}

func zeroLike(n *margin.Network) *margin.Network { return margin.Zero(n.Input, n.Dim(), n.H) }
