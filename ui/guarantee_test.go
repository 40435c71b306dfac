package ui

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// promising is a line whose titles have chances of liking that fall along the list, and a guarantee.
type promising struct {
	*line
	chances   []float64 // of the first titles; 0.1 of the others
	guarantee []model.Guarantee
}

func (e promising) About() recommend.About {
	a := e.line.About()
	a.Reliability = recommend.Reliability{Of: recommend.Liking, People: 570, Guarantee: e.guarantee}
	return a
}

func (e promising) Recommend(v recommend.Visit, t *recommend.Taste, r recommend.Request) []recommend.Suggestion {
	out := e.line.Recommend(v, t, r)
	for k := range out {
		out[k].Chance = 0.1
		if k < len(e.chances) {
			out[k].Chance = e.chances[k]
		}
		out[k].Certainty = recommend.Liking.Certainty(out[k].Chance)
	}
	return out
}

// The line that says how seldom titles disappoint stands once, under the last title it holds for, and not at all where
// it does not hold: too few such titles, no such guarantee in the file, a list that is filtered or mixed.
func TestOneInFive(t *testing.T) {
	oneFifth := []model.Guarantee{{Share: 0.2, Chance: 0.8}}
	sure := []float64{0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.6}
	for name, x := range map[string]struct {
		e     promising
		after string // the last title that it holds for; "": it is not said
	}{
		"seven":        {promising{newLine(60), sure, oneFifth}, "Film 7"},
		"too few":      {promising{newLine(60), sure[3:], oneFifth}, ""},
		"no guarantee": {promising{newLine(60), sure, nil}, ""},
		"another one":  {promising{newLine(60), sure, []model.Guarantee{{Share: 0.1, Chance: 0.8}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := come(t, x.e, newMemory())
			v.does(func() { v.p.Marking.Pick(0) })
			cards := strings.Split(v.html(), `<li class="card"`)[1:]
			for _, card := range cards {
				said := strings.Contains(card, v.p.W.OneInFive)
				if is := x.after != "" && strings.Contains(card, ">"+x.after+"<"); said != is {
					t.Errorf("the guarantee is said: %v, want %v, in %s", said, is, card)
				}
			}
		})
	}
	v := come(t, promising{newLine(60), sure, oneFifth}, newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.sees(v.p.W.OneInFive)
	settings := v.p.Log.Settings
	for what, change := range map[string]func(){
		"filtered":     func() { v.p.Log.Settings.Genres = []string{"Odd"} },
		"of the 1950s": func() { v.p.Log.Settings.Decade = 1950 },
		"varied":       func() { v.p.Log.Settings.Diversity = 0.5 },
		"drawn":        func() { v.p.Log.Settings.Exploration = 0.5 },
		"gems":         func() { v.p.Log.Settings.Mode = uint8(recommend.HiddenGems) },
	} {
		v.does(func() { v.p.Log.Settings = settings; change(); v.p.List.refresh(false) })
		if strings.Contains(v.html(), v.p.W.OneInFive) {
			t.Errorf("%s: the guarantee is said of a list that it was not found for", what)
		}
	}
}

// The circle on a card shows the chance, and the list says why a surer title can stand further down, where one does.
func TestCircleAndOrder(t *testing.T) {
	v := come(t, promising{newLine(60), []float64{0.81, 0.9}, nil}, newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.sees(`stroke-dasharray="81 100"`, `stroke-dasharray="90 100"`, v.p.W.SurerBelow)
	v.does(func() { v.p.List.ToggleWhy(v.p.List.Titles[0].Item) })
	v.sees("We think there&#39;s an 81% chance you&#39;ll like this.")
	v = come(t, promising{newLine(60), []float64{0.9, 0.81}, nil}, newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.misses(v.p.W.SurerBelow)
}
