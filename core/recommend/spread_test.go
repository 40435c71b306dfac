package recommend

import (
	"math"
	"math/rand/v2"
	"testing"
)

func volume(t *Taste) float64 {
	sum := 0.0
	for _, s := range t.Spread {
		sum += math.Log(float64(s))
	}
	return sum
}

func TestAgreeingLikesShrinkTheEllipse(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for name, s := range settings(t) {
		f := inferrer(t, s)
		for range 20 {
			base := r.IntN(fixtureClusters) * fixtureEach
			order := r.Perm(fixtureEach)
			last, likes := f.Infer(Evidence{}, nil), []int{}
			if s.Posterior != nil { // a posterior needs likes
				likes = append(likes, base+order[12])
				last = f.Infer(Evidence{Likes: likes}, nil)
			}
			for _, k := range order[:12] {
				likes = append(likes, base+k)
				now := f.Infer(Evidence{Likes: likes}, nil)
				if !(volume(now) < volume(last)) {
					t.Fatalf(
						"%s: like %d of one cluster did not shrink the ellipse (log volume %.3f to %.3f)",
						name,
						len(likes),
						volume(last),
						volume(now),
					)
				}
				last = now
			}
		}
	}
}

func TestContradictionWidensTheEllipse(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for name, s := range settings(t) {
		f := inferrer(t, s)
		narrower := 0
		for range 20 {
			k := r.Perm(fixtureEach)
			agree := f.Infer(Evidence{Likes: []int{k[0], k[1], k[2], k[3]}}, nil)
			apart := f.Infer(Evidence{Likes: []int{k[0], 40 + k[1], 80 + k[2], 120 + k[3]}}, nil)
			if !(volume(apart) > volume(agree)) {
				t.Errorf("%s: four likes in four clusters give a smaller ellipse than four in one", name)
			}
			// A dislike among the likes contradicts them, a distant one does not.
			midst := f.Infer(Evidence{Likes: []int{k[0], k[1], k[2], k[3]}, Dislikes: []int{k[4]}}, nil)
			if !(volume(midst) > volume(agree)) {
				narrower++
			}
		}
		// A dislike moves the visitor, sometimes to a place where the ball makes the posterior narrower.
		if narrower > 0 && (s.Posterior == nil || narrower > 3) {
			t.Errorf("%s: %d of 20 dislikes among the likes did not widen the ellipse", name, narrower)
		}
	}
}

func TestSpreadIsTheClosedForm(t *testing.T) {
	s := settings(t)["softmax table"]
	s.Radius = float32(math.Inf(1))
	f := inferrer(t, s)
	likes := []int{0, 41, 82}
	got := f.Infer(Evidence{Likes: likes}, nil).Spread
	total := 0.0
	for _, c := range s.Counts {
		total += float64(c)
	}
	for d := range fixtureDim {
		var m, m2 float64
		for i := range s.Items.Len() {
			x := float64(s.Items.Mean(i)[d])
			m += float64(s.Counts[i]) / total * x
			m2 += float64(s.Counts[i]) / total * x * x
		}
		v0 := m2 - m*m
		mean, scatter := 0.0, 0.0
		for _, l := range likes {
			mean += float64(s.Items.Mean(l)[d]) / 3
		}
		for _, l := range likes {
			scatter += math.Pow(float64(s.Items.Mean(l)[d])-mean, 2)
		}
		want := math.Sqrt((v0 + scatter) / 16)
		if math.Abs(float64(got[d])-want) > 1e-5*want {
			t.Errorf("spread %d is %v, want %v", d, got[d], want)
		}
		spread := make([]float32, fixtureDim)
		f.ItemSpread(spread, 17)
		if want := math.Sqrt(v0 / float64(1+s.Counts[17])); math.Abs(float64(spread[d])-want) > 1e-5*want {
			t.Errorf("the item's spread %d is %v, want %v", d, spread[d], want)
		}
	}
}

func TestSpreadStaysInsideTheBall(t *testing.T) {
	s := settings(t)["composed twice"]
	f := inferrer(t, s)
	sum := 0.0
	for _, x := range f.Infer(Evidence{}, nil).Spread {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0.3 && sum < 1) {
		t.Errorf("the prior's trace is %v, want most of the unit ball's 1 and not more", sum)
	}
}
