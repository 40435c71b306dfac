//go:build !js

package model

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
)

// golden has no links, calibration or map. All numbers of its tables are exact in every precision: multiples of 1/128
// with a row maximum of 127/128, and of 1/256 with a row maximum of 255/256.
func golden(p Precision) *Model {
	const m, s = 1.0 / 128, 1.0 / 256
	return &Model{
		Provenance: Provenance{
			Dataset: "Three films", Users: 2, Interactions: 5, Seed: 18446744073709551615, Preset: "golden",
			Config:      `{"dim":2}`,
			Metrics:     map[string]float64{"recall@10": 0.25, "ndcg@10": 0.5},
			Program:     "v1",
			Licence:     "Apache-2.0",
			Attribution: "Kept for ever – für immer",
		},
		Objective: Objective{
			Loss:        gaussian.Loss{Kind: gaussian.Softmax, Margin: 1, Temperature: 0.5},
			Composition: gaussian.Composition{Free: true, Weight: 2},
			Radius:      1.5,
			LearnRate:   0.0078125,
		},
		Precision: p,
		Items: gaussian.TableOf(2, []float32{
			127 * m, -1 * m, 255 * s, 1 * s,
			-127 * m, 0, 255 * s, 128 * s,
			3 * m, 127 * m, 7 * s, 255 * s,
		}),
		Catalogue: &catalogue.Catalogue{
			Columns: []string{"imdbId", "note"},
			Items: []catalogue.Item{
				{
					ID:     "1",
					Title:  "Toy Story",
					Year:   1995,
					Genres: []string{"Animation", "Comedy"},
					Values: []string{"0114709", ""},
					Count:  215,
				},
				{
					ID:     "x-2",
					Title:  "千と千尋の神隠し",
					Year:   2001,
					Genres: []string{"Animation"},
					Values: []string{"0245429", "a\nb"},
					Count:  70000,
				},
				{ID: "3", Values: []string{"", ""}, Year: -44},
			},
		},
		Margins: Margins{
			UserItem: &margin.Network{
				Input: margin.Difference,
				H:     1,
				W1:    []float32{1, 2, 3, 4, 5, 6},
				B1:    []float32{7},
				W2:    []float32{8},
				B2:    9,
			},
			ItemItem: &margin.Network{
				Input: margin.Add,
				H:     2,
				W1:    []float32{-1, -2, -3, -4},
				B1:    []float32{-5, -6},
				W2:    []float32{-7, -8},
				B2:    -9,
			},
		},
		Users:   gaussian.TableOf(2, []float32{-127 * m, 64 * m, 255 * s, 2 * s, 127 * m, 127 * m, 255 * s, 255 * s}),
		UserIDs: []string{"ann", "Çelik"},
	}
}

// goldenLinked is golden with item links, whose weights are also exact.
func goldenLinked(p Precision) *Model {
	m := golden(p)
	m.ItemItem = &ItemLinks{
		Gamma:   1.5,
		Offsets: []int32{0, 2, 2, 3},
		Sources: []int32{1, 2, 0},
		Weights: []float32{63.0 / 64, 1.0 / 64, 63.0 / 256},
	}
	return m
}

// goldenMapped is goldenLinked with a map and a calibration. Its positions are multiples of 1/65535 that are exact in
// float32.
func goldenMapped(p Precision) *Model {
	m := goldenLinked(p)
	m.Calibration = &Calibration{
		Users: 61,
		Posterior: Posterior{
			Within: []float32{1.0 / 64, -1.0 / 128, 1.0 / 32}, Strength: 2.5,
			Full: FullRegion{
				Many: Radii{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
				Few:  Radii{2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 22},
			},
		},
		Like: &LikeRegression{
			Weights: []float32{0.25, -1, 3},
			Rates:   []float32{-1.5, 0.0625, 127.0 / 16},
			Bins:    []LikeBin{{Predicted: 0.25, Observed: 0, Count: 3}, {Predicted: 0.5, Observed: 1, Count: 70000}},
		},
	}
	m.Map = &Map{
		X: []float32{0, 0.2, 1}, Y: []float32{1, 0.6, 0},
		Regions: []Region{
			{Level: 0, X: 0.2, Y: 0.4, Genre: "Animation"},
			{Level: 1, X: 1, Y: 0, Genre: "Animation", Or: "Comedy", From: 1990, To: 2000},
			{Level: 1, X: 0, Y: 1},
			{Level: 2, X: 0.8, Y: 0.6, Words: "千と千尋"},
		},
	}
	c := m.Calibration
	c.Map = MapRegion{
		Likes: []int{1, 6, 70},
		Radii: []Radii{{0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0.5, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3}},
	}
	c.Like.Bins[0].People, c.Like.Bins[1].People = 2, 61
	c.Like.Guarantee = []Guarantee{{Share: 0.125, Chance: 1}, {Share: 0.25, Chance: 0.5}}
	return m
}

// goldenPrior holds the values of testdata/*.pmlam: goldenMapped with a prior, and users without a free part.
func goldenPrior(p Precision) *Model {
	m := goldenMapped(p)
	m.Objective.Composition = gaussian.Composition{Weight: 2, Prior: 1.5}
	return m
}

// goldenDigests are the SHA-256 of the files' contents.
var goldenDigests = map[string]string{
	"v5-float32": "ba13a007447179055ac353e540af39b0923816eb1fdbb4e606784c8a115d7bea",
	"v5-float16": "a8734064a8936ad5ab74b8296e49e4439cf79630e5178fb330a965d8ab7c3035",
	"v5-int8":    "7f1159bbc9b1dbb83d985443960f74bf96d5d63cf6693a45e5fed6aa2d6f2e7e",
}

// TestGolden reads files that were written when the version was new. Every program that reads this version must read
// them, and write the same bytes.
func TestGolden(t *testing.T) {
	for _, p := range precisions {
		name := fmt.Sprintf("v%d-%v", version, p)
		path := filepath.Join("testdata", name+".pmlam")
		want := goldenPrior(p)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := decode(t, b)
		if got.Digest != goldenDigests[name] {
			t.Errorf("%s: digest %s, want %s", path, got.Digest, goldenDigests[name])
		}
		want.Digest = got.Digest
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got\n%+v\nwant\n%+v", path, got, want)
		}
		if again := encode(t, got); !bytes.Equal(again, b) {
			t.Errorf("%s: encoding again gives other bytes", path)
		}
	}
}
