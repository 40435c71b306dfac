package baseline

import (
	"context"
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// Options are the settings of all methods; each method reads its own. The zero value gives the defaults.
type Options struct {
	Neighbours int        // itemknn: k, 0: 50
	Weighting  *Weighting // itemknn; nil: Cosine
	Lambda     float64    // ease: λ, 0: 200
	Workers    int        // goroutines that fit; 0 or less: GOMAXPROCS. The result does not depend on it
}

// The defaults that the zero Options stand for. 50 neighbours are the customary number; λ = 200 is what a validation
// part of MovieLens small's training fold chooses out of 50, 100, …, 800 (BenchmarkLambdaOnMovieLens shows it). Other
// data want other values.
const (
	DefaultNeighbours = 50
	DefaultLambda     = 200
)

// OptionError says that a setting is out of its range.
type OptionError struct {
	Method, Option string
	Value          float64
	Rule           string // "at least 1"
}

func (e OptionError) Error() string {
	return fmt.Sprintf("%s: %s is %g and must be %s", e.Method, e.Option, e.Value, e.Rule)
}

// Method is one entry of the registry.
type Method struct {
	Name    string // what New and the command line call it
	Title   string // what tables print
	Summary string // one line for people
	Source  string // the publication
	fit     func(context.Context, *dataset.Matrix, Options) (eval.Scorer, error)
}

// methods is in the order in which tables print them: the plainest first. A further method is a further entry.
var methods = []Method{
	{
		Name: "popularity", Title: "Popularity", Summary: "what most people chose, the same for everybody",
		Source: "Cremonesi, Koren, Turrin, RecSys 2010",
		fit: func(_ context.Context, train *dataset.Matrix, _ Options) (eval.Scorer, error) {
			return Popularity(train), nil
		},
	},
	{
		Name: "itemknn", Title: "Item-KNN", Summary: "cosine to the user's items over each item's nearest neighbours",
		Source: "Sarwar, Karypis, Konstan, Riedl, WWW 2001; Deshpande, Karypis, TOIS 2004",
		fit: func(ctx context.Context, train *dataset.Matrix, o Options) (eval.Scorer, error) {
			k := o.Neighbours
			if k == 0 {
				k = DefaultNeighbours
			}
			if k < 1 {
				return nil, OptionError{Method: "itemknn", Option: "neighbours", Value: float64(k), Rule: "at least 1"}
			}
			w := Cosine
			if o.Weighting != nil {
				w = *o.Weighting
			}
			if err := w.check(); err != nil {
				return nil, err
			}
			s, err := fitItemKNN(ctx, train, k, w, o.Workers)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	},
	{
		Name: "weighted", Title: "Weighted item-item", Summary: "similarity to all of the user's items, weighted as a held-out part of the training part likes best",
		Source: "Aiolli, RecSys 2013; Shen et al., CIKM 2021",
		fit: func(ctx context.Context, train *dataset.Matrix, o Options) (eval.Scorer, error) {
			w, err := ChooseWeighting(ctx, train, o.Workers)
			if err != nil {
				return nil, err
			}
			return Weighted(train, w), nil
		},
	},
	{
		Name: "ease", Title: "EASE^R", Summary: "linear autoencoder with a zero diagonal, in closed form",
		Source: "Steck, WWW 2019",
		fit: func(ctx context.Context, train *dataset.Matrix, o Options) (eval.Scorer, error) {
			lambda := o.Lambda
			if lambda == 0 {
				lambda = DefaultLambda
			}
			s, err := fitEASE(ctx, train, lambda, o.Workers)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	},
}

// Methods returns all methods, the plainest first.
func Methods() []Method { return append([]Method(nil), methods...) }

// Names returns the names that New knows, in the order of Methods.
func Names() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.Name
	}
	return names
}

// New fits the method of that name on train. It returns an error for a name it does not know, an OptionError for a
// setting out of range, what the method itself refuses, and ctx's error where the fit was stopped.
func New(ctx context.Context, name string, train *dataset.Matrix, o Options) (eval.Scorer, error) {
	for _, m := range methods {
		if m.Name == name {
			return m.fit(ctx, train, o)
		}
	}
	return nil, fmt.Errorf("unknown method %q: it must be one of %s", name, strings.Join(Names(), ", "))
}
