package pmlam

import (
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/model"
)

// Beginning is a trained state that a training starts from, instead of random rows and networks.
type Beginning struct {
	Name           string          // identifies it: the model file's digest
	Users, Items   *gaussian.Table // known rows; Users may be nil
	UserOf, ItemOf []int32         // U and I: the row of each user and item in these; −1: unknown. UserOf may be nil
	Margins        model.Margins   // nil ones are unknown

	// Items are learned rows (Result.Own), not rows composed of these (Config.Shrinkage). A model only holds composed
	// rows
	Own bool
}

// Known counts the entities that a data set and a model share.
type Known struct {
	Items, NewItems, GoneItems int // in both; only in the data; only in the model, and dropped
	Users, NewUsers, GoneUsers int // the same for users. A model without users has no gone users
}

// BeginningOf returns the state that a training on d inherits from m: the items of the same id, the users of the same
// id if m has users, and the margin networks. Entities outside d are dropped.
func BeginningOf(m *model.Model, d *dataset.Dataset) (*Beginning, Known) {
	b := &Beginning{Name: m.Digest, Users: m.Users, Items: m.Items, Margins: m.Margins}
	var k Known
	known := make([]string, len(m.Catalogue.Items))
	for i := range known {
		known[i] = m.Catalogue.Items[i].ID
	}
	b.ItemOf, k.Items = rows(known, d.Items.Strings())
	k.NewItems, k.GoneItems = len(b.ItemOf)-k.Items, len(known)-k.Items
	b.UserOf, k.Users = rows(m.UserIDs, d.Users.Strings())
	k.NewUsers, k.GoneUsers = len(b.UserOf)-k.Users, len(m.UserIDs)-k.Users
	return b, k
}

// rows returns the position of each id in known, −1 for unknown ones, and the number of known ones.
func rows(known, ids []string) (of []int32, n int) {
	at := make(map[string]int32, len(known))
	for i, id := range known {
		at[id] = int32(i)
	}
	of = make([]int32, len(ids))
	for i, id := range ids {
		row, ok := at[id]
		if of[i] = row; ok {
			n++
		} else {
			of[i] = -1
		}
	}
	return of, n
}

// Begin starts the training from a trained state. Call it before Keep and Run. Unknown items start as usual. If users
// have their own rows (UserWeight 0), unknown users who like known items start at the mean of these; other unknown
// users start as usual. So do the free parts of composed users, since a model only holds the composed rows. Adam starts
// from zero. If the items' rows were composed of others and only the composed rows are known, training continues from
// them without shrinkage, because composing them again would change them.
//
// The error names the mismatch between the state and the settings: its dimension, or the shape of a network.
func (t *Trainer) Begin(b *Beginning) error {
	if got := b.Items.Dim(); got != t.cfg.Dim {
		return fmt.Errorf("the initial model has dimension %d, but the settings say %d", got,
			t.cfg.Dim)
	}
	from := [3]*margin.Network{b.Margins.UserItem, b.Margins.UserUser, b.Margins.ItemItem}
	for k, net := range t.networks() {
		if have := from[k]; net != nil && have != nil && (have.Input != net.Input || have.H != net.H) {
			return fmt.Errorf("the %s margin network of the initial model has the input "+
				"%s and %d hidden units, but the settings say %s and %d",
				t.tasks[k].name, have.Input, have.H, net.Input, net.H)
		}
	}
	for k, net := range t.networks() {
		if net != nil && from[k] != nil {
			t.tasks[k].net = from[k].Clone()
		}
	}
	for i, row := range b.ItemOf {
		if row >= 0 {
			t.beginRow(t.items+i, b.Items.Row(int(row)))
		}
	}
	if t.cfg.UserWeight == 0 {
		t.beginUsers(b)
	}
	if !b.Own {
		t.shrunk = nil
	}
	t.Loop.BeginFrom(b.Name)
	return nil
}

// beginUsers initialises the users' rows.
func (t *Trainer) beginUsers(b *Beginning) {
	parallel.Do(t.workers, t.train.Rows(), func(_, _, from, to int) {
		mean := make([]float32, 2*t.cfg.Dim)
		for u := from; u < to; u++ {
			if b.Users != nil && b.UserOf[u] >= 0 {
				t.beginRow(u, b.Users.Row(int(b.UserOf[u])))
				continue
			}
			clear(mean)
			n := 0
			for _, i := range t.train.Row(u) {
				if row := b.ItemOf[i]; row >= 0 {
					vec.Axpy(1, b.Items.Row(int(row)), mean)
					n++
				}
			}
			if n > 0 {
				for d := range mean {
					mean[d] /= float32(n)
				}
				t.beginRow(u, mean)
			}
		}
	})
}

// beginRow sets the initial row of entity e, within the bounds of these settings.
func (t *Trainer) beginRow(e int, row []float32) {
	to := t.theta.Row(e)
	copy(to, row)
	if t.cfg.Deterministic {
		clear(to[t.cfg.Dim:]) // Bound raises them to the floor
	}
	t.cfg.bound(to)
}
