//go:build !js

package model

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
)

// golden is what testdata/v1-*.pmlam hold, value by value. All numbers of its tables are exact in every precision:
// multiples of 1/128 with a row maximum of 127/128, and of 1/256 with a row maximum of 255/256.
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
		Plane: Plane{
			Origin: []float32{0.5, -0.25},
			Axes:   [2][]float32{{1, 0}, {0, -1}},
			Shares: [2]float64{0.75, 0.25},
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

// goldenLinked is what testdata/v2-*.pmlam hold: the same, with an item-item part. Its weights are exact too.
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

// goldenCalibrated is what testdata/v3-*.pmlam hold: the same, with a calibration, whose numbers are exact too.
func goldenCalibrated(p Precision) *Model {
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
	return m
}

// goldenMapped is what testdata/v4-*.pmlam hold: the same with a map in place of the plane, and what else version 4 has.
// Positions are exact in float32 as all multiples of 1/65535 are that float32 divides.
func goldenMapped(p Precision) *Model {
	m := goldenCalibrated(p)
	m.Plane = Plane{}
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

// goldenPrior is what testdata/v5-*.pmlam hold: the same with a prior beside users' likes, who have no free part.
func goldenPrior(p Precision) *Model {
	m := goldenMapped(p)
	m.Objective.Composition = gaussian.Composition{Weight: 2, Prior: 1.5}
	return m
}

// goldens are the models of the golden files by the version that they are written as.
var goldens = map[int]func(Precision) *Model{plain: golden, linked: goldenLinked, calibrated: goldenCalibrated, mapped: goldenMapped,
	prior: goldenPrior}

// goldenDigests are the SHA-256 of the files' contents.
var goldenDigests = map[string]string{
	"v1-float32": "2c2db71d7d56ea85466c32ee526e65ff7de04108e215ec6f1a1f3634d0240628",
	"v1-float16": "eef7a1db141977449b0e6e2ed240c41d3d03a42fe9edfd5edecb2b7a4789bff9",
	"v1-int8":    "50780fd949983b24ee7401485a465bb1d2031b144ba256744f6c61205b4db483",
	"v2-float32": "5224c25c6cced6cde28210832fecbecd44cb6381ee898bd524867c6ee79739e8",
	"v2-float16": "d013cad5c211b7d1053910ea87610c1329eb780a132a3f6c26a669ce5c7d3591",
	"v2-int8":    "9ca56cddfbe56ed067d03e41c469928c84c5540c1cafd560a7b2665047de9954",
	"v3-float32": "40b7b1f5cda68b72858b44daa7cb9cb8ce97307047de32be818f690ce8e06fad",
	"v3-float16": "b8d3a3a323c53335c522f3443a27d5ceb6d9c0321fa167bf634ce865c971359d",
	"v4-float32": "7922b33aa95869f8e1bd8c2ece44961db1fd0e171f530a96e1e3db77afd33b4d",
	"v4-float16": "512fff3d08fbe79bcedeed890212972cd79e246c0466fd2d889e458a5f6d2699",
	"v4-int8":    "be614d313ddcb9ec33facd2ca08acf55146e0a0bd13eda22367215e25e8ed3ab",
	"v5-float32": "ba13a007447179055ac353e540af39b0923816eb1fdbb4e606784c8a115d7bea",
	"v5-float16": "a8734064a8936ad5ab74b8296e49e4439cf79630e5178fb330a965d8ab7c3035",
	"v5-int8":    "7f1159bbc9b1dbb83d985443960f74bf96d5d63cf6693a45e5fed6aa2d6f2e7e",
	"v3-int8":    "59d42f1885a64f56b961b317902c1578c4f93cec346ed464281fc075d908e118",
}

// TestGolden reads the files of every version that were written when the version was new. They are kept for ever: every
// program from then on must read them, and while it still writes that version, must write the same bytes.
//
// PMLAM_WRITE_GOLDEN=1 writes those that are missing, and never replaces one.
func TestGolden(t *testing.T) {
	for v := range newest {
		for _, p := range precisions {
			testGolden(t, v+1, fmt.Sprintf("v%d-%v", v+1, p), goldens[v+1](p))
		}
	}
}

func testGolden(t *testing.T, version int, name string, want *Model) {
	path := filepath.Join("testdata", name+".pmlam")
	if _, err := os.Stat(path); os.Getenv("PMLAM_WRITE_GOLDEN") == "1" && errors.Is(err, os.ErrNotExist) {
		if err := WriteFile(path, want); err != nil {
			t.Fatal(err)
		}
	}
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
	if again := encode(t, got); version != calibrated && !bytes.Equal(again, b) {
		t.Errorf("%s: encoded again it has other bytes", path)
	}
}
