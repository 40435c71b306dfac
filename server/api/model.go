package api

import (
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/server/intake"
)

// loaded is a model that is ready to answer. It never changes.
type loaded struct {
	engine *recommend.Recommender // with the owner's rules
	digest string
}

// reader returns a reader of the requests of one question.
func (m *loaded) reader() *query.Reader {
	return &query.Reader{Engine: m.engine, Results: MaxResults, Marks: intake.MaxMarks}
}

// Reload reads the model file again. The new model takes over once it was read and checked whole and has answered a
// question of each kind; requests under way are finished by the old one. Where anything is wrong with it, the old one
// stays, and the error says what. A file of the same content changes nothing. Memory holds both models for that time.
func (h *Handler) Reload() error {
	h.loading.Lock()
	defer h.loading.Unlock()
	old := h.model.Load()
	m, unknown, err := load(h.file, h.rules)
	if err != nil {
		h.metrics.failed.Inc()
		if old != nil {
			h.log.Error("the new model was not taken, the old one goes on", "file", h.file, "error", err, "model",
				old.digest)
		}
		return err
	}
	if old != nil && old.digest == m.digest {
		h.log.Info("the model is the same as before", "model", m.digest)
		return nil
	}
	for _, id := range unknown {
		h.log.Warn("a rule names an item that the model does not have", "id", brief.Text(id))
	}
	h.model.Store(m)
	h.metrics.loads.Inc()
	h.log.Info("the model is in use", "model", m.digest, "items", m.engine.Len())
	return nil
}

// load reads a model and has it answer by the rules. unknown are ids that only the rules have. O(bytes of the file +
// I·h).
func load(file string, rules recommend.Rules) (m *loaded, unknown []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			m, unknown, err = nil, nil, fmt.Errorf("the model %s cannot answer: %v", file, p)
		}
	}()
	data, err := model.ReadFile(file)
	if err != nil {
		return nil, nil, fmt.Errorf("the model cannot be read: %w", err)
	}
	engine, err := recommend.Open(data, recommend.Options{})
	if err != nil {
		return nil, nil, fmt.Errorf("the model %s cannot be used: %w", file, err)
	}
	if engine, unknown, err = engine.WithRules(rules); err != nil {
		return nil, nil, fmt.Errorf("the rules do not fit the model %s: %w", file, err)
	}
	m = &loaded{engine, data.Digest}
	if engine.Len() == 0 {
		return nil, nil, errors.New("the model has no items")
	}
	// The first question of a kind builds what the others use.
	v := recommend.Visit{Likes: []int{0}}
	engine.Recommend(v, engine.Taste(v, nil), recommend.Request{K: 1, Order: recommend.BestKnown})
	engine.Recommend(v, engine.Taste(v, nil), recommend.Request{K: recommend.Top})
	engine.Similar(0, recommend.Visit{}, 1)
	engine.Search(engine.Item(0).Title, 1)
	engine.IDs()
	return m, unknown, nil
}
