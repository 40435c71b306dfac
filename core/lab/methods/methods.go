// Package methods lists every method that PMLAM is compared with: the plain ones of package baseline, and those of
// package learned, whose trainings can be followed, stopped and resumed.
//
// Data flow: dataset → methods → eval. The laboratory's command and tables use it; the product has only the plain
// methods.
package methods

import (
	"context"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/lab/learned"
)

// Method is one entry of All.
type Method struct {
	*baseline.Method
	learned *learned.Method // nil: a plain method
}

// registry holds the methods in table order; learnedBy holds the learned ones among them.
var registry, learnedBy = newRegistry()

func newRegistry() (all baseline.Registry, by map[string]*learned.Method) {
	all, by = baseline.Methods(), map[string]*learned.Method{}
	for _, m := range learned.Methods() {
		own := sharedSettings(&m)
		for _, o := range m.Own {
			own = append(own, baseline.Setting{Name: o.Name, Use: o.Use, Default: o.Default, Min: o.Min, Max: o.Max,
				Whole: o.Whole})
		}
		by[m.Name] = &m
		all = append(all, baseline.Method{
			Name: m.Name, Title: m.Title, Summary: m.Summary, Source: m.Source, Settings: own,
			Run: func(ctx context.Context, train *dataset.Matrix, v baseline.Values, workers int) (eval.Scorer, error) {
				t, err := learned.NewTrainer(train, settings(&m, v), workers)
				if err != nil {
					return nil, err
				}
				if s, err := t.Run(ctx, nil); err == nil {
					return s, nil
				} else {
					return nil, err
				}
			},
		})
	}
	return all, by
}

// All returns all methods, the plainest first.
func All() (all []*Method) {
	for i := range registry {
		all = append(all, &Method{&registry[i], learnedBy[registry[i].Name]})
	}
	return all
}

// Names returns the names of All, in its order.
func Names() []string { return registry.Names() }

// Parse reads a method and its settings, such as "lightgcn:layers=3"; see baseline.Registry.Parse.
func Parse(spec string) (*Method, baseline.Values, error) {
	m, v, err := registry.Parse(spec)
	if err != nil {
		return nil, nil, err
	}
	return &Method{m, learnedBy[m.Name]}, v, nil
}

// Learned reports whether the method is learned by gradient descent, epoch by epoch, and so has a Trainer.
func (m *Method) Learned() bool { return m.learned != nil }

// Trainer prepares the training of a method that is Learned: what Fit runs from beginning to end. Its errors are Fit's.
// It panics for any other method.
func (m *Method) Trainer(train *dataset.Matrix, v baseline.Values, workers int) (*learned.Trainer, error) {
	if err := m.Check(v); err != nil {
		return nil, err
	}
	return learned.NewTrainer(train, settings(m.learned, m.Complete(v)), workers)
}
