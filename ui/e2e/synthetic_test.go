//go:build !js

package e2e

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/tastemap"
)

// Catalogue sizes at which the page must be smooth, and must load.
const (
	tenThousand        = 10_000
	twoHundredThousand = 200_000
)

// syntheticModel returns an untrained model file of n titles: clusters of several sizes on the sphere in 50 dimensions,
// ten links per title within its cluster, titles with realistic word frequencies, one to three of eighteen genres, a
// year, and long-tailed counts. It has no calibration, so certainty is the chance to stay, the most expensive part of a
// card.
func syntheticModel(n int) ([]byte, error) {
	const h, genres, links = 50, 18, 10
	clusters := 20 + n/500
	r := rand.New(rand.NewPCG(20, 26))
	centres := make([][]float32, clusters)
	for c := range centres {
		centres[c] = make([]float32, h)
		for d := range centres[c] {
			// a few directions matter most, as in a trained model
			centres[c][d] = float32(r.NormFloat64()) / float32(1+d/4)
		}
		gaussian.ScaleInto(centres[c], 0.8)
	}
	m := &model.Model{
		Items: gaussian.NewTable(n, h), Precision: model.Float16, Catalogue: &catalogue.Catalogue{},
		Objective: model.Objective{Loss: gaussian.Loss{Kind: gaussian.Softmax, Temperature: 0.5},
			Composition: gaussian.Composition{Weight: 1}, Radius: 1, LearnRate: 0.003},
		Provenance: model.Provenance{Dataset: "A crowd", Users: 1, Interactions: n, Preset: "crowd"},
		ItemItem:   &model.ItemLinks{Gamma: 1, Offsets: []int32{0}},
	}
	words := vocabulary(r, 400+n/20)
	of := make([][]int32, clusters)
	for i := range n {
		c := min(r.IntN(clusters), r.IntN(clusters))
		for d, x := range centres[c] {
			m.Items.Mean(i)[d] = x + 0.08*float32(r.NormFloat64())
			m.Items.Stddev(i)[d] = 0.1 + 0.02*r.Float32()
		}
		gaussian.Bound(m.Items.Row(i), 1)
		it := catalogue.Item{ID: fmt.Sprint(i), Title: inventTitle(r, words), Year: 1950 + r.IntN(75),
			Count: 5 + 20_000/(i+10)}
		for range 1 + r.IntN(3) {
			g := fmt.Sprintf("Genre %c", 'A'+(c+min(r.IntN(genres), r.IntN(genres), r.IntN(genres)))%genres)
			if !slices.Contains(it.Genres, g) {
				it.Genres = append(it.Genres, g)
			}
		}
		m.Catalogue.Items = append(m.Catalogue.Items, it)
		var sources []int32 // among the earlier titles
		for range min(links, len(of[c])) {
			sources = append(sources, of[c][r.IntN(len(of[c]))])
		}
		slices.Sort(sources)
		for _, j := range slices.Compact(sources) {
			m.ItemItem.Sources = append(m.ItemItem.Sources, j)
			m.ItemItem.Weights = append(m.ItemItem.Weights, 0.02+0.05*r.Float32())
		}
		m.ItemItem.Offsets = append(m.ItemItem.Offsets, int32(len(m.ItemItem.Sources)))
		of[c] = append(of[c], int32(i))
	}
	m.Map = tastemap.Plain(m.Items)
	return model.Encode(m)
}

// vocabulary returns n distinct pronounceable words.
func vocabulary(r *rand.Rand, n int) (words []string) {
	syllables := strings.Fields(
		"al an ar ba be bo ca ce da de do el en fa fi ga go ha he in ja ka la le li lo ma me mi mo na ne no or pa pe ra re ri ro sa se si so ta te ti to ul va ve vi wa we zo",
	)
	seen := map[string]bool{}
	for len(words) < n {
		var w string
		for range 2 + r.IntN(3) {
			w += syllables[r.IntN(len(syllables))]
		}
		if !seen[w] {
			seen[w] = true
			words = append(words, strings.ToUpper(w[:1])+w[1:])
		}
	}
	return words
}

// inventTitle makes a title of one to four words with frequencies by Zipf's law, the first words being the most
// frequent.
func inventTitle(r *rand.Rand, words []string) string {
	word := func() string { return words[int(math.Exp(r.Float64()*math.Log(float64(len(words)))))-1] }
	switch r.IntN(8) {
	case 0:
		return word()
	case 1:
		return word() + ", The"
	case 2:
		return "The " + word() + " of " + word()
	case 3:
		return word() + " and " + word()
	case 4:
		return word() + " " + []string{"II", "III", "2", "Returns"}[r.IntN(4)]
	case 5:
		return word() + ": The " + word() + " " + word()
	}
	return word() + " " + word()
}

// syntheticModels are the model files of syntheticModel by size, each made once.
var syntheticModels = map[int]func() ([]byte, error){
	tenThousand:        sync.OnceValues(func() ([]byte, error) { return syntheticModel(tenThousand) }),
	twoHundredThousand: sync.OnceValues(func() ([]byte, error) { return syntheticModel(twoHundredThousand) }),
}

var modelSize = regexp.MustCompile(`data-model-size="?[0-9]*"?`)

// syntheticHost serves the site with a synthetic model, which it also opens natively.
func syntheticHost(t testing.TB, n int) (*host, *recommend.Recommender) {
	t.Helper()
	h := ownHost(t)
	b, err := syntheticModels[n]()
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.replace(".msgpack", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(b) // a leaving visitor is not an error
	})
	// The page states the size of its model, and reads no more than that.
	page, err := os.ReadFile(filepath.Join(built, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	sized := modelSize.ReplaceAll(page, fmt.Appendf(nil, `data-model-size="%d"`, len(b)))
	h.replace("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(sized)
	})
	return h, r
}
