package pmlam

import (
	"github.com/pmlam/pmlam/core/gaussian"
)

// MarginMode names the source of the margins of a hinge. The zero value is the paper's.
type MarginMode string

const (
	Adaptive MarginMode = "adaptive" // from the margin network, learned by bilevel optimisation
	Fixed    MarginMode = "fixed"    // one constant
)

// RelationMode says whether user-user and item-item losses are added (Eqs. 16 and 17), and with which margins.
type RelationMode string

const (
	NoRelations       RelationMode = "none"
	FixedRelations    RelationMode = "fixed"    // with the fixed margin, ablation (7)
	AdaptiveRelations RelationMode = "adaptive" // with a margin network each, the paper's
)

// Config holds every setting of a Trainer. The steps before and after a training have settings of their own
// (train.Settings). Start from a preset: the zero value is invalid. Fields marked "paper" have the paper's value in the
// preset of that name; the paper leaves those marked "ours" open.
type Config struct {
	Preset string `json:"preset"` // the preset that the settings started from; only a label

	Dim int `json:"dim"` // h; paper: 50
	// points instead of Gaussians: s stays 0 in distances and margins (ablation "Deter_Emb")
	Deterministic bool `json:"deterministic"`

	Loss        string  `json:"loss"`        // "hinge" (paper) or "softmax"
	Temperature float64 `json:"temperature"` // τ of the softmax and of the smooth hinge, > 0

	MarginConfig

	RelationConfig

	FreeUsers  bool    `json:"free_users"`  // a learned row per user; paper: true
	UserWeight float64 `json:"user_weight"` // w ≥ 0, the weight of the liked items' mean in a user's row; paper: 0
	Radius     float64 `json:"radius"`      // R of the ball that bounds the means; paper: 1

	BoundConfig

	ShrinkageConfig

	NegativeConfig

	Batch int `json:"batch"` // B; paper: 5000
	// a user's pairs that stay adjacent in an epoch's order. A user is composed once per batch for these pairs, which
	// saves most of an epoch's work if users have many items. 0 or 1: pairs are shuffled separately, as in the paper
	UserPairs int `json:"user_pairs,omitzero"`

	PartConfig

	Epochs    int     `json:"epochs"`     // ours
	LearnRate float64 `json:"learn_rate"` // of Adam for Θ; paper: 0.001
	Decay     bool    `json:"decay"`      // lower the learning rate linearly to 0 over the epochs; paper: no

	InitConfig

	ValidationConfig

	Seed uint64 `json:"seed"`
}

// MarginConfig holds the settings of the margin and its network.
type MarginConfig struct {
	Margin      MarginMode `json:"margin"`       // paper: adaptive
	MarginValue float64    `json:"margin_value"` // m if margins are fixed; paper: 1
	Input       string     `json:"input"`        // input of the margin network: "difference" (paper), "cat", "add"
	Hidden      int        `json:"hidden"`       // H of the margin networks; ours: 50
	Alpha       float64    `json:"alpha"`        // α, the proxy's step; paper: the learning rate
	OuterRate   float64    `json:"outer_rate"`   // Adam's learning rate for Φ; paper: 0.001
	Lambda      float64    `json:"lambda"`       // λ of ‖Φ‖²; paper: 0.001

	OuterConfig
}

// BoundConfig holds the settings of the rows' bounds. A margin is a difference of squared distances, so its meaning
// depends on the room: of all combinations tried, m ≈ R_μ² + R_s² was best.
type BoundConfig struct {
	Bound Bound `json:"bound,omitzero"` // paper: sigma
	// s of any sign, so that it can use the whole ball instead of its positive corner. W2² is the squared distance of
	// rows, so adding the same number to dimension d of every s changes nothing: a model file shifts s until it is
	// positive
	Signed bool `json:"signed,omitzero"` // paper: false
}

// ShrinkageConfig says how the rows of items with few likes are drawn towards their neighbours' (shrinkage.go). The
// zero value changes no row, as in the paper.
type ShrinkageConfig struct {
	Shrinkage      float64 `json:"shrinkage,omitzero"`       // κ ≥ 0: the weight of the neighbours, in likes
	ShrinkageItems int     `json:"shrinkage_items,omitzero"` // K: maximum number of neighbours per item; 0: 10
}

// OuterConfig says how the margin networks are learned. The zero value is as printed. There, for small α, Φ ascends
// Σ⟨∂m_t, ∇J_outer⟩, which is homogeneous in w₂ and has no maximiser: longer steps are rewarded, and margins grow
// without bound.
type OuterConfig struct {
	// τ·softplus((δ+m)/τ) with τ = Temperature instead of [δ+m]₊, with m constant in ∇_Θ, so that Φ acts through the
	// weights c = σ((δ+m)/τ) of the triplets (smooth.go). Also for fixed margins
	Smooth    bool `json:"smooth,omitzero"`
	UnitProxy bool `json:"unit_proxy,omitzero"` // Θ̃ = Θ − αG/‖G‖: longer steps are not rewarded (outer.go)

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
	Resample   int `json:"resample"` // epochs between new candidates; paper: 20

	// pairs that share one list of Q negatives (softmax); 0 or 1: each has its own, as in the paper. Relations draw
	// Q/SharedNegatives per pair
	SharedNegatives int `json:"shared_negatives"`

	// the user-item pairs of a user in a batch share their negatives, as in code of the paper's first author
	UserNegatives bool `json:"user_negatives,omitzero"`
}

// PartConfig says how users' likes are learned in parts (parts.go). The zero value learns each like separately.
type PartConfig struct {
	// random parts that a user's likes are cut into, anew in every epoch. The likes of a part are learned together,
	// from a user composed of the other parts. 0: each is learned from a user composed of all others
	UserParts int `json:"user_parts,omitzero"`
	// β: a like in a part of n has the weight n^−β. 0: all likes weigh the same; 1: all parts do
	PartDiscount float64 `json:"part_discount,omitzero"`
	// q: the loss of a like with softmax probability P is (1−P^q)/q, so likes that the others do not explain count
	// less. 0: −log P, its limit
	LossPower float64 `json:"loss_power,omitzero"`
}

// InitConfig holds the initial values of parameters.
type InitConfig struct {
	InitMean float64 `json:"init_mean"` // stddev of the initial μ; paper: 0.01
	// mean of the initial s, which is floored at 0.001; paper: 0, if its s are drawn like its μ
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

// ComposesAnybody reports whether users' rows are composed from items alone, so that users unseen in training get one,
// too.
func (c *Config) ComposesAnybody() bool { return c.UserWeight > 0 && !c.FreeUsers }

// composition returns how users' rows are composed.
func (c *Config) composition() gaussian.Composition {
	return gaussian.Composition{Free: c.FreeUsers, Weight: float32(c.UserWeight)}
}
