package recommend

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// mapped is a model with a map on which the five clusters of fixture are far apart.
func mapped(n int) *model.Model {
	m := linked(n)
	r := rand.New(rand.NewPCG(8, 8))
	m.Map = &model.Map{X: make([]float32, n), Y: make([]float32, n)}
	for i := range n {
		at := [][2]float32{{0.1, 0.1}, {0.9, 0.1}, {0.1, 0.9}, {0.9, 0.9}, {0.5, 0.5}}[i%5]
		m.Map.X[i], m.Map.Y[i] = at[0]+0.02*r.Float32()-0.01, at[1]+0.02*r.Float32()-0.01
	}
	return m
}

// Likes of one kind make one taste, at their place. With two kinds, the tastes' shares equal the likes'. The next
// titles are within the rings.
func TestPlacesOfOneAndOfTwoTastes(t *testing.T) {
	r := open(t, mapped(1000))
	for _, c := range []struct {
		likes  []int
		shares []float64
		at     []int // an item at each taste
	}{
		{[]int{5}, []float64{1}, []int{0}},
		{[]int{1, 101, 206, 501, 746}, []float64{1}, []int{1}},
		{[]int{0, 100, 205, 501, 746, 911}, []float64{0.5, 0.5}, []int{0, 1}},
		{[]int{0, 100, 205, 500, 745, 910, 304, 404}, []float64{0.75, 0.25}, []int{0, 4}},
	} {
		v := Visit{Likes: c.likes}
		p := r.Places(v, r.Taste(v, nil))
		if len(p.Tastes) != len(c.shares) {
			t.Fatalf("%v: %+v", c.likes, p.Tastes)
		}
		sum := 0.0
		for k, at := range c.at {
			x, y := r.Point(at)
			near := func(p Place) bool { return math.Hypot(p.Ellipses[0].X-x, p.Ellipses[0].Y-y) < 0.05 }
			found := slices.IndexFunc(p.Tastes, near)
			if found < 0 || math.Abs(p.Tastes[found].Share-c.shares[k]) > 0.12 {
				t.Errorf("%v: no taste at item %d with the share %v: %+v", c.likes, at, c.shares[k], p.Tastes)
			}
			sum += p.Tastes[k].Share
			e := p.Tastes[k].Ellipses
			if !(0 < e[0].B && e[0].A < e[1].A && e[1].A < e[2].A && e[2].A < 0.3) {
				t.Errorf("%v: the rings are %+v", c.likes, e)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%v: the shares sum to %v", c.likes, sum)
		}
		list := items(r.Recommend(v, r.Taste(v, nil), Request{K: nextTitles}))
		if !slices.Equal(p.Next, list) {
			t.Errorf("%v: next are %v, in the list %v", c.likes, p.Next, list)
		}
		outside := 0
		for _, i := range p.Next[:10] {
			if x, y := r.Point(i); !(p.Distance(x, y) < model.EllipseRadius(0.95)) {
				outside++
			}
		}
		if outside > 2 { // titles between two tastes
			t.Errorf("%v: %d of the first ten are outside of every ring", c.likes, outside)
		}
	}
	if p := r.Places(Visit{Dislikes: []int{3}}, r.Taste(Visit{Dislikes: []int{3}}, nil)); p.Tastes != nil || p.Next != nil {
		t.Errorf("without likes: %+v", p)
	}
}

// A calibrated model gives the calibrated radii for the number of likes.
func TestPlacesHaveTheCalibratedRadii(t *testing.T) {
	m := mapped(200)
	c := &model.Calibration{Users: 1}
	h := m.Items.Dim()
	c.Posterior.Within, c.Posterior.Strength = make([]float32, h*(h+1)/2), 5
	for d := range h {
		c.Posterior.Within[d*(d+3)/2] = 0.01
	}
	c.Map = model.MapRegion{Likes: []int{1, 3}, Radii: make([]model.Radii, 2)}
	for k := range model.Levels {
		c.Map.Radii[0][k], c.Map.Radii[1][k] = float32(k), float32(2*k)
	}
	m.Calibration = c
	r := open(t, m)
	for likes, want := range map[int][3]float64{2: {4, 7, 9}, 3: {8, 14, 18}} {
		v := Visit{Likes: []int{0, 5, 10}[:likes]}
		p := r.Places(v, r.Taste(v, nil))
		big, _, _ := p.Tastes[0].Covariance.Eigen()
		for k, radius := range want {
			if got := p.Tastes[0].Ellipses[k].A / math.Sqrt(big); math.Abs(got-radius) > 1e-6 {
				t.Errorf("%d likes: ring %d has the radius %v, want %v", likes, k, got, radius)
			}
		}
	}
}

// Likes at two points are two tastes with the assumed width. An even cross of likes is one taste, with its scatter in
// addition, except for the little that the uniform part takes.
func TestMixtureInClosedForm(t *testing.T) {
	const assumed = placePrior * placeWidth * placeWidth
	g := newGrid()
	g.add(0.2, 0.3, 7)
	g.add(0.8, 0.9, 3)
	got := g.tastes(10)
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	for k, want := range []component{{share: 0.7, x: 0.2, y: 0.3}, {share: 0.3, x: 0.8, y: 0.9}} {
		c, n := got[k], 10*want.share
		wide := assumed / (placePrior + n) * (1 + 1/n)
		if math.Abs(c.share-want.share) > 1e-3 || math.Abs(c.x-want.x) > 1e-6 || math.Abs(c.y-want.y) > 1e-6 ||
			math.Abs(c.XX-wide) > 1e-4*wide || math.Abs(c.YY-wide) > 1e-4*wide || math.Abs(c.XY) > 1e-6 {
			t.Errorf("%+v, want %+v with the variance %v", c, want, wide)
		}
	}
	g = newGrid()
	for _, p := range [][2]float64{{0.45, 0.5}, {0.55, 0.5}, {0.5, 0.4}, {0.5, 0.6}} {
		g.add(p[0], p[1], 1)
	}
	along := func(scatter float64) float64 { return (assumed + scatter) / (placePrior + 4) * 1.25 }
	if got = g.tastes(4); len(got) != 1 || math.Abs(got[0].XX-along(0.005)) > 1e-5 ||
		math.Abs(got[0].YY-along(0.02)) > 1e-5 || math.Abs(got[0].x-0.5) > 1e-12 {
		t.Errorf("%+v", got)
	}
	p := Places{Tastes: []Place{{Covariance: model.Covariance{XX: 4, XY: 1, YY: 1}}}}
	if d := p.Distance(2, 3); math.Abs(d*d-(4-12+36)/3.0) > 1e-12 {
		t.Errorf("the squared distance is %v", d*d)
	}
}

// The rings tighten with each like of the same kind. A like of another kind gets its own taste among five, and the
// tastes list the likes in them.
func TestRingsTightenAndMarkWhatWasLiked(t *testing.T) {
	r := open(t, mapped(500))
	area := math.Inf(1)
	for n := 1; n <= 7; n++ {
		var v Visit
		for k := range n {
			v.Likes = append(v.Likes, 5*k)
		}
		p := r.Places(v, r.Taste(v, nil))
		if len(p.Tastes) != 1 || !slices.Equal(p.Tastes[0].Likes, v.Likes) {
			t.Fatalf("%d likes: %+v", n, p.Tastes)
		}
		e := p.Tastes[0].Ellipses[2]
		if now := e.A * e.B; now > 0.93*area {
			t.Errorf("like %d: the outer ring has %.2f times the area", n, now/area)
		} else {
			area = now
		}
	}
	v := Visit{Likes: []int{1, 0, 5, 10, 15}}
	p := r.Places(v, r.Taste(v, nil))
	if len(p.Tastes) != 2 || !slices.Equal(p.Tastes[0].Likes, []int{0, 5, 10, 15}) ||
		!slices.Equal(p.Tastes[1].Likes, []int{1}) || math.Abs(p.Tastes[1].Share-0.2) > 0.01 {
		t.Errorf("one of five likes is of another kind: %+v", p.Tastes)
	}
}

// The order of the likes changes nothing.
func TestPlacesDoNotDependOnTheOrder(t *testing.T) {
	r := open(t, mapped(500))
	likes, dislikes := []int{4, 9, 100, 233, 17, 402}, []int{3, 8}
	v := Visit{Likes: likes, Dislikes: dislikes}
	want := r.Places(v, r.Taste(v, nil))
	for range 5 {
		likes, dislikes = append(slices.Clone(likes[1:]), likes[0]), []int{dislikes[1], dislikes[0]}
		v = Visit{Likes: likes, Dislikes: dislikes}
		if got := r.Places(v, r.Taste(v, nil)); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, before %+v", likes, got, want)
		}
	}
}

// FuzzPlaces: for any visit, the tastes are Gaussians whose shares sum to 1.
func FuzzPlaces(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4}, []byte{})
	f.Add([]byte{0, 0, 255, 7}, []byte{0, 7}, []byte{7, 8, 9})
	f.Add([]byte{}, []byte{1}, []byte{1})
	every := make([]byte, 60)
	for i := range every {
		every[i] = byte(i)
	}
	f.Add(every, []byte{}, []byte{})
	var models []*Recommender
	for _, m := range []*model.Model{mapped(60), fixtures(60)["both"], fixtures(60)["hinge"]} {
		models = append(models, open(f, m))
	}
	f.Fuzz(func(t *testing.T, likes, dislikes, seen []byte) {
		var v Visit
		for k, list := range []*[]int{&v.Likes, &v.Dislikes, &v.Seen} {
			for _, b := range [][]byte{likes, dislikes, seen}[k] {
				*list = append(*list, int(b)-3)
			}
		}
		for _, r := range models {
			taste := r.Taste(v, nil)
			p := r.Places(v, taste)
			if err := finite("places", reflect.ValueOf(p)); err != nil {
				t.Fatal(err)
			}
			if (len(p.Tastes) > 0) != (len(taste.Likes()) > 0) || len(p.Tastes) > maxTastes {
				t.Fatalf("%+v", p)
			}
			sum := 0.0
			for _, c := range p.Tastes {
				sum += c.Share
				if e := c.Covariance; !(e.XX*e.YY > e.XY*e.XY) || !(c.Share >= 0) {
					t.Fatalf("%+v", p.Tastes)
				}
			}
			if len(p.Tastes) > 0 && math.Abs(sum-1) > 1e-9 {
				t.Fatalf("the shares sum to %v", sum)
			}
		}
	})
}
