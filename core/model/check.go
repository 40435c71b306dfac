package model

import (
	"bytes"
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/yield"
)

// checker checks the values of a walked file against the rules of docs/model-format.md.
type checker struct{ *layout }

// check checks the values of a file with a valid structure against each other and their ranges. If it passes, build
// cannot fail. O(length of the file); it allocates 4 bytes per item and user (see repeatedText).
func (l checker) check() error {
	p, err := ParsePrecision(l.text(atPrecision))
	if err != nil {
		return l.fail(BadValue, atPrecision, "%v", err)
	}
	n, h, err := l.checkTable(atItemTable, p)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		l.checkProvenance,
		l.checkObjective,
		func() error { return l.checkCatalogue(n) },
		func() error { return l.checkMap(n) },
		func() error { return l.checkNetworks(h) },
		func() error { return l.checkUsers(p, h) },
		func() error { return l.checkLinks(atGamma, n) },
		func() error { return l.checkLinks(atNext, n) },
		func() error { return l.checkCalibration(n, h) },
	} {
		yield.Now()
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (l checker) checkProvenance() error {
	for _, k := range []leaf{atTrainUsers, atInteractions} {
		if l.uint(k) > maxCount {
			return l.fail(OutOfRange, k, "it is %d", l.uint(k))
		}
	}
	metrics, err := l.checkTexts(atMetricNames, -1, maxName)
	if err != nil {
		return err
	}
	if metrics > maxMetrics {
		return l.fail(TooLarge, atMetricNames, "%d names, but at most %d are allowed", metrics, maxMetrics)
	}
	if err := l.checkLength(atMetricValues, int64(metrics), 8); err != nil {
		return err
	}
	names, values := l.bytes(atMetricNames), l.bytes(atMetricValues)
	for i := range metrics {
		if v := math.Float64frombits(word64(values, metrics, i)); math.IsNaN(v) || math.IsInf(v, 0) {
			return l.fail(NotFinite, atMetricValues, "number %d is %v", i, v)
		} else if math.Abs(v) > maxMetric {
			return l.fail(OutOfRange, atMetricValues, "number %d is %g and must lie between %g and %g",
				i, v, -float64(maxMetric), float64(maxMetric))
		}
		rest := names[bytes.IndexByte(names, 0)+1:]
		if len(rest) > 0 && compareTexts(names, rest) >= 0 {
			return l.fail(BadValue, atMetricNames, "name %d is out of order", i+1)
		}
		names = rest
	}
	return nil
}

func (l checker) checkObjective() error {
	kind, err := gaussian.ParseLoss(l.text(atLoss))
	if err != nil {
		return l.fail(BadValue, atLoss, "%v", err)
	}
	for _, c := range new(Objective).numbers(kind == gaussian.Softmax) {
		if err := l.checkNumber(c); err != nil {
			return err
		}
	}
	switch p := l.float32(atPrior); {
	case p > 0 && l.bool(atFree):
		return l.fail(OutOfRange, atPrior, "it is %v and must be 0 if users have a free part", p)
	case p > 0 && l.float32(atWeight) == 0:
		return l.fail(OutOfRange, atPrior, "it is %v and must be 0 if users are not composed", p)
	}
	return nil
}

func (l checker) checkCatalogue(n int) error {
	for _, k := range []leaf{atIDs, atTitles} {
		if _, err := l.checkTexts(k, int64(n), maxTitle); err != nil {
			return err
		}
	}
	if err := l.checkLength(atYears, int64(n), 2); err != nil {
		return err
	}
	if err := l.checkGenres(n); err != nil {
		return err
	}
	if err := l.checkLength(atCounts, int64(n), 4); err != nil {
		return err
	}
	for i, c := range l.bytes(atCounts)[:n] {
		if c >= 0x80 {
			return l.fail(OutOfRange, atCounts, "item %d: it must be below 2^31", i)
		}
	}
	columns, err := l.checkTexts(atColumnNames, -1, maxTitle)
	if err != nil {
		return err
	}
	if columns > maxColumns {
		return l.fail(TooLarge, atColumnNames, "%d columns, but at most %d are allowed", columns, maxColumns)
	}
	if _, err := l.checkTexts(atColumns, int64(columns)*int64(n), maxValue); err != nil {
		return err
	}
	if _, err := l.checkTexts(atLeftOut, -1, maxTitle); err != nil {
		return err
	}
	return l.checkUnique(atIDs, n)
}

// checkGenres checks that there are n genre lists, all terminated, and that they refer to existing genres.
func (l checker) checkGenres(n int) error {
	genres, err := l.checkTexts(atGenres, -1, maxTitle)
	if err != nil {
		return err
	}
	if genres > maxGenres {
		return l.fail(TooLarge, atGenres, "%d genres, but at most %d are allowed", genres, maxGenres)
	}
	lists := l.bytes(atGenreLists)
	if len(lists)%2 != 0 {
		return l.fail(WrongShape, atGenreLists, "its length must be even")
	}
	k, ended := len(lists)/2, 0
	for i := range k {
		switch v := int(word16(lists, k, i)); {
		case v == 0:
			ended++
		case v > genres:
			return l.fail(OutOfRange, atGenreLists, "genre %d of %d", v, genres)
		}
	}
	if ended != n || word16(lists, k, k-1) != 0 {
		return l.fail(WrongShape, atGenreLists, "%d lists for %d items", ended, n)
	}
	return nil
}

func (l checker) checkNetworks(h int) error {
	for _, f := range new(Margins).networks() {
		if err := l.checkNetwork(f.at, h); err != nil {
			return err
		}
	}
	return nil
}

func (l checker) checkNetwork(at leaf, h int) error {
	if !l.bool(at) {
		return nil
	}
	input, err := margin.ParseInput(l.text(at + ofInput))
	if err != nil {
		return l.fail(BadValue, at+ofInput, "%v", err)
	}
	hidden, err := l.checkCount(at+ofHidden, maxHidden)
	if err != nil {
		return err
	}
	for _, c := range networkColumns(at, new(margin.Network)) {
		if err := l.checkFloats(c.at, int64(hidden)*int64(c.width(input, h)), MaxNumber); err != nil {
			return err
		}
	}
	return l.checkNumber(number{at: at + ofB2, least: -MaxNumber, most: MaxNumber})
}

func (l checker) checkUsers(p Precision, h int) error {
	if !l.bool(atUsers) {
		return nil
	}
	n, uh, err := l.checkTable(atUserTable, p)
	if err != nil {
		return err
	}
	if uh != h {
		return l.fail(WrongShape, atUserTable+ofH, "users have dimension %d and items %d", uh, h)
	}
	if _, err := l.checkTexts(atUserIDs, int64(n), maxTitle); err != nil {
		return err
	}
	return l.checkUnique(atUserIDs, n)
}
