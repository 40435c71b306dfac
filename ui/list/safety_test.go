package list_test

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/marking"
)

// Chances that lie within one word differ in the circle, in the rank, and in the thirds of the list. The thirds do not
// contradict the words.
func TestMarksDifferCardByCard(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	for _, i := range []int{20, 22, 24} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	l := v.P.List
	chances := []float64{0.81, 0.79, 0.80, 0.84, 0.76, 0.83, 0.78, 0.82, 0.77}
	v.Does(func() {
		l.Titles = l.Titles[:len(chances)]
		for k, c := range chances {
			l.Titles[k].Chance, l.Titles[k].Certainty = c, recommend.Liking.Certainty(c)
		}
	})
	circles, said := map[string]bool{}, map[string]int{}
	for _, s := range l.Titles {
		card := &list.Card{List: l, Marking: new(marking.Marking), S: s}
		circles[card.Filled()] = true
		said[card.Sure()]++
	}
	if len(circles) != len(chances) {
		t.Errorf("%d cards have %d different circles", len(chances), len(circles))
	}
	if said["Fairly sure"] != 3 || said["Fairly sure · a safer pick"] != 3 || said["Fairly sure · a bolder pick"] != 3 {
		t.Errorf("the words do not split the list: %v", said)
	}
	v.Does(func() { l.ToggleWhy(l.Titles[3].Item) })
	v.Sees("84% chance", "In safety it is no. 1 of these 9.", "What led here: Film 20 33%, Film 22 33%, Film 24 33%.",
		"people who loved both often loved this")
	html := v.HTML()
	if first, then := strings.Index(html, "people who loved both"), strings.Index(html, "If you like this too"); first < 0 || then >= 0 && then < first {
		t.Error("the reason does not come first")
	}
	for k := range l.Titles {
		l.Titles[k].Chance, l.Titles[k].Certainty = 0.9+0.01*float64(k), recommend.VerySure
	}
	if got := (&list.Card{List: l, S: l.Titles[0]}).Sure(); got != "Very sure" {
		t.Errorf("the least sure of very sure titles is called %q", got)
	}
}
