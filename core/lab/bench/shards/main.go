// Command shards simulates a training on several machines in one process: each has a part of the users, trains an epoch
// from the same item rows, which are stale from then on, and then all exchange their changes. core/lab/docs/scale.md
// has the results. items.patch has each machine hold a part of the items instead, and draw negatives from it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/pmlam"
)

func main() {
	data := flag.String("data", "assets/data/ml-latest-small", "interactions; tests on a fifth of each user's items")
	epochs := flag.Int("epochs", 10, "epochs to train")
	batch := flag.Int("batch", 4000, "pairs of a step")
	seed := flag.Uint64("seed", 1, "seed of the training")
	var exchanges, machines numbers = []int{1, 4}, []int{1, 2, 4, 8}
	flag.Var(&exchanges, "exchanges", "numbers of exchanges an epoch, by commas")
	flag.Var(&machines, "machines", "numbers of machines with stale rows, by commas; none: one machine alone")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	cfg, err := pmlam.Preset("best")
	if err == nil {
		cfg.Batch, cfg.LearnRate, cfg.Epochs, cfg.Seed = *batch, 0.02, *epochs, *seed
		err = run(ctx, *data, cfg, machines, exchanges)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "shards:", err)
		os.Exit(1)
	}
}

// numbers is a flag for a list of numbers from 1.
type numbers []int

// String returns the numbers, separated by commas.
func (l *numbers) String() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(*l), "[]"), " ", ",")
}

// Set reads such a list, which may be empty.
func (l *numbers) Set(s string) error {
	*l = nil
	for _, x := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(x)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a number from 1", x)
		}
		*l = append(*l, n)
	}
	return nil
}

func run(ctx context.Context, data string, cfg pmlam.Config, machines, exchanges []int) error {
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		return err
	}
	s := d.Fold(5, 0, 1)
	fmt.Println("| machines | rows exchanged | Recall@20 | NDCG@20 | MB an epoch and machine |")
	fmt.Println("| --- | --- | --- | --- | --- |")
	t, err := pmlam.New(ctx, s.Train, cfg, 0)
	if err != nil {
		return err
	}
	whole, err := t.Run(ctx, nil)
	if err != nil {
		return err
	}
	if err := report(ctx, "1", "every step", whole, s, 0); err != nil {
		return err
	}
	bytes := float64(4*2*cfg.Dim*s.Train.Cols) / 1e6
	for _, k := range machines {
		for _, times := range exchanges {
			r, err := sharded(ctx, s.Train, cfg, k, times)
			if err != nil {
				return err
			}
			sent := bytes * float64(2*times) * min(float64(k-1), 1) // there and back
			if err := report(ctx, fmt.Sprint(k), fmt.Sprintf("%d an epoch", times), r, s, sent); err != nil {
				return err
			}
		}
	}
	return nil
}

// report prints a row of the table.
func report(ctx context.Context, k, every string, r *pmlam.Result, s dataset.Split, mb float64) error {
	m, err := eval.Evaluate(ctx, eval.NewW2(r.Users, r.Items), s.Train, s.Test, eval.Options{Ks: []int{20}})
	if err != nil {
		return err
	}
	fmt.Printf("| %s | %s | %.4f | %.4f | %.0f |\n", k, every, m.Recall[0], m.NDCG[0], mb)
	return nil
}

// sharded trains with k shards of users. After each of times parts of an epoch, which are parts of the users too, an
// item's row changes by the sum of the shards' changes. Adam starts from zero in each part, as at a machine that
// received new rows.
func sharded(ctx context.Context, train *dataset.Matrix, cfg pmlam.Config, k, times int) (*pmlam.Result, error) {
	parts := make([]*dataset.Matrix, k*times) // by time, then by shard
	for part := range parts {
		m := &dataset.Matrix{Cols: train.Cols, Offsets: []int{0}}
		for u := range train.Rows() {
			if u%len(parts) == part {
				m.Indices = append(m.Indices, train.Row(u)...)
			}
			m.Offsets = append(m.Offsets, len(m.Indices))
		}
		parts[part] = m
	}
	same := make([]int32, train.Cols)
	for i := range same {
		same[i] = int32(i)
	}
	epochs, rate := cfg.Epochs, cfg.LearnRate
	c := cfg
	c.Epochs = 0
	t, err := pmlam.New(ctx, train, c, 0)
	if err != nil {
		return nil, err
	}
	last, err := t.Run(ctx, nil)
	if err != nil {
		return nil, err
	}
	rows := last.Own.Clone() // the initial ones
	for step := range epochs * times {
		next := rows.Clone()
		for shard := range k {
			part := step%times*k + shard
			c := cfg
			// The rate falls linearly over all epochs, here by steps.
			c.Epochs, c.Decay = 1, false
			c.LearnRate = rate * (1 - (float64(step)+.5)/float64(epochs*times))
			c.Seed = cfg.Seed + uint64(step*k+shard)
			t, err := pmlam.New(ctx, parts[part], c, 0)
			if err != nil {
				return nil, err
			}
			if err := t.Begin(&pmlam.Beginning{Name: "rows", Items: rows, ItemOf: same, Own: true}); err != nil {
				return nil, err
			}
			if last, err = t.Run(ctx, nil); err != nil {
				return nil, err
			}
			to, from := next.Data(), last.Own.Data()
			for x, before := range rows.Data() {
				to[x] += from[x] - before
			}
		}
		for i := range next.Len() { // within the bounds of a training
			gaussian.Bound(next.Row(i), float32(cfg.Radius))
		}
		rows = next
	}
	last.Items, last.Own = rows, rows
	users := make([]int, train.Rows())
	for u := range users {
		users[u] = u
	}
	last.Compose(users, train, cfg)
	return last, nil
}
