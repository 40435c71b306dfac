package next

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/sequence"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/itemlinks"
	"github.com/pmlam/pmlam/core/catalogue"
)

func TestTry(t *testing.T) {
	ctx := context.Background()
	s, err := Read(os.Getenv("SET"), 2)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	q, err := sequence.Of(s.Data, s.Split.Train)
	if err != nil {
		t.Fatal(err)
	}
	links, err := sequence.Links(ctx, q, sequence.Default(), 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("links", time.Since(begin), links.Links())
	show := func(name string, by eval.Scorer) {
		r, err := s.Measure(ctx, by)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%-20s HR %.4f NDCG %.4f\n", name, r.HitRate[1], r.NDCG[1])
	}
	show("links", sequence.NewScorer(nil, links, s.Histories))
	if os.Getenv("MODEL") == "" {
		return
	}
	s.Data.Catalogue = &catalogue.Catalogue{Items: make([]catalogue.Item, s.Data.Items.Len())}
	set, _ := train.Preset("hybrid")
	set.Auto = false
	begin = time.Now()
	l, err := train.Learn(ctx, s.Data, s.Split.Train, train.Options{Settings: set})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("learn", time.Since(begin))
	w2 := eval.NewW2(l.Users, l.Items)
	base := itemlinks.NewScorer(w2, l.Links, s.Split.Train)
	show("w2", w2)
	show("w2+links", base)
	for k := 2; k <= 5; k++ {
		links.Gamma = float32(math.Exp2(float64(k)))
		show(fmt.Sprintf("w2+next %g", links.Gamma), sequence.NewScorer(w2, links, s.Histories))
		show(fmt.Sprintf("w2+links+next %g", links.Gamma), sequence.NewScorer(base, links, s.Histories))
	}
}
