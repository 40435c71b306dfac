package eval

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

// topKNaive is the definition of TopK: sort everything, stably, and cut.
func topKNaive(scores []float32, exclude []int32, k int) []int32 {
	var items []int32
	for i, s := range scores {
		if !slices.Contains(exclude, int32(i)) && s == s {
			items = append(items, int32(i))
		}
	}
	sort.SliceStable(items, func(a, b int) bool { return scores[items[a]] > scores[items[b]] })
	return items[:max(0, min(k, len(items)))]
}

// drawScores draws scores with many ties, and some infinities, both zeros and NaN.
func drawScores(r *rand.Rand, n, levels int) []float32 {
	s := make([]float32, n)
	for i := range s {
		switch r.IntN(20) {
		case 0:
			s[i] = float32(math.Inf(1 - 2*r.IntN(2)))
		case 1:
			s[i] = float32(math.Copysign(0, float64(1-2*r.IntN(2))))
		case 2:
			s[i] = float32(math.NaN())
		default:
			s[i] = float32(r.IntN(levels) - levels/2)
		}
	}
	return s
}

func drawSubset(r *rand.Rand, n int, share float64) []int32 {
	var s []int32
	for i := range n {
		if r.Float64() < share {
			s = append(s, int32(i))
		}
	}
	return s
}

func TestTopKIsTheSortedPrefix(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		n := r.IntN(40)
		scores := drawScores(r, n, 1+r.IntN(30))
		exclude := drawSubset(r, n, r.Float64())
		k := r.IntN(n+4) - 1
		if got, want := TopK(scores, exclude, k), topKNaive(scores, exclude, k); !slices.Equal(got, want) {
			t.Fatalf("TopK(%v, %v, %d) = %v, want %v", scores, exclude, k, got, want)
		}
	}
}

func TestTopKTiesGoToTheLowerIndex(t *testing.T) {
	if got := TopK([]float32{1, 2, 2, 1, 2, 1}, nil, 4); !slices.Equal(got, []int32{1, 2, 4, 0}) {
		t.Errorf("TopK = %v, want [1 2 4 0]", got)
	}
	if got := TopK(make([]float32, 100), []int32{0, 2}, 3); !slices.Equal(got, []int32{1, 3, 4}) {
		t.Errorf("TopK of equal scores = %v, want [1 3 4]", got)
	}
}

func TestHeapDoesNotDependOnTheOrderOfOffers(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		scores := drawScores(r, 30, 4)
		k := r.IntN(12)
		h := NewHeap(k)
		for _, i := range r.Perm(len(scores)) {
			h.Offer(int32(i), scores[i])
		}
		if got, want := h.Items(), TopK(scores, nil, k); !slices.Equal(got, want) {
			t.Fatalf("Heap keeps %v of %v, TopK %v", got, scores, want)
		}
	}
}

func TestTopKRefusesAnExclusionOutOfOrder(t *testing.T) {
	for _, exclude := range [][]int32{{2, 1}, {1, 1}, {-1}, {3}, {0, 1, 2, 3}} {
		func() {
			defer func() {
				err, _ := recover().(error)
				var want ExcludeError
				if !errors.As(err, &want) {
					t.Errorf("TopK with exclude %v panicked with %v, want an ExcludeError", exclude, err)
				}
			}()
			TopK(make([]float32, 3), exclude, 1)
		}()
	}
}

func FuzzTopK(f *testing.F) {
	f.Add([]byte{3, 1, 2, 2, 255}, uint8(2), uint16(1))
	f.Add([]byte{}, uint8(0), uint16(0))
	f.Fuzz(func(t *testing.T, b []byte, k uint8, mask uint16) {
		if len(b) > 200 {
			b = b[:200]
		}
		scores := make([]float32, len(b))
		var exclude []int32
		for i, v := range b {
			scores[i] = float32(int8(v))
			if v == 128 {
				scores[i] = float32(math.NaN())
			}
			if mask>>(i%16)&1 == 1 {
				exclude = append(exclude, int32(i))
			}
		}
		if got, want := TopK(scores, exclude, int(k)), topKNaive(scores, exclude, int(k)); !slices.Equal(got, want) {
			t.Fatalf("TopK(%v, %v, %d) = %v, want %v", scores, exclude, k, got, want)
		}
	})
}

func BenchmarkTopK(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	scores := make([]float32, 40981)
	for i := range scores {
		scores[i] = float32(r.NormFloat64())
	}
	exclude := drawSubset(r, len(scores), .001)
	h := NewHeap(20)
	for b.Loop() {
		h.Reset()
		scan(h, scores, exclude)
		h.Sorted()
	}
}
