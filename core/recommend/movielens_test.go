package recommend

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

// visitor is a user of MovieLens small with items of the shipped model: likes are ratings of 4 and more, dislikes of 2
// and less.
type visitor struct{ likes, dislikes []int }

var ratings = sync.OnceValues(func() ([][]string, error) {
	f, err := os.Open("../../assets/data/ml-latest-small/ratings.csv")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return csv.NewReader(f).ReadAll()
})

// visitors returns the users in the file's order, each list shuffled by a fixed seed.
func visitors(t *testing.T, r *Recommender) []visitor {
	t.Helper()
	rows, err := ratings()
	if err != nil {
		t.Fatal(err)
	}
	index := map[string]int{}
	for i := range r.Len() {
		index[r.Item(i).ID] = i
	}
	var out []visitor
	last := ""
	for _, row := range rows[1:] {
		if row[0] != last {
			last = row[0]
			out = append(out, visitor{})
		}
		item, ok := index[row[1]]
		stars, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		v := &out[len(out)-1]
		switch {
		case ok && stars >= 4:
			v.likes = append(v.likes, item)
		case ok && stars <= 2:
			v.dislikes = append(v.dislikes, item)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, v := range out {
		for _, x := range [][]int{v.likes, v.dislikes} {
			rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		}
	}
	return out
}

// As the page promises, the ellipse usually shrinks as likes arrive, and likes that are far from the others widen it.
func TestMoreLikesShrinkTheEllipseOfRealVisitors(t *testing.T) {
	r := openShipped(t)
	shrunk, steps := 0, 0
	var area [22]float64
	count := 0
	for _, v := range visitors(t, r) {
		if len(v.likes) < 20 {
			continue
		}
		count++
		var last float64
		for n := range 21 {
			now := r.Taste(Visit{Likes: v.likes[:n]}, nil).Variance()
			area[n] += now
			if n > 0 {
				steps++
				if now < last {
					shrunk++
				}
			}
			last = now
		}
	}
	share := float64(shrunk) / float64(steps)
	t.Logf(
		"%d visitors: %.1f%% of %d likes made the ellipse smaller; mean area after 0, 1, 3, 5, 10, 20 likes: %.4f %.4f %.4f %.4f %.4f %.4f",
		count,
		100*share,
		steps,
		area[0]/float64(count),
		area[1]/float64(count),
		area[3]/float64(count),
		area[5]/float64(count),
		area[10]/float64(count),
		area[20]/float64(count),
	)
	if share < 0.7 {
		t.Errorf("only %.1f%% of the likes made the ellipse smaller", 100*share)
	}
	for n := 1; n <= 20; n++ {
		if !(area[n] < area[n-1]) {
			t.Errorf("on average like %d widened the ellipse", n)
		}
	}
}

// The word for a chance of staying is accurate: among titles with that word, about that share stays in the visitor's
// first ten when a random half of the likes is forgotten.
func TestChanceToStayOfRealVisitors(t *testing.T) {
	r := openShipped(t)
	var said, stayed, stated [4]float64
	count := 0
	for _, v := range visitors(t, r) {
		n := []int{4, 8, 16, 32}[count%4]
		if len(v.likes) < n {
			continue
		}
		if count++; count > 120 {
			break
		}
		whole, half := Visit{Likes: v.likes[:n]}, Visit{Likes: v.likes[:n/2], Seen: v.likes[n/2 : n]}
		var items []int
		for _, s := range r.Recommend(whole, r.Taste(whole, nil), Request{K: Top}) {
			items = append(items, s.Item)
		}
		chances := r.Stability(whole, r.Taste(whole, nil), Request{}, items)
		left := r.Recommend(half, r.Taste(half, nil), Request{K: Top})
		for k, item := range items {
			c := Staying.Certainty(chances[k])
			said[c]++
			stated[c] += chances[k]
			if slices.ContainsFunc(left, func(s Suggestion) bool { return s.Item == item }) {
				stayed[c]++
			}
		}
	}
	for c := Gamble; c <= VerySure; c++ {
		observed, chance := stayed[c]/said[c], stated[c]/said[c]
		t.Logf(
			"certainty %d from %.2f: %4.0f titles, stated %.2f, stayed %.2f",
			c,
			Staying.From(c),
			said[c],
			chance,
			observed,
		)
		// Allow two standard errors of 300 titles, which do not move independently, and the error of the calibration.
		if said[c] < 50 || math.Abs(observed-chance) > 0.12 {
			t.Errorf("certainty %d: of %.0f titles %.2f stayed, stated was %.2f", c, said[c], observed, chance)
		}
		if c > Gamble && observed <= stayed[c-1]/said[c-1] {
			t.Errorf("titles of certainty %d stay no more often than of the one below", c)
		}
	}
}

// With half of a user's low ratings given as dislikes, the other half must fall, and their likes must not.
func TestDislikesOfRealVisitors(t *testing.T) {
	r := openShipped(t)
	var low0, low1, like0, like1 float64
	fell, n := 0, 0
	for _, v := range visitors(t, r) {
		if len(v.dislikes) < 6 || len(v.likes) < 10 {
			continue
		}
		likes, rest := v.likes[:len(v.likes)/2], v.likes[len(v.likes)/2:]
		told, held := v.dislikes[:len(v.dislikes)/2], v.dislikes[len(v.dislikes)/2:]
		without := r.Taste(Visit{Likes: likes}, nil)
		with := r.Taste(Visit{Likes: likes, Dislikes: told}, nil)
		a, b := percentile(r, without, held), percentile(r, with, held)
		low0, low1 = low0+a, low1+b
		like0, like1 = like0+percentile(r, without, rest), like1+percentile(r, with, rest)
		n++
		if b < a {
			fell++
		}
	}
	c := float64(n)
	t.Logf(
		"%d visitors: held-out dislikes went from percentile %.3f to %.3f (lower for %d), held-out likes from %.3f to %.3f",
		n,
		low0/c,
		low1/c,
		fell,
		like0/c,
		like1/c,
	)
	if n < 100 || float64(fell) < 0.6*c || !(low1 < low0) {
		t.Errorf("held-out dislikes fell for %d of %d visitors", fell, n)
	}
	if like0/c-like1/c > (low0-low1)/c || like0/c-like1/c > 0.01 {
		t.Errorf("held-out likes fell from %.3f to %.3f", like0/c, like1/c)
	}
}

// percentile returns the mean share of the catalogue that is farther away than the items.
func percentile(r *Recommender, t *Taste, items []int) float64 {
	d := make([]float32, r.Len())
	for i := range d {
		d[i] = gaussian.W2Squared(t.Row, r.items.Row(i))
	}
	sorted := slices.Clone(d)
	slices.Sort(sorted)
	sum := 0.0
	for _, i := range items {
		at, _ := slices.BinarySearch(sorted, d[i])
		sum += 1 - float64(at)/float64(len(d))
	}
	return sum / float64(len(items))
}
