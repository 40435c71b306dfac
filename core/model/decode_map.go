package model

// checkMap checks the map of n items, if any. O(regions); it allocates nothing.
func (l checker) checkMap(n int) error {
	if !l.bool(atMap) {
		return nil
	}
	for _, k := range []leaf{atMapX, atMapY} {
		if err := l.checkLength(k, int64(n), 2); err != nil {
			return err
		}
	}
	levels := l.bytes(atRegionLevels)
	r := len(levels)
	if r > maxRegions {
		return l.fail(TooLarge, atRegionLevels, "%d regions, but at most %d are allowed", r, maxRegions)
	}
	for i, level := range levels {
		if level > MaxLevel || i > 0 && level < levels[i-1] {
			return l.fail(OutOfRange, atRegionLevels, "region %d has level %d", i, level)
		}
	}
	for _, k := range []leaf{atRegionX, atRegionY, atRegionGenres, atRegionOr, atRegionFrom, atRegionTo} {
		if err := l.checkLength(k, int64(r), 2); err != nil {
			return err
		}
	}
	genres := countTexts(l.bytes(atGenres))
	for i := range r {
		for _, k := range []leaf{atRegionGenres, atRegionOr} {
			if g := int(word16(l.bytes(k), r, i)); g > genres {
				return l.fail(OutOfRange, k, "genre %d of %d", g, genres)
			}
		}
		if word16(l.bytes(atRegionOr), r, i) > 0 && word16(l.bytes(atRegionGenres), r, i) == 0 {
			return l.fail(OutOfRange, atRegionOr, "region %d has a second genre but no first", i)
		}
		for _, k := range []leaf{atRegionFrom, atRegionTo} {
			if y := l.year(k, i); y%10 != 0 {
				return l.fail(OutOfRange, k, "region %d: no decade begins with the year %d", i, y)
			}
		}
		if from, to := l.year(atRegionFrom, i), l.year(atRegionTo, i); to != 0 && to <= from {
			return l.fail(OutOfRange, atRegionTo, "region %d is from %d to %d", i, from, to)
		}
	}
	_, err := l.checkTexts(atRegionWords, int64(r), maxTitle)
	return err
}

// year returns number i of a column of years.
func (l *layout) year(k leaf, i int) int { return int(int16(word16(l.bytes(k), len(l.bytes(k))/2, i))) }

func (l *layout) theMap() *Map {
	if !l.bool(atMap) {
		return nil
	}
	m := &Map{X: positions(l.bytes(atMapX)), Y: positions(l.bytes(atMapY))}
	names := splitTexts(l.text(atGenres), countTexts(l.bytes(atGenres)))
	levels, x, y := l.bytes(atRegionLevels), positions(l.bytes(atRegionX)), positions(l.bytes(atRegionY))
	r := len(levels)
	words := splitTexts(l.text(atRegionWords), r)
	if r > 0 {
		m.Regions = make([]Region, 0, r)
	}
	for i, level := range levels {
		region := Region{
			Level: int(level), X: x[i], Y: y[i], Words: words[i],
			From: l.year(atRegionFrom, i), To: l.year(atRegionTo, i),
		}
		if g := word16(l.bytes(atRegionGenres), r, i); g > 0 {
			region.Genre = names[g-1]
		}
		if g := word16(l.bytes(atRegionOr), r, i); g > 0 {
			region.Or = names[g-1]
		}
		m.Regions = append(m.Regions, region)
	}
	return m
}

// positions returns the positions of a column.
func positions(b []byte) []float32 {
	x := make([]float32, len(b)/2)
	for i := range x {
		x[i] = float32(word16(b, len(x), i)) / mapSteps
	}
	return x
}
