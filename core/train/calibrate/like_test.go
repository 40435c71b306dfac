package calibrate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
)

// drawn returns answers drawn from a logistic regression with the weights b.
func drawn(r *rand.Rand, n int, b []float64) (phi []model.LikeFeatures, liked []bool) {
	for range n {
		f := model.LikeFeatures{0: 1}
		for k := 1; k < len(f); k++ {
			f[k] = r.NormFloat64()
		}
		phi, liked = append(phi, f), append(liked, r.Float64() < sigmoid(dot(b, &f)))
	}
	return phi, liked
}

func weights(r *rand.Rand) []float64 {
	b := make([]float64, model.NumLikeFeatures)
	for k := range b {
		b[k] = r.NormFloat64() / 2
	}
	return b
}

// The gradient and the Hessian match finite differences of the loss.
func TestSlopeIsADerivative(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	b := weights(r)
	phi, liked := drawn(r, 60, weights(r))
	k := len(b)
	gradient, hessian := make([]float64, k), new(square)
	logLoss(b, phi, liked, 0.7, gradient, hessian)
	loss := func(b []float64) float64 { return logLoss(b, phi, liked, 0.7, nil, nil) }
	numeric := fd.Gradient(nil, loss, b, &fd.Settings{Formula: fd.Central})
	for j := range b {
		if math.Abs(gradient[j]-numeric[j]) > 1e-5*(1+math.Abs(numeric[j])) {
			t.Errorf("gradient %d is %v, by finite differences %v", j, gradient[j], numeric[j])
		}
	}
	var second mat.SymDense
	fd.Hessian(&second, loss, b, nil)
	for i := range k {
		for j := range i + 1 {
			if math.Abs(hessian[i][j]-second.At(i, j)) > 1e-3*(1+math.Abs(second.At(i, j))) {
				t.Errorf("Hessian[%d,%d] is %v, by finite differences %v", i, j, hessian[i][j], second.At(i, j))
			}
		}
	}
}

func TestSolveGivesTheSolution(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var a square
	n := len(a)
	root, x := mat.NewDense(n, n, nil), make([]float64, n)
	for i := range n {
		x[i] = r.NormFloat64()
		for j := range n {
			root.Set(i, j, r.NormFloat64())
		}
	}
	var m mat.SymDense
	m.SymOuterK(1, root)
	for i := range n {
		for j := range i + 1 {
			a[i][j] = m.At(i, j)
		}
	}
	var want mat.VecDense
	if err := want.SolveVec(&m, mat.NewVecDense(n, x)); err != nil {
		t.Fatal(err)
	}
	if !a.solve(x) {
		t.Fatal("a positive definite matrix was refused")
	}
	for i := range x {
		if math.Abs(x[i]-want.AtVec(i)) > 1e-9*(1+math.Abs(x[i])) {
			t.Errorf("value %d is %v, want %v", i, x[i], want.AtVec(i))
		}
	}
	for _, v := range []float64{-1, math.NaN(), math.Inf(1)} {
		a = square{}
		for i := range n {
			a[i][i] = v
		}
		if a.solve(x) {
			t.Errorf("a diagonal of %v was accepted", v)
		}
	}
}

func TestLogisticEndsAtTheMinimum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	truth := weights(r)
	phi, liked := drawn(r, 20000, truth)
	b, err := Logistic(phi, liked, ridge)
	if err != nil {
		t.Fatal(err)
	}
	gradient := make([]float64, len(b))
	logLoss(b, phi, liked, ridge, gradient, new(square))
	for k := range b {
		if math.Abs(gradient[k]) > 1e-4 {
			t.Errorf("gradient %d at the minimum is %v", k, gradient[k])
		}
		// The standard error of a weight is about 2/√n.
		if math.Abs(b[k]-truth[k]) > 5*2/math.Sqrt(20000) {
			t.Errorf("weight %d is %v, want %v", k, b[k], truth[k])
		}
	}
	// With the intercept alone, the fit is the logit of the share of likes.
	yes := 0.0
	for i := range phi {
		phi[i] = model.LikeFeatures{0: 1}
		if liked[i] {
			yes++
		}
	}
	if b, err = Logistic(phi, liked, ridge); err != nil || math.Abs(b[0]-logit(yes/20000)) > 1e-5 {
		t.Errorf("%v, %v; want %v", b, err, logit(yes/20000))
	}
	for i := range liked {
		liked[i] = true
	}
	if _, err := Logistic(phi, liked, ridge); err == nil {
		t.Error("answers that are all likes have a fit")
	}
}

// few returns three users and three items.
func few() Data {
	pairs := func(at ...[2]int32) *dataset.Matrix {
		var p []dataset.Pair
		for _, x := range at {
			p = append(p, dataset.Pair{Row: x[0], Col: x[1]})
		}
		return dataset.NewMatrix(3, 3, p)
	}
	return Data{
		Likes:   pairs([2]int32{0, 0}, [2]int32{1, 0}, [2]int32{2, 1}),
		Unliked: pairs([2]int32{2, 0}, [2]int32{1, 1}, [2]int32{0, 1}),
		Low:     pairs([2]int32{2, 0}),
	}
}

func TestRatesAreShrunkShares(t *testing.T) {
	d := few()
	c := count(d, []int{0, 1, 2})
	if c.share != 4.0/8 {
		t.Fatalf("the share of likes is %v, want the share of 3 in 6 ratings plus one of each kind", c.share)
	}
	for i, k := range []float64{2, 1, 0} {
		n := []float64{3, 3, 0}[i]
		p := (k + c.priorStrength/2) / (n + c.priorStrength)
		if got := Rates(d, []int{0, 1, 2})[i]; math.Abs(float64(got)-math.Log(p/(1-p))) > 1e-6 {
			t.Errorf("the rate of item %d is %v, want the logit of %v", i, got, p)
		}
	}
	// Items that differ a lot call for a weak prior, items that are alike for a strong one.
	apart, alike := &counts{share: 0.5}, &counts{share: 0.5}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 400 {
		for _, c := range []*counts{apart, alike} {
			p := 0.5
			if c == apart {
				p = []float64{0.05, 0.95}[i%2]
			}
			k := 0.0
			for range 20 {
				if r.Float64() < p {
					k++
				}
			}
			c.likes, c.ratings = append(c.likes, k), append(c.ratings, 20)
		}
	}
	if a, b := apart.choose(), alike.choose(); a != priorStrengths[0] || b != priorStrengths[len(priorStrengths)-1] {
		t.Errorf("prior strength %v for different items, %v for similar ones", a, b)
	}
}

func TestLevelIsTheMeanResidual(t *testing.T) {
	d := few()
	c := count(d, []int{0, 1, 2})
	want := 0.0
	for _, x := range []struct{ y, k, n float64 }{{1, 1, 2}, {0, 1, 2}, {1, 1, 2}, {0, 1, 2}, {1, 0, 2}, {0, 2, 2}} {
		want += (x.y - sigmoid(c.rate(x.k, x.n))) / 6
	}
	if got := level(d, []int{0, 1, 2}); math.Abs(got-want) > 1e-12 {
		t.Errorf("the level is %v, want %v", got, want)
	}
}

// Answers of users who happen to be easy to please are corrected to the level of all users.
func TestWeighTakesTheLevelOfAll(t *testing.T) {
	const users, items = 3000, 40
	r := rand.New(rand.NewPCG(7, 8))
	var likes, unliked []dataset.Pair
	ease := make([]float64, users)
	for u := range users {
		ease[u] = r.NormFloat64()
		for i := range items {
			if r.IntN(2) == 0 {
				continue
			}
			p := dataset.Pair{Row: int32(u), Col: int32(i)}
			if r.Float64() < sigmoid(ease[u]+float64(i)/20-1) {
				likes = append(likes, p)
			} else {
				unliked = append(unliked, p)
			}
		}
	}
	d := Data{Likes: dataset.NewMatrix(users, items, likes), Unliked: dataset.NewMatrix(users, items, unliked)}
	all := make([]int, users)
	for u := range all {
		all[u] = u
	}
	rates := Rates(d, all)
	collect := func(keep func(u int) bool) (out []Answer) {
		for u := range users {
			if !keep(u) {
				continue
			}
			for _, liked := range []bool{true, false} {
				row := d.Unliked.Row(u)
				if liked {
					row = d.Likes.Row(u)
				}
				for _, i := range row {
					c := model.LikeInput{Rate: float64(rates[i]), Items: items}
					out = append(out, Answer{Person: u, LikeInput: c, Features: c.Features(), Liked: liked})
				}
			}
		}
		return out
	}
	easy := collect(func(u int) bool { return u%30 == 0 && ease[u] > -0.5 })
	w, err := FitWeights(easy, d, all)
	if err != nil {
		t.Fatal(err)
	}
	like := model.LikeRegression{Weights: w}
	stated, came := 0.0, 0.0
	everybody := collect(func(int) bool { return true })
	for _, a := range everybody {
		stated += like.Chance(&a.Features) / float64(len(everybody))
		if a.Liked {
			came += 1 / float64(len(everybody))
		}
	}
	own := 0.0
	for _, a := range easy {
		if a.Liked {
			own += 1 / float64(len(easy))
		}
	}
	if own-came < 0.05 || math.Abs(stated-came) > 0.01 {
		t.Errorf("fitted where %.3f are likes, the chances of everybody are %.3f on average, and %.3f of theirs are "+
			"likes", own, stated, came)
	}
}

func TestReliabilityCutsIntoEqualParts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var stated []Stated
	for range 5003 {
		p := r.Float64()
		stated = append(stated, Stated{len(stated) % 7, p, r.Float64() < p})
	}
	bins := Reliability(stated, 10)
	total := 0
	for k, b := range bins {
		total += int(b.Count)
		if math.Abs(float64(b.Count)-500.3) > 1 || math.Abs(float64(b.Predicted)-(float64(k)+0.5)/10) > 0.02 ||
			math.Abs(float64(b.Observed-b.Predicted)) > 0.1 || b.People != 7 {
			t.Errorf("bin %d: %+v", k, b)
		}
	}
	if total != 5003 || !slices.IsSortedFunc(bins,
		func(a, b model.LikeBin) int { return int(1e6 * (a.Predicted - b.Predicted)) }) {
		t.Errorf("%d statements in %v", total, bins)
	}
	if got := Reliability(stated[:3], 10); len(got) != 3 {
		t.Errorf("three statements make %d bins", len(got))
	}
}
