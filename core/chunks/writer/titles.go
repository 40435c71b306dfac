package writer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/chunks"
)

const (
	firstTier = 1000 // titles of the first tier
	tierTimes = 16   // size of each further tier, relative to the one before
	pageKeys  = 1000 // keys of a page
)

type key struct {
	text string
	item int32
}

// titles makes the pages of titles and their directory (chunks.Directory). O(K log K) for K keys.
func (w *writer) titles(ctx context.Context) error {
	items := w.model.Catalogue.Items
	known := upTo(len(items))
	slices.SortFunc(known, func(a, b int) int { return cmp.Or(items[b].Count-items[a].Count, a-b) })
	rank := make([]int32, len(items))
	for r, i := range known {
		rank[i] = int32(r)
	}
	var keys []key
	for i := range items {
		for _, text := range catalogue.Keys(items[i].Title) {
			keys = append(keys, key{text, int32(i)})
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(strings.Compare(a.text, b.text), int(rank[a.item]-rank[b.item]))
	})
	d := &chunks.Directory{}
	for size := firstTier; size < len(items); size *= tierTimes {
		tier := slices.DeleteFunc(slices.Clone(keys), func(k key) bool { return int(rank[k.item]) >= size })
		if err := w.tier(ctx, d, tier); err != nil {
			return err
		}
	}
	if err := w.tier(ctx, d, keys); err != nil {
		return err
	}
	return w.part(chunks.KindDirectory, 0, chunks.EncodeDirectory(d))
}

// tier makes the pages of a tier's keys, and adds them to the directory.
func (w *writer) tier(ctx context.Context, d *chunks.Directory, keys []key) error {
	pages := 0
	for at := 0; at < len(keys); at += pageKeys {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		first := ""
		if at > 0 {
			first = between(keys[at-1].text, keys[at].text)
		}
		if err := w.page(len(d.First), keys[at:min(at+pageKeys, len(keys))]); err != nil {
			return err
		}
		d.First = append(d.First, first)
		pages++
		w.step("titles", min(at+pageKeys, len(keys)), len(keys))
	}
	if pages > 0 {
		d.Pages = append(d.Pages, pages)
	}
	return nil
}

// page makes the part with the titles of some keys, the best known first.
func (w *writer) page(number int, keys []key) error {
	items := w.model.Catalogue.Items
	of := make([]int, len(keys))
	for k := range keys {
		of[k] = int(keys[k].item)
	}
	slices.SortFunc(of, func(a, b int) int { return cmp.Or(items[b].Count-items[a].Count, a-b) })
	of = slices.Compact(of)
	all := make([]chunks.Title, len(of))
	for k, i := range of {
		it := &items[i]
		all[k] = chunks.Title{ID: it.ID, Name: it.Title, Year: it.Year, Count: it.Count}
	}
	return w.part(chunks.KindTitles, number, chunks.EncodeTitles(number, all))
}

// between returns the shortest prefix of b that is above a, or b itself if they are equal.
func between(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return b[:min(n+1, len(b))]
}
