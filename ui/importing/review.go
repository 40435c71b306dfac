package importing

import (
	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/ui/blocks"
	"github.com/pmlam/pmlam/ui/words"
)

// reviewRows is the most rows in the lists of found and missing titles: every event builds the whole page.
const reviewRows = 60

// tablesShown is the most tables whose columns are named.
const tablesShown = 5

// reviewBlocks shows a file's matches and the choices: the meaning of ratings, doubtful matches, and whether to add the
// file.
func (m *State) reviewBlocks() []blocks.Block {
	w := m.W
	out := []blocks.Block{
		{Class: "review-head", Text: w.BringFrom(w.Formats(m.Library.Sources), len(m.Library.Entries)),
			Lines: m.remarks()},
		{Class: "review-adds", Text: w.BringAdds(m.Adds)},
	}
	does := &out[1].Choices
	if m.Adds != (words.Tally{Kept: m.Adds.Kept}) { // something is added
		*does = append(*does, blocks.Button("quiet review-agree", w.BringAgree, m.AgreeImport))
	}
	*does = append(*does, blocks.Button("quiet", w.BringCancel, m.CancelImport))
	out = m.meaningBlocks(out)
	if n := len(m.Doubts); n > 0 {
		out = append(out, blocks.Block{Class: "review-doubts", Text: w.BringDoubts(n), Choices: []blocks.Choice{
			blocks.Button("link", w.BringFirst, func() { m.ChooseAll(true) }),
			blocks.Button("link", w.BringNoneOfAll, func() { m.ChooseAll(false) }),
		}})
	}
	for k, i := range m.Doubts {
		if k == m.DoubtsShown {
			more := blocks.Button("quiet", w.BringMoreDoubts, func() { m.DoubtsShown += doubtsStep })
			out = append(out, blocks.Block{Class: "review-more", Choices: []blocks.Choice{more}})
			break
		}
		x := &m.Matches[i]
		b := blocks.Block{Class: "chips", Text: w.Entry(&m.Library.Entries[x.Entry])}
		for _, c := range x.Candidates {
			b.Choices = append(b.Choices, blocks.Chip(m.Titled(c.Item), m.Chosen[i] == c.Item,
				func() { m.Choose(i, c.Item) }))
		}
		b.Choices = append(b.Choices, blocks.Chip(w.BringNone, m.Chosen[i] < 0, func() { m.Choose(i, -1) }))
		out = append(out, b)
	}
	list := func(text string, matches []int, open *bool, line func(i int) string) {
		if len(matches) == 0 {
			return
		}
		opener := blocks.Opener(text, *open, func() { *open = !*open })
		b := blocks.Block{Class: "review-list", Choices: []blocks.Choice{opener}}
		if *open {
			for _, i := range matches[:min(len(matches), reviewRows)] {
				b.Lines = append(b.Lines, line(i))
			}
			if n := len(matches) - reviewRows; n > 0 {
				b.Lines = append(b.Lines, w.BringMore(n))
			}
		}
		out = append(out, b)
	}
	entry := func(i int) *importer.Entry { return &m.Library.Entries[m.Matches[i].Entry] }
	list(w.BringShowFound(len(m.Found)), m.Found, &m.ShowFound, func(i int) string {
		return w.BringBecomes[m.Meaning.Mark(m.Library, entry(i))] + ": " + m.Titled(m.Chosen[i])
	})
	list(w.BringShowMissing(len(m.Missing)), m.Missing, &m.ShowMissing, func(i int) string { return w.Entry(entry(i)) })
	return out
}

// meaningBlocks appends the choices for the meaning of this file's ratings.
func (m *State) meaningBlocks(out []blocks.Block) []blocks.Block {
	w := m.W
	ask := func(text string, choices []blocks.Choice) {
		out = append(out, blocks.Block{Class: "chips", Text: text, Choices: choices})
	}
	scale := m.scale()
	if m.rated && scale > 1 {
		steps := func(from, to int, now float64, set func(v float64)) (choices []blocks.Choice) {
			for s := from; s <= to; s++ {
				v := float64(s) / 10
				text := w.BringOf(w.Stars(float64(s)*scale/10), w.Stars(scale))
				if s == 0 {
					text = w.BringNever
				}
				choices = append(choices, blocks.Chip(text, now > v-0.01 && now < v+0.01,
					func() { set(v); m.weigh() }))
			}
			return choices
		}
		ask(w.BringLike, steps(6, 10, m.Meaning.Like, func(v float64) { m.Meaning.Like = v }))
		ask(w.BringDislike, steps(0, 5, m.Meaning.Dislike, func(v float64) { m.Meaning.Dislike = v }))
	}
	if m.rated && m.guessed {
		var choices []blocks.Choice
		for _, s := range importer.Scales[1:] {
			choices = append(choices, blocks.Chip(w.Stars(s), s == scale, func() { m.SetScale(s) }))
		}
		ask(w.BringScale, choices)
	}
	unrated := func(text string, as *importer.Mark) {
		var choices []blocks.Choice
		for _, u := range [...]importer.Mark{importer.Seen, importer.Liked, importer.Ignored} {
			choices = append(choices, blocks.Chip(w.BringUnratedAs[u], u == *as, func() { *as = u; m.weigh() }))
		}
		ask(text, choices)
	}
	if m.unrated {
		unrated(w.BringUnrated, &m.Meaning.Unrated)
	}
	if m.listed {
		unrated(w.BringListed, &m.Meaning.Listed)
	}
	var choices []blocks.Choice
	for _, s := range m.Library.Sources {
		for _, name := range s.More {
			choices = append(choices, blocks.Chip(name, false, func() { m.RateBy(name) }))
		}
	}
	if len(choices) > 0 {
		ask(w.BringRatings, choices)
	}
	return out
}

// scale returns the highest rating of all tables, or 5 if they differ; 1 for thumbs.
func (m *State) scale() float64 {
	out := m.Library.Sources[0].Scale
	for _, s := range m.Library.Sources {
		if s.Scale != out {
			return 5
		}
	}
	return out
}

// remarks summarises the file.
func (m *State) remarks() []string {
	out := []string{m.W.BringFound(len(m.Found), len(m.Doubts), len(m.Missing))}
	if len(m.Found)+len(m.Doubts) == 0 {
		out[0] = m.W.BringNothing(m.Engine.Len())
	}
	if m.Wished > 0 {
		out = append(out, m.W.BringWished(m.Wished))
	}
	if m.Series > 0 {
		out = append(out, m.W.BringSeries(m.Series))
	}
	for i := range m.Library.Sources[:min(len(m.Library.Sources), tablesShown)] {
		out = append(out, m.W.BringColumns(&m.Library.Sources[i]))
	}
	for _, e := range m.Library.LeftOut {
		out = append(out, m.W.BringProblem(e))
	}
	if m.Library.Bad > 0 {
		out = append(out, m.W.BringBad(m.Library.Bad))
		for _, e := range m.Library.Why {
			out = append(out, m.W.BringProblem(e))
		}
	}
	return out
}
