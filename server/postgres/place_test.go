package postgres

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// TestPlaces: no item costs less than its distance from the visitor's place says, also if some genres have no
// coordinate. If all have one, the ten items of the lowest cost are among those that are nearest.
func TestPlaces(t *testing.T) {
	m := movielens(t)
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func(n int) { placedGenres = n }(placedGenres)
	for _, placedGenres = range []int{64, 5} {
		f := r.Formula()
		p := newPlacing(m, &f)
		if want := min(placedGenres, len(f.GenreShares)); len(p.genres) != want || len(p.levels) < 5 {
			t.Fatalf("%d genres and %d levels, want %d genres", len(p.genres), len(p.levels), want)
		}
		x := rand.New(rand.NewPCG(5, 6))
		for range 20 {
			near := r.Similar(x.IntN(r.Len()), recommend.Visit{}, 40)
			v := recommend.Visit{}
			for range 1 + x.IntN(12) {
				v.Likes = append(v.Likes, near[x.IntN(len(near))].Item)
			}
			of := recommend.Tendency{Row: r.Taste(v, nil).Row, Rare: float32(.6 * x.Float64())}
			for range r.Genres() {
				of.Genres = append(of.Genres, float32(math.Pow(x.Float64(), 4)*4-.8)) // few are high, as in questions
			}
			p.compare(t, m, r, &f, of)
		}
	}
}

// compare compares the distances from a visitor's place, as recommend in SQL computes it, with the costs.
func (p *placing) compare(t *testing.T, m *model.Model, r *recommend.Recommender, f *recommend.Formula,
	of recommend.Tendency) {
	rare := float64(of.Rare) * f.Unit
	known := func(count int) float64 { return math.Log(float64(1+f.FewKnow) / float64(1+count)) }
	weights := map[string]float64{}
	surplus := rare * known(p.levels[0])
	for g, name := range r.Genres() {
		weights[name] = float64(of.Genres[g])
		if !slices.Contains(p.genres, name) {
			surplus += max(weights[name], 0)
		}
	}
	place := slices.Clone(of.Row)
	further := func(q float64) { place, surplus = append(place, float32(q)), surplus+q*q }
	for _, g := range p.genres {
		further((p.genreSize*p.genreSize + weights[g]) / (2 * p.genreSize))
	}
	for k, level := range p.levels[1:] {
		further((p.level*p.level - rare*(known(p.levels[k])-known(level))) / (2 * p.level))
	}
	var costs, away []float64
	for i := range r.Len() {
		it := r.Item(i)
		cost := recommend.W2Squared(of.Row, m.Items.Row(i)) - rare*known(it.Count)
		for _, g := range it.Genres {
			cost -= weights[g]
		}
		x := p.of(m.Items.Row(i), it)
		if len(x) != p.width(2*m.Items.Dim()) || len(x) != len(place) {
			t.Fatalf("a place has %d coordinates, want %d", len(x), p.width(2*m.Items.Dim()))
		}
		d := 0.0
		for k := range x {
			d += float64(x[k]-place[k]) * float64(x[k]-place[k])
		}
		costs, away = append(costs, cost), append(away, d)
		if d-surplus > cost+1e-4 {
			t.Fatalf("%s costs %v, less than %v", it.Title, cost, d-surplus)
		}
	}
	best, nearest := slices.Sorted(slices.Values(costs)), slices.Sorted(slices.Values(away))
	for i, cost := range costs {
		// Of all genres, only a level's width keeps an item back.
		if within := 40; len(p.genres) == len(f.GenreShares) && cost <= best[9] && away[i] > nearest[within] {
			t.Errorf("%s is among the ten best, but not among the %d nearest", r.Item(i).Title, within)
		}
	}
}
