package personas

import (
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// The shipped model's lists stay within the goal of 8 wrong and 24 delightful titles of 80, and so do similar titles.
func TestListsAFanWouldSign(t *testing.T) {
	m, err := model.ReadFile("../../../assets/models/movielens.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := Read(r)
	if err != nil {
		t.Fatal(err)
	}
	var people, similar [3]int
	for _, p := range all {
		count := &people
		if p.Similar {
			count = &similar
		}
		for _, i := range p.List(r, recommend.Request{K: 10}) {
			count[p.Judge(r, i)]++
		}
	}
	if people[Wrong]*80 > 8*200 || people[Delightful]*80 < 24*200 {
		t.Errorf("of 200 titles %d are wrong and %d delightful", people[Wrong], people[Delightful])
	}
	if similar[Wrong] > 12 {
		t.Errorf("of %d similar titles %d are wrong", similar[0]+similar[1]+similar[2], similar[Wrong])
	}
	t.Logf("people: %v; similar titles: %v (fine, delightful, wrong)", people, similar)
}
