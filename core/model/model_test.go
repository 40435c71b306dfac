//go:build !js

package model

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
)

// tableOf returns a table like a trained one: means inside the unit ball, σ between the floor and about 0.4.
func tableOf(n, h int, seed uint64) *gaussian.Table {
	r := rand.New(rand.NewPCG(seed, 1))
	t := gaussian.NewTable(n, h)
	for i := range n {
		row := t.Row(i)
		for d := range h {
			row[d] = float32(r.NormFloat64()) * 0.3
			row[h+d] = max(gaussian.MinStddev, 0.15+0.1*float32(r.NormFloat64()))
		}
		gaussian.Bound(row, 1)
	}
	return t
}

func networkOf(in margin.Input, hidden, h int, seed uint64) *margin.Network {
	r := rand.New(rand.NewPCG(seed, 2))
	draw := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		return x
	}
	return &margin.Network{
		Input: in,
		H:     hidden,
		W1:    draw(hidden * in.Width(h)),
		B1:    draw(hidden),
		W2:    draw(hidden),
		B2:    0.25,
	}
}

// full returns a small model with all optional parts.
func full(n, h int, p Precision) *Model {
	c := &catalogue.Catalogue{Columns: []string{"imdbId", "tmdbId"}}
	genres := []string{"Comedy", "Drama", "Film-Noir", "Documentaire"}
	for i := range n {
		item := catalogue.Item{
			ID: fmt.Sprint(100 + 7*i), Title: fmt.Sprintf("Título %d — 映画", i), Year: 1930 + i%90, Count: 3 * i,
			Values: []string{fmt.Sprintf("%07d", 31*i), ""},
		}
		for j := range i % 4 {
			item.Genres = append(item.Genres, genres[(i+j)%4])
		}
		c.Items = append(c.Items, item)
	}
	m := &Model{
		Provenance: Provenance{
			Dataset: "Test", Users: 610, Interactions: 48580, Seed: math.MaxUint64, Preset: "paper",
			Config: `{"dim":50}`, Metrics: map[string]float64{"recall@10": 0.1875, "ndcg@10": 0.25, "recall@20": 0.3},
			Program: "v0.1.0", Licence: "CC0", Attribution: "By nobody.",
		},
		Objective: Objective{
			Loss:        gaussian.Loss{Kind: gaussian.Softmax, Margin: 0.5, Temperature: 0.75},
			Composition: gaussian.Composition{Free: true, Weight: 2},
			Radius:      1.5, LearnRate: 0.003,
		},
		Precision: p,
		Items:     tableOf(n, h, 1),
		Catalogue: c,
		Margins: Margins{
			UserItem: networkOf(margin.Difference, 3, h, 3),
			UserUser: networkOf(margin.Cat, 2, h, 4),
			ItemItem: networkOf(margin.Add, 1, h, 5),
		},
		Users:   tableOf(3, h, 2),
		UserIDs: []string{"ann", "bob", "Çelik"},
	}
	return m
}

// bare returns the smallest model: one item, without optional parts.
func bare() *Model {
	return &Model{
		Objective: Objective{Radius: float32(math.Inf(1))},
		Items:     gaussian.TableOf(1, []float32{0.5, 0.25}),
		Catalogue: &catalogue.Catalogue{Items: []catalogue.Item{{ID: "1"}}},
	}
}

// partOf returns item links of n targets with up to most sources each; every seventh has none.
func partOf(n, most int) *ItemLinks {
	r := rand.New(rand.NewPCG(9, 9))
	p := &ItemLinks{Gamma: 0.75, Offsets: []int32{0}}
	for i := range n {
		source := -1
		for range most {
			source += 1 + r.IntN(max(1, n/(most+1)))
			if i%7 != 6 && source < n && source != i {
				p.Sources, p.Weights = append(p.Sources, int32(source)), append(p.Weights, r.Float32()+1e-6)
			}
		}
		p.Offsets = append(p.Offsets, int32(len(p.Sources)))
	}
	return p
}

var precisions = []Precision{Float32, Float16, Int8}
