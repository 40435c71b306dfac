// Package related measures the lists of core/related on real sites. Authors link pages that belong together; the study
// hides links between pages and asks whether the lists bring them back.
//
// The pairs of linked pages are cut into five folds by a hash, whatever the direction of the links. For each fold,
// links between its pairs are removed from both pages, with their texts, and every method ranks the pages that the
// query page does not link to any more. A query is a page with a hidden link; pages that lists do not offer are neither
// queries nor answers. Targets that more than a fifth of the pages link to are navigation, and are not answers.
package related

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/related"
)

// K is the length of the lists.
const K = 5

const folds = 5

// Scores are the means over queries.
type Scores struct {
	Method       string
	HitRate      float64 // share of lists with a hidden page
	NDCG         float64
	Covered      float64 // share of queries with a list
	hits, ndcg   float64
	listed, asks int
}

// Method ranks pages for every page of a site.
type Method struct {
	Name string
	Rank func(ctx context.Context, s *related.Site, k int,
		except func(page, other int) bool) ([][]related.Listed, error)
}

// Methods returns the methods of the comparison.
func Methods() []Method {
	ours := func(name string, w related.Weights) Method {
		return Method{name, func(ctx context.Context, s *related.Site, k int,
			except func(int, int) bool) ([][]related.Listed, error) {
			return s.ListsBy(ctx, w, k, 0, except)
		}}
	}
	content := related.Default()
	content.Links, content.Field[related.Anchor] = 0, 0
	return []Method{
		{"Hugo, tags", hugo(false)},
		{"Hugo, tags and words of headings", hugo(true)},
		{"TF-IDF cosine", tfidf},
		ours("ours, without links", content),
		ours("ours", related.Default()),
	}
}

// Study is the outcome for one site.
type Study struct {
	Pages, Listed, Links int
	Queries              int // over all folds
	Scores               []Scores
}

// Measure measures the methods on a site.
func Measure(ctx context.Context, site *related.Site, methods []Method) (*Study, error) {
	n := len(site.Pages)
	linked := make([]int, n) // pages that link to each
	for _, p := range site.Pages {
		for _, to := range targets(p) {
			linked[to]++
		}
	}
	study := &Study{Pages: n, Scores: make([]Scores, len(methods))}
	answer := func(from, to int) bool {
		p, q := site.Pages[from], site.Pages[to]
		return p.Unlisted == "" && q.Unlisted == "" && 5*linked[to] <= n &&
			(p.Lang == q.Lang || p.Lang == "" || q.Lang == "")
	}
	for i, p := range site.Pages {
		if p.Unlisted == "" {
			study.Listed++
		}
		for _, to := range targets(p) {
			if answer(i, to) {
				study.Links++
			}
		}
	}
	for fold := range folds {
		rest, pairs := &related.Site{Pages: make([]*related.Page, n)}, map[[2]int]bool{} // visible pairs
		hidden := make([][]int, n)
		for i, p := range site.Pages {
			rest.Pages[i] = without(p, i, fold)
			for _, to := range targets(p) {
				switch {
				case foldOf(i, to) != fold:
					pairs[[2]int{i, to}], pairs[[2]int{to, i}] = true, true
				case answer(i, to):
					hidden[i] = append(hidden[i], to)
				}
			}
		}
		for m, method := range methods {
			lists, err := method.Rank(ctx, rest, K, func(page, other int) bool { return pairs[[2]int{page, other}] })
			if err != nil {
				return nil, err
			}
			s := &study.Scores[m]
			s.Method = method.Name
			for i, wanted := range hidden {
				if len(wanted) == 0 {
					continue
				}
				if m == 0 {
					study.Queries++
				}
				s.add(lists[i], wanted)
			}
		}
	}
	for m := range study.Scores {
		s := &study.Scores[m]
		n := max(float64(s.asks), 1)
		s.HitRate, s.NDCG, s.Covered = s.hits/n, s.ndcg/n, float64(s.listed)/n
	}
	return study, nil
}

// add counts one query.
func (s *Scores) add(list []related.Listed, wanted []int) {
	s.asks++
	if len(list) > 0 {
		s.listed++
	}
	gain, ideal, hit := 0.0, 0.0, false
	for at, l := range list {
		if slices.Contains(wanted, l.Page) {
			gain += 1 / math.Log2(float64(at)+2)
			hit = true
		}
	}
	for at := range min(len(wanted), K) {
		ideal += 1 / math.Log2(float64(at)+2)
	}
	s.ndcg += gain / ideal
	if hit {
		s.hits++
	}
}

// targets returns the pages that a page links to, ascending.
func targets(p *related.Page) []int {
	var to []int
	for _, l := range p.Links {
		to = append(to, l.To)
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// foldOf returns the fold of a pair of pages.
func foldOf(a, b int) int {
	a, b = min(a, b), max(a, b)
	x := uint64(a)<<32 | uint64(b)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9 // SplitMix64
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % folds)
}

// without returns a page without the links of a fold and their texts.
func without(p *related.Page, page, fold int) *related.Page {
	q := *p
	q.Links, q.Terms = nil, slices.Clone(p.Terms)
	for _, l := range p.Links {
		if foldOf(page, l.To) != fold {
			q.Links = append(q.Links, l)
			continue
		}
		for _, word := range l.Words {
			at, ok := slices.BinarySearchFunc(q.Terms, word, func(t related.Term, w uint64) int {
				return cmp.Compare(t.Word, w)
			})
			if ok && q.Terms[at].Counts[related.Body] > 0 {
				q.Terms[at].Counts[related.Body]--
			}
		}
	}
	return &q
}

// entry is one entry of a sparse vector.
type entry struct {
	page   int
	weight float64
}

// rank ranks by inner products of sparse vectors, x[page][word], without unlisted pages.
func rank(s *related.Site, x []map[uint64]float64, k int, except func(int, int) bool) [][]related.Listed {
	posts := map[uint64][]entry{}
	for i, v := range x {
		if s.Pages[i].Unlisted == "" {
			for word, weight := range v {
				posts[word] = append(posts[word], entry{i, weight})
			}
		}
	}
	lists := make([][]related.Listed, len(x))
	scores := make([]float64, len(x))
	for i, v := range x {
		clear(scores)
		words := make([]uint64, 0, len(v))
		for word := range v {
			words = append(words, word)
		}
		slices.Sort(words)
		for _, word := range words {
			for _, e := range posts[word] {
				scores[e.page] += v[word] * e.weight
			}
		}
		var all []related.Listed
		for j, score := range scores {
			p, q := s.Pages[i], s.Pages[j]
			if score > 0 && j != i && !except(i, j) && (p.Lang == q.Lang || p.Lang == "" || q.Lang == "") {
				all = append(all, related.Listed{Page: j, Score: float32(score)})
			}
		}
		slices.SortFunc(all, func(a, b related.Listed) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Page, b.Page))
		})
		lists[i] = all[:min(k, len(all))]
	}
	return lists
}

// own returns how often a word occurs on a page.
func own(t related.Term) float64 {
	return float64(t.Counts[related.Body]) + float64(t.Counts[related.Heading]) + float64(t.Counts[related.Title]) +
		float64(t.Counts[related.Tag]) + float64(t.Counts[related.Description])
}

// tfidf is the cosine of (1 + ln tf)·(1 + ln((1 + n)/(1 + df))) over title, headings, tags, description and main text:
// scikit-learn's TfidfVectorizer with sublinear_tf.
func tfidf(_ context.Context, s *related.Site, k int, except func(int, int) bool) ([][]related.Listed, error) {
	df := map[uint64]float64{}
	for _, p := range s.Pages {
		for _, t := range p.Terms {
			if own(t) > 0 {
				df[t.Word]++
			}
		}
	}
	n := float64(len(s.Pages))
	x := make([]map[uint64]float64, len(s.Pages))
	for i, p := range s.Pages {
		x[i] = map[uint64]float64{}
		square := 0.0
		for _, t := range p.Terms {
			if tf := own(t); tf > 0 {
				weight := (1 + math.Log(tf)) * (1 + math.Log((1+n)/(1+df[t.Word])))
				x[i][t.Word] = weight
				square += weight * weight
			}
		}
		for word := range x[i] {
			x[i][word] /= math.Sqrt(square)
		}
	}
	return rank(s, x, k, except), nil
}

// hugo is Hugo's Related: for each keyword that two pages share, the weight of its index. Tags weigh 100, Hugo's
// default for keywords; with headings, the words of titles and headings weigh 80 each. Hugo breaks ties by date; here,
// the first file name wins.
func hugo(headings bool) func(context.Context, *related.Site, int, func(int, int) bool) ([][]related.Listed, error) {
	return func(_ context.Context, s *related.Site, k int, except func(int, int) bool) ([][]related.Listed, error) {
		x := make([]map[uint64]float64, len(s.Pages))
		for i, p := range s.Pages {
			x[i] = map[uint64]float64{}
			for _, t := range p.Terms {
				weight := 0.0
				if t.Counts[related.Tag] > 0 {
					weight += 100
				}
				if headings && t.Counts[related.Title]+t.Counts[related.Heading] > 0 {
					weight += 80
				}
				if weight > 0 {
					x[i][t.Word] = math.Sqrt(weight)
				}
			}
		}
		return rank(s, x, k, except), nil
	}
}
