// Command links compares item links of several recipes on users outside the training: core/lab/docs/unseen.md. It
// trains once with the defaults, adds the links of each recipe to the distance with the best γ, and measures NDCG@10 of
// the validation users with all given likes. Plain methods are fitted on the same users. Test users are not read.
package main

import (
	"context"
	"encoding/gob"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

func main() {
	data := flag.String("data", "", "a folder with valid_in.txt, or any data")
	byUser := flag.Float64("by-user", 0.1, "share of the users to validate on, if the data have no validation users")
	seed := flag.Uint64("seed", 1, "seed of the users")
	keep := flag.String("keep", "", "file that keeps the trained rows for later runs; \"\": train in each run")
	recipes := flag.String("recipes", "", "kind/top/pool/lambda/dropout, with commas between them")
	baselines := flag.String("baselines", "weighted", "plain methods, as pmlam evaluate takes them")
	flag.Parse()
	if err := run(context.Background(), *data, *byUser, *seed, *keep, *recipes, *baselines); err != nil {
		fmt.Fprintln(os.Stderr, "links:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data string, byUser float64, seed uint64, keep, recipes, baselines string) error {
	d, split, err := read(data, byUser, seed)
	if err != nil {
		return err
	}
	visits := split.Validation
	if len(visits.Test.Indices) == 0 {
		return fmt.Errorf("%s has no validation users", data)
	}
	fmt.Printf("%s: %d training likes of %d items\n", data, split.Train.Len(), split.Train.Cols)
	for _, spec := range strings.FieldsFunc(baselines, func(r rune) bool { return r == ',' }) {
		began := time.Now()
		fit, err := baseline.New(ctx, spec, split.Train, 0)
		if err != nil {
			return err
		}
		of, err := baseline.FoldIn(ctx, fit, visits.Train, 0)
		if err != nil {
			return err
		}
		if err := measure(ctx, spec, of, visits, began); err != nil {
			return err
		}
	}
	if recipes == "" {
		return nil
	}
	rows, err := kept(ctx, keep, d, split)
	if err != nil {
		return err
	}
	var some []itemlinks.Recipe
	for _, spec := range strings.Split(recipes, ",") {
		r, err := recipe(spec)
		if err != nil {
			return err
		}
		some = append(some, r)
	}
	for k, r := range some {
		began := time.Now()
		c, err := itemlinks.Choose(ctx, rows, split.Train, visits.Train, visits.Test, some[k:k+1], 0)
		if err != nil {
			return err
		}
		links := 0
		if c.Part != nil {
			links = c.Part.Links()
		}
		fmt.Printf("%v\tγ %g\t%d links\t%.4f (distance alone %.4f)\t%.1f s\n", r, c.Best.Gamma, links, c.Best.NDCG,
			c.Base, time.Since(began).Seconds())
	}
	return nil
}

func read(data string, byUser float64, seed uint64) (*dataset.Dataset, dataset.UserSplit, error) {
	if _, err := os.Stat(data + "/valid_in.txt"); err == nil {
		d, split, err := dataset.LoadFixed(data, "", dataset.Options{})
		if err != nil {
			return nil, dataset.UserSplit{}, err
		}
		return d, dataset.SplitUsers(split.Train, d.Validation, split.Test), nil
	}
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		return nil, dataset.UserSplit{}, err
	}
	return d, d.ByUser(byUser, seed), nil
}

// kept returns the distances of the validation users, with rows from a file that an earlier run wrote.
func kept(ctx context.Context, file string, d *dataset.Dataset, split dataset.UserSplit) (eval.Scorer, error) {
	var rows struct{ Users, Items []float32 }
	if f, err := os.Open(file); err == nil {
		defer f.Close()
		if err := gob.NewDecoder(f).Decode(&rows); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if n, dim := split.Train.Cols, len(rows.Items)/2/split.Train.Cols; len(rows.Items) == 2*dim*n &&
			len(rows.Users) == 2*dim*split.Train.Rows() {
			users, items := gaussian.NewTable(split.Train.Rows(), dim), gaussian.NewTable(n, dim)
			copy(users.Data(), rows.Users)
			copy(items.Data(), rows.Items)
			return eval.NewW2(users, items), nil
		}
		return nil, fmt.Errorf("%s holds rows of other data", file)
	}
	l, err := learn(ctx, d, split)
	if err != nil {
		return nil, err
	}
	if file != "" {
		f, err := os.Create(file)
		if err != nil {
			return nil, err
		}
		rows.Users, rows.Items = l.Users.Data(), l.Items.Data()
		if err := errors.Join(gob.NewEncoder(f).Encode(rows), f.Close()); err != nil {
			return nil, err
		}
	}
	return eval.NewW2(l.Users, l.Items), nil
}

// learn trains with the defaults, without links, and composes the validation users.
func learn(ctx context.Context, d *dataset.Dataset, split dataset.UserSplit) (*train.Learned, error) {
	s, err := train.Preset("hybrid")
	if err != nil {
		return nil, err
	}
	began := time.Now()
	s.ItemPart = "none"
	if s, err = train.Choose(ctx, d, split.Train, train.Options{Settings: s, ByHand: []string{}}); err != nil {
		return nil, err
	}
	s.Auto, s.Calibrate = false, false
	l, err := train.Learn(ctx, d, split.Train, train.Options{Settings: s, ByHand: []string{}})
	if err != nil {
		return nil, err
	}
	all := make([]int, split.Train.Rows())
	for u := range all {
		all[u] = u
	}
	l.Compose(all, split.Validation.Train, s.Config)
	fmt.Printf("trained in %.1f s, dimension %d\n", time.Since(began).Seconds(), s.Dim)
	return l, nil
}

func recipe(spec string) (r itemlinks.Recipe, err error) {
	words := strings.Split(spec, "/")
	if len(words) != 5 {
		return r, fmt.Errorf("-recipes: %q is not kind/top/pool/lambda/dropout", spec)
	}
	r.Kind = itemlinks.Kind(words[0])
	if r.Top, err = strconv.Atoi(words[1]); err == nil {
		r.Pool, err = strconv.Atoi(words[2])
	}
	if err == nil {
		r.Lambda, err = strconv.ParseFloat(words[3], 64)
	}
	if err == nil {
		r.Dropout, err = strconv.ParseFloat(words[4], 64)
	}
	return r, err
}

func measure(ctx context.Context, name string, of eval.Scorer, visits dataset.Split, began time.Time) error {
	r, err := eval.Evaluate(ctx, of, visits.Train, visits.Test, eval.Options{Ks: []int{10}})
	if err != nil {
		return err
	}
	values, _ := r.PerUser.Values(eval.NDCG, 10)
	mean, stderr := eval.StandardError(values)
	fmt.Printf("%s\t%.4f ± %.4f\t%.1f s\n", name, mean, stderr, time.Since(began).Seconds())
	return nil
}
