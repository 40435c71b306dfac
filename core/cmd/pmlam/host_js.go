package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"syscall"
	"syscall/js"
	"time"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train"
)

// host tells the worker of the studio (wasm/studio/worker.js) about a command: globalThis.pmlam.tell(JSON).
type host struct {
	tell  js.Value
	told  time.Time // of the last progress
	what  string    // its label
	label string    // of the current training
}

func newHost() *host { return &host{tell: js.Global().Get("pmlam")} }

// between is the least time between two reports of progress, and so between two chances to hear of a cancellation.
const between = 100 * time.Millisecond

func (h *host) send(v map[string]any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // the values below can be encoded
	}
	h.tell.Call("tell", string(b))
}

func (h *host) Progress(what, unit string, done, all int64, left time.Duration, note string) {
	now := time.Now()
	if what == h.what && now.Sub(h.told) < between && done < all {
		return
	}
	event := map[string]any{"type": "progress", "what": what, "unit": unit, "done": done, "all": all, "note": note,
		"seconds": nil}
	if left > 0 {
		event["seconds"] = left.Seconds()
	}
	h.send(event)
	if now.Sub(h.told) >= between {
		h.told = now
		time.Sleep(time.Microsecond) // the worker hears messages meanwhile
	}
	h.what = what
}

func (h *host) Event(e train.Event) {
	switch e := e.(type) {
	case train.ChoiceWent:
		if e.Done {
			h.send(map[string]any{"type": "trial", "number": e.Trial.Number, "planned": e.Planned,
				"ndcg": number(e.Trial.NDCG), "taken": e.Trial.Taken, "text": cli.TrialLine(e.Trial)})
		}
	case train.TrainingBegan:
		h.label = e.Training.String()
	case train.EpochDone:
		h.send(map[string]any{"type": "curve", "training": h.label, "number": e.Number,
			"loss": number(e.Figures[pmlam.FigureInner]), "ndcg": number(e.NDCG)})
	}
}

func (h *host) Result(text []byte) {
	h.send(map[string]any{"type": "result", "result": json.RawMessage(text)})
}

// failed tells why a command failed.
func (h *host) failed(err error) {
	if err == nil {
		return
	}
	event := map[string]any{"type": "failed", "full": errors.Is(err, syscall.ENOSPC) ||
		errors.Is(err, fs.ErrPermission)}
	if q := questionOf(err); q != nil {
		event["question"] = q
	}
	h.send(event)
}

// number is x, or nil for NaN and infinities, which JSON does not have.
func number(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}
