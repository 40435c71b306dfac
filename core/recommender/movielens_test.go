package recommender

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

// visitor is a user of MovieLens small by the shipped model's items: what they rated 4 and more, and 2 and less.
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

// What the page promises: the ellipse tightens as likes arrive.
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
			now := r.TasteEllipses(r.Taste(Visit{Likes: v.likes[:n]}, nil))[1].Area()
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
	t.Logf("%d visitors: %.1f%% of %d likes made the ellipse smaller; mean area after 0, 1, 3, 5, 10, 20 likes: %.4f %.4f %.4f %.4f %.4f %.4f",
		count, 100*share, steps, area[0]/float64(count), area[1]/float64(count), area[3]/float64(count), area[5]/float64(count), area[10]/float64(count), area[20]/float64(count))
	if share < 0.9 {
		t.Errorf("only %.1f%% of the likes made the ellipse smaller", 100*share)
	}
	for n := 1; n <= 20; n++ {
		if !(area[n] < area[n-1]) {
			t.Errorf("on average like %d widened the ellipse", n)
		}
	}
}

// What the words of certainty promise: a surer word is followed by a like more often, and saying more makes us surer.
// The likes that are guessed were learned from too, so the rates are higher than a visitor's; their order is the point.
func TestCertaintyMeansSomething(t *testing.T) {
	for name, r := range map[string]*Recommender{"shipped": openShipped(t), "hybrid": openHybrid(t)} {
		t.Run(name, func(t *testing.T) { testCertainty(t, r) })
	}
}

func testCertainty(t *testing.T, r *Recommender) {
	all := visitors(t, r)
	var verySure, gambles []float64
	for _, n := range []int{1, 3, 5, 10, 30} {
		var shown, liked [4]float64
		total := 0.0
		for _, v := range all {
			if len(v.likes) < n+10 {
				continue
			}
			visit := Visit{Likes: v.likes[:n]}
			for _, s := range r.Recommend(visit, r.Taste(visit, nil), Request{K: 10}) {
				shown[s.Certainty]++
				total++
				if slices.Contains(v.likes[n:], s.Item) {
					liked[s.Certainty]++
				}
			}
		}
		rate := func(c Certainty) float64 { return liked[c] / shown[c] }
		t.Logf("after %d likes: gamble %.0f%%, hunch %.0f%%, fairly sure %.0f%%, very sure %.0f%%; of them liked %.2f, %.2f, %.2f, %.2f", n,
			100*shown[Gamble]/total, 100*shown[Hunch]/total, 100*shown[FairlySure]/total, 100*shown[VerySure]/total,
			rate(Gamble), rate(Hunch), rate(FairlySure), rate(VerySure))
		for c := Hunch; c <= VerySure; c++ {
			// A rate of fewer than 100 titles is noise.
			if shown[c-1] >= 100 && shown[c] >= 100 && rate(c) < rate(c-1) {
				t.Errorf("after %d likes: %.2f of certainty %d are liked, but %.2f of certainty %d", n, rate(c), c, rate(c-1), c-1)
			}
		}
		if n == 3 {
			for c, k := range shown {
				if k < 0.02*total {
					t.Errorf("after three likes the certainty %d stands for only %.0f%% of the titles", c, 100*k/total)
				}
			}
		}
		verySure, gambles = append(verySure, shown[VerySure]/total), append(gambles, shown[Gamble]/total)
	}
	for i := 1; i < len(verySure); i++ {
		if verySure[i] <= verySure[i-1] || gambles[i] >= gambles[i-1] {
			t.Errorf("saying more did not make us surer: very sure %.2f, gambles %.2f", verySure, gambles)
			break
		}
	}
}

// Half of what a user rated low is told as dislikes: the other half must fall, what they like must not.
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
	t.Logf("%d visitors: held-out dislikes went from percentile %.3f to %.3f (lower for %d), held-out likes from %.3f to %.3f",
		n, low0/c, low1/c, fell, like0/c, like1/c)
	if n < 100 || float64(fell) < 0.6*c || !(low1 < low0) {
		t.Errorf("held-out dislikes fell for %d of %d visitors", fell, n)
	}
	if like0/c-like1/c > (low0-low1)/c || like0/c-like1/c > 0.01 {
		t.Errorf("held-out likes fell from %.3f to %.3f", like0/c, like1/c)
	}
}

// percentile returns the mean share of the catalogue that lies farther away than the items.
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
