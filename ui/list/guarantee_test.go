package list_test

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

// promising is a line of titles with falling chances of being liked, and a guarantee.
type promising struct {
	*uitest.Line
	chances   []float64 // of the first titles; 0.1 for the others
	guarantee []model.Guarantee
}

func (e promising) About() recommend.About {
	a := e.Line.About()
	a.Reliability = recommend.Reliability{Of: recommend.Liking, People: 570, Guarantee: e.guarantee}
	return a
}

func (e promising) Recommend(v recommend.Visit, t *recommend.Taste, r recommend.Request) []recommend.Suggestion {
	out := e.Line.Recommend(v, t, r)
	for k := range out {
		out[k].Chance = 0.1
		if k < len(e.chances) {
			out[k].Chance = e.chances[k]
		}
		out[k].Certainty = recommend.Liking.Certainty(out[k].Chance)
	}
	return out
}

// The guarantee is stated once, below the last title it covers. It is not stated for too few titles, without such a
// guarantee in the file, or in a filtered or mixed list.
func TestOneInFive(t *testing.T) {
	oneFifth := []model.Guarantee{{Share: 0.2, Chance: 0.8}}
	sure := []float64{0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.6}
	for name, x := range map[string]struct {
		e     promising
		after string // the last title that it covers; "": not stated
	}{
		"seven":        {promising{uitest.NewLine(60), sure, oneFifth}, "Film 7"},
		"too few":      {promising{uitest.NewLine(60), sure[3:], oneFifth}, ""},
		"no guarantee": {promising{uitest.NewLine(60), sure, nil}, ""},
		"another one":  {promising{uitest.NewLine(60), sure, []model.Guarantee{{Share: 0.1, Chance: 0.8}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := uitest.Come(t, x.e, uitest.NewMemory())
			v.Does(func() { v.P.Starters.Pick(0) })
			cards := strings.Split(v.HTML(), `<li class="card"`)[1:]
			for _, card := range cards {
				said := strings.Contains(card, v.P.W.OneInFive)
				if is := x.after != "" && strings.Contains(card, ">"+x.after+"<"); said != is {
					t.Errorf("the guarantee is stated: %v, want %v, in %s", said, is, card)
				}
			}
		})
	}
	v := uitest.Come(t, promising{uitest.NewLine(60), sure, oneFifth}, uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Sees(v.P.W.OneInFive)
	settings := v.P.Settings()
	for what, change := range map[string]func(s *keep.Settings){
		"filtered":     func(s *keep.Settings) { s.Genres = []string{"Odd"} },
		"of the 1950s": func(s *keep.Settings) { s.Decade = 1950 },
		"varied":       func(s *keep.Settings) { s.Diversity = 0.5 },
		"drawn":        func(s *keep.Settings) { s.Exploration = 0.5 },
		"gems":         func(s *keep.Settings) { s.Mode = uint8(recommend.HiddenGems) },
	} {
		v.Does(func() { v.P.Tune(func(s *keep.Settings) { *s = settings; change(s) }) })
		if strings.Contains(v.HTML(), v.P.W.OneInFive) {
			t.Errorf("%s: the guarantee is stated for a list that it does not cover", what)
		}
	}
}

// The circle on a card shows the chance within the range of the list's. The list explains why a surer title may come later, if one does.
func TestCircleAndOrder(t *testing.T) {
	v := uitest.Come(t, promising{uitest.NewLine(60), []float64{0.81, 0.9}, nil}, uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Sees(`stroke-dasharray="15 100"`, `stroke-dasharray="100 100"`, v.P.W.SurerBelow)
	v.Does(func() { v.P.List.ToggleWhy(v.P.List.Titles[0].Item) })
	v.Sees("We think there’s an 81% chance you’ll like this.")
	v = uitest.Come(t, promising{uitest.NewLine(60), []float64{0.9, 0.81}, nil}, uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Misses(v.P.W.SurerBelow)
}
