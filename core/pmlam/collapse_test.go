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

// A training whose items are all alike at the end says so, and one that has learned next to nothing does not.
func TestACollapsedTrainingIsAnError(t *testing.T) {
	m := clustered(40, 60, 15)
	for name, c := range map[string]struct {
		change    func(*Config)
		collapsed bool
	}{
		"points that all begin at 0": {func(c *Config) { c.Deterministic, c.InitMean = true, 0 },
			true},
		// their users' σ are not theirs, which parts them
		"Gaussians that all begin alike":               {func(c *Config) { c.InitMean, c.InitJitter = 0, 0 }, false},
		"a learning rate that moves nothing":           {func(c *Config) { c.LearnRate = 1e-30 }, false},
		"a ball so small that all means are next to 0": {func(c *Config) { c.Radius = model.MinDivisor }, false},
		"as it should be":                              {func(*Config) {}, false},
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

// Numbers that no training can make anything of are refused before it.
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
	// What is far too fast in the unit ball is not in a larger one.
	c, err := Preset("hybrid")
	if err != nil {
		t.Fatal(err)
	}
	c.LearnRate, c.Radius = 2000, 3
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

// A ball larger than what a model holds is none, so that visitors are folded in by steps of their size.
func TestAHugeBallIsNone(t *testing.T) {
	for radius, want := range map[float64]float32{1.5: 1.5, model.MaxNumber: model.MaxNumber,
		1e9: float32(math.Inf(1))} {
		if got := radius32(radius); got != want {
			t.Errorf("radius %g is kept as %v, want %v", radius, got, want)
		}
	}
}

func radius32(r float64) float32 { return radius(&Config{Radius: r}) }
