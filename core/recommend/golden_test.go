package recommend

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// The answers, hashed to one number each. The numbers are the same natively and in WebAssembly: this test must also
// pass with GOOS=js GOARCH=wasm, and without assembly kernels. If you mean to change answers, copy the new numbers from
// the failure's message.
func TestAnswersAreTheSameBitsEverywhere(t *testing.T) {
	want := map[string]uint64{
		"composed": 0xb7d338318ee3bd40,
		"softmax":  0xe208ed2b89e5a81a,
		"hinge":    0xe15a117bae31ff17,
		"both":     0x9f785ef964e522a,
		"adaptive": 0xe59203b1efab87a1,
		"hybrid":   0xcaf015ccbb7ec131,
		"rated":    0xb138ba3ba96969d,
		"prior":    0x43d0ec6eb25e20ec,
	}
	all := fixtures(300)
	all["hybrid"] = linked(300)
	all["rated"] = rated(linked(300))
	all["prior"] = linked(300)
	all["prior"].Objective.Composition.Prior = 3
	for name, m := range all {
		r := open(t, m)
		h := fnv.New64a()
		put := func(v uint64) {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], v)
			h.Write(b[:])
		}
		for _, v := range []Visit{{}, {Likes: []int{2}}, {Likes: []int{2, 7, 12, 81}, Dislikes: []int{3, 17}}, {Dislikes: []int{4}}} {
			taste := r.Taste(v, nil)
			for _, x := range taste.Row {
				put(uint64(math.Float32bits(x)))
			}
			for _, x := range taste.Spread {
				put(uint64(math.Float32bits(x)))
			}
			for _, p := range r.Stability(v, taste, Request{}, []int{9, 90, 250}) {
				put(math.Float64bits(p))
			}
			for _, q := range []Request{
				{K: 20}, {K: 20, Diversity: 0.5}, {K: 20, Exploration: 0.8, Seed: 42}, {K: 20, Mode: HiddenGems}, {K: 20, Mode: OutsideBubble, Exploration: 0.2},
			} {
				for _, s := range r.Recommend(v, taste, q) {
					put(uint64(s.Item))
					for _, x := range []float64{s.Distance, s.Match, s.Chance, s.Spread} {
						put(math.Float64bits(x))
					}
					for _, y := range s.Reasons {
						put(uint64(y.Item))
						put(math.Float64bits(y.Share))
					}
					if m.Objective.Composition.Prior > 0 {
						put(math.Float64bits(s.General))
					}
				}
			}
		}
		if got := h.Sum64(); got != want[name] {
			t.Errorf("%q: %#x,", name, got)
		}
	}
}
