//go:build !js

package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/loss"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/profile"
	"github.com/pmlam/pmlam/core/projection/pca"
	"github.com/pmlam/pmlam/core/recommender"
)

// crowded is how many titles the map promises to stay smooth with.
const crowded = 10_000

// crowd is a model of that many titles that was never trained: forty clusters of several sizes on the sphere, each title
// named after its cluster, with one to three of eighteen genres, a year, and counts as uneven as real ones.
var crowd = sync.OnceValues(func() ([]byte, error) {
	const h, clusters, genres = 24, 40, 18
	r := rand.New(rand.NewPCG(20, 26))
	centres := make([][]float32, clusters)
	for c := range centres {
		centres[c] = make([]float32, h)
		for d := range centres[c] {
			centres[c][d] = float32(r.NormFloat64()) / float32(1+d/4) // a few directions matter most, as in a trained model
		}
		gaussian.ScaleInto(centres[c], 0.8)
	}
	m := &model.Model{
		Items: gaussian.NewTable(crowded, h), Precision: model.Float16, Catalogue: &catalogue.Catalogue{},
		Objective:  model.Objective{Loss: loss.Loss{Kind: loss.Softmax, Temperature: 0.5}, Composition: profile.Composition{Weight: 1}, Radius: 1, LearnRate: 0.003},
		Provenance: model.Provenance{Dataset: "A crowd", Users: 1, Interactions: crowded, Preset: "crowd"},
	}
	for i := range crowded {
		c := min(r.IntN(clusters), r.IntN(clusters))
		for d, x := range centres[c] {
			m.Items.Mean(i)[d] = x + 0.12*float32(r.NormFloat64())
			m.Items.Stddev(i)[d] = 0.1 + 0.02*r.Float32()
		}
		gaussian.Bound(m.Items.Row(i), 1)
		it := catalogue.Item{ID: fmt.Sprint(i), Title: fmt.Sprintf("Title %d of the cluster %d", i, c), Year: 1950 + r.IntN(75), Count: 5 + 20_000/(i+10)}
		for range 1 + r.IntN(3) {
			g := fmt.Sprintf("Genre %c", 'A'+(c+min(r.IntN(genres), r.IntN(genres), r.IntN(genres)))%genres)
			if len(it.Genres) == 0 || it.Genres[0] != g {
				it.Genres = append(it.Genres, g)
			}
		}
		m.Catalogue.Items = append(m.Catalogue.Items, it)
	}
	var err error
	if m.Plane, err = pca.Fit(m.Items); err != nil {
		return nil, err
	}
	return model.Encode(m)
})

// serveCrowd has the site serve the crowd in place of its own model until the test ends, and opens it natively too.
func serveCrowd(t testing.TB) *recommender.Recommender {
	t.Helper()
	b, err := crowd()
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	r, err := recommender.Open(m, recommender.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ours.replace(".msgpack", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(b) // a visitor who goes away is no failure
	}))
	return r
}
