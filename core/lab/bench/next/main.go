// Command next measures the next item on files of sequences, as core/lab/docs/next.md has them:
//
//	next [-validate] [-plain] FILE...
//
// Each file has a user and their items in order on each line. The last item of each user is hidden and all others are
// ranked; -validate hides the last two and predicts the first of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/lab/next"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/sequence"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

var (
	validate = flag.Bool("validate", false, "predict the item before the last")
	only     = flag.Bool("plain", false, "measure only the methods without a training")
)

func main() {
	flag.Parse()
	hidden := 1
	if *validate {
		hidden = 2
	}
	for _, file := range flag.Args() {
		if err := measure(context.Background(), file, hidden); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// grid returns the settings of the neighbour methods that -validate compares.
func grid() (all []next.KNN) {
	for _, k := range []int{100, 500, 2000} {
		for _, decay := range []float64{1, .9, .7, .5} {
			for _, idf := range []bool{false, true} {
				all = append(all, next.KNN{Neighbours: k, Decay: decay, IDF: idf})
			}
		}
	}
	return all
}

func measure(ctx context.Context, file string, hidden int) error {
	s, err := next.Read(file, hidden)
	if err != nil {
		return err
	}
	s.Data.Catalogue = &catalogue.Catalogue{Items: make([]catalogue.Item, s.Data.Items.Len())}
	fmt.Printf("%s: %d users, %d items\n", file, s.Data.Users.Len(), s.Data.Items.Len())
	show := func(name string, by eval.Scorer) {
		if err != nil {
			return
		}
		var r *eval.Report
		if r, err = s.Measure(ctx, by); err == nil {
			fmt.Printf("  %-34s HR@10 %.4f  NDCG@10 %.4f  NDCG@5 %.4f\n", name, r.HitRate[1], r.NDCG[1], r.NDCG[0])
		}
	}
	order := func(set sequence.Settings) (links *model.ItemLinks, seconds float64, err error) {
		begin := time.Now()
		of, err := sequence.Of(s.Data, s.Split.Train)
		if err == nil {
			links, err = sequence.Links(ctx, of, set, 0)
		}
		return links, time.Since(begin).Seconds(), err
	}
	show("popularity", baseline.Popularity(s.Split.Train))
	last := sequence.Default()
	last.Furthest, last.Back, last.Source, last.Target = 1, 0, 1, 0
	direct, _, err := order(last)
	if err != nil {
		return err
	}
	latest := make([][]int, len(s.Histories))
	for u, h := range s.Histories {
		latest[u] = h[max(0, len(h)-1):]
	}
	show("what follows the last item", sequence.NewScorer(nil, direct, latest))
	neighbours := []next.KNN{{Neighbours: 500, Decay: 1, IDF: true}, {Neighbours: 500, Decay: .7, IDF: true}}
	if hidden == 2 { // which chose those
		neighbours = grid()
	}
	for _, k := range neighbours {
		show(fmt.Sprintf("neighbours %d, decay %g, idf %v", k.Neighbours, k.Decay, k.IDF), next.NewKNN(s, k))
	}
	if *only {
		return err
	}
	links, seconds, err := order(sequence.Default())
	if err != nil {
		return err
	}
	show(fmt.Sprintf("links in order (%.1f s)", seconds), sequence.NewScorer(nil, links, s.Histories))
	set, err := train.Preset("hybrid")
	if err != nil {
		return err
	}
	set.Auto = false
	begin := time.Now()
	l, err := train.Learn(ctx, s.Data, s.Split.Train, train.Options{Settings: set})
	if err != nil {
		return err
	}
	base := itemlinks.NewScorer(eval.NewW2(l.Users, l.Items), l.Links, s.Split.Train)
	show(fmt.Sprintf("the model (%.0f s)", time.Since(begin).Seconds()), base)
	links.Gamma = sequence.Weight
	show("the model with links in order", sequence.NewScorer(base, links, s.Histories))
	return err
}
