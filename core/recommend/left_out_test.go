package recommend

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
)

// Names that are left out are found by their words or their beginning. A longer word that begins like the query's, or a
// typing error, is not enough to call a title missing.
func TestLeftOut(t *testing.T) {
	m := *linked(30)
	c := *m.Catalogue
	c.LeftOut = []string{"A Patch of Blue", "Moonlight", "Paterson", "Train to Busan"}
	m.Catalogue = &c
	r := open(t, &m)
	for query, want := range map[string]string{"moonlight": "Moonlight", "train to bu": "Train to Busan", "busan": "Train to Busan",
		"der pate": "", "patch blue": "A Patch of Blue", "moonrise": ""} {
		names, score := r.LeftOut(query, 3)
		if want == "" && names == nil || slices.Equal(names, []string{want}) && score > 0.7 {
			continue
		}
		t.Errorf("%q finds %q with the score %v", query, names, score)
	}
	if names, _ := open(t, linked(30)).LeftOut("moonlight", 3); names != nil {
		t.Errorf("a catalogue without names finds %q", names)
	}
	added := &catalogue.Catalogue{Items: []catalogue.Item{{Title: "Moonlight (Luz)"}}, LeftOut: []string{"Moonlight", "Paterson"}}
	if added.DropListed(); !slices.Equal(added.LeftOut, []string{"Paterson"}) {
		t.Errorf("after an addition %q are left out", added.LeftOut)
	}
}
