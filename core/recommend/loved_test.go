package recommend

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
)

// The page says of a title that people who loved the likes behind it often loved the title. Among the people of
// MovieLens small who love one of these likes, more than among all people love the title, in 19 of 20 reasons.
func TestReasonsAreTrueOfThePeople(t *testing.T) {
	b, err := os.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	d, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{MinItem: 2})
	if err != nil {
		t.Fatal(err)
	}
	r, users := open(t, m), d.Users.Len()
	by := make([]map[int]bool, d.Items.Len()) // by item: the people who love it
	for i := range by {
		by[i] = map[int]bool{}
	}
	for u := range users {
		for _, i := range d.Positives.Row(u) {
			by[i][u] = true
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	all, held := 0, 0
	for range 100 {
		row := d.Positives.Row(random.IntN(users))
		var v Visit
		for _, k := range random.Perm(len(row))[:5] {
			v.Likes = append(v.Likes, int(row[k]))
		}
		for _, s := range r.Recommend(v, r.Taste(v, nil), Request{K: 10}) {
			if len(s.Reasons) == 0 {
				continue
			}
			both := 0
			for u := range by[s.Reasons[0].Item] {
				if by[s.Item][u] {
					both++
				}
			}
			all++
			if both*users > len(by[s.Reasons[0].Item])*len(by[s.Item]) {
				held++
			}
		}
	}
	t.Logf("%d of %d reasons are true of the people", held, all)
	if all == 0 || held*20 < all*19 {
		t.Errorf("%d of %d reasons are true of the people", held, all)
	}
}
