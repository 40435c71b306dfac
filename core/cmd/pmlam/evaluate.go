package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommender"
)

// measurement is one run of the evaluate command.
type measurement struct {
	*app
	model     string
	baselines []string
	ks        []int
	workers   int
	baseline  baseline.Options
}

func (a *app) evaluateCommand() *cobra.Command {
	var s source
	e := measurement{app: a}
	c := &cobra.Command{
		Use:   "evaluate --data FILE --fold 0 [--model MODEL] [--baselines LIST]",
		Short: "Measure a model, and plain methods beside it, on held-out items",
		Long: "Measure a model, and plain methods beside it, on the test part of a split. A user that the model keeps is ranked\n" +
			"from their own Gaussian; any other is inferred from their training items, as a visitor is. The split must be the\n" +
			"one that the model was trained with, or the test items were learned from.",
		Example: "  pmlam evaluate --data ml-latest-small --fold 0 --model fold0.msgpack --baselines popularity,itemknn,ease",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if e.model == "" && len(e.baselines) == 0 {
				return usagef("there is nothing to measure: give --model, --baselines or both")
			}
			return e.run(c.Context(), &s)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&e.model, "model", "", "the model file")
	f.StringSliceVar(&e.baselines, "baselines", nil, "plain methods to fit on the same training part: "+strings.Join(baseline.Names(), ", "))
	f.IntSliceVar(&e.ks, "k", []int{10, 20}, "lengths of the lists")
	f.IntVar(&e.baseline.Neighbours, "neighbours", baseline.DefaultNeighbours, "of itemknn")
	f.Float64Var(&e.baseline.Lambda, "ease-lambda", baseline.DefaultLambda, "of ease")
	f.IntVar(&e.workers, "workers", 0, "goroutines; 0: as many as there are processors")
	s.register(f)
	s.registerSplit(f)
	return c
}

// measured is one line of the evaluate command's outcome.
type measured struct {
	Method  string             `json:"method"`
	Users   int                `json:"users"`
	Metrics map[string]float64 `json:"metrics"`
}

func (e *measurement) run(ctx context.Context, s *source) error {
	for _, k := range e.ks {
		if k < 1 {
			return usagef("--k is %d; a list has at least 1 item", k)
		}
	}
	for _, name := range e.baselines {
		if !slices.Contains(baseline.Names(), name) {
			return usagef("unknown baseline %q: it must be one of %s", name, strings.Join(baseline.Names(), ", "))
		}
	}
	in, err := s.read(e.app)
	if err != nil {
		return err
	}
	if in.split.Test == nil {
		return usagef("there is no test part: give --fold, --test or --by-time")
	}
	e.printf("%s, %s\n\n", in.Name, in.splitBy)
	var all []measured
	measure := func(method string, scorer eval.Scorer, train, test *dataset.Matrix) error {
		r, err := eval.Evaluate(ctx, scorer, train, test, eval.Options{Ks: e.ks, Workers: e.workers})
		if err != nil {
			return err
		}
		all = append(all, measured{method, r.Users, r.Map()})
		e.printf("%s\n%s\n", method, r)
		return nil
	}
	e.baseline.Workers = e.workers
	for _, name := range e.baselines {
		scorer, err := baseline.New(ctx, name, in.split.Train, e.baseline)
		if err != nil {
			return err
		}
		if err := measure(name, scorer, in.split.Train, in.split.Test); err != nil {
			return err
		}
	}
	if e.model != "" {
		m, err := model.ReadFile(e.model)
		if err != nil {
			return err
		}
		scorer, train, test, err := e.scorer(m, in)
		if err != nil {
			return err
		}
		if err := measure(e.model, scorer, train, test); err != nil {
			return err
		}
	}
	if e.json {
		return e.printJSON(map[string]any{"dataset": in.Name, "split": in.splitBy, "results": all})
	}
	return nil
}

// scorer returns a scorer of the model's Gaussians for the users of in, and the split by the model's item numbers.
func (e *measurement) scorer(m *model.Model, in *input) (eval.Scorer, *dataset.Matrix, *dataset.Matrix, error) {
	to, missing := itemNumbers(m, in.Dataset)
	if missing == in.Items.Len() {
		return nil, nil, nil, fmt.Errorf("the model knows none of the %d items of %s; was it trained on other data?", missing, in.Name)
	}
	if missing > 0 {
		e.notef("the model does not know %d of the %d items; they are left out", missing, in.Items.Len())
	}
	train, test := renumber(in.split.Train, to, m.Items.Len()), renumber(in.split.Test, to, m.Items.Len())
	users, err := tastes(m, train)
	if err != nil {
		return nil, nil, nil, err
	}
	kept := 0
	if m.Users != nil {
		own := make(map[string]int, len(m.UserIDs))
		for u, id := range m.UserIDs {
			own[id] = u
		}
		for u := range in.Users.Len() {
			if at, ok := own[in.Users.ID(u)]; ok {
				copy(users.Row(u), m.Users.Row(at))
				kept++
			}
		}
	}
	e.notef("%d users ranked from the model's own rows, %d inferred from their training items", kept, in.Users.Len()-kept)
	return eval.NewW2(users, m.Items), train, test, nil
}

// tastes infers the Gaussian of every row of likes, as a visitor's is inferred.
func tastes(m *model.Model, likes *dataset.Matrix) (*gaussian.Table, error) {
	r, err := recommender.Open(m, recommender.Options{})
	if err != nil {
		return nil, err
	}
	users := gaussian.NewTable(likes.Rows(), m.Items.Dim())
	for u := range likes.Rows() {
		var v recommender.Visit
		for _, i := range likes.Row(u) {
			v.Likes = append(v.Likes, int(i))
		}
		copy(users.Row(u), r.Taste(v, nil).Row)
	}
	return users, nil
}

// itemNumbers returns, for every item of d, its number in the model, −1 where the model does not know it.
func itemNumbers(m *model.Model, d *dataset.Dataset) (to []int32, missing int) {
	numbers := make(map[string]int32, m.Catalogue.Len())
	for i := range m.Catalogue.Items {
		numbers[m.Catalogue.Items[i].ID] = int32(i)
	}
	to = make([]int32, d.Items.Len())
	for i := range to {
		n, ok := numbers[d.Items.ID(i)]
		if !ok {
			n = -1
			missing++
		}
		to[i] = n
	}
	return to, missing
}

// renumber returns m with column c renamed to to[c], columns of number −1 left out.
func renumber(m *dataset.Matrix, to []int32, cols int) *dataset.Matrix {
	var pairs []dataset.Pair
	for r := range m.Rows() {
		for _, c := range m.Row(r) {
			if to[c] >= 0 {
				pairs = append(pairs, dataset.Pair{Row: int32(r), Col: to[c]})
			}
		}
	}
	return dataset.NewMatrix(m.Rows(), cols, pairs)
}
