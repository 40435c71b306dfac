package cold

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// depth is k of the recalls.
const depth = 20

// Recalls are means over the people who like a hidden item.
type Recalls struct {
	Method string
	Hidden float64 // Recall@20 of the hidden items that they like, ranked among hidden items
	All    float64 // the same, ranked among all items but their likes
}

// Loss has the Recall@20 of held-out likes of warm items: in lists of warm items alone, and among hidden ones.
type Loss struct{ Alone, Among float64 }

// Relative returns the loss as a share.
func (l Loss) Relative() float64 { return 1 - l.Among/l.Alone }

// Coverage is the share of the numbers of means within a stated region, one dimension at a time.
type Coverage struct {
	Share       float64 // stated
	Map, Spread float64 // covered by the map's error (Map.Stddev), and by the file's spread
}

// Figures has the measurements.
type Figures struct {
	Report  *coldstart.Report
	Hidden  int // items
	People  int // number of people who like a hidden item
	Recalls []Recalls
	Entered Loss // with the hidden items added by content
	Learned Loss // with the hidden items learned from likes: unavoidable for any method
	Chances []model.LikeBin
	Error   float64 // expected calibration error of the chances
	Regions []Coverage
}

// Measure adds the hidden items, described by about, and measures.
func (c *Case) Measure(ctx context.Context, about coldstart.Items) (*Figures, error) {
	with, report, err := coldstart.Add(ctx, c.Model, about, 0)
	if err != nil {
		return nil, err
	}
	engine, err := recommend.Open(with, recommend.Options{})
	if err != nil {
		return nil, err
	}
	f := &Figures{Report: report, Hidden: len(c.Hidden)}
	alone, _, err := coldstart.Alone(ctx, about, about.Columns)
	if err != nil {
		return nil, err
	}
	if err := c.lists(f, engine, with, alone); err != nil {
		return nil, err
	}
	c.chances(f, engine, with)
	part, _, err := coldstart.Add(ctx, c.Part, about, 0)
	if err != nil {
		return nil, err
	}
	if f.Entered, err = c.loss(c.Part, part); err != nil {
		return nil, err
	}
	if f.Learned, err = c.loss(c.Known, c.Known); err != nil {
		return nil, err
	}
	f.Regions, err = c.regions(ctx, about)
	return f, err
}

// entered returns the numbers of Data's hidden items in a model that has them.
func (c *Case) entered(m *model.Model) map[int32]int {
	at := numbers(m)
	out := map[int32]int{}
	for _, i := range c.Hidden {
		if k, ok := at[c.Data.Items.ID(i)]; ok {
			out[int32(i)] = k
		}
	}
	return out
}

// numbers returns a model's items by their ids.
func numbers(m *model.Model) map[string]int {
	at := make(map[string]int, m.Catalogue.Len())
	for i := range m.Catalogue.Items {
		at[m.Catalogue.Items[i].ID] = i
	}
	return at
}

// lists measures the recalls of this method, of a model of content alone, and of plain methods.
func (c *Case) lists(f *Figures, engine *recommend.Recommender, with, alone *model.Model) error {
	blind, err := recommend.Open(alone, recommend.Options{})
	if err != nil {
		return err
	}
	to, from := numbers(alone), numbers(with)
	warm, hidden := c.Model.Items.Len(), c.entered(with)
	plain := newPlain(with.Catalogue, warm)
	r := rand.New(rand.NewPCG(1, 2))
	methods := []struct {
		name string
		list func(likes []int) []int
	}{
		{"entered by content", func(likes []int) []int { return order(engine, likes) }},
		{"a model of content alone", func(likes []int) (items []int) {
			var known []int
			for _, i := range likes {
				if k, ok := to[with.Catalogue.Items[i].ID]; ok {
					known = append(known, k)
				}
			}
			for _, k := range order(blind, known) {
				items = append(items, from[alone.Catalogue.Items[k].ID])
			}
			return items
		}},
		{"popularity of the genres", func(likes []int) []int { return ranked(plain.popular, likes) }},
		{"cosine of genres and tags", func(likes []int) []int { return ranked(plain.cosine(likes), likes) }},
		{"at random", func(likes []int) []int {
			scores := make([]float64, with.Items.Len())
			for i := range scores {
				scores[i] = r.Float64()
			}
			return ranked(scores, likes)
		}},
	}
	f.Recalls = make([]Recalls, len(methods))
	for u := range c.Data.Users.Len() {
		likes, wanted := calibrate.Ints(c.Warm.Positives.Row(u)), map[int]bool{}
		for _, i := range c.Data.Positives.Row(u) {
			if k, ok := hidden[i]; ok {
				wanted[k] = true
			}
		}
		if len(likes) == 0 || len(wanted) == 0 {
			continue
		}
		f.People++
		for k, m := range methods {
			list := m.list(likes)
			f.Recalls[k].Method = m.name
			f.Recalls[k].All += recall(list, wanted)
			f.Recalls[k].Hidden += recall(slices.DeleteFunc(list, func(i int) bool { return i < warm }), wanted)
		}
	}
	for k := range f.Recalls {
		f.Recalls[k].All /= float64(f.People)
		f.Recalls[k].Hidden /= float64(f.People)
	}
	return nil
}

// loss measures the loss of held-out likes of warm items to the hidden items of with; alone ranks without these.
func (c *Case) loss(alone, with *model.Model) (l Loss, err error) {
	few, err := recommend.Open(alone, recommend.Options{})
	if err != nil {
		return l, err
	}
	all, err := recommend.Open(with, recommend.Options{})
	if err != nil {
		return l, err
	}
	at, n := numbers(with), 0.0
	to := func(items []int32) (out []int) {
		for _, i := range items {
			out = append(out, at[c.Warm.Items.ID(int(i))])
		}
		return out
	}
	hidden := map[int]bool{}
	for _, k := range c.entered(with) {
		hidden[k] = true
	}
	for u := range c.Warm.Users.Len() {
		likes, test := to(c.Split.Train.Row(u)), to(c.Split.Test.Row(u))
		if len(likes) == 0 || len(test) == 0 {
			continue
		}
		n++
		wanted := map[int]bool{}
		for _, i := range test {
			wanted[i] = true
		}
		list := slices.DeleteFunc(order(few, likes), func(i int) bool { return hidden[i] })
		l.Alone += recall(list, wanted)
		l.Among += recall(order(all, likes), wanted)
	}
	l.Alone, l.Among = l.Alone/n, l.Among/n
	return l, nil
}

// sizes are the numbers of likes that a visitor names, as in package calibrate.
var sizes = [...]int{1, 2, 3, 5, 8, 13, 20, 30, 50}

// chances states to everybody the chances of the hidden items that they rated.
func (c *Case) chances(f *Figures, engine *recommend.Recommender, with *model.Model) {
	if c.Data.Unliked == nil || with.Calibration == nil || with.Calibration.Like == nil {
		return
	}
	var stated []calibrate.Stated
	hidden, like, r := c.entered(with), with.Calibration.Like, rand.New(rand.NewPCG(3, 4))
	for u := range c.Data.Users.Len() {
		var asked []int
		liked := map[int]bool{}
		for _, i := range slices.Concat(c.Data.Positives.Row(u), c.Data.Unliked.Row(u)) {
			if k, ok := hidden[i]; ok {
				asked = append(asked, k)
				liked[k] = c.Data.Positives.Contains(u, i)
			}
		}
		if len(asked) == 0 || len(c.Warm.Positives.Row(u)) == 0 {
			continue
		}
		v := c.visit(u, r)
		for k, in := range engine.LikeInputs(v, engine.Taste(v, nil), asked, like.Rates) {
			x := in.Features()
			stated = append(stated, calibrate.Stated{Person: u, Chance: like.Chance(&x), True: liked[asked[k]]})
		}
	}
	f.Chances = calibrate.Reliability(stated, 10)
	f.Error = (&model.LikeRegression{Bins: f.Chances}).Error()
}

// visit draws a visitor's statements about warm items, as package calibrate does.
func (c *Case) visit(u int, r *rand.Rand) (v recommend.Visit) {
	likes := c.Warm.Positives.Row(u)
	said := slices.Concat(likes, c.Warm.Unliked.Row(u))
	r.Shuffle(len(said), func(i, j int) { said[i], said[j] = said[j], said[i] })
	n := min(sizes[r.IntN(len(sizes))], (len(likes)+1)/2)
	dislikes := r.IntN(2) == 0
	for _, i := range said {
		switch {
		case len(v.Likes) == n:
			return v
		case c.Warm.Positives.Contains(u, i):
			v.Likes = append(v.Likes, int(i))
		case dislikes && c.Warm.Low.Contains(u, i):
			v.Dislikes = append(v.Dislikes, int(i))
		default:
			v.Seen = append(v.Seen, int(i))
		}
	}
	return v
}

// regions sets the counts of every tenth warm item to 0, so that nothing is learned from them, adds a copy of each as a
// new item, and counts the numbers of their trained means within the stated regions.
func (c *Case) regions(ctx context.Context, about coldstart.Items) ([]Coverage, error) {
	forgetful := *c.Model
	items := slices.Clone(c.Model.Catalogue.Items)
	forgetful.Catalogue = &catalogue.Catalogue{Items: items, Columns: c.Model.Catalogue.Columns}
	at, copies := numbers(c.Model), coldstart.Items{Catalogue: &catalogue.Catalogue{Columns: about.Columns}}
	var of []int
	for _, it := range about.Items {
		if k, ok := at[it.ID]; ok {
			copies.Items = append(copies.Items, it)
			if k%10 == 0 {
				items[k].Count = 0
				it.ID = "copy of " + it.ID
				copies.Items, of = append(copies.Items, it), append(of, k)
			}
		}
	}
	p, err := coldstart.Fit(ctx, &forgetful, copies, 0)
	if err != nil {
		return nil, err
	}
	with, _, err := coldstart.Add(ctx, &forgetful, copies, 0)
	if err != nil {
		return nil, err
	}
	f, err := recommend.NewInferrer(recommend.InferenceSettingsOf(with))
	if err != nil {
		return nil, err
	}
	out := []Coverage{{Share: 0.5}, {Share: 0.8}, {Share: 0.95}}
	deviations := []float64{0.6745, 1.2816, 1.96}
	n, h := c.Model.Items.Len(), c.Model.Items.Dim()
	spread := make([]float32, h)
	f.ItemSpread(spread, n)
	for k, i := range of {
		for d, s := range p.Stddev() {
			e := float64(with.Items.Mean(n + k)[d]) - float64(with.Items.Mean(i)[d])
			for l, z := range deviations {
				if max(e, -e) <= z*s {
					out[l].Map += 1 / float64(len(of)*h)
				}
				if max(e, -e) <= z*float64(spread[d]) {
					out[l].Spread += 1 / float64(len(of)*h)
				}
			}
		}
	}
	return out, nil
}

// order returns all items but the likes, in the order of the list of a visitor with these likes.
func order(e *recommend.Recommender, likes []int) (items []int) {
	v := recommend.Visit{Likes: likes}
	for _, s := range e.Recommend(v, e.Taste(v, nil), recommend.Request{K: e.Len(), Bare: true}) {
		items = append(items, s.Item)
	}
	return items
}

// recall returns the share of the wanted items among the first depth.
func recall(list []int, wanted map[int]bool) float64 {
	n := 0.0
	for _, i := range list[:min(depth, len(list))] {
		if wanted[i] {
			n++
		}
	}
	return n / float64(len(wanted))
}
