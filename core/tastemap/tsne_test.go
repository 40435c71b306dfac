package tastemap

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
)

// goldenCase is a case of testdata/tsne.json, made with scikit-learn (testdata/golden.py).
type goldenCase struct {
	Perplexity float64   `json:"perplexity"`
	Width      int       `json:"width"`
	Rows       []float32 `json:"rows"`
	P          []float64 `json:"p"` // n×n
	Places     []float64 `json:"places"`
	Divergence float64   `json:"divergence"`
	Gradient   []float64 `json:"gradient"`
}

func goldenCases(t *testing.T) (cases []goldenCase) {
	t.Helper()
	b, err := os.ReadFile("testdata/tsne.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// allNeighbours returns P over all pairs, as in scikit-learn's exact method.
func allNeighbours(t *testing.T, rows Rows, perplexity float64) *affinities {
	t.Helper()
	n := rows.Len()
	points, given := make([]int32, n*(n-1)), make([]float64, n*(n-1))
	err := nearest(context.Background(), rows, everyPoint(n), n-1, 2, func(i int, found []neighbour) {
		for j, f := range found {
			points[i*(n-1)+j], given[i*(n-1)+j] = f.Item, float64(-f.Score)
		}
		conditional(given[i*(n-1):(i+1)*(n-1)], perplexity)
	})
	if err != nil {
		t.Fatal(err)
	}
	return symmetric(n, n-1, points, given)
}

// The affinities, the divergence and its gradient agree with scikit-learn, an independent implementation.
func TestAgreesWithScikitLearn(t *testing.T) {
	for _, c := range goldenCases(t) {
		n := len(c.Places) / 2
		a := allNeighbours(t, Rows{c.Rows, c.Width}, c.Perplexity)
		p := make([]float64, n*n)
		for i := range n {
			for at := a.start[i]; at < a.start[i+1]; at++ {
				p[i*n+int(a.column[at])] = a.p[at]
			}
		}
		for at, want := range c.P {
			// Its entropies are accurate to 1e-5, ours to 1e-6.
			if math.Abs(p[at]-want) > 1e-4*want+1e-8 {
				t.Fatalf("%d points: P[%d,%d] is %v, want %v", n, at/n, at%n, p[at], want)
			}
		}
		if got := divergence(a, c.Places); math.Abs(got-c.Divergence) > 1e-5*c.Divergence {
			t.Errorf("%d points: the divergence is %v, want %v", n, got, c.Divergence)
		}
		d := newDescent(a, c.Places, 2)
		d.gradient(1, 0)
		for at, want := range c.Gradient {
			if math.Abs(d.slope[at]-want) > 2e-6 {
				t.Errorf("%d points: slope %d is %v, want %v", n, at, d.slope[at], want)
			}
		}
	}
}

// divergence returns Σ_ij P_ij ln(P_ij/Q_ij) by the definition.
func divergence(a *affinities, xy []float64) (sum float64) {
	n := len(xy) / 2
	w := func(i, j int) float64 {
		dx, dy := xy[2*i]-xy[2*j], xy[2*i+1]-xy[2*j+1]
		return 1 / (1 + dx*dx + dy*dy)
	}
	total := 0.0
	for i := range n {
		for j := range n {
			if i != j {
				total += w(i, j)
			}
		}
	}
	for i := range n {
		for at := a.start[i]; at < a.start[i+1]; at++ {
			if p := a.p[at]; p > 0 {
				sum += p * math.Log(p*total/w(i, int(a.column[at])))
			}
		}
	}
	return sum
}

// cloud returns n points around some centres.
func cloud(n, width int, seed uint64) Rows {
	r := rand.New(rand.NewPCG(seed, 1))
	rows := Rows{make([]float32, n*width), width}
	for i := range rows.Data {
		rows.Data[i] = float32(r.NormFloat64() + 4*float64(i/width%5)*float64(i%width%2))
	}
	return rows
}

// The gradient agrees with finite differences of the divergence, for sparse affinities too.
func TestGradientIsTheDivergences(t *testing.T) {
	rows := cloud(60, 6, 1)
	a, err := newAffinities(context.Background(), rows, 5, 2, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 2))
	xy := make([]float64, 120)
	for i := range xy {
		xy[i] = 2 * r.NormFloat64()
	}
	d := newDescent(a, xy, 2)
	d.gradient(1, 0)
	slope := slices.Clone(d.slope)
	const step = 1e-5
	for i := range xy {
		kept := xy[i]
		xy[i] = kept + step
		up := divergence(a, xy)
		xy[i] = kept - step
		down := divergence(a, xy)
		xy[i] = kept
		if want := (up - down) / (2 * step); math.Abs(slope[i]-want) > 1e-8 {
			t.Errorf("slope %d is %v, the finite difference %v", i, slope[i], want)
		}
	}
	// Exaggeration multiplies only the attraction: the slope is linear in it.
	d.gradient(3, 0)
	three := slices.Clone(d.slope)
	d.gradient(2, 0)
	for i := range xy {
		if math.Abs(three[i]-2*d.slope[i]+slope[i]) > 1e-12 {
			t.Errorf("slope %d is not linear in the exaggeration", i)
		}
	}
}

// The affinities sum to 1, are symmetric, and have the requested perplexity.
func TestAffinities(t *testing.T) {
	rows := cloud(200, 8, 3)
	a, err := newAffinities(context.Background(), rows, 10, 2, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	of, sum := map[[2]int32]float64{}, 0.0
	for i := range int32(200) {
		for at := a.start[i]; at < a.start[i+1]; at++ {
			if at > a.start[i] && a.column[at] <= a.column[at-1] || a.column[at] == i {
				t.Fatalf("row %d has column %d out of order", i, a.column[at])
			}
			of[[2]int32{i, a.column[at]}] = a.p[at]
			sum += a.p[at]
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the affinities sum to %v", sum)
	}
	for at, p := range of {
		if of[[2]int32{at[1], at[0]}] != p {
			t.Errorf("P%v is %v, and %v the other way", at, p, of[[2]int32{at[1], at[0]}])
		}
	}
	for _, perplexity := range []float64{2, 10, 29} {
		d := make([]float64, 30)
		for i := range d {
			d[i] = 0.1 * float64(i*i)
		}
		conditional(d, perplexity)
		entropy := 0.0
		for _, p := range d {
			if p > 0 {
				entropy -= p * math.Log(p)
			}
		}
		if math.Abs(math.Exp(entropy)-perplexity) > 1e-4*perplexity {
			t.Errorf("perplexity %v, want %v", math.Exp(entropy), perplexity)
		}
	}
	same := []float64{3, 3, 3, 3}
	if conditional(same, 2); !slices.Equal(same, []float64{0.25, 0.25, 0.25, 0.25}) {
		t.Errorf("equally distant neighbours have %v", same)
	}
}

// The tree's sums are those over all pairs: exact if every cell is opened, and close for the default opening.
func TestTreeIsTheSumOverAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	xy := make([]float64, 2*700)
	for i := range xy {
		xy[i] = 5 * r.NormFloat64()
	}
	copy(xy[40:80], xy[:40]) // coincident points, more than a leaf holds
	for i := 100; i < 140; i += 2 {
		xy[i], xy[i+1] = xy[98], xy[99]
	}
	var tr tree
	tr.build(xy)
	if len(tr.order) != 700 || tr.cells[0].mass != 700 || int(tr.cells[0].skip) != len(tr.cells) {
		t.Fatalf("the tree has %d points, its root %+v", len(tr.order), tr.cells[0])
	}
	worst, largest := 0.0, 0.0
	for at, i := range tr.order {
		fx, fy, sum := 0.0, 0.0, 0.0
		for j := range 700 {
			dx, dy := xy[2*i]-xy[2*j], xy[2*i+1]-xy[2*j+1]
			w := 1 / (1 + dx*dx + dy*dy)
			fx, fy, sum = fx+w*w*dx, fy+w*w*dy, sum+w
		}
		x, y, weights := tr.repulsion(at, 0)
		if math.Abs(x-fx) > 1e-11 || math.Abs(y-fy) > 1e-11 || math.Abs(weights-sum) > 1e-10 {
			t.Fatalf("point %d: %v, %v, %v, want %v, %v, %v", i, x, y, weights, fx, fy, sum)
		}
		x, y, weights = tr.repulsion(at, Default.Opening)
		worst, largest = max(worst, math.Hypot(x-fx, y-fy)), max(largest, math.Hypot(fx, fy))
		if math.Abs(weights-sum) > 0.03*sum {
			t.Errorf("point %d: the weights sum to %v, want %v", i, weights, sum)
		}
	}
	if worst > 0.04*largest {
		t.Errorf("the largest error of a force is %v, the largest force %v", worst, largest)
	}
}

// Groups of points form groups on the map. The bytes are the same for any number of workers.
func TestGroupsStayTogether(t *testing.T) {
	rows := cloud(300, 10, 5)
	s := Default
	s.Steps = 400
	xy, err := TSNE(context.Background(), rows, s, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	again, err := TSNE(context.Background(), rows, s, 7, func(done, all int, places []float64) {
		if len(places) == 0 {
			return
		}
		search, rest := lead(rows)
		if steps++; done != search+rest+steps || all != search+rest+400 || len(places) != len(xy) {
			t.Fatalf("step %d of %d is reported as %d of %d", steps, s.Steps, done, all)
		}
	})
	if err != nil || !slices.Equal(xy, again) {
		t.Fatalf("seven workers give a different map from one, %v", err)
	}
	for i := range 300 {
		own, other := 0.0, math.Inf(1)
		for j := range 300 {
			d := math.Hypot(xy[2*i]-xy[2*j], xy[2*i+1]-xy[2*j+1])
			if i%5 == j%5 {
				own += d / 60
			} else {
				other = min(other, d)
			}
		}
		if own > 60 || math.IsNaN(own) {
			t.Fatalf("point %d is %v from its own group", i, own)
		}
	}
	kinds := make([]int32, 300)
	for i := range kinds {
		kinds[i] = int32(i % 5)
	}
	q, err := Measure(context.Background(), rows, rowsOf(xy), kinds, 10, 2)
	if err != nil || q.SameGenre < 0.95 || q.Trustworthiness < 0.9 {
		t.Errorf("%+v, %v", q, err)
	}
}

func rowsOf(xy []float64) Rows {
	r := Rows{make([]float32, len(xy)), 2}
	for i, v := range xy {
		r.Data[i] = float32(v)
	}
	return r
}

func TestWhatCannotBeLaidOut(t *testing.T) {
	ctx := context.Background()
	if _, err := TSNE(ctx, cloud(3, 2, 1), Default, 1, nil); err == nil {
		t.Error("three rows were laid out")
	}
	bad := cloud(20, 3, 1)
	bad.Data[17] = float32(math.NaN())
	if _, err := TSNE(ctx, bad, Default, 1, nil); err == nil {
		t.Error("a row with NaN was laid out")
	}
	stopped, stop := context.WithCancel(ctx)
	done := 0
	if _, err := TSNE(stopped, cloud(50, 3, 1), Default, 1, func(int, int, []float64) {
		if done++; done == 5 {
			stop()
		}
	}); err != context.Canceled || done != 5 {
		t.Errorf("%v after %d steps, want 5", err, done)
	}
	// Equal rows, and very few rows, have a map of finite numbers.
	for _, rows := range []Rows{{make([]float32, 3*40), 3}, cloud(4, 2, 1), cloud(5, 300, 1)} {
		xy, err := TSNE(ctx, rows, Default, 2, nil)
		if err != nil || slices.ContainsFunc(xy, func(v float64) bool { return v-v != 0 }) {
			t.Errorf("%d rows: %v, %v", rows.Len(), xy[:8], err)
		}
	}
}

// Progress never falls, begins before the neighbours are found, and ends with the regions.
func TestProgressOfTheMap(t *testing.T) {
	const n = 90
	items, c := gaussian.NewTable(n, 2), &catalogue.Catalogue{Items: make([]catalogue.Item, n)}
	copy(items.Data(), cloud(n, 4, 5).Data)
	search, rest := lead(W2(items))
	last, places := -1, 0
	_, err := Compute(context.Background(), items, c, 2, func(done, all int, xy []float64) {
		if done < last || done > all || last < 0 && done > 0 {
			t.Fatalf("%d after %d, of %d", done, last, all)
		}
		if last = done; len(xy) > 0 {
			places++
		}
		if placed := done > search+rest; placed != (len(xy) > 0) {
			t.Fatalf("step %d of %d has %d places", done, all, len(xy)/2)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if all := search + rest + Default.Steps + Default.Steps/regionsShare; last != all || places != Default.Steps+1 {
		t.Errorf("ended at %d of %d, with places %d times", last, all, places)
	}
}
