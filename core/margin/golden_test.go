package margin

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
)

// TestGolden compares with an automatic-differentiation framework; see core/pmlam/testdata/README.md.
func TestGolden(t *testing.T) {
	type phi struct {
		W1, B1, W2 []float64
		B2         float64
	}
	var content struct {
		Cases []struct {
			Input       string
			H, Hidden   int
			Phi         phi
			XA          []float64 `json:"x_a"`
			XP          []float64 `json:"x_p"`
			XQ          []float64 `json:"x_q"`
			VA          []float64 `json:"v_a"`
			VP          []float64 `json:"v_p"`
			VQ          []float64 `json:"v_q"`
			Margin      float64
			DA          []float64 `json:"dm_dx_a"`
			DP          []float64 `json:"dm_dx_p"`
			DQ          []float64 `json:"dm_dx_q"`
			First       phi       `json:"dm_dphi"`
			Directional phi       `json:"ddirectional_dphi"`
		}
	}
	b, err := os.ReadFile("../pmlam/testdata/margin.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &content); err != nil {
		t.Fatal(err)
	}
	if len(content.Cases) == 0 {
		t.Fatal("no cases")
	}
	for i, c := range content.Cases {
		t.Run(fmt.Sprintf("%s/%d", c.Input, i), func(t *testing.T) {
			in, err := ParseInput(c.Input)
			if err != nil {
				t.Fatal(err)
			}
			net := &Network{
				Input: in,
				H:     c.Hidden,
				W1:    to32(c.Phi.W1),
				B1:    to32(c.Phi.B1),
				W2:    to32(c.Phi.W2),
				B2:    float32(c.Phi.B2),
			}
			p := &problem{net: net, h: c.H, q: 1, xa: to32(c.XA), xp: to32(c.XP), xq: to32(c.XQ),
				va: to32(c.VA), vp: to32(c.VP), vq: to32(c.VQ)}
			p.forward()
			nearly(t, "m", p.tile.M, []float64{c.Margin})
			nearly(t, "m, naive", []float32{net.Margin(p.xa, p.xp, p.xq)}, []float64{c.Margin})
			da, dp, dq := p.backward([]float32{1})
			nearly(t, "∂m/∂x_a", da, c.DA)
			nearly(t, "∂m/∂x_p", dp, c.DP)
			nearly(t, "∂m/∂x_q", dq, c.DQ)
			byPhi := p.second([]float32{1})
			first := p.first([]float32{1})
			nearly(t, "∂m/∂W1", first.W1, c.First.W1)
			nearly(t, "∂m/∂b1", first.B1, c.First.B1)
			nearly(t, "∂m/∂w2 and b2", append(first.W2, first.B2), append(c.First.W2, c.First.B2))
			nearly(t, "∂D/∂W1", byPhi.W1, c.Directional.W1)
			nearly(t, "∂D/∂b1", byPhi.B1, c.Directional.B1)
			nearly(t, "∂D/∂w2 and b2", append(byPhi.W2, byPhi.B2), append(c.Directional.W2, c.Directional.B2))
		})
	}
}

func to32(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

// nearly compares arrays relative to their largest entry: float32 against float64. The tolerance is needed for
// saturated hidden units, where 1 − tanh² is a small difference of numbers close to 1; elsewhere the error is a
// hundredth of it.
func nearly(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", what, len(got), len(want))
	}
	largest := 0.0
	for _, v := range want {
		largest = math.Max(largest, math.Abs(v))
	}
	for i := range got {
		if d := math.Abs(float64(got[i]) - want[i]); !(d <= 1e-4*largest) {
			t.Fatalf("%s[%d] = %v, want %v (largest %v)", what, i, got[i], want[i], largest)
		}
	}
}
