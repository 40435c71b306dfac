package cold

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

// plain has the methods without training: popularity, and similarity to the likes.
type plain struct {
	popular []float64            // an item's count; for a new one, the mean count of its genres' items
	tokens  []map[string]float64 // tf-idf of each item's genres and tags, of length 1
}

// newPlain prepares the methods on a catalogue whose items are known up to warm.
func newPlain(c *catalogue.Catalogue, warm int) *plain {
	p := &plain{}
	sum, n, having := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for i := range c.Items {
		for _, t := range tokensOf(c, i) {
			having[t]++
		}
		if i >= warm {
			continue
		}
		for _, g := range c.Items[i].Genres {
			sum[g] += float64(c.Items[i].Count)
			n[g]++
		}
	}
	for i := range c.Items {
		it := &c.Items[i]
		score := float64(it.Count)
		if i >= warm {
			score = 0
			for _, g := range it.Genres {
				score += sum[g] / max(n[g], 1) / float64(len(it.Genres))
			}
		}
		p.popular = append(p.popular, score)
		tokens, square := map[string]float64{}, 0.0
		of := tokensOf(c, i)
		for _, t := range of {
			tokens[t] = math.Log(float64(c.Len()) / having[t])
			square += tokens[t] * tokens[t]
		}
		for _, t := range of {
			tokens[t] /= math.Sqrt(max(square, math.SmallestNonzeroFloat64))
		}
		p.tokens = append(p.tokens, tokens)
	}
	return p
}

// tokensOf returns the genres and tags of an item, without repeats.
func tokensOf(c *catalogue.Catalogue, i int) (out []string) {
	for _, g := range c.Items[i].Genres {
		out = append(out, "genre "+g)
	}
	if at := c.Column("tags"); at >= 0 {
		for _, t := range strings.Split(c.Items[i].Values[at], "|") {
			if t != "" && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// cosine returns the scores Σ_{j liked} cos(i, j) of all items.
func (p *plain) cosine(likes []int) []float64 {
	profile := map[string]float64{}
	for _, j := range likes {
		for t, v := range p.tokens[j] {
			profile[t] += v
		}
	}
	out := make([]float64, len(p.tokens))
	for i, tokens := range p.tokens {
		for t, v := range tokens {
			out[i] += v * profile[t]
		}
	}
	return out
}

// ranked returns all items but the likes, the highest score first; scores that differ only by rounding are equal.
func ranked(scores []float64, likes []int) (items []int) {
	liked := make([]bool, len(scores))
	for _, i := range likes {
		liked[i] = true
	}
	for i := range scores {
		if !liked[i] {
			items = append(items, i)
		}
	}
	slices.SortStableFunc(items, func(a, b int) int {
		return cmp.Compare(math.Round(scores[b]*1e9), math.Round(scores[a]*1e9))
	})
	return items
}
