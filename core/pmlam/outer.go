package pmlam

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// OuterLoss names the loss that the margin networks are judged by.
type OuterLoss string

// OuterHinge, the zero value, is the paper's; settings files omit it.
const (
	OuterHinge   OuterLoss = ""        // L_Fix with the margin OuterMargin
	OuterSoftmax OuterLoss = "softmax" // log(1 + Σ_q exp((d_p − d_q)/τ)), which needs no margin
)

func (l OuterLoss) String() string { return nameOf(l, "hinge") }

func (l *OuterLoss) UnmarshalText(text []byte) error {
	*l = ofName[OuterLoss](text, "hinge")
	return nil
}

// OuterBatch names the triplets that the user-item margin network is judged on. The relations' networks are judged on
// their own triplets.
type OuterBatch string

// SameBatch, the zero value, is the paper's; settings files omit it.
const (
	// SameBatch uses the triplets (a,p,q) of the inner loss, so that a margin is good if it lowers the loss that was
	// just lowered.
	SameBatch OuterBatch = ""
	// HeldOutBatch uses (a,p′,q), with p′ a random one of the tenth of a's items that Θ does not learn from; p if a has
	// none.
	HeldOutBatch OuterBatch = "held-out"
	// RotatedBatch uses (a,p,q′), with q′ the negatives of the next pair, or q if a likes q′.
	RotatedBatch OuterBatch = "rotated"
)

func (b OuterBatch) String() string { return nameOf(b, "same") }

func (b *OuterBatch) UnmarshalText(text []byte) error {
	*b = ofName[OuterBatch](text, "same")
	return nil
}

// heldOut is the share of each user's items that Θ does not learn from with HeldOutBatch.
const heldOut = 0.1

// outerMargin is the fixed margin of the outer hinge in the paper ("For simplicity, the m of L_Fix in J_outer is set to
// 1").
const outerMargin = 1

// outerMargin returns the outer margin of these settings.
func (c *Config) outerMargin() float64 {
	if c.OuterMargin == 0 {
		return outerMargin
	}
	return c.OuterMargin
}

// outerLoss returns the outer loss with its constants; the config must be valid.
func (c *Config) outerLoss() gaussian.Loss {
	if c.OuterLoss == OuterSoftmax {
		temperature := c.OuterTemperature
		if temperature == 0 {
			temperature = c.Temperature
		}
		return gaussian.Loss{Kind: gaussian.Softmax, Temperature: float32(temperature)}
	}
	return gaussian.Loss{Kind: gaussian.Hinge, Margin: float32(c.outerMargin())}
}

// propose stores the proxy Θ̃ of every row of the step (Eq. 10):
//
//	as printed   Θ̃ = Θ − αG            which each row computes together with its sum
//	unit         Θ̃ = Θ − αG/‖G‖        ‖·‖ over all rows
//
// It sets t.stride, the factor of G. Rows of an outer batch without G have Θ̃ = Θ. O(T·h).
func (t *task) propose(workers int, s *step, alpha float32) {
	width := 2 * s.half
	t.stride = alpha
	if t.unit {
		var square float64
		for _, n := range s.squares {
			square += n
		}
		if t.stride = 0; square > 0 {
			t.stride = float32(float64(alpha) / math.Sqrt(square))
		}
	} else if t.batch.outerPositive == nil {
		return
	}
	parallel.Do(workers, len(s.entities), func(_, _, from, to int) {
		for r := from; r < to; r++ {
			x, proxy := vec.Row(s.x, r, width), vec.Row(s.proxy, r, width)
			switch {
			case !t.sums.touched[r]:
				copy(proxy, x)
			case t.unit:
				vec.AxpyInto(proxy, -t.stride, vec.Row(s.own, r, width), x)
			}
		}
	})
}

// across removes from v its component along G. With Θ̃ = Θ − αĜ, Ĝ = G/‖G‖, the derivative of Ĝ is (I − ĜĜᵀ)/‖G‖ times
// the derivative of G, so
//
//	∇_Φ J_outer(Θ̃) = −(α/‖G‖) Σ ∇_Φ(G·v′)      v′ = v − (⟨v,G⟩/⟨G,G⟩)·G
//
// So Φ cannot gain from the length of the step. The result is the same for any number of workers: one worker sums a
// row's products, and rows are added in order. O(T·h).
func (s *step) across(workers int) {
	width := 2 * s.half
	s.along = vec.Resize(s.along, len(s.squares))
	parallel.Do(workers, len(s.squares), func(_, _, from, to int) {
		for r := from; r < to; r++ {
			s.along[r] = 0
			if s.squares[r] != 0 {
				s.along[r] = float64(vec.Dot(vec.Row(s.v, r, width), vec.Row(s.own, r, width)))
			}
		}
	})
	var along, square float64
	for r, n := range s.squares {
		along += s.along[r]
		square += n
	}
	if square == 0 {
		return
	}
	c := float32(along / square)
	parallel.Do(workers, len(s.squares), func(_, _, from, to int) {
		for r := from; r < to; r++ {
			if s.squares[r] != 0 {
				vec.Axpy(-c, vec.Row(s.own, r, width), vec.Row(s.v, r, width))
			}
		}
	})
}

// forOuter returns the batch of the outer loss.
func (b pairs) forOuter() pairs {
	if b.outerPositive != nil {
		b.positive = b.outerPositive
	}
	if b.outerNegative != nil {
		b.negative = b.outerNegative
	}
	return b
}
