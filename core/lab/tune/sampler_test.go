package tune

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/c-bata/goptuna"
)

// hills is a space with every kind of parameter, and a function over it with a single maximum of 0.
var hills = Space{
	{Name: "rate", Low: 0.001, High: 1, Log: true},
	{Name: "shift", Low: -1, High: 3},
	{Name: "size", Values: []string{"8", "16", "32", "64", "128"}, Ordered: true},
	{Name: "kind", Values: []string{"a", "b", "c"}},
	{Name: "steps", Low: 1, High: 100, Log: true, Whole: true},
}

func height(v map[string]float64) float64 {
	up := func(x float64) float64 { return -x * x }
	h := up(math.Log(v["rate"]/0.03)/2) + up(v["shift"]-2) + up((v["size"]-3)/2) + up(math.Log(v["steps"]/20)/2)
	if v["kind"] != 1 {
		h -= 1
	}
	return h
}

// climb returns the best of n trials, and all values that were drawn.
func climb(t *testing.T, seed uint64, n int, s goptuna.Sampler) (best float64, drawn []map[string]float64) {
	t.Helper()
	lib, err := goptuna.CreateStudy("", goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize),
		goptuna.StudyOptionSampler(s), goptuna.StudyOptionLogger(noLog{}))
	if err != nil {
		t.Fatal(err)
	}
	w := &study{Options: Options{Space: hills, Seed: seed}, lib: lib}
	best = math.Inf(-1)
	err = lib.Optimize(func(trial goptuna.Trial) (float64, error) {
		texts, err := w.suggest(trial)
		if err != nil {
			return 0, err
		}
		v := map[string]float64{}
		for i := range hills {
			x, ok := hills[i].internal(texts[hills[i].Name])
			if !ok {
				t.Fatalf("%s = %s lies outside its range", hills[i].Name, texts[hills[i].Name])
			}
			v[hills[i].Name] = x
		}
		drawn = append(drawn, v)
		best = max(best, height(v))
		return height(v), nil
	}, n)
	if err != nil {
		t.Fatal(err)
	}
	return best, drawn
}

func newSampler(seed uint64) *sampler {
	params := map[string]*Param{}
	for i := range hills {
		params[hills[i].Name] = &hills[i]
	}
	return &sampler{seed, params}
}

// uniform draws each value independently.
type uniform struct{ r *rand.Rand }

func (u uniform) Sample(_ *goptuna.Study, _ goptuna.FrozenTrial, name string, _ any) (float64, error) {
	return newSampler(0).params[name].fromUnit(u.r.Float64()), nil
}

// The estimator beats random search with the same number of trials, in nearly every study and clearly on average.
func TestTheSamplerLearns(t *testing.T) {
	const studies, trials = 20, 60
	wins := 0
	var learned, chance float64
	for seed := range uint64(studies) {
		a, _ := climb(t, seed, trials, newSampler(seed))
		b, _ := climb(t, seed, trials, uniform{rand.New(rand.NewPCG(seed, 1))})
		learned, chance = learned+a/studies, chance+b/studies
		if a > b {
			wins++
		}
	}
	t.Logf("mean height %.3f, random search %.3f; higher in %d of %d", learned, chance, wins, studies)
	if wins < studies*3/4 || learned < chance/2 {
		t.Errorf("mean height %.3f, random search %.3f; higher in only %d of %d", learned, chance, wins, studies)
	}
}

func TestTheSamplerRepeats(t *testing.T) {
	_, a := climb(t, 7, 30, newSampler(7))
	_, b := climb(t, 7, 30, newSampler(7))
	if !reflect.DeepEqual(a, b) {
		t.Error("the same seed draws different values")
	}
	_, c := climb(t, 8, 30, newSampler(8))
	if reflect.DeepEqual(a[0], c[0]) || reflect.DeepEqual(a[29], c[29]) {
		t.Error("another seed draws the same values")
	}
}

// The first trials are a Latin hypercube: every tenth of every range once.
func TestTheStartCoversTheRanges(t *testing.T) {
	_, drawn := climb(t, 3, startup, newSampler(3))
	for _, name := range []string{"rate", "shift"} {
		p := newSampler(3).params[name]
		var seen [startup]int
		for _, v := range drawn {
			seen[min(int(p.toUnit(v[name])*startup+1e-3), startup-1)]++
		}
		for k, n := range seen {
			if n != 1 {
				t.Errorf("%s: part %d was drawn %d times: %v", name, k, n, seen)
			}
		}
	}
}

// The density integrates to 1 over [0,1], and draw samples from it.
func TestParzen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, points := range [][]float64{{}, {0}, {1}, {0.5, 0.5}, {0.1, 0.12, 0.9, 1}} {
		p := newParzen(points)
		const n = 10000
		var whole, half float64
		for k := range n {
			d := p.density((float64(k) + 0.5) / n)
			whole += d / n
			if k < n/2 {
				half += d / n
			}
		}
		if math.Abs(whole-1) > 1e-6 {
			t.Errorf("%v: the density integrates to %v", points, whole)
		}
		low := 0.0
		for range n {
			x := p.draw(r)
			if x < 0 || x > 1 {
				t.Fatalf("%v: drew %v", points, x)
			}
			if x < 0.5 {
				low += 1. / n
			}
		}
		if math.Abs(low-half) > 5*math.Sqrt(0.25/n) {
			t.Errorf("%v: %.3f of the draws lie below 1/2, the density says %.3f", points, low, half)
		}
	}
}

// A place on the scale round-trips through its value, and values outside are refused.
func TestParamsRoundTrip(t *testing.T) {
	for i := range hills {
		p := &hills[i]
		for k := range 101 {
			u := float64(k) / 100
			v := p.fromUnit(u)
			back, ok := p.internal(p.text(v))
			if !ok || back != v {
				t.Fatalf("%s: %v became %q and then %v, %t", p.Name, v, p.text(v), back, ok)
			}
			if at := p.fromUnit(p.toUnit(v)); at != v {
				t.Fatalf("%s: %v is at %v, want %v", p.Name, v, p.toUnit(v), at)
			}
		}
		for _, text := range []string{"", "1e9", "-7", "nan", "d"} {
			if _, ok := p.internal(text); ok {
				t.Errorf("%s accepts %q", p.Name, text)
			}
		}
	}
}
