package related

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/topk"
)

// Weights are the settings of the comparison. core/lab/related chose the defaults.
type Weights struct {
	Field  [Fields]float64 // of one occurrence of a word
	Length float64         // of a page's length, 0 to 1: BM25's b
	Half   float64         // weighted count at which a word has half of its greatest weight: BM25's k1
	Idf    float64         // exponent
	Keep   int             // words per page
	Links  float64         // of the links' block, relative to the words'
	Names  float64         // of the words of a listed page's title that the page has
	Named  float64         // of the words of the page's title that a listed page has
	Rare   float64         // sum of squared idf at which a title counts half
	Views  float64         // of the views' block
	Common float64         // share of pages above which a word is left out
}

// Default returns the weights that Lists uses.
func Default() Weights {
	return Weights{
		Field:  [Fields]float64{Body: 1, Heading: 1, Title: 6, Tag: 6, Description: 2, Path: 12, Anchor: 3},
		Length: 0.3, Half: 5, Idf: 0.6, Keep: 256, Links: 0.2, Names: 0.8, Named: 0.8, Rare: 10, Views: 1, Common: 0.7,
	}
}

// weighted is one entry of a sparse vector.
type weighted struct {
	at     int32
	weight float32
}

// Listed is a page of a list.
type Listed struct {
	Page  int
	Score float32 // inner product
}

// Lists returns for every page the k pages that are most like it, best first. Lists leave out unlisted pages, the page
// itself, pages in another language, and pages that share no word or link. O(pages·Keep·pages with a common word).
func (s *Site) Lists(ctx context.Context, k, workers int) ([][]Listed, error) {
	return s.ListsBy(ctx, Default(), k, workers, nil)
}

// ListsBy is Lists with other weights. except reports the pages that a list leaves out; nil: none.
func (s *Site) ListsBy(ctx context.Context, w Weights, k, workers int,
	except func(page, other int) bool) ([][]Listed, error) {
	x, err := s.vectors(ctx, w, workers)
	if err != nil {
		return nil, err
	}
	blocks := []struct{ query, answer [][]weighted }{{x.both, x.both}}
	if w.Names > 0 {
		blocks = append(blocks, struct{ query, answer [][]weighted }{x.words, x.names})
	}
	if w.Named > 0 {
		blocks = append(blocks, struct{ query, answer [][]weighted }{x.named, x.words})
	}
	posts := make([][][]weighted, len(blocks)) // by block and coordinate: listed pages
	for b, block := range blocks {
		for i, p := range s.Pages {
			if p.Unlisted != "" {
				continue
			}
			for _, e := range block.answer[i] {
				for int(e.at) >= len(posts[b]) {
					posts[b] = append(posts[b], nil)
				}
				posts[b][e.at] = append(posts[b][e.at], weighted{int32(i), e.weight})
			}
		}
	}
	languages := s.languages()
	lists := make([][]Listed, len(s.Pages))
	k = min(max(k, 0), maxList)
	err = parallel.Each(ctx, len(s.Pages), workers, func() func(int) {
		scores, seen := make([]float32, len(s.Pages)), make([]int32, 0, len(s.Pages))
		best := topk.New[float32](k)
		return func(i int) {
			for b, block := range blocks {
				for _, e := range block.query[i] {
					if int(e.at) >= len(posts[b]) {
						break
					}
					for _, o := range posts[b][e.at] {
						if scores[o.at] == 0 {
							seen = append(seen, o.at)
						}
						scores[o.at] += float32(e.weight * o.weight)
					}
				}
			}
			best.Reset()
			own := languages[i]
			for _, o := range seen {
				j, score := int(o), scores[o]
				scores[o] = 0
				if worst, full := best.Worst(); full && score < worst || j == i {
					continue
				}
				if l := languages[j]; (l == own || l == 0 || own == 0) && (except == nil || !except(i, j)) {
					best.Offer(o, score)
				}
			}
			seen = seen[:0]
			for _, e := range best.Sorted() {
				lists[i] = append(lists[i], Listed{int(e.Item), e.Score})
			}
		}
	})
	return lists, err
}

// languages numbers the languages of the pages; 0: unknown.
func (s *Site) languages() []int {
	numbers, of := map[string]int{"": 0}, make([]int, len(s.Pages))
	for i, p := range s.Pages {
		if _, ok := numbers[p.Lang]; !ok {
			numbers[p.Lang] = len(numbers)
		}
		of[i] = numbers[p.Lang]
	}
	return of
}

// vectors are the sparse vectors of all pages.
type vectors struct {
	both         [][]weighted // words, then links
	words        [][]weighted // saturated counts of all words
	names, named [][]weighted // of the words of titles
}

func (s *Site) vectors(ctx context.Context, w Weights, workers int) (*vectors, error) {
	n := len(s.Pages)
	anchors := make([]map[uint64]int, n) // by page: words of links to it
	neighbours := make([][]int32, n)     // with repetitions
	for i, p := range s.Pages {
		neighbours[i] = append(neighbours[i], int32(i))
		for _, l := range p.Links {
			if anchors[l.To] == nil {
				anchors[l.To] = map[uint64]int{}
			}
			for _, word := range l.Words {
				anchors[l.To][word]++
			}
			neighbours[i] = append(neighbours[i], int32(l.To))
			neighbours[l.To] = append(neighbours[l.To], int32(i))
		}
	}
	type counted struct {
		id    int32
		title bool
		count float64
	}
	counts := make([][]counted, n)
	ids, seen := map[uint64]int32{}, []int{} // words, and the number of pages with each
	lengths, mean := make([]float64, n), 0.0
	for i, p := range s.Pages {
		add := func(word uint64, count float64, title bool) {
			if count <= 0 {
				return
			}
			id, ok := ids[word]
			if !ok {
				id = int32(len(seen))
				ids[word], seen = id, append(seen, 0)
			}
			seen[id]++
			counts[i] = append(counts[i], counted{id, title, count})
			lengths[i] += count
		}
		for _, t := range p.Terms {
			count := 0.0
			for f, c := range t.Counts {
				count += w.Field[f] * float64(c)
			}
			count += w.Field[Anchor] * math.Sqrt(float64(anchors[i][t.Word]))
			delete(anchors[i], t.Word)
			add(t.Word, count, t.Counts[Title] > 0)
		}
		words := make([]uint64, 0, len(anchors[i]))
		for word := range anchors[i] {
			words = append(words, word)
		}
		slices.Sort(words)
		for _, word := range words {
			add(word, w.Field[Anchor]*math.Sqrt(float64(anchors[i][word])), false)
		}
		mean += lengths[i] / float64(n)
	}
	x := make([][]weighted, n)
	words, names, named := make([][]weighted, n), make([][]weighted, n), make([][]weighted, n)
	weigh := func(i int) {
		norm := 1 - w.Length + w.Length*lengths[i]/max(mean, 1)
		var v, name []weighted
		square := 0.0
		for _, c := range counts[i] {
			id, df := c.id, seen[c.id]
			if df < 2 || n >= 20 && float64(df) > w.Common*float64(n) {
				continue
			}
			tf := c.count / norm
			idf := math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
			saturated := tf / (tf + w.Half)
			v = append(v, weighted{id, float32(saturated * math.Pow(idf, w.Idf))})
			words[i] = append(words[i], weighted{id, float32(saturated)})
			if c.title {
				name = append(name, weighted{id, float32(idf * idf)})
				square += idf * idf
			}
		}
		slices.SortFunc(words[i], func(a, b weighted) int { return cmp.Compare(a.at, b.at) })
		slices.SortFunc(name, func(a, b weighted) int { return cmp.Compare(a.at, b.at) })
		for _, e := range name {
			weight := float64(e.weight) / (square + w.Rare)
			names[i] = append(names[i], weighted{e.at, float32(w.Names * weight)})
			named[i] = append(named[i], weighted{e.at, float32(w.Named * weight)})
		}
		x[i] = scaled(strongest(v, w.Keep), 1)
	}
	if err := parallel.Each(ctx, n, workers, func() func(int) { return weigh }); err != nil {
		return nil, err
	}
	if w.Links > 0 {
		degree := make([]int, n)
		for i, v := range neighbours {
			slices.Sort(v)
			degree[i] = len(slices.Compact(slices.Clone(v)))
		}
		for i, v := range neighbours {
			var block []weighted
			for _, j := range slices.Compact(v) {
				block = append(block, weighted{int32(len(seen)) + j, float32(1 / math.Log(2+float64(degree[j])))})
			}
			if len(block) > 1 {
				x[i] = append(x[i], scaled(strongest(block, w.Keep), w.Links)...)
			}
		}
	}
	if w.Views > 0 && s.views != nil {
		s.addViews(x, int32(len(seen)+n), w.Views)
	}
	return &vectors{x, words, names, named}, nil
}

// fewViews is the number of visitors at which a page's views count half.
const fewViews = 10

// addViews appends a block of visitors to the vectors: pages that the same people read are near.
func (s *Site) addViews(x [][]weighted, first int32, weight float64) {
	pages := map[int32]int{} // by visitor
	for _, visitors := range s.views {
		for _, v := range visitors {
			pages[v]++
		}
	}
	for i, visitors := range s.views {
		var block []weighted
		for _, v := range visitors {
			if n := pages[v]; n >= 2 && n <= maxVisited {
				block = append(block, weighted{first + v, float32(1 / math.Log(1+float64(n)))})
			}
		}
		if n := float64(len(block)); n > 0 {
			x[i] = append(x[i], scaled(block, weight*n/(n+fewViews))...)
		}
	}
}

// strongest returns the k entries of greatest weight, by coordinate.
func strongest(v []weighted, k int) []weighted {
	if len(v) > k {
		slices.SortFunc(v, func(a, b weighted) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.at, b.at))
		})
		v = v[:k]
	}
	slices.SortFunc(v, func(a, b weighted) int { return cmp.Compare(a.at, b.at) })
	return v
}

// scaled scales a vector so that its inner product with itself is weight.
func scaled(v []weighted, weight float64) []weighted {
	square := 0.0
	for _, e := range v {
		square += float64(e.weight) * float64(e.weight)
	}
	scale := float32(math.Sqrt(weight / max(square, math.SmallestNonzeroFloat64)))
	for i := range v {
		v[i].weight *= scale
	}
	return v
}
