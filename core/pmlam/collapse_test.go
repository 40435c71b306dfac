package pmlam

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/training"
)

// A training that ends with identical items is an error; one that has learned next to nothing is not.
func TestACollapsedTrainingIsAnError(t *testing.T) {
	m := clustered(40, 60, 15)
	for name, c := range map[string]struct {
		change    func(*Config)
		collapsed bool
	}{
		"points that all start at 0": {func(c *Config) { c.Deterministic, c.InitMean = true, 0 },
			true},
		// users' σ differ from items' σ, which separates them
		"Gaussians that all start equal":                {func(c *Config) { c.InitMean, c.InitJitter = 0, 0 }, false},
		"a learning rate too small to move anything":    {func(c *Config) { c.LearnRate = 1e-30 }, false},
		"a ball so small that all means are close to 0": {func(c *Config) { c.Radius = model.MinDivisor }, false},
		"a normal training":                             {func(*Config) {}, false},
	} {
		cfg := configs(t)["composed"]
		cfg.Epochs = 3
		c.change(&cfg)
		got, err := newTrainer(t, m, cfg, 2).Run(context.Background(), nil)
		var collapse *training.CollapseError
		if got == nil || errors.As(err, &collapse) != c.collapsed || !c.collapsed && err != nil {
			t.Errorf("%s: %v, want an error: %v", name, err, c.collapsed)
		}
		if c.collapsed && (!training.Diverged(err) || collapse.Epoch != 3 ||
			!strings.Contains(err.Error(), "after epoch 3 all items have the same Gaussian")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Settings that no training can work with are refused in advance.
func TestSettingsBeyondReach(t *testing.T) {
	for field, change := range map[string]func(*Config){
		"learn_rate":  func(c *Config) { c.LearnRate = 1e30 },
		"temperature": func(c *Config) { c.Temperature = 1e-30 },
		"user_weight": func(c *Config) { c.UserWeight = 1e30 },
		"radius":      func(c *Config) { c.Radius = 1e-30 },
		"init_mean":   func(c *Config) { c.InitMean = 1e30 },
		"init_stddev": func(c *Config) { c.InitStddev = math.Inf(1) },
		"init_jitter": func(c *Config) { c.InitJitter = 1e30 },
	} {
		c, err := Preset("hybrid")
		if err != nil {
			t.Fatal(err)
		}
		change(&c)
		var e *ConfigError
		if err := c.Validate(); !errors.As(err, &e) || e.Field != field || !strings.HasPrefix(e.Rule, "at ") {
			t.Errorf("%s: %v", field, err)
		}
	}
	// A learning rate far too high for the unit ball is not too high for a larger one.
	c, err := Preset("hybrid")
	if err != nil {
		t.Fatal(err)
	}
	c.LearnRate, c.Radius = 2000, 3
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

// A ball larger than a model file can hold is stored as unbounded, so that visitors are folded in with steps of normal
// size.
func TestAHugeBallIsNone(t *testing.T) {
	for radius, want := range map[float64]float32{1.5: 1.5, model.MaxNumber: model.MaxNumber,
		1e9: float32(math.Inf(1))} {
		if got := radius32(radius); got != want {
			t.Errorf("radius %g is kept as %v, want %v", radius, got, want)
		}
	}
}

func radius32(r float64) float32 { return radius(&Config{Radius: r}) }
