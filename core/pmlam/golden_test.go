package pmlam

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
)

// The golden vectors come from an automatic-differentiation framework and the paper's definitions, not from this
// project's algebra. testdata/README.md describes them and how to make them again.

// golden reads the cases of one file.
func golden[T any](t *testing.T, file string) []T {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatalf("%v; see testdata/README.md", err)
	}
	var content struct{ Cases []T }
	if err := json.Unmarshal(b, &content); err != nil {
		t.Fatal(err)
	}
	if len(content.Cases) == 0 {
		t.Fatalf("%s has no cases", file)
	}
	return content.Cases
}

type goldenPhi struct {
	W1, B1, W2 []float64
	B2         float64
}

type goldenPair struct {
	Anchor, Positive int32
	Negatives        []int32
	EpsAnchor        []float64   `json:"eps_anchor"`
	EpsPositive      []float64   `json:"eps_positive"`
	EpsNegatives     [][]float64 `json:"eps_negatives"`
}

// goldenTask is one relation of a step.
type goldenTask struct {
	Phi          goldenPhi
	Pairs        []goldenPair
	Margins      [][]float64
	JInner       float64   `json:"j_inner"`
	JOuter       float64   `json:"j_outer"`
	GradTheta    []float64 `json:"grad_theta"`
	ThetaProxy   []float64 `json:"theta_proxy"`
	GradProxy    []float64 `json:"grad_proxy"`
	GradPhiOuter goldenPhi `json:"grad_phi_outer"`
	ThetaAfter   []float64 `json:"theta_after"`
	PhiAfter     goldenPhi `json:"phi_after"`
}

// goldenStep holds the fields that all steps share.
type goldenStep struct {
	goldenTask
	Name          string
	Input         string
	Deterministic bool
	Users, Items  int
	H, Hidden     int
	Alpha, Lambda float64
	LearningRate  float64 `json:"learning_rate"`
	Radius        float64
	Theta         []float64
	Steps         []goldenTask
	Relations     struct {
		UserItem goldenTask `json:"user_item"`
		UserUser goldenTask `json:"user_user"`
		ItemItem goldenTask `json:"item_item"`
	}
}

// nearly compares arrays relative to their largest entry: float32 against float64.
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
		if d := math.Abs(float64(got[i]) - want[i]); !(d <= 4e-6*largest+1e-12) { // NaN fails as well
			t.Fatalf("%s[%d] = %v, want %v (largest %v)", what, i, got[i], want[i], largest)
		}
	}
}

func nearlyPhi(t *testing.T, what string, got *margin.Network, want goldenPhi) {
	t.Helper()
	nearly(t, what+" W1", got.W1, want.W1)
	nearly(t, what+" b1", got.B1, want.B1)
	nearly(t, what+" w2", got.W2, want.W2)
	// A single number is compared relative to its tensor's neighbours.
	nearly(t, what+" w2 and b2", append(append([]float32{}, got.W2...), got.B2),
		append(append([]float64{}, want.W2...), want.B2))
}

func to32(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

// trainer builds a trainer at the start of a golden step.
func (g *goldenStep) trainer() *Trainer {
	t := &Trainer{workers: 2, items: g.Users}
	t.cfg = Config{
		Dim: g.H, LearnRate: g.LearningRate, Radius: g.Radius, FreeUsers: true, Deterministic: g.Deterministic,
		MarginConfig: MarginConfig{Alpha: g.Alpha, Lambda: g.Lambda, OuterRate: g.LearningRate},
	}
	t.theta = gaussian.TableOf(g.H, to32(g.Theta))
	t.opt = newAdam(len(g.Theta))
	return t
}

func (g *goldenStep) task(t *testing.T, phi goldenPhi) *task {
	t.Helper()
	input, err := margin.ParseInput(g.Input)
	if err != nil {
		t.Fatal(err)
	}
	net := &margin.Network{Input: input, H: g.Hidden, W1: to32(phi.W1), B1: to32(phi.B1), W2: to32(phi.W2),
		B2: float32(phi.B2)}
	return &task{name: "golden", weight: 1, net: net, points: g.Deterministic, outerLoss: gaussian.Loss{Margin: outerMargin},
		opt: newAdam(len(phi.W1) + len(phi.B1) + len(phi.W2) + 1)}
}

// load fills the task's batch with local rows of the step.
func (g *goldenStep) load(s *step, task *task, list []goldenPair) {
	b := &task.batch
	*b = pairs{q: len(list[0].Negatives)}
	for _, p := range list {
		b.anchor = append(b.anchor, s.row(p.Anchor))
		b.positive = append(b.positive, s.row(p.Positive))
		for _, n := range p.Negatives {
			b.negative = append(b.negative, s.row(n))
		}
		if !g.Deterministic {
			b.eps = append(append(b.eps, padded(to32(p.EpsAnchor))...), padded(to32(p.EpsPositive))...)
			for _, e := range p.EpsNegatives {
				b.eps = append(b.eps, padded(to32(e))...)
			}
		}
	}
}

// global spreads an array over the step's rows to all N entities; rows that the step does not touch are 0.
func (s *step) global(x []float32, n, h int) []float32 {
	out := make([]float32, n*2*h)
	for i, e := range s.entities {
		copy(out[int(e)*2*h:], x[i*2*h:(i+1)*2*h])
	}
	return out
}

// checkMargins compares the margins of a task's last inner pass.
func (g *goldenStep) checkMargins(t *testing.T, task *task, want goldenTask) {
	t.Helper()
	for i, q := range want.Margins {
		nearly(t, "margins", task.margins[i*len(q):(i+1)*len(q)], q)
	}
}

func TestGoldenStep(t *testing.T) {
	for _, g := range golden[goldenStep](t, "step.json") {
		t.Run(g.Name, func(t *testing.T) {
			n := g.Users + g.Items
			trainer, task := g.trainer(), g.task(t, g.Phi)
			s := &trainer.step
			s.reset(n, margin.Pad(g.H))
			g.load(s, task, g.Pairs)
			s.gather(2, trainer.theta, g.Deterministic)

			value := task.inner(2, s, float32(g.Radius), float32(g.Alpha))
			nearly(t, "J_inner", []float32{float32(value)}, []float64{g.JInner})
			g.checkMargins(t, task, g.goldenTask)
			nearly(t, "G", s.global(s.gradient(g.H), n, g.H), g.GradTheta)

			gradient := zeroLike(task.net)
			value = task.outer(2, s, gradient)
			nearly(t, "J_outer", []float32{float32(value)}, []float64{g.JOuter})
			nearly(t, "v", s.global(s.unpadded(s.v, g.H), n, g.H), g.GradProxy)
			nearlyPhi(t, "∇_Φ J_outer", gradient, g.GradPhiOuter)

			s.gather(2, trainer.theta, g.Deterministic)
			trainer.runOne(task)
			nearly(t, "Θ'", trainer.theta.Data(), g.ThetaAfter)
			nearlyPhi(t, "Φ'", task.net, g.PhiAfter)
		})
	}
}

// runOne runs the next step, with one task.
func (t *Trainer) runOne(k *task) (inner, outer [3]float64) { return t.next([]*task{k}) }

// next runs the next step of a training with a constant rate.
func (t *Trainer) next(tasks []*task) (inner, outer [3]float64) {
	t.now.Number++
	t.now.Rate = t.cfg.LearnRate
	return t.run(tasks)
}

// Settings other than the printed ones: bounds, inner losses, proxies, outer losses and outer batches.
func TestGoldenWays(t *testing.T) {
	type way struct {
		goldenStep
		Smooth         float64
		Unit, Signed   bool
		OuterSoftmax   float64 `json:"outer_softmax"`
		OuterMargin    float64 `json:"outer_margin"`
		Outer          OuterBatch
		Bound          Bound
		OuterPositives []int32   `json:"outer_positives"`
		OuterNegatives [][]int32 `json:"outer_negatives"`
	}
	for _, g := range golden[way](t, "ways.json") {
		t.Run(g.Name, func(t *testing.T) {
			n := g.Users + g.Items
			trainer, task := g.trainer(), g.task(t, g.Phi)
			trainer.cfg.Bound, trainer.cfg.Signed = g.Bound, g.Signed
			task.smooth, task.unit = float32(g.Smooth), g.Unit
			task.outerLoss = gaussian.Loss{Kind: gaussian.Hinge, Margin: float32(g.OuterMargin)}
			if g.OuterSoftmax > 0 {
				task.outerLoss = gaussian.Loss{Kind: gaussian.Softmax, Temperature: float32(g.OuterSoftmax)}
			}
			s := &trainer.step
			s.reset(n, margin.Pad(g.H))
			g.load(s, task, g.Pairs)
			switch g.Outer {
			case HeldOutBatch:
				for _, p := range g.OuterPositives {
					task.batch.outerPositive = append(task.batch.outerPositive, s.row(p))
				}
			case RotatedBatch:
				for _, list := range g.OuterNegatives {
					for _, q := range list {
						task.batch.outerNegative = append(task.batch.outerNegative, s.row(q))
					}
				}
			}
			s.gather(2, trainer.theta, false)

			value := task.inner(2, s, float32(g.Radius), float32(g.Alpha))
			nearly(t, "J_inner", []float32{float32(value)}, []float64{g.JInner})
			g.checkMargins(t, task, g.goldenTask)
			nearly(t, "G", s.global(s.gradient(g.H), n, g.H), g.GradTheta)

			gradient := zeroLike(task.net)
			value = task.outer(2, s, gradient)
			nearly(t, "J_outer", []float32{float32(value)}, []float64{g.JOuter})
			nearlyPhi(t, "∇_Φ J_outer", gradient, g.GradPhiOuter)

			s.gather(2, trainer.theta, false)
			trainer.runOne(task)
			nearly(t, "Θ'", trainer.theta.Data(), g.ThetaAfter)
			nearlyPhi(t, "Φ'", task.net, g.PhiAfter)
		})
	}
}

func TestGoldenStepsInARow(t *testing.T) {
	for _, g := range golden[goldenStep](t, "steps.json") {
		t.Run(g.Name, func(t *testing.T) {
			trainer, task := g.trainer(), g.task(t, g.Phi)
			for i, want := range g.Steps {
				trainer.step.reset(g.Users+g.Items, margin.Pad(g.H))
				g.load(&trainer.step, task, want.Pairs)
				trainer.step.gather(2, trainer.theta, g.Deterministic)
				inner, outer := trainer.runOne(task)
				nearly(t, "J", []float32{float32(inner[0]), float32(outer[0])}, []float64{want.JInner, want.JOuter})
				nearly(t, "G", trainer.step.global(trainer.step.gradient(g.H), g.Users+g.Items, g.H), want.GradTheta)
				nearly(t, "Θ after a step", trainer.theta.Data(), want.ThetaAfter)
				nearlyPhi(t, "Φ after a step", task.net, want.PhiAfter)
				if t.Failed() {
					t.Fatalf("in step %d", i+1)
				}
			}
		})
	}
}

func TestGoldenThreeRelations(t *testing.T) {
	for _, g := range golden[goldenStep](t, "three.json") {
		trainer := g.trainer()
		want := []goldenTask{g.Relations.UserItem, g.Relations.UserUser, g.Relations.ItemItem}
		s := &trainer.step
		s.reset(g.Users+g.Items, margin.Pad(g.H))
		var tasks []*task
		for _, w := range want {
			task := g.task(t, w.Phi)
			g.load(s, task, w.Pairs)
			tasks = append(tasks, task)
		}
		s.gather(2, trainer.theta, g.Deterministic)
		inner, outer := trainer.next(tasks)
		for k, w := range want {
			nearly(t, "J", []float32{float32(inner[k]), float32(outer[k])}, []float64{w.JInner, w.JOuter})
			g.checkMargins(t, tasks[k], w)
			nearlyPhi(t, "Φ'", tasks[k].net, w.PhiAfter)
		}
		nearly(t, "the sum of G", s.global(s.gradient(g.H), g.Users+g.Items, g.H), g.GradTheta)
		nearly(t, "Θ'", trainer.theta.Data(), g.ThetaAfter)
	}
}

func TestGoldenLosses(t *testing.T) {
	type losses struct {
		goldenStep
		Margin, Temperature float64
		Loss                float64
		Dp                  []float64
		Dq                  [][]float64
		DlossDdp            []float64   `json:"dloss_ddp"`
		DlossDdq            [][]float64 `json:"dloss_ddq"`
	}
	for _, file := range []string{"hinge_fixed.json", "softmax.json"} {
		for _, g := range golden[losses](t, file) {
			t.Run(file+"/"+g.Name, func(t *testing.T) {
				l := gaussian.Loss{Margin: float32(g.Margin)}
				if g.Temperature > 0 {
					l = gaussian.Loss{Kind: gaussian.Softmax, Temperature: float32(g.Temperature)}
				}
				task := &task{weight: 1, loss: l, points: g.Deterministic}
				trainer := g.trainer()
				s := &trainer.step
				s.reset(g.Users+g.Items, g.H)
				g.load(s, task, g.Pairs)
				task.batch.eps = nil
				s.gather(2, trainer.theta, g.Deterministic)
				value := task.inner(2, s, 1, 0)
				nearly(t, "loss", []float32{float32(value)}, []float64{g.Loss})
				nearly(t, "gradient", s.global(s.gradient(g.H), g.Users+g.Items, g.H), g.GradTheta)
				for i, dq := range g.Dq {
					cq := make([]float32, len(dq))
					_, cp := l.Coefficients(float32(g.Dp[i]), to32(dq), nil, cq)
					nearly(t, "∂L/∂d", append(cq, cp), append(append([]float64{}, g.DlossDdq[i]...), g.DlossDdp[i]))
				}
			})
		}
	}
}

func TestGoldenComposed(t *testing.T) {
	type composed struct {
		Name                        string
		Users, Items, H             int
		Weight, Temperature, Radius float64
		FreeRows                    []float64 `json:"free_rows"`
		ItemRows                    []float64 `json:"item_rows"`
		Likes                       [][]int32
		Pairs                       []struct {
			User, Positive int32
			Negatives      []int32
		}
		Composed  [][]float64
		Scales    []float64
		Loss      float64
		GradItems []float64 `json:"grad_items"`
		GradFree  []float64 `json:"grad_free"`
	}
	for _, c := range golden[composed](t, "composed.json") {
		t.Run(c.Name, func(t *testing.T) {
			free := c.FreeRows != nil
			shift := int32(0)
			var x []float32
			if free {
				shift, x = int32(c.Users), to32(c.FreeRows)
			}
			x = append(x, to32(c.ItemRows)...)
			g := &groups{weight: float32(c.Weight), start: []int32{0}}
			task := &task{weight: 1, loss: gaussian.Loss{Kind: gaussian.Softmax, Temperature: float32(c.Temperature)}}
			task.batch = pairs{q: len(c.Pairs[0].Negatives), groups: g}
			for u, items := range c.Likes {
				g.users = append(g.users, int32(u))
				for _, i := range items {
					g.members = append(g.members, i+shift)
				}
				g.start = append(g.start, int32(len(g.members)))
			}
			for _, p := range c.Pairs {
				g.of = append(g.of, p.User)
				a := int32(-1)
				if free {
					a = p.User
				}
				task.batch.anchor = append(task.batch.anchor, a)
				task.batch.positive = append(task.batch.positive, p.Positive+shift)
				for _, n := range p.Negatives {
					task.batch.negative = append(task.batch.negative, n+shift)
				}
			}
			width := 2 * c.H
			s := localStep(x, c.H, c.H, false)
			value := task.inner(2, s, float32(c.Radius), 0)
			grad := s.gradient(c.H)
			nearly(t, "loss", []float32{float32(value)}, []float64{c.Loss})
			nearly(t, "scales", g.scales, c.Scales)
			for i, want := range c.Composed {
				nearly(t, "composed row", vec.Row(task.dense, i, width), want)
			}
			nearly(t, "gradient by the items", grad[int(shift)*width:], c.GradItems)
			if free {
				nearly(t, "gradient by the free parts", grad[:int(shift)*width], c.GradFree)
			}
		})
	}
}

func TestGoldenFoldIn(t *testing.T) {
	type foldIn struct {
		Name, Kind                  string
		Items, H                    int
		Temperature, Margin, Radius float64
		LearningRate                float64 `json:"learning_rate"`
		Row                         []float64
		ItemRows                    []float64 `json:"item_rows"`
		Likes, Negatives            []int32
		Loss                        float64
		Grad                        []float64
		RowAfter                    []float64 `json:"row_after"`
	}
	for _, c := range golden[foldIn](t, "foldin.json") {
		t.Run(c.Name, func(t *testing.T) {
			kind, err := gaussian.ParseLoss(c.Kind)
			if err != nil {
				t.Fatal(err)
			}
			// The visitor is row 0, followed by the items; every like has the same negatives.
			task := &task{weight: 1,
				loss: gaussian.Loss{Kind: kind, Margin: float32(c.Margin), Temperature: float32(c.Temperature)}}
			task.batch.q = len(c.Negatives)
			for _, l := range c.Likes {
				task.batch.anchor = append(task.batch.anchor, 0)
				task.batch.positive = append(task.batch.positive, l+1)
				for _, n := range c.Negatives {
					task.batch.negative = append(task.batch.negative, n+1)
				}
			}
			x := append(to32(c.Row), to32(c.ItemRows)...)
			s := localStep(x, c.H, c.H, false)
			value := task.inner(1, s, float32(c.Radius), 0)
			grad := s.gradient(c.H)
			nearly(t, "loss", []float32{float32(value)}, []float64{c.Loss})
			nearly(t, "gradient", grad[:2*c.H], c.Grad)
			row, opt := x[:2*c.H], newAdam(2*c.H)
			size, eps := vec.AdamStep(c.LearningRate, 1)
			vec.Adam(row, grad[:2*c.H], opt.m, opt.v, size, eps)
			gaussian.Bound(row, float32(c.Radius))
			nearly(t, "row after a step", row, c.RowAfter)
		})
	}
}
