package pmlam

import (
	"github.com/pmlam/pmlam/core/gaussian"
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
