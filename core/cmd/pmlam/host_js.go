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
	drawn time.Time // of the last map
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
	case train.LayingOut:
		if now := time.Now(); len(e.XY) > 0 && (now.Sub(h.drawn) >= betweenMaps || e.Done == e.All) {
			h.drawn = now
			h.send(map[string]any{"type": "map", "step": e.Done, "steps": e.All, "points": shown(e.XY)})
		}
	}
}

// betweenMaps is the least time between two pictures of the map, and mostShown the number of items in them.
const (
	betweenMaps = 500 * time.Millisecond
	mostShown   = 4000
)

// shown returns places from -1 to 1, with three decimals, of every item or of some in equal steps.
func shown(xy []float64) []float64 {
	n, far := len(xy)/2, 0.0
	for _, v := range xy {
		far = max(far, math.Abs(v))
	}
	if far == 0 || math.IsNaN(far) || math.IsInf(far, 0) {
		far = 1
	}
	out := []float64{}
	for i := 0; i < n; i += max(1, (n+mostShown-1)/mostShown) {
		out = append(out, math.Round(xy[2*i]/far*1000)/1000, math.Round(xy[2*i+1]/far*1000)/1000)
	}
	return out
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
