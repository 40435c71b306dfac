package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/lab/tune"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/training"
)

// Triplets is the largest number of triplets in the statistic of Table 4; Cases is the number of users that its list
// shows.
const (
	Triplets = 5000
	Cases    = 4
)

// caseSeed separates Table 4's draws from others with the same seed.
const caseSeed = 0x6d617267696e

// Margins is the case study of adaptive margins: the network's margins for negatives with and without a genre of the
// positive.
type Margins struct {
	Data   *Data  `json:"-"`
	Epochs int    // chosen by validation
	Found  []Case // the paper's triplets whose user and titles the data have
	Drawn  []Case // of users drawn at random
	Same   float64
	Other  float64       // mean margins over the triplets of the statistic
	Count  int           // number of triplets: each a positive with a negative of either kind
	Gap    eval.Estimate // mean of other − same, the interval over users
	Users  int           // users in the tests
	T, W   eval.Test     // over users' mean gaps
	Share  float64       // share of triplets with the smaller margin for the same genre

	method *Method
	trials []choose.Trial
}

// Case is a positive and a negative of a user.
type Case struct {
	User               string
	Positive, Negative string // titles and genres
	Same               bool   // they share a genre
	Margin             float64
	Paper              float64 // the paper's figure; 0: none
	Missing            string  // why the triplet does not fit these data; "" if it does
}

// ErrNoGenres is returned for data without genres, which Table 4 needs.
var ErrNoGenres = errors.New("margins by genre need data with genres, such as MovieLens-100K")

// Table4 trains one of CaseStudies and computes its network's margins for negatives with and without a genre of the
// positive. A triplet's margin depends on the three points alone, since points have no noise. Epochs are chosen as
// usual; then the model is trained on all interactions. It returns an error if too few items have genres.
func (s *Study) Table4(ctx context.Context, d *Data, method *Method) (*Margins, error) {
	if out := s.Store.knownMargins(Unit{d, method, 0}, s.Protocol); out != nil {
		return out, nil
	}
	if err := namesGenres(d); err != nil {
		return nil, err
	}
	all := Data{Dataset: d.Dataset, Key: d.Key, Published: &dataset.Split{Train: d.Positives, Test: d.Positives},
		Seed: d.Seed, digest: hash([]any{"all", d.digest})}
	u := Unit{&all, method, 0}
	w := job{train: d.Positives, seed: s.Protocol.Seed, workers: s.workers(), device: method.on(s.device(0))}
	store := s.Store.unit(u, s.Protocol)
	trials, err := s.tried(ctx, u, store, w)
	if err != nil {
		return nil, err
	}
	name := "margins-" + hash(method.study) + "-" + store.measuredName(0, trials)
	if out, err := kept(store, name, parseMargins); err == nil {
		out.Data, out.method, out.trials = d, method, trials
		return out, nil
	}
	cfg, err := configured{method.settings.(choose.Settings)}.chosen(tune.Best(trials))
	if err != nil {
		return nil, err
	}
	cfg.Seed = s.Protocol.Seed
	var r *pmlam.Result
	if _, err = store.train(w, name, func(w job) (err error) {
		r, err = learn(ctx, w, cfg)
		return err
	}); err != nil {
		return nil, err
	}
	c := cases{d: d, r: r, draw: rand.New(training.NewSource(s.Protocol.Seed, caseSeed, 0))}
	out := &Margins{Data: d, Epochs: cfg.Epochs, Found: c.fromPaper(), method: method, trials: trials}
	if err := c.sample(out, s.Protocol.Seed); err != nil {
		return nil, err
	}
	if err := store.write(name, out); err != nil {
		return nil, errors.Join(errStore, err)
	}
	store.ended(name)
	return out, nil
}

// CaseStudies returns the models of Table 4: the paper's case study, with deterministic embeddings and only adaptive
// margins of user-item triplets; and the same with the margins of preset adaptive, under the bound ‖μ‖ ≤ 1 of points.
func CaseStudies(negatives int, p Protocol) (all []Method, err error) {
	for _, of := range []struct{ name, title, preset string }{
		{"margins", "as printed", "paper"},
		{"margins-adaptive", "of preset adaptive", "adaptive"},
	} {
		cfg, err := presetConfig(of.preset, negatives, p)
		if err != nil {
			return nil, err
		}
		cfg.Deterministic, cfg.Relations = true, pmlam.NoRelations
		cfg.BoundConfig = pmlam.BoundConfig{}
		m := newMethod(of.name, of.title, cfg, nil)
		m.study = []any{Triplets, Cases, paperTriplets}
		all = append(all, m)
	}
	return all, nil
}

// namesGenres returns an error where too few items have genres.
func namesGenres(d *Data) error {
	if d.Absent() {
		return fmt.Errorf("%s: the data are not available, and its published results have no margins: %w", d.Name,
			ErrNoGenres)
	}
	known := 0
	for _, item := range d.Catalogue.Items {
		if len(item.Genres) > 0 {
			known++
		}
	}
	if known < 2 {
		return fmt.Errorf("%s has genres for %d items: %w", d.Name, known, ErrNoGenres)
	}
	return nil
}

// parseMargins reads and checks a stored Table 4.
func parseMargins(b []byte) (*Margins, error) {
	m := &Margins{}
	if err := strict(b, m); err != nil {
		return nil, err
	}
	if m.Epochs < 1 || m.Count < 1 || m.Count > Triplets || m.Users < 1 || m.Users > m.Count ||
		len(m.Found) > len(paperTriplets) || len(m.Drawn) != 2*min(Cases, m.Users) ||
		!(m.Same >= 0 && m.Other >= 0) || !(m.Share >= 0 && m.Share <= 1) || !(m.T.P >= 0 && m.T.P <= 1) ||
		!(m.W.P >= 0 && m.W.P <= 1) || !(m.Gap.Low <= m.Gap.High) {
		return nil, fmt.Errorf("%d triplets of %d users with %g and %g are inconsistent", m.Count, m.Users, m.Same,
			m.Other)
	}
	return m, nil
}

// cases draws triplets and computes their margins.
type cases struct {
	d    *Data
	r    *pmlam.Result
	draw *rand.Rand
}

func (c *cases) margin(user, positive, negative int) float64 {
	n := c.r.UserItem
	return float64(n.Margin(c.r.Users.Mean(user), c.r.Items.Mean(positive), c.r.Items.Mean(negative)))
}

// shareGenre reports whether two items share a genre.
func shareGenre(a, b *catalogue.Item) bool {
	return slices.ContainsFunc(a.Genres, func(g string) bool { return slices.Contains(b.Genres, g) })
}

func described(i *catalogue.Item) string {
	title := i.Title
	if i.Year > 0 {
		title += fmt.Sprintf(" (%d)", i.Year)
	}
	return title + ", " + strings.Join(i.Genres, "/")
}

// fromPaper returns the paper's triplets whose user and films the data have.
func (c *cases) fromPaper() (all []Case) {
	titles := map[string]int{}
	items := c.d.Catalogue.Items
	for i := range items {
		titles[fmt.Sprintf("%s (%d)", items[i].Title, items[i].Year)] = i
	}
	for _, p := range paperTriplets {
		user, knows := c.d.Users.Index(p.User)
		a, has := titles[p.Positive]
		b, too := titles[p.Negative]
		if !knows || !has || !too {
			continue
		}
		x := Case{User: p.User, Positive: described(&items[a]), Negative: described(&items[b]), Same: p.Same,
			Paper: p.Margin}
		x.Margin = c.margin(int(user), a, b)
		if !c.d.Positives.Contains(int(user), int32(a)) {
			x.Missing = "the user did not rate the positive at least 4"
		} else if c.d.Positives.Contains(int(user), int32(b)) {
			x.Missing = "the user likes the negative too"
		}
		all = append(all, x)
	}
	return all
}

// sample draws users, a positive for each, and two negatives for it: one that shares a genre and one that does not.
func (c *cases) sample(out *Margins, seed uint64) error {
	users := c.d.Positives.Rows()
	gaps := make([]float64, users)
	counts := make([]int, users)
	var shown []int
	smaller := 0
	for range 4 * Triplets {
		if out.Count == Triplets {
			break
		}
		u := c.draw.IntN(users)
		p, same, other, ok := c.triplet(u)
		if !ok {
			continue
		}
		a, b := c.margin(u, p, same), c.margin(u, p, other)
		out.Count++
		out.Same, out.Other = out.Same+a, out.Other+b
		gaps[u] += b - a
		counts[u]++
		if a < b {
			smaller++
		}
		if len(shown) < Cases && !slices.Contains(shown, u) {
			shown = append(shown, u)
			items := c.d.Catalogue.Items
			for _, n := range []struct {
				item   int
				same   bool
				margin float64
			}{{same, true, a}, {other, false, b}} {
				out.Drawn = append(out.Drawn, Case{User: c.d.Users.ID(u), Positive: described(&items[p]),
					Negative: described(&items[n.item]), Same: n.same, Margin: n.margin})
			}
		}
	}
	if out.Count == 0 {
		return errors.New("no user has a liked item with negatives of its genre and of other genres")
	}
	n := float64(out.Count)
	out.Same, out.Other, out.Share = out.Same/n, out.Other/n, float64(smaller)/n
	var d []float64
	for u, k := range counts {
		if k > 0 {
			d = append(d, gaps[u]/float64(k))
		}
	}
	out.Users, out.Gap, out.T, out.W = len(d), eval.Mean(d, seed), eval.PairedT(d), eval.Wilcoxon(d)
	return nil
}

// triplet draws a positive of the user and two negatives; false if a few draws find none.
func (c *cases) triplet(user int) (positive, same, other int, ok bool) {
	row, items := c.d.Positives.Row(user), c.d.Catalogue.Items
	if len(row) == 0 || len(row) >= len(items) {
		return 0, 0, 0, false
	}
	positive, same, other = int(row[c.draw.IntN(len(row))]), -1, -1
	if len(items[positive].Genres) == 0 {
		return 0, 0, 0, false
	}
	for range 200 {
		i := c.draw.IntN(len(items))
		if len(items[i].Genres) == 0 || c.d.Positives.Contains(user, int32(i)) {
			continue
		}
		if shareGenre(&items[positive], &items[i]) {
			if same < 0 {
				same = i
			}
		} else if other < 0 {
			other = i
		}
		if same >= 0 && other >= 0 {
			return positive, same, other, true
		}
	}
	return 0, 0, 0, false
}

// Tables returns the tables of the study.
func (m *Margins) Tables() []Table {
	list := func(title string, all []Case, paper bool) Table {
		t := Table{Title: title, Head: []string{"User", "positive", "sampled film", "a genre in common", "margin"}}
		if paper {
			t.Head = append(t.Head, "paper")
		}
		for _, c := range all {
			row := cells(c.User, c.Positive, c.Negative, map[bool]string{true: "yes", false: "no"}[c.Same],
				fmt.Sprintf("%.4f", c.Margin))
			if c.Same {
				row[4].Look = Best
			}
			if paper {
				row = append(row, cells(fmt.Sprintf("%.4f", c.Paper))...)
			}
			if c.Missing != "" {
				t.Notes = append(t.Notes, fmt.Sprintf("User %s, %s and %s: in these data %s.", c.User, c.Positive,
					c.Negative, c.Missing))
			}
			t.Rows = append(t.Rows, row)
		}
		return t
	}
	of := "margins " + m.method.Title + ": " + m.Data.Name
	s := Table{
		Title: "Table 4, as a statistic, " + of,
		Head: []string{"triplets", "users", "mean margin, a genre in common", "mean margin, none", "gap [95%]",
			"smaller for the same genre", "t", "p", "signed ranks, p"},
		Rows: [][]Cell{cells(withCommas(m.Count), withCommas(m.Users), fmt.Sprintf("%.4f", m.Same),
			fmt.Sprintf("%.4f", m.Other),
			fmt.Sprintf("%s [%s, %s]", signed(m.Gap.Value), signed(m.Gap.Low), signed(m.Gap.High)),
			fmt.Sprintf("%.1f%%", 100*m.Share),
			fmt.Sprintf("%.2f", m.T.Statistic), chance(m.T.P), chance(m.W.P))},
		Notes: []string{fmt.Sprintf("Deterministic embeddings, adaptive margins of user-item triplets, no relations; "+
			"trained on all interactions for %d epochs, chosen by validation. Each triplet has a random user's "+
			"positive and two random negatives: one shares a genre with it, the other does not. Tests and interval "+
			"are over users' mean gaps.", m.Epochs)},
	}
	switch {
	case m.Gap.Low > 0:
		s.Notes = append(s.Notes, "Margins are smaller for negatives of the positive's genre, as the paper says.")
	case m.Gap.High < 0:
		s.Notes = append(s.Notes, "Margins are larger for negatives of the positive's genre, contrary to the paper.")
	default:
		s.Notes = append(s.Notes, "Margins do not differ by genre: the paper's finding on its triplets is not "+
			"reproduced.")
	}
	out := []Table{s}
	if len(m.Found) > 0 {
		out = append(out, list("Table 4, the paper's triplets, "+of, m.Found, true))
	}
	return append(out, list("Table 4, users drawn at random, "+of, m.Drawn, false))
}
