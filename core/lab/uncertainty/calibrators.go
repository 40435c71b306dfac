package uncertainty

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// CalibratorsReport compares the chance of liking with published ways to turn a ranking score into a chance, and
// measures the list with a guarantee. Everything is nested: the people measured take no part in training or fit.
type CalibratorsReport struct {
	People      int              `json:"people"`
	Answers     int              `json:"answers"`
	Calibrators []Calibrator     `json:"calibrators"`
	Guarantee   *GuaranteeReport `json:"guarantee,omitempty"`

	// For the chance of liking: by the page's words, and the calibration error by the number of likes told.
	AllWords []Word     `json:"all_words"`
	Words    []Word     `json:"words"` // of titles among the first ten
	Activity []Activity `json:"activity"`
}

// Activity is the calibration error of statements to visitors with From to To likes.
type Activity struct {
	From  int           `json:"from"`
	To    int           `json:"to"`
	ECE   eval.Estimate `json:"ece"`
	First eval.Estimate `json:"first"` // of titles among their first ten
}

// activities are the ranges of likes in Activity.
var activities = [...][2]int{{0, 3}, {4, 9}, {10, 19}, {20, 1 << 20}}

// Calibrator is one way to state the chance.
type Calibrator struct {
	Name  string        `json:"name"`
	ECE   eval.Estimate `json:"ece"`   // as Reliable's
	First eval.Estimate `json:"first"` // the same of titles among the first ten
	Brier eval.Estimate `json:"brier"`
	// area under risk–coverage: the mean share of disappointments among the k answers with the highest chance, over all
	// k; lower is better
	Area float64 `json:"area"`
}

// GuaranteeReport measures lists with at most a Share of disappointments, on random halves of the people: a threshold
// is found on one half and applied to the other.
type GuaranteeReport struct {
	Share  float64 `json:"share"`
	Splits int     `json:"splits"`
	Found  int     `json:"found"`       // splits in which a threshold was certified
	Held   int     `json:"held"`        // splits among these with the other half's mean loss at most Share
	Pooled int     `json:"held_pooled"` // splits among these with the share over all their rated titles at most Share
	Loss   float64 `json:"loss"`        // mean loss of the other half
	Given  float64 `json:"given"`       // share of the other half's lists with a guarantee
	Length float64 `json:"length"`      // mean number of titles under it
}

// curveOf fits a map from ranking score to chance on other people's answers.
type curveOf func(of []calibrate.Answer) (func(score float64) float64, error)

// calibrators are the published ways. Kweon and others (AAAI 2022) derive the Gaussian's and the Gamma's form from the
// score distributions of liked and other titles: σ(b·s² + c·s + d), and σ(b·ln s + c·s + d) for scores above 0.
var calibrators = []struct {
	name string
	fit  curveOf
}{
	{"Platt", inScore(func(s float64) model.LikeFeatures { return model.LikeFeatures{1, s} })},
	{"Gaussian", inScore(func(s float64) model.LikeFeatures { return model.LikeFeatures{1, s, s * s} })},
	{"Gamma", gamma},
	{"isotonic", isotonic},
}

// inScore returns a logistic regression on functions of the score.
func inScore(phi func(s float64) model.LikeFeatures) curveOf {
	return func(of []calibrate.Answer) (func(float64) float64, error) {
		all, liked := make([]model.LikeFeatures, len(of)), make([]bool, len(of))
		for i := range of {
			all[i], liked[i] = phi(of[i].Score), of[i].Liked
		}
		b, err := calibrate.Logistic(all, liked, 1)
		return func(s float64) float64 {
			x := 0.0
			for k, f := range phi(s) {
				x += b[k] * f
			}
			return 1 / (1 + math.Exp(-x))
		}, err
	}
}

// gamma shifts the scores so that the lowest fitted one is slightly above 0.
func gamma(of []calibrate.Answer) (func(float64) float64, error) {
	least := slices.MinFunc(of, func(a, b calibrate.Answer) int { return cmp.Compare(a.Score, b.Score) }).Score
	return inScore(func(s float64) model.LikeFeatures {
		s = max(s-least, 0) + 0.01
		return model.LikeFeatures{1, math.Log(s), s}
	})(of)
}

// isotonic returns the nondecreasing step function of the score with the least squared error (pool adjacent violators).
func isotonic(of []calibrate.Answer) (func(float64) float64, error) {
	of = slices.Clone(of)
	slices.SortStableFunc(of, func(a, b calibrate.Answer) int { return cmp.Compare(a.Score, b.Score) })
	type block struct{ from, liked, n float64 }
	var blocks []block
	for _, a := range of {
		b := block{a.Score, 0, 1}
		if a.Liked {
			b.liked = 1
		}
		for k := len(blocks) - 1; k >= 0 && blocks[k].liked*b.n >= b.liked*blocks[k].n; k-- {
			b = block{blocks[k].from, blocks[k].liked + b.liked, blocks[k].n + b.n}
			blocks = blocks[:k]
		}
		blocks = append(blocks, b)
	}
	return func(s float64) float64 {
		k, found := slices.BinarySearchFunc(blocks, s, func(b block, s float64) int { return cmp.Compare(b.from, s) })
		if !found {
			k = max(k-1, 0)
		}
		return blocks[k].liked / blocks[k].n
	}, nil
}

// Calibrators compares the calibrators on the people of all folds; nil for data without a chance of liking.
func Calibrators(ctx context.Context, folds []*calibrate.People, seed uint64, workers int) (*CalibratorsReport, error) {
	n, err := calibrate.Nest(ctx, folds, workers)
	if n == nil || err != nil {
		return nil, err
	}
	answers := slices.Concat(n.Answers...)
	people := newPeopleIndex(len(answers), func(i int) int { return answers[i].Person })
	r := &CalibratorsReport{People: people.len, Answers: len(answers)}
	for _, c := range calibrators {
		var stated []float64
		for k, group := range n.Answers {
			var others []calibrate.Answer
			for j, o := range n.Answers {
				if j != k {
					others = append(others, o...)
				}
			}
			chance, err := c.fit(others)
			if err != nil {
				return nil, err
			}
			for i := range group {
				stated = append(stated, chance(group[i].Score))
			}
		}
		r.Calibrators = append(r.Calibrators, scored(c.name, answers, stated, people, seed))
	}
	stated := make([]float64, len(answers))
	for i, s := range n.Stated {
		stated[i] = s.Chance
	}
	r.Calibrators = append(r.Calibrators, scored("chance of liking", answers, stated, people, seed))
	r.Guarantee = guaranteeOn(n.Lists, 0.2, seed)
	all, first := claimsOf(answers, stated, activities[0][0], activities[len(activities)-1][1])
	r.AllWords, r.Words = words(all, recommend.Liking, seed), words(first, recommend.Liking, seed)
	for _, x := range activities {
		all, first := claimsOf(answers, stated, x[0], x[1])
		a := Activity{From: x[0], To: x[1]}
		a.ECE, _ = calibrated(all, seed)
		a.First, _ = calibrated(first, seed)
		r.Activity = append(r.Activity, a)
	}
	return r, nil
}

// claimsOf returns the statements to visitors whose number of likes is from…to, and those about their first ten.
func claimsOf(answers []calibrate.Answer, stated []float64, from, to int) (all, first []claim) {
	for i := range answers {
		a := &answers[i]
		if a.Likes < from || a.Likes > to {
			continue
		}
		one := claim{a.Person, stated[i], a.Liked}
		all = append(all, one)
		if a.Place < recommend.Top {
			first = append(first, one)
		}
	}
	return all, first
}

// scored measures the answers' stated chances.
func scored(name string, answers []calibrate.Answer, stated []float64, people peopleIndex, seed uint64) Calibrator {
	c := Calibrator{Name: name}
	all, first := claimsOf(answers, stated, 0, 1<<20)
	sums := make([][2]float64, people.len) // squared errors, answers
	for i, a := range answers {
		y := 0.0
		if a.Liked {
			y = 1
		}
		s := &sums[people.of[i]]
		s[0], s[1] = s[0]+(stated[i]-y)*(stated[i]-y), s[1]+1
	}
	c.ECE, _ = calibrated(all, seed)
	c.First, _ = calibrated(first, seed)
	c.Brier = eval.Bootstrap(people.len, seed, func(at []int) float64 {
		e, n := 0.0, 0.0
		for _, i := range at {
			e, n = e+sums[i][0], n+sums[i][1]
		}
		return e / n
	})
	c.Area = riskArea(all)
	return c
}

// riskArea returns the area under risk–coverage. Within a group of equal chances disappointments are spread evenly.
func riskArea(claims []claim) float64 {
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(b.chance, a.chance) })
	area, n, wrong := 0.0, 0.0, 0.0
	for i := 0; i < len(claims); {
		m, w := 0.0, 0.0
		for of := claims[i].chance; i < len(claims) && claims[i].chance == of; i++ {
			m++
			if !claims[i].true {
				w++
			}
		}
		for k := 1.0; k <= m; k++ {
			area += (wrong + w*k/m) / (n + k)
		}
		n, wrong = n+m, wrong+w
	}
	return area / n
}

// guaranteeSplits is the number of random halvings of the people.
const guaranteeSplits = 200

// guaranteeOn measures the guarantee on random halves of the people.
func guaranteeOn(lists []calibrate.Listed, share float32, seed uint64) *GuaranteeReport {
	r := &GuaranteeReport{Share: float64(share), Splits: guaranteeSplits}
	people := newPeopleIndex(len(lists), func(i int) int { return lists[i].Person })
	for split := range guaranteeSplits {
		source := rand.New(rand.NewPCG(seed, uint64(split)^0x73706c6974))
		side := make([]bool, people.len)
		for k, p := range source.Perm(people.len) {
			side[p] = k%2 == 0
		}
		var halves [2][]calibrate.Listed
		for i := range lists {
			h := 0
			if side[people.of[i]] {
				h = 1
			}
			halves[h] = append(halves[h], lists[i])
		}
		g, ok := calibrate.Guarantee(halves[0], share, seed)
		if !ok {
			continue
		}
		r.Found++
		loss, losses := 0.0, calibrate.Losses(halves[1], g)
		for _, l := range losses {
			loss += l / float64(len(losses))
		}
		given, titles, rated, disliked := 0.0, 0.0, 0.0, 0.0
		for i := range halves[1] {
			l := &halves[1][i]
			length := g.Length(l.Chances)
			if length > 0 {
				given++
			}
			titles += float64(length)
			for j := range length {
				if l.Rated[j] {
					rated++
					if !l.Liked[j] {
						disliked++
					}
				}
			}
		}
		if loss <= r.Share {
			r.Held++
		}
		if disliked <= r.Share*rated {
			r.Pooled++
		}
		r.Loss, r.Given, r.Length = r.Loss+loss, r.Given+given/float64(len(halves[1])), r.Length+titles/max(given, 1)
	}
	found := float64(max(r.Found, 1))
	r.Loss, r.Given, r.Length = r.Loss/found, r.Given/found, r.Length/found
	return r
}

func (r *CalibratorsReport) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nFrom a score to a chance: %d answers of %d people, in neither training nor fit\n", r.Answers,
		r.People)
	fmt.Fprintf(b, "  %-18s %-20s %-20s %-20s %s\n", "", "ECE", "ECE, first ten", "Brier", "area under risk–coverage")
	for _, c := range r.Calibrators {
		fmt.Fprintf(b, "  %-18s %-20s %-20s %-20s %.4f\n", c.Name, c.ECE, c.First, c.Brier, c.Area)
	}
	writeWords(b, "everything they rated", r.AllWords)
	writeWords(b, "among their first ten", r.Words)
	for _, a := range r.Activity {
		fmt.Fprintf(b, "  after %d likes and more: ECE %s, of the first ten %s\n", a.From, a.ECE, a.First)
	}
	if g := r.Guarantee; g != nil {
		fmt.Fprintf(b, "  at most %.0f%% disappoint: found in %d of %d random halves, held in %d of them (%d of all "+
			"their titles); mean share %.3f, in %.0f%% of the lists, of %.1f titles\n", 100*g.Share, g.Found, g.Splits,
			g.Held, g.Pooled, g.Loss, 100*g.Given, g.Length)
	}
}
