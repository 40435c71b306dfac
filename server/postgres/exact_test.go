package postgres

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// asked is a question to both.
type asked struct {
	name   string
	visit  recommend.Visit
	filter recommend.Filter
}

// questions returns n of each kind: visitors with similar likes, with dislikes, with a thousand seen items, with
// filters.
func questions(m *model.Model, r *recommend.Recommender, n int) (all []asked) {
	x := rand.New(rand.NewPCG(1, 2))
	for range n {
		seed := x.IntN(m.Items.Len())
		near := r.Similar(seed, recommend.Visit{}, 40)
		v := recommend.Visit{Likes: []int{seed}}
		for range x.IntN(12) {
			v.Likes = append(v.Likes, near[x.IntN(len(near))].Item)
		}
		all = append(all, asked{"likes", v, recommend.Filter{}})
		disliking := v
		for range 1 + x.IntN(4) {
			disliking.Dislikes = append(disliking.Dislikes, x.IntN(m.Items.Len()))
		}
		all = append(all, asked{"dislikes", disliking, recommend.Filter{}})
		// The first thousand are seen, so none of the index's first results remains.
		seen := v
		for _, s := range r.Recommend(v, r.Taste(v, nil), recommend.Request{K: 1000, Bare: true}) {
			seen.Seen = append(seen.Seen, s.Item)
		}
		all = append(all, asked{"a thousand seen", seen, recommend.Filter{}})
		recent := recommend.Visit{Recent: []int{near[1].Item, seed, near[2].Item, near[1].Item}}
		all = append(all, asked{"recent alone", recent, recommend.Filter{}})
		recent.Likes, recent.Again = v.Likes, true
		all = append(all, asked{"likes and recent, again", recent, recommend.Filter{}})
		genres := r.Genres()
		all = append(all, asked{"genre", v, recommend.Filter{Genres: genres[x.IntN(len(genres)):][:1]}})
		all = append(all, asked{"years", seen, recommend.Filter{FromYear: 1970 + x.IntN(20), ToYear: 1990 + x.IntN(9)}})
	}
	return append(all, asked{name: "nothing said"}, asked{"dislikes alone", recommend.Visit{Dislikes: []int{3, 50, 7}},
		recommend.Filter{}})
}

// byID converts a visit for a store.
func byID(m *model.Model, v recommend.Visit) Visit {
	ids := func(items []int) (out []string) {
		for _, i := range items {
			out = append(out, m.Catalogue.Items[i].ID)
		}
		return out
	}
	return Visit{Likes: ids(v.Likes), Dislikes: ids(v.Dislikes), Seen: ids(v.Seen), Recent: ids(v.Recent), Again: &v.Again}
}

// The store finds 99% of the exact ten for visitors of every kind, including links and genres, and W2 equals the
// recommender's to six digits.
func TestAnswersOfTheExactScan(t *testing.T) {
	url := database(t)
	conn := connect(t, url)
	m, schema := movielens(t), schemaOf(t, conn)
	if m.ItemItem == nil {
		t.Fatal("the model has no item links to test")
	}
	m.Objective.LinkPrior = 2
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	done, err := Export(t.Context(), conn, schema, m)
	if err != nil {
		t.Fatal(err)
	}
	if done.Generation != 1 || done.Items != m.Items.Len() || done.Links != m.ItemItem.Links() {
		t.Errorf("exported %+v", done)
	}
	s := open(t, url, schema)
	const k = 10
	found, all, same := map[string]int{}, map[string]int{}, 0
	qs := questions(m, r, 20)
	for _, q := range qs {
		taste := r.Taste(q.visit, nil)
		want := r.Recommend(q.visit, taste, recommend.Request{K: k, Filter: q.filter, Bare: true})
		got, err := s.Recommend(t.Context(), byID(m, q.visit), k, q.filter)
		if err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d items, but %d from the exact scan", q.name, len(got), len(want))
		}
		var ids []string
		for _, g := range got {
			ids = append(ids, g.ID)
		}
		equal := true
		for at, w := range want {
			id := m.Catalogue.Items[w.Item].ID
			all[q.name]++
			equal = equal && ids[at] == id
			if j := slices.Index(ids, id); j >= 0 {
				found[q.name]++
				d := r.Distance(taste, w.Item)
				if math.Abs(got[j].Distance-d) > 1e-6*(1+d) {
					t.Fatalf("%s: W2 to %s is %v, want %v", q.name, id, got[j].Distance, d)
				}
			}
		}
		if equal {
			same++
		}
	}
	for name, n := range all {
		recall := float64(found[name]) / float64(n)
		t.Logf("%-16s recall of the exact ten %.4f", name, recall)
		if recall < .99 {
			t.Errorf("%s: recall of the exact ten is %.4f, want .99", name, recall)
		}
	}
	t.Logf("%d of %d lists are identical", same, len(qs))
	if same*100 < 95*len(qs) {
		t.Errorf("only %d of %d lists equal the exact scan's", same, len(qs))
	}
}

// goes_with gives the list of one recent item.
func TestGoesWith(t *testing.T) {
	conn := connect(t, database(t))
	m, schema := movielens(t), schemaOf(t, conn)
	shorten(m, 300)
	if _, err := Export(t.Context(), conn, schema, m); err != nil {
		t.Fatal(err)
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil || !r.About().Order {
		t.Fatalf("the model has no order: %v", err)
	}
	rows, err := conn.Query(t.Context(), "SELECT id FROM "+schema+".goes_with($1, 3)", m.Catalogue.Items[5].ID)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[string])
	v := recommend.Visit{Recent: []int{5}}
	var want []string
	for _, s := range r.Recommend(v, r.Taste(v, nil), recommend.Request{K: 3, Bare: true}) {
		want = append(want, m.Catalogue.Items[s.Item].ID)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("with item 5 go %v, want %v; %v", got, want, err)
	}
}

// The visitor's row equals the recommender's, also with the likes of an average user mixed in, in a schema whose first
// model lacked these.
func TestVisitorIsComposedAsInTheCore(t *testing.T) {
	conn := connect(t, database(t))
	m, schema := movielens(t), schemaOf(t, conn)
	shorten(m, 300)
	for _, prior := range []float32{0, 1.5} {
		if prior > 0 {
			if _, err := conn.Exec(t.Context(), "ALTER TABLE "+schema+".model DROP COLUMN prior_likes"); err != nil {
				t.Fatal(err)
			}
		}
		m.Objective.Composition.Prior = prior
		r, err := recommend.Open(m, recommend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Export(t.Context(), conn, schema, m); err != nil {
			t.Fatal(err)
		}
		for _, v := range []recommend.Visit{
			{}, {Likes: []int{5}}, {Likes: []int{1, 2, 3}}, {Dislikes: []int{9}},
			{Likes: []int{1, 2}, Dislikes: []int{2, 30, 31}}, {Likes: []int{8, 8, 8, 9}},
		} {
			var got []float32
			b := byID(m, v)
			if err := conn.QueryRow(t.Context(), "SELECT "+schema+".visitor($1, $2)::real[]",
				list(append(b.Likes, "unknown")), list(b.Dislikes)).Scan(&got); err != nil {
				t.Fatal(err)
			}
			want := r.Taste(v, nil).Row
			if len(got) != len(want) {
				t.Fatalf("%+v: %d numbers, want %d", v, len(got), len(want))
			}
			for d := range want {
				if math.Abs(float64(got[d]-want[d])) > 1e-6 {
					t.Fatalf("κ = %v, %+v: number %d is %v, want %v", prior, v, d, got[d], want[d])
				}
			}
		}
	}
}
