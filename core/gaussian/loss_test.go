package gaussian

import (
	"math"
	"math/rand/v2"
	"testing"
)

// value is the loss by the formulas of the package comment, in float64.
func value(l Loss, dp float64, dq, margins []float64) (total float64) {
	if l.Kind == Softmax {
		sum := 1.0
		for _, d := range dq {
			sum += math.Exp((dp - d) / float64(l.Temperature))
		}
		return math.Log(sum)
	}
	for i, d := range dq {
		m := float64(l.Margin)
		if margins != nil {
			m = margins[i]
		}
		total += math.Max(0, dp-d+m)
	}
	return total
}

func TestCoefficientsAreTheFiniteDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, l := range []Loss{{Hinge, 0.5, 0}, {Softmax, 0, 0.7}, {Softmax, 0, 2}} {
		for _, own := range []bool{false, true} {
			for range 50 {
				const q = 6
				dp, dq, margins := r.Float64()*2, make([]float64, q), make([]float64, q)
				dq32, m32, cq := make([]float32, q), make([]float32, q), make([]float32, q)
				for i := range dq {
					dq[i], margins[i] = r.Float64()*3, r.Float64()
					dq32[i], m32[i] = float32(dq[i]), float32(margins[i])
				}
				if !own {
					margins, m32 = nil, nil
				}
				got, cp := l.Coefficients(float32(dp), dq32, m32, cq)
				if want := value(l, dp, dq, margins); math.Abs(float64(got)-want) > 1e-5 {
					t.Fatalf("%v: loss %v, want %v", l, got, want)
				}
				const e = 1e-6
				check := func(what string, got float32, x *float64) {
					keep := *x
					*x = keep + e
					up := value(l, dp, dq, margins)
					*x = keep - e
					down := value(l, dp, dq, margins)
					*x = keep
					if want := (up - down) / (2 * e); math.Abs(float64(got)-want) > 1e-4 {
						t.Fatalf("%v: %s = %v, want %v", l, what, got, want)
					}
				}
				check("∂L/∂d_p", cp, &dp)
				for i := range dq {
					check("∂L/∂d_q", cq[i], &dq[i])
				}
			}
		}
	}
}

func TestTheLossDependsOnDifferencesOnly(t *testing.T) {
	// The coefficients of positive and negatives cancel, for any loss.
	for _, l := range []Loss{{Hinge, 1, 0}, {Softmax, 0, 1}} {
		cq := make([]float32, 3)
		_, cp := l.Coefficients(1.5, []float32{0.2, 1.4, 9}, nil, cq)
		if sum := cp + cq[0] + cq[1] + cq[2]; math.Abs(float64(sum)) > 1e-6 {
			t.Errorf("%v: the coefficients sum to %v, not 0", l.Kind, sum)
		}
	}
}

func TestSoftmaxNeverOverflows(t *testing.T) {
	cq := make([]float32, 2)
	v, cp := Loss{Kind: Softmax, Temperature: 1e-3}.Coefficients(1000, []float32{0, 2000}, nil, cq)
	for _, x := range []float32{v, cp, cq[0], cq[1]} {
		if x-x != 0 {
			t.Fatalf("loss %v, coefficients %v %v: not finite", v, cp, cq)
		}
	}
	if math.Abs(float64(v)-1e6) > 1 {
		t.Errorf("loss = %v, want 10⁶", v)
	}
}

func TestKindsHaveNames(t *testing.T) {
	for _, k := range []LossKind{Hinge, Softmax} {
		if got, err := ParseLoss(k.String()); err != nil || got != k {
			t.Errorf("ParseKind(%q) = %v, %v", k, got, err)
		}
	}
	if _, err := ParseLoss("Hinge"); err == nil {
		t.Error("an unknown loss must be an error")
	}
}
