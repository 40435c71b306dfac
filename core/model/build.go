package model

import (
	"encoding/hex"
	"math"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/yield"
)

// build makes the Model of a file that has passed walk and check. The Model does not refer to the file's memory.
func (l *layout) build() *Model {
	p, _ := ParsePrecision(l.text(atPrecision))
	n := int(l.uint(atItemTable + ofN))
	m := &Model{
		Provenance: l.provenance(),
		Objective:  l.objective(),
		Precision:  p,
		Items:      l.table(atItemTable, p),
		Catalogue:  l.catalogue(n),
		Map:        l.theMap(),
		Digest:     hex.EncodeToString(l.b[digestAt : digestAt+32]),
	}
	for _, f := range m.Margins.networks() {
		*f.in = l.network(f.at)
	}
	if l.has(atGamma) {
		m.ItemItem = l.links(atGamma, n)
	}
	if l.has(atNext) {
		m.Next = l.links(atNext, n)
	}
	m.Again = l.has(atAgain) && l.bool(atAgain)
	if l.has(atCalibrated) {
		m.Calibration = l.calibration()
	}
	if l.bool(atUsers) {
		m.Users = l.table(atUserTable, p)
		m.UserIDs = splitTexts(l.text(atUserIDs), m.Users.Len())
	}
	return m
}

func (l *layout) provenance() Provenance {
	p := Provenance{Users: int(l.uint(atTrainUsers)), Interactions: int(l.uint(atInteractions)), Seed: l.uint(atSeed)}
	for _, f := range p.texts() {
		*f.in = l.text(f.at)
	}
	values := float64s(l.bytes(atMetricValues))
	for i, name := range splitTexts(l.text(atMetricNames), len(values)) {
		if p.Metrics == nil {
			p.Metrics = make(map[string]float64, len(values))
		}
		p.Metrics[name] = values[i]
	}
	return p
}

func (l *layout) objective() Objective {
	kind, _ := gaussian.ParseLoss(l.text(atLoss))
	o := Objective{Loss: gaussian.Loss{Kind: kind}, Composition: gaussian.Composition{Free: l.bool(atFree)},
		NoRarity: l.bool(atNoRarity)}
	for _, f := range o.numbers(false) {
		*f.in = l.float32(f.at)
	}
	if o.Radius == 0 {
		o.Radius = float32(math.Inf(1))
	}
	return o
}

func (l *layout) table(at leaf, p Precision) *gaussian.Table {
	q := quantised{
		mean: l.bytes(at + ofMean), stddev: l.bytes(at + ofStddev),
		meanScales: l.bytes(at + ofMeanScales), stddevScales: l.bytes(at + ofStddevScales),
	}
	return expand(q, p, int(l.uint(at+ofN)), int(l.uint(at+ofH)))
}

func (l *layout) network(at leaf) *margin.Network {
	if !l.bool(at) {
		return nil
	}
	input, _ := margin.ParseInput(l.text(at + ofInput))
	n := &margin.Network{Input: input, H: int(l.uint(at + ofHidden)), B2: l.float32(at + ofB2)}
	for _, c := range networkColumns(at, n) {
		*c.in = float32s(l.bytes(c.at))
	}
	return n
}

// catalogue makes the n items. Their texts are parts of one string per column, their lists parts of one slice.
func (l *layout) catalogue(n int) *catalogue.Catalogue {
	names := l.bytes(atColumnNames)
	columns := countTexts(names)
	c := &catalogue.Catalogue{Items: make([]catalogue.Item, n), Columns: splitTexts(string(names), columns)}
	ids, titles, further := l.text(atIDs), l.text(atTitles), l.text(atColumns)
	years, counts := l.bytes(atYears), l.bytes(atCounts)
	values := make([]string, columns*n)
	for i := range c.Items {
		if i%yieldItems == yieldItems-1 {
			yield.Now()
		}
		item := &c.Items[i]
		item.ID, ids = nextText(ids)
		item.Title, titles = nextText(titles)
		item.Year = int(int16(word16(years, n, i)))
		item.Count = int(word32(counts, n, i))
		if columns > 0 {
			item.Values = values[i*columns : (i+1)*columns : (i+1)*columns]
		}
	}
	for j := range columns {
		for i := range n {
			values[i*columns+j], further = nextText(further)
		}
	}
	c.LeftOut = splitTexts(l.text(atLeftOut), countTexts(l.bytes(atLeftOut)))
	l.genres(c.Items)
	return c
}

// genres fills in the items' genres.
func (l *layout) genres(items []catalogue.Item) {
	names := splitTexts(l.text(atGenres), countTexts(l.bytes(atGenres)))
	lists := l.bytes(atGenreLists)
	k := len(lists) / 2
	all := make([]string, 0, k-len(items))
	at := 0
	for i := range items {
		if i%yieldItems == yieldItems-1 {
			yield.Now()
		}
		from := len(all)
		for {
			v := word16(lists, k, at)
			at++
			if v == 0 {
				break
			}
			all = append(all, names[v-1])
		}
		if len(all) > from {
			items[i].Genres = all[from:len(all):len(all)]
		}
	}
}
