package list_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/words"
)

// A card names at most two likes, the second only with a third of the first's share. General popularity needs a third
// of all likes' share.
func TestReasonsOfACard(t *testing.T) {
	l := uitest.Come(t, uitest.NewLine(20), nil).P.List
	for _, c := range []struct {
		general  float64
		likes    []float64
		because  string
		shares   string
		standing words.Standing
	}{
		{0, []float64{0.5, 0.3, 0.2}, "0 1", "0 1 2", words.Unnamed},
		{0, []float64{0.7, 0.2, 0.1}, "0", "0 1 2", words.Unnamed},
		{0.1, []float64{0.6, 0.3}, "0 1", "0 1 general", words.Unnamed},
		{0.3, []float64{0.4, 0.3}, "0 1", "0 1 general", words.Named},
		{0.4, []float64{0.3, 0.1}, "0 1", "general 0 1", words.Named},
		{0.3, []float64{0.5, 0.1}, "0", "0 general 1", words.Named},
		{0.6, []float64{0.3, 0.02}, "0", "general 0 1", words.NamedFirst},
		{0.8, []float64{0.2}, "", "general 0", words.NamedFirst},
		{1, nil, "", "general", words.NamedFirst},
		{0, nil, "", "", words.Unnamed},
	} {
		card := &list.Card{List: l, S: recommend.Suggestion{Item: 9, General: c.general}}
		for i, share := range c.likes {
			card.S.Reasons = append(card.S.Reasons, recommend.Reason{Item: i, Share: share})
		}
		likes, standing := list.ReasonsOf(&card.S)
		var because, shares []string
		for _, r := range likes {
			because = append(because, strconv.Itoa(r.Item))
		}
		for _, s := range card.Shares() {
			name := "general"
			for i, share := range c.likes {
				if s == l.W.ShareOf(l.Named(i), share) {
					name = strconv.Itoa(i)
				}
			}
			if name == "general" && s != l.W.ShareOf(l.W.InGeneral, c.general) {
				t.Errorf("a share reads %q", s)
			}
			shares = append(shares, name)
		}
		if got := strings.Join(because, " "); got != c.because || standing != c.standing ||
			strings.Join(shares, " ") != c.shares {
			t.Errorf("%v and %v in general: because of %q, general %v, shares %q; want %+v", c.likes, c.general, got,
				standing, shares, c)
		}
	}
}
