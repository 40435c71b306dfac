package coldstart

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// A model of content alone is reproducible, its file opens, and a visitor's list has the genre that they like.
func TestAlone(t *testing.T) {
	about := fresh(60)
	about.Items = append(about.Items, catalogue.Item{ID: "blank", Values: []string{"", ""}})
	m, r, err := Alone(background, about, about.Columns)
	if err != nil {
		t.Fatal(err)
	}
	if r.Added != 60 || r.Blank != 1 || m.Items.Len() != 60 || !(r.Explained > 0.5 && r.Explained <= 1+1e-9) {
		t.Errorf("%+v", r)
	}
	again, _, err := Alone(background, about, about.Columns)
	if err != nil || !bytes.Equal(encoded(t, m), encoded(t, again)) {
		t.Errorf("the second run gives a different model: %v", err)
	}
	// A column can be learned from without being kept.
	one, _, err := Alone(background, about, about.Columns[1:])
	if err != nil || len(one.Catalogue.Columns) != 1 || one.Catalogue.Items[3].Values[0] != about.Items[3].Values[1] ||
		!slices.Equal(one.Items.Data(), m.Items.Data()) {
		t.Errorf("%v: %+v", err, one.Catalogue.Items[3])
	}
	kept, err := model.Decode(encoded(t, m))
	if err != nil {
		t.Fatal(err)
	}
	e, err := recommend.Open(kept, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := recommend.Visit{Likes: []int{2, 7}}
	list := e.Recommend(v, e.Taste(v, nil), recommend.Request{K: 5})
	for _, s := range list {
		if s.Item%len(kinds) != 2 {
			t.Errorf("a visitor who likes %s is recommended %v", kinds[2], e.Item(s.Item).Genres)
		}
	}
	if len(list) != 5 || e.About().Reliability.People != 0 {
		t.Errorf("%d titles, calibrated on %d people", len(list), e.About().Reliability.People)
	}
}

func TestWhatCannotBeAlone(t *testing.T) {
	alike := Items{Catalogue: &catalogue.Catalogue{Columns: []string{"colour"}}}
	for i := range 40 {
		alike.Items = append(alike.Items, catalogue.Item{ID: fmt.Sprint(i), Values: []string{"red"}})
	}
	vectors := fresh(30)
	vectors.Vectors = &Vectors{Dim: 1, Data: make([]float32, 3)}
	for says, about := range map[string]Items{
		"only 12 items have features": fresh(12),
		"only 0 items have features":  alike,
		"3 vectors for 30 items":      vectors,
	} {
		if _, _, err := Alone(background, about, about.Columns); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got error %v, want %q", err, says)
		}
	}
	ended, end := context.WithCancel(background)
	end()
	if _, _, err := Alone(ended, fresh(30), nil); err == nil {
		t.Error("a cancelled context is ignored")
	}
}
