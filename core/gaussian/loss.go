package gaussian

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/internal/vec"
)

type LossKind uint8

// The losses.
const (
	Hinge   LossKind = iota // the paper's margin ranking loss
	Softmax                 // sampled softmax with a temperature
)

func (k LossKind) String() string {
	switch k {
	case Hinge:
		return "hinge"
	case Softmax:
		return "softmax"
	}
	return fmt.Sprintf("gaussian.LossKind(%d)", uint8(k))
}

// ParseLoss returns the loss with that name.
func ParseLoss(name string) (LossKind, error) {
	switch name {
	case "hinge":
		return Hinge, nil
	case "softmax":
		return Softmax, nil
	}
	return 0, fmt.Errorf("unknown loss %q; choose hinge or softmax", brief.Text(name))
}

// Loss is a loss with its constants. The zero value is the hinge with margin 0.
type Loss struct {
	Kind        LossKind
	Margin      float32 // fixed margin m of the hinge, in units of W2²; used without margins
	Temperature float32 // τ > 0 of the softmax, in units of W2²
}

// Coefficients returns L and c_p = ∂L/∂d_p, and writes ∂L/∂d_q into cq (length Q). margins (length Q, or nil for the
// fixed margin) matter only for the hinge. For the hinge ∂L/∂m_q = −∂L/∂d_q, which is 1 for active triplets and 0 for
// others. O(Q).
func (l Loss) Coefficients(dp float32, dq, margins, cq []float32) (value, cp float32) {
	if l.Kind == Softmax {
		return l.softmax(dp, dq, cq)
	}
	for i, d := range dq {
		m := l.Margin
		if margins != nil {
			m = margins[i]
		}
		cq[i] = 0
		if v := dp - d + m; v > 0 {
			value += v
			cp++
			cq[i] = -1
		}
	}
	return value, cp
}

func (l Loss) softmax(dp float32, dq, cq []float32) (value, cp float32) {
	inv := 1 / l.Temperature
	// Subtract the largest logit (the positive's own logit is 0), so that no exponential overflows.
	top := float32(0)
	for i, d := range dq {
		cq[i] = (dp - d) * inv
		top = max(top, cq[i])
	}
	self := vec.Exp(-top)
	sum := self
	for i := range cq {
		cq[i] = vec.Exp(cq[i] - top)
		sum += cq[i]
	}
	scale := inv / sum
	for i := range cq {
		c := float32(cq[i] * scale)
		cp += c
		cq[i] = -c
	}
	return top + float32(math.Log(float64(sum))), cp
}
