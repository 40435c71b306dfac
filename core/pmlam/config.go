package pmlam

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/model"
)

// MarginMode says where the margins of a hinge come from. The zero value is the paper's.
type MarginMode string

// The margin modes.
const (
	Adaptive MarginMode = "adaptive" // from the margin network, learned by bilevel optimisation
	Fixed    MarginMode = "fixed"    // one constant
)

// RelationMode says whether user-user and item-item losses take part (Eqs. 16 and 17), and with which margins.
type RelationMode string

// The relation modes.
const (
	NoRelations       RelationMode = "none"
	FixedRelations    RelationMode = "fixed"    // with the fixed margin, ablation (7)
	AdaptiveRelations RelationMode = "adaptive" // with a margin network each, the paper's
)

// Config holds every setting of a Trainer. What comes before and after a training has settings of its own, beside these
// (train.Settings). Start from a preset: the zero value does not validate. Fields marked
// "paper" take the paper's value in the preset of that name; those marked "ours" are left open by the paper.
type Config struct {
	Preset string `json:"preset"` // the name of the preset that the settings started from; only a label

	Dim int `json:"dim"` // h; paper: 50
	// points in place of Gaussians: s stays 0 in distances and margins (ablation "Deter_Emb")
	Deterministic bool `json:"deterministic"`

	Loss        string  `json:"loss"`        // "hinge" (paper) or "softmax"
	Temperature float64 `json:"temperature"` // τ of the softmax and of the smooth hinge, > 0

	MarginConfig

	RelationConfig

	FreeUsers  bool    `json:"free_users"`  // a learned row per user; paper: true
	UserWeight float64 `json:"user_weight"` // w ≥ 0 of the liked items' mean in a user's row; paper: 0
	Radius     float64 `json:"radius"`      // R of the ball that bounds the means; paper: 1

	BoundConfig

	ShrinkageConfig

	NegativeConfig

	Batch int `json:"batch"` // B; paper: 5000
	// a user's pairs that stay side by side in an epoch's order: a user is composed once a batch for all of them, which
	// is most of an epoch's work where users have many items. 0 or 1: every pair has its own place, as in the paper
	UserPairs int `json:"user_pairs,omitzero"`

	PartConfig

	Epochs    int     `json:"epochs"`     // ours
	LearnRate float64 `json:"learn_rate"` // of Adam for Θ; paper: 0.001
	Decay     bool    `json:"decay"`      // lower the learning rate linearly to 0 over the epochs; paper: no

	InitConfig

	ValidationConfig

	Seed uint64 `json:"seed"`
}

// MarginConfig holds the settings of the margin and of its network.
type MarginConfig struct {
	Margin      MarginMode `json:"margin"`       // paper: adaptive
	MarginValue float64    `json:"margin_value"` // m where margins are fixed; paper: 1
	Input       string     `json:"input"`        // what the margin network sees: "difference" (paper), "cat", "add"
	Hidden      int        `json:"hidden"`       // H of the margin networks; ours: 50
	Alpha       float64    `json:"alpha"`        // α, the proxy's step; paper: the learning rate
	OuterRate   float64    `json:"outer_rate"`   // Adam's learning rate for Φ; paper: 0.001
	Lambda      float64    `json:"lambda"`       // λ of ‖Φ‖²; paper: 0.001

	OuterConfig
}

// BoundConfig says where rows are kept. A margin is a difference of squared distances, so it means what the room makes
// of it: of all combinations tried, m ≈ R_μ² + R_s² was best.
type BoundConfig struct {
	Bound Bound `json:"bound,omitzero"` // paper: sigma
	// s of any sign, in a ball and not in its corner where all are positive. W2² is the squared distance of rows, so
	// the same number added to dimension d of every s changes nothing: a model file shifts s to where it is positive
	Signed bool `json:"signed,omitzero"` // paper: false
}

// ShrinkageConfig says how the rows of items that few like are drawn towards their neighbours' (shrinkage.go). The zero
// value leaves every row alone, as in the paper.
type ShrinkageConfig struct {
	Shrinkage      float64 `json:"shrinkage,omitzero"`       // κ ≥ 0: what the neighbours weigh, in likes
	ShrinkageItems int     `json:"shrinkage_items,omitzero"` // K: neighbours of an item, at most; 0: 10
}

// OuterConfig says how the margin networks are learned. The zero value is as printed. There, for small α, Φ ascends
// Σ⟨∂m_t, ∇J_outer⟩, which is homogeneous in w₂ and has no maximiser: the length of a step is paid, and margins climb.
type OuterConfig struct {
	// τ·softplus((δ+m)/τ) with τ = Temperature in place of [δ+m]₊, and m a constant in ∇_Θ, so that Φ acts through the
	// weights c = σ((δ+m)/τ) of the triplets (smooth.go). Also for fixed margins
	Smooth    bool `json:"smooth,omitzero"`
	UnitProxy bool `json:"unit_proxy,omitzero"` // Θ̃ = Θ − αG/‖G‖: nothing is paid for a step's length (outer.go)

	OuterLoss        OuterLoss  `json:"outer_loss,omitzero"`
	OuterMargin      float64    `json:"outer_margin,omitzero"`      // m of the outer hinge; 0: 1, the paper's
	OuterTemperature float64    `json:"outer_temperature,omitzero"` // τ of the outer softmax; 0: Temperature
	OuterBatch       OuterBatch `json:"outer_batch,omitzero"`
}

// RelationConfig holds the settings of the relations between users and between items.
type RelationConfig struct {
	Relations RelationMode `json:"relations"` // paper: adaptive
	// smallest cosine of neighbours; paper: 0.2, on Comics 0.4
	RelationThreshold float64 `json:"relation_threshold"`
	RelationWeight    float64 `json:"relation_weight"` // of both relation losses; paper: 1
}

// NegativeConfig says how negatives are drawn.
type NegativeConfig struct {
	Negatives int `json:"negatives"` // Q per positive pair; paper: 10 on CDs and Electronics, 2 elsewhere
	// per user, from which negatives are drawn (two-phase sampling); paper: 500. 0: from all items
	Candidates int `json:"candidates"`
	Resample   int `json:"resample"` // epochs after which candidates are others; paper: 20

	// pairs that share one list of Q negatives (softmax); 0 or 1: each has its own, as in the paper. Relations draw
	// Q/SharedNegatives a pair
	SharedNegatives int `json:"shared_negatives"`

	// the user-item pairs of a user in a batch share their negatives, as in code of the paper's first author
	UserNegatives bool `json:"user_negatives,omitzero"`
}

// PartConfig says how likes are learned a part of a user's at a time (parts.go). The zero value learns each by itself.
type PartConfig struct {
	// parts that a user's likes are cut into at random, anew in every epoch: all of a part are learned at once, from a
	// user composed of the other parts. 0: each is learned from a user composed of all the others
	UserParts int `json:"user_parts,omitzero"`
	// β: a like in a part of n weighs n^−β. 0: all likes weigh the same; 1: all parts do
	PartDiscount float64 `json:"part_discount,omitzero"`
}

// InitConfig says how parameters begin.
type InitConfig struct {
	InitMean float64 `json:"init_mean"` // stddev of the initial μ; paper: 0.01
	// mean of the initial s, which is floored at 0.001; paper: 0, if its s are drawn as its μ are
	InitStddev float64 `json:"init_stddev"`
	InitJitter float64 `json:"init_jitter"` // stddev of the initial s; paper: 0.01
}

// ValidationConfig says how the epoch is chosen.
type ValidationConfig struct {
	Validation float64 `json:"validation"` // share of each user's training items held out to choose the epoch; 0: none
	Every      int     `json:"every"`      // epochs between validations
	Patience   int     `json:"patience"`   // validations without a better NDCG@10 before stopping; 0: never stop early
}

// ConfigError says which field of a Config is impossible, and the rule it breaks.
type ConfigError struct {
	Field string
	Value any
	Rule  string
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("the setting %s is %v, but it must be %s", e.Field, e.Value, e.Rule)
}

// Validate returns a *ConfigError for the first impossible field, or nil.
func (c *Config) Validate() error {
	bad := func(field string, value any, rule string) error { return &ConfigError{field, value, rule} }
	kind, err := gaussian.ParseLoss(c.Loss)
	if err != nil {
		return bad("loss", c.Loss, "hinge or softmax")
	}
	if _, err := margin.ParseInput(c.Input); err != nil {
		return bad("input", c.Input, "difference, cat or add")
	}
	positive := func(x float64) bool { return x > 0 && !math.IsInf(x, 0) }
	switch {
	case c.Dim < 1 || c.Dim > 4096:
		return bad("dim", c.Dim, "between 1 and 4096")
	case c.Hidden < 1 || c.Hidden > 65536:
		return bad("hidden", c.Hidden, "between 1 and 65536")
	case kind == gaussian.Softmax && !positive(c.Temperature):
		return bad("temperature", c.Temperature, "a positive number")
	case c.Margin != Adaptive && c.Margin != Fixed:
		return bad("margin", c.Margin, "adaptive or fixed")
	case kind == gaussian.Softmax && c.Margin != Fixed:
		return bad("margin", c.Margin, "fixed with the softmax loss, which has no margin to adapt")
	case kind == gaussian.Hinge && (c.Margin == Fixed || c.Relations == FixedRelations) && !positive(c.MarginValue):
		return bad("margin_value", c.MarginValue, "a positive number")
	case !positive(c.Alpha):
		return bad("alpha", c.Alpha, "a positive number")
	case !positive(c.OuterRate):
		return bad("outer_rate", c.OuterRate, "a positive number")
	case !(c.Lambda >= 0) || math.IsInf(c.Lambda, 0):
		return bad("lambda", c.Lambda, "0 or more")
	case c.Relations != NoRelations && c.Relations != FixedRelations && c.Relations != AdaptiveRelations:
		return bad("relations", c.Relations, "none, fixed or adaptive")
	case kind == gaussian.Softmax && c.Relations == AdaptiveRelations:
		return bad("relations", c.Relations, "none or fixed with the softmax loss, which has no margin to adapt")
	case c.Relations != NoRelations && !(c.RelationThreshold > 0 && c.RelationThreshold <= 1):
		return bad("relation_threshold", c.RelationThreshold, "in (0, 1]")
	case c.Relations != NoRelations && !positive(c.RelationWeight):
		return bad("relation_weight", c.RelationWeight, "a positive number")
	case !(c.UserWeight >= 0) || math.IsInf(c.UserWeight, 0):
		return bad("user_weight", c.UserWeight, "0 or more")
	case !c.FreeUsers && c.UserWeight == 0:
		return bad("user_weight", c.UserWeight, "positive where users have no free part: their rows would be empty")
	case c.UserWeight > 0 && c.adaptive():
		return bad("user_weight", c.UserWeight, "0 with adaptive margins: the outer step is defined on a user table")
	case !(c.Shrinkage >= 0) || math.IsInf(c.Shrinkage, 0):
		return bad("shrinkage", c.Shrinkage, "0 or more")
	case c.Shrinkage > 0 && c.adaptive():
		return bad("shrinkage", c.Shrinkage, "0 with adaptive margins: the outer step is defined on rows of their own")
	case c.ShrinkageItems < 0 || c.ShrinkageItems > 1000:
		return bad("shrinkage_items", c.ShrinkageItems, "between 1 and 1000, or 0 for 10")
	case c.Shrinkage == 0 && c.ShrinkageItems != 0:
		return bad("shrinkage_items", c.ShrinkageItems, "0 without shrinkage")
	case !(c.Radius > 0):
		return bad("radius", c.Radius, "a positive number")
	case c.Negatives < 1 || c.Negatives > 65536:
		return bad("negatives", c.Negatives, "between 1 and 65536")
	case c.Candidates < 0:
		return bad("candidates", c.Candidates, "0 or more")
	case c.Candidates > 0 && c.Resample < 1:
		return bad("resample", c.Resample, "1 or more")
	case c.SharedNegatives < 0 || c.SharedNegatives > 65536:
		return bad("shared_negatives", c.SharedNegatives, "between 0 and 65536")
	case c.SharedNegatives > 1 && kind != gaussian.Softmax:
		return bad("shared_negatives", c.SharedNegatives,
			"0 or 1 with the hinge loss, whose triplets each have their own negative")
	case c.SharedNegatives > 1 && c.Candidates > 0:
		return bad("shared_negatives", c.SharedNegatives,
			"0 or 1 where candidates are drawn for each user: they cannot be shared")
	case c.SharedNegatives > 1 && c.UserNegatives:
		return bad("user_negatives", c.UserNegatives, "false where blocks of pairs share their negatives")
	case c.Batch < 1:
		return bad("batch", c.Batch, "1 or more")
	case c.UserPairs < 0 || c.UserPairs > 65536:
		return bad("user_pairs", c.UserPairs, "between 0 and 65536")
	case c.UserParts < 0 || c.UserParts == 1 || c.UserParts > 65536:
		return bad("user_parts", c.UserParts, "0, or between 2 and 65536")
	case c.UserParts > 0 && (kind != gaussian.Softmax || c.SharedNegatives < 2 || c.UserWeight == 0):
		return bad("user_parts", c.UserParts,
			"0 unless users are composed and the loss is a softmax with shared negatives")
	case c.UserParts > 0 && c.UserPairs > 1:
		return bad("user_pairs", c.UserPairs, "0 or 1 where likes are learned a part of a user's at a time")
	case !(c.PartDiscount >= 0 && c.PartDiscount <= 1):
		return bad("part_discount", c.PartDiscount, "between 0 and 1")
	case c.PartDiscount > 0 && c.UserParts == 0:
		return bad("part_discount", c.PartDiscount, "0 where each like is learned by itself, in no part")
	case c.Epochs < 0:
		return bad("epochs", c.Epochs, "0 or more")
	case !positive(c.LearnRate):
		return bad("learn_rate", c.LearnRate, "a positive number")
	case !(c.InitMean >= 0) || !(c.InitStddev >= 0) || !(c.InitJitter >= 0):
		return bad("init_mean, init_stddev, init_jitter", []float64{c.InitMean, c.InitStddev, c.InitJitter},
			"0 or more each")
	case !(c.Validation >= 0 && c.Validation < 1):
		return bad("validation", c.Validation, "in [0, 1)")
	case c.Validation > 0 && c.Every < 1:
		return bad("every", c.Every, "1 or more where there is a validation part")
	case c.Patience < 0:
		return bad("patience", c.Patience, "0 or more")
	}
	if err := c.validateBound(); err != nil {
		return err
	}
	if err := c.validateOuter(kind); err != nil {
		return err
	}
	return c.withinReach()
}

// validateBound is Validate for BoundConfig and what has to fit into the bounds.
func (c *Config) validateBound() error {
	room, where := c.room(), "within these bounds W2² of two rows is never more, so that no triplet could keep it"
	most := func(field string, m float64) error {
		if m <= room {
			return nil
		}
		return &ConfigError{field, m, fmt.Sprintf("at most %.4g: %s", room, where)}
	}
	hinge, table := c.Loss == gaussian.Hinge.String(), c.UserWeight == 0
	switch {
	case c.Bound != SigmaBound && c.Bound != StddevBound && c.Bound != JointBound:
		return &ConfigError{"bound", c.Bound, "sigma, stddev or joint"}
	case !table && c.Bound != SigmaBound:
		return &ConfigError{"bound", c.Bound, "sigma where users are composed: their bounds are those of a visitor"}
	case !table && c.Signed:
		return &ConfigError{"signed", c.Signed, "false where users are composed: their s is floored as a visitor's is"}
	case c.Signed && c.Deterministic:
		return &ConfigError{"signed", c.Signed, "false for points, which have no s"}
	case c.Radius < c.least():
		return &ConfigError{"radius", c.Radius, fmt.Sprintf("at least %.4g: each of the %d values of s is at least "+
			"%g, so that no row can meet a smaller bound", c.least(), c.Dim, gaussian.MinStddev)}
	case hinge && table && (c.Margin == Fixed || c.Relations == FixedRelations):
		if err := most("margin_value", c.MarginValue); err != nil {
			return err
		}
	}
	if hinge && table && c.adaptive() && c.OuterLoss == OuterHinge {
		return most("outer_margin", c.outerMargin())
	}
	return nil
}

// validateOuter is Validate for OuterConfig. kind is the inner loss's.
func (c *Config) validateOuter(kind gaussian.LossKind) error {
	bad := func(field string, value any, rule string) error { return &ConfigError{field, value, rule} }
	const network = " with fixed margins: no network is learned"
	switch {
	case c.Smooth && kind != gaussian.Hinge:
		return bad("smooth", c.Smooth, "false with the softmax loss, which has no hinge")
	case c.Smooth && !(c.Temperature > 0 && !math.IsInf(c.Temperature, 0)):
		return bad("temperature", c.Temperature, "a positive number: it is τ of the smooth hinge τ·softplus((δ+m)/τ), "+
			"which becomes the hinge as τ falls to 0; for the hinge itself leave out smooth")
	case c.OuterLoss != OuterHinge && c.OuterLoss != OuterSoftmax:
		return bad("outer_loss", c.OuterLoss, "hinge or softmax")
	case c.OuterBatch != SameBatch && c.OuterBatch != HeldOutBatch && c.OuterBatch != RotatedBatch:
		return bad("outer_batch", c.OuterBatch, "same, held-out or rotated")
	case !(c.OuterMargin >= 0) || math.IsInf(c.OuterMargin, 0):
		return bad("outer_margin", c.OuterMargin, "a positive number, or 0 for 1, the paper's")
	case !(c.OuterTemperature >= 0) || math.IsInf(c.OuterTemperature, 0):
		return bad("outer_temperature", c.OuterTemperature, "a positive number: it is τ of the outer softmax; 0 for "+
			"that of temperature")
	case c.OuterMargin > 0 && c.OuterLoss != OuterHinge:
		return bad("outer_margin", c.OuterMargin, "0 with the outer softmax, which has no margin")
	case c.OuterTemperature > 0 && c.OuterLoss == OuterHinge:
		return bad("outer_temperature", c.OuterTemperature, "0 with the outer hinge, which has none")
	case c.UnitProxy && !c.adaptive():
		return bad("unit_proxy", c.UnitProxy, "false"+network)
	case c.OuterLoss != OuterHinge && !c.adaptive():
		return bad("outer_loss", c.OuterLoss, "hinge"+network)
	case c.OuterMargin > 0 && !c.adaptive():
		return bad("outer_margin", c.OuterMargin, "0"+network)
	case c.OuterBatch != SameBatch && c.Margin != Adaptive:
		return bad("outer_batch", c.OuterBatch, "same where the user-item margin is fixed")
	}
	return nil
}

// maxRate bounds the learning rate, in units of the larger of the ball's radius and 1. A step of Adam moves a number by
// about the rate, and the bounds keep numbers within twice that unit. With far larger rates the squares overflow and
// the bounds bring all rows to 0, although every number stays finite.
const maxRate = 1000

// withinReach returns a *ConfigError for the first number with which training cannot work, or that a model file cannot
// hold (model.MaxNumber and similar limits).
func (c *Config) withinReach() error {
	rate := maxRate * max(c.Radius, 1)
	for _, n := range []struct {
		field              string
		value, least, most float64
	}{
		{"temperature", c.Temperature, model.MinDivisor, model.MaxSquare},
		{"margin_value", c.MarginValue, 0, model.MaxSquare},
		{"user_weight", c.UserWeight, 0, model.MaxNumber},
		{"radius", c.Radius, model.MinDivisor, math.Inf(1)}, // infinite: free
		{"learn_rate", c.LearnRate, 0, rate},
		{"init_mean", c.InitMean, 0, model.MaxNumber},
		{"init_stddev", c.InitStddev, 0, model.MaxNumber},
		{"init_jitter", c.InitJitter, 0, model.MaxNumber},
	} {
		switch {
		case n.value > n.most:
			return &ConfigError{n.field, n.value, fmt.Sprintf("at most %.7g", n.most)}
		case n.value < n.least && !(n.field == "temperature" && c.Loss != gaussian.Softmax.String() && !c.Smooth):
			return &ConfigError{n.field, n.value, fmt.Sprintf("at least %.7g", n.least)}
		}
	}
	return nil
}

// adaptive reports whether any margin network is trained.
func (c *Config) adaptive() bool { return c.Margin == Adaptive || c.Relations == AdaptiveRelations }

// loss returns the loss with its constants; the config must be valid.
func (c *Config) loss() gaussian.Loss {
	kind, _ := gaussian.ParseLoss(c.Loss)
	return gaussian.Loss{Kind: kind, Margin: float32(c.MarginValue), Temperature: float32(c.Temperature)}
}

// ComposesAnybody reports whether users' rows are made of items' alone, so that whom the training did not see have one
// too.
func (c *Config) ComposesAnybody() bool { return c.UserWeight > 0 && !c.FreeUsers }

// composition returns how users' rows are made.
func (c *Config) composition() gaussian.Composition {
	return gaussian.Composition{Free: c.FreeUsers, Weight: float32(c.UserWeight)}
}
