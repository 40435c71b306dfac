package choose

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

// Reading and writing the settings of the shipped model gives the same bytes. So does every preset, with every optional
// setting.
func TestSettingsAreWrittenInTheOrderOfModels(t *testing.T) {
	m, err := model.ReadFile("../../../assets/models/movielens.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	var s Settings
	if err := json.Unmarshal([]byte(m.Provenance.Config), &s); err != nil {
		t.Fatal(err)
	}
	if b, err := json.Marshal(s); err != nil || string(b) != m.Provenance.Config {
		t.Errorf("%v\n%s\n%s", err, b, m.Provenance.Config)
	}
	s.Bound, s.Signed, s.Smooth, s.UserPairs, s.ItemPool, s.ShrinkageItems = "joint", true, true, 3, 20, 5
	const want = `{"preset":"hybrid","dim":50,"deterministic":false,"loss":"softmax","temperature":1,"margin":"fixed",` +
		`"margin_value":1,"input":"difference","hidden":50,"alpha":0.001,"outer_rate":0.001,"lambda":0.001,` +
		`"smooth":true,"relations":"none","relation_threshold":0.2,"relation_weight":1,"free_users":false,` +
		`"user_weight":2,"radius":1,"visitor_prior":6,"bound":"joint","signed":true,"shrinkage":10,` +
		`"shrinkage_items":5,"negatives":256,"candidates":0,"resample":20,"shared_negatives":32,"item_part":"ridge",` +
		`"item_top":10,"item_pool":20,"item_lambda":50,"item_weight":2,"next_top":20,"batch":1000,"user_pairs":3,` +
		`"epochs":30,"learn_rate":0.01,"decay":true,"init_mean":0.01,"init_stddev":0.1,"init_jitter":0.01,"validation":0,` +
		`"every":5,"patience":0,"auto":true,"calibrate":true,"seed":1}`
	s.Temperature, s.VisitorPrior, s.Shrinkage, s.ItemLambda, s.ItemWeight, s.UserWeight = 1, 6, 10, 50, 2, 2
	s.Dim, s.PartConfig, s.Relations, s.RelationWeight, s.Epochs = 50, pmlam.PartConfig{}, "none", 1, 30
	b, err := json.Marshal(&s)
	if err != nil || string(b) != want {
		t.Errorf("%v\n%s\n%s", err, b, want)
	}
	var again Settings
	if err := json.Unmarshal(b, &again); err != nil || again != s {
		t.Errorf("%v: %+v, want %+v", err, again, s)
	}
	var fields map[string]any
	if err := json.Unmarshal(b, &fields); err != nil {
		t.Fatal(err)
	}
	names, optional := Names()
	for _, name := range names {
		if _, ok := fields[name]; !ok && !optional[name] {
			t.Errorf("the setting %s is not written", name)
		}
	}
}

// Errors name invalid settings of the steps around a training, like a Trainer's errors do.
func TestImpossibleSettingsAreNamed(t *testing.T) {
	for field, change := range map[string]func(*Settings){
		"dim":           func(s *Settings) { s.Dim = 0 },
		"visitor_prior": func(s *Settings) { s.FreeUsers, s.VisitorPrior = true, 1 },
		"item_part":     func(s *Settings) { s.ItemPart = "knn" },
		"item_top":      func(s *Settings) { s.ItemTop = 65 },
		"item_pool":     func(s *Settings) { s.ItemPool = 5 },
		"item_lambda":   func(s *Settings) { s.ItemLambda = 0 },
		"item_weight":   func(s *Settings) { s.ItemWeight = 1e30 },
		"auto":          func(s *Settings) { s.Loss = "hinge" },
	} {
		s, err := Preset("hybrid")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(); err != nil {
			t.Fatalf("the preset is invalid: %v", err)
		}
		if field == "auto" {
			s.SharedNegatives = 0
		}
		change(&s)
		var bad *pmlam.ConfigError
		if err := s.Validate(); !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: got %v", field, err)
		}
	}
	for _, p := range pmlam.Presets {
		s, err := Preset(p.Name)
		if err != nil || s.Validate() != nil || s.Preset != p.Name {
			t.Errorf("%s: %v, %v", p.Name, err, s.Validate())
		}
	}
	if _, err := Preset("nothing"); err == nil {
		t.Error("an unknown preset must be an error")
	}
}
