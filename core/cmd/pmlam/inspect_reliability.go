package main

import (
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/model"
)

// band is a range of stated chances and how often they came true, for people unknown to training and fit.
type band struct {
	Stated   float32 `json:"stated"`    // their mean
	CameTrue float32 `json:"came_true"` // share of the answers that were likes
	Answers  int32   `json:"answers"`
	People   int32   `json:"people"` // people with answers; 0: unknown
}

// guaranteed is a list's guarantee (model.Guarantee).
type guaranteed struct {
	Share  float32 `json:"share"`  // maximum share of its titles that disappoint
	Chance float32 `json:"chance"` // minimum mean chance of its titles
}

// reliability returns the model's bands and guarantees; both are empty without a chance of liking.
func reliability(m *model.Model) (bands []band, guarantees []guaranteed) {
	bands, guarantees = []band{}, []guaranteed{}
	if m.Calibration == nil || m.Calibration.Like == nil {
		return bands, guarantees
	}
	for _, b := range m.Calibration.Like.Bins {
		bands = append(bands, band{b.Predicted, b.Observed, b.Count, b.People})
	}
	for _, g := range m.Calibration.Like.Guarantee {
		guarantees = append(guarantees, guaranteed{g.Share, g.Chance})
	}
	return bands, guarantees
}

// reliabilityText returns both as text, or "".
func reliabilityText(m *model.Model) string {
	bands, guarantees := reliability(m)
	var b strings.Builder
	if len(bands) > 0 {
		fmt.Fprintf(&b, "%-14s stated chances of liking are %.1f points off on average, for people left "+
			"out:\n", "Reliability",
			100*m.Calibration.Like.Error())
		fmt.Fprintf(&b, "%14s %8s %10s %9s %8s\n", "", "stated", "came true", "answers", "people")
	}
	for _, x := range bands {
		people := fmt.Sprint(x.People)
		if x.People == 0 {
			people = "?"
		}
		fmt.Fprintf(&b, "%14s %7.1f%% %9.1f%% %9d %8s\n", "", 100*x.Stated, 100*x.CameTrue, x.Answers, people)
	}
	for _, g := range guarantees {
		fmt.Fprintf(&b, "%-14s at most %.0f%% of a list's first titles (up to %d) disappoint if their mean chance "+
			"is %.1f%% or more\n", "Guarantee", 100*g.Share, model.MaxGuaranteed, 100*g.Chance)
	}
	return b.String()
}
