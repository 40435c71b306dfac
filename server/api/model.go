package api

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/chunks/writer"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/server/intake"
)

// loaded is a model that is ready to answer. It is immutable.
type loaded struct {
	engine *recommend.Recommender // with the owner's rules
	digest string
}

// reader returns a reader for the requests of one question.
func (m *loaded) reader() *query.Reader {
	return &query.Reader{Engine: m.engine, Results: MaxResults, Marks: intake.MaxMarks}
}

// Reload reads the model file again. The new model takes over once it was completely read and checked and has answered
// a question of each kind; requests in progress finish with the old one. If anything is wrong, the old model stays and
// the error is returned. A file with the same content changes nothing. Both models are in memory meanwhile.
func (h *Handler) Reload() error {
	h.loading.Lock()
	defer h.loading.Unlock()
	old := h.model.Load()
	m, unknown, err := load(h.file, h.rules)
	if err != nil {
		h.metrics.failed.Inc()
		if old != nil {
			h.log.Error("rejected the new model; the old one continues", "file", h.file, "error", err, "model",
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
	if h.stopDividing != nil {
		h.stopDividing()
	}
	if m.engine.Len() >= divided {
		ctx, stop := context.WithCancel(context.Background())
		h.stopDividing = stop
		go h.divide(ctx, m)
	}
	return nil
}

// divided is the number of items from which lists come from cells of similar items (recommend.Recommender.WithNearby).
// With fewer, a scan takes at most 12 ms, and misses nothing. Tests change it.
var divided = 400_000

// divide replaces m by the same model with cells, unless another model has replaced it meanwhile. It uses half of the
// processors, since m answers at the same time.
func (h *Handler) divide(ctx context.Context, m *loaded) {
	began := time.Now()
	h.log.Info("dividing the items into cells; until then, each list takes a scan of all items", "model", m.digest)
	cells, err := writer.NewCells(ctx, m.engine, max(runtime.GOMAXPROCS(0)/2, 1))
	if err != nil {
		return // ctx ended: there is another model
	}
	if h.model.CompareAndSwap(m, &loaded{m.engine.WithNearby(cells), m.digest}) {
		h.log.Info("lists come from cells of similar items", "model", m.digest, "seconds", time.Since(began).Seconds())
	}
}

// load reads a model and applies the rules. unknown are the ids of rules that the model does not have. O(bytes of the
// file + I·h).
func load(file string, rules recommend.Rules) (m *loaded, unknown []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			m, unknown, err = nil, nil, fmt.Errorf("the model %s cannot answer: %v", file, p)
		}
	}()
	data, err := model.ReadFile(file)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read the model: %w", err)
	}
	engine, err := recommend.Open(data, recommend.Options{})
	if err != nil {
		return nil, nil, fmt.Errorf("cannot use the model %s: %w", file, err)
	}
	if engine, unknown, err = engine.WithRules(recommend.RulesFor(rules, engine.Columns())); err != nil {
		return nil, nil, fmt.Errorf("the rules do not fit the model %s: %w", file, err)
	}
	m = &loaded{engine, data.Digest}
	if engine.Len() == 0 {
		return nil, nil, errors.New("the model has no items")
	}
	// The first question of each kind builds indexes for later ones.
	v := recommend.Visit{Likes: []int{0}}
	engine.Recommend(v, engine.Taste(v, nil), recommend.Request{K: 1, Order: recommend.BestKnown})
	engine.Recommend(v, engine.Taste(v, nil), recommend.Request{K: recommend.Top})
	engine.Similar(0, recommend.Visit{}, 1)
	engine.Search(engine.Item(0).Title, 1)
	engine.IDs()
	return m, unknown, nil
}
