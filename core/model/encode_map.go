//go:build !js || train

package model

import (
	"fmt"
	"math"
)

// tasteMap fills in the map, if any.
func (v *values) tasteMap(p *Map) error {
	if p == nil {
		return nil
	}
	v[atMap].bool = true
	var err error
	for _, c := range []struct {
		at  leaf
		x   []float32
		key string
	}{{atMapX, p.X, "x"}, {atMapY, p.Y, "y"}} {
		if v[c.at].bytes, err = steps(c.x, c.key); err != nil {
			return err
		}
	}
	return v.regions(p.Regions, v[atGenres].text)
}

// regions fills in the regions; genres is the column of the genres' names.
func (v *values) regions(regions []Region, genres string) error {
	number := map[string]uint16{"": 0}
	for i, name := range splitTexts(genres, countTexts([]byte(genres))) {
		if _, ok := number[name]; !ok {
			number[name] = uint16(i + 1)
		}
	}
	n := len(regions)
	levels, genre, or := make([]byte, n), make([]byte, 2*n), make([]byte, 2*n)
	from, to := make([]byte, 2*n), make([]byte, 2*n)
	x, y, words := make([]float32, n), make([]float32, n), make([]string, n)
	for i, r := range regions {
		if r.Level < 0 || r.Level > MaxLevel {
			return &Error{OutOfRange, -1, "content.map.regionLevels", fmt.Sprintf("region %d: level %d", i, r.Level)}
		}
		for _, c := range []struct {
			column []byte
			name   string
			key    string
		}{{genre, r.Genre, "regionGenres"}, {or, r.Or, "regionOr"}} {
			g, ok := number[c.name]
			if !ok {
				return &Error{BadValue, -1, "content.map." + c.key,
					fmt.Sprintf("region %d: no item has the genre %.40q", i, c.name)}
			}
			putWord16(c.column, n, i, g)
		}
		for _, c := range []struct {
			column []byte
			year   int
			key    string
		}{{from, r.From, "regionFrom"}, {to, r.To, "regionTo"}} {
			if c.year < math.MinInt16 || c.year > math.MaxInt16 {
				return &Error{OutOfRange, -1, "content.map." + c.key, fmt.Sprintf("region %d: year %d", i, c.year)}
			}
			putWord16(c.column, n, i, uint16(int16(c.year)))
		}
		levels[i], x[i], y[i], words[i] = byte(r.Level), r.X, r.Y, r.Words
	}
	var err error
	if v[atRegionX].bytes, err = steps(x, "regionX"); err != nil {
		return err
	}
	if v[atRegionY].bytes, err = steps(y, "regionY"); err != nil {
		return err
	}
	v[atRegionLevels].bytes, v[atRegionGenres].bytes, v[atRegionOr].bytes = levels, genre, or
	v[atRegionFrom].bytes, v[atRegionTo].bytes = from, to
	return v.texts(atRegionWords, words, "content.map.regionWords")
}

// steps returns the column of positions.
func steps(x []float32, key string) ([]byte, error) {
	b := make([]byte, 2*len(x))
	for i, p := range x {
		if !(p >= 0 && p <= 1) {
			reason := OutOfRange
			if !isFinite(p) {
				reason = NotFinite
			}
			return nil, &Error{reason, -1, "content.map." + key,
				fmt.Sprintf("position %d is %v and must lie between 0 and 1", i, p)}
		}
		putWord16(b, len(x), i, uint16(math.RoundToEven(float64(p)*mapSteps)))
	}
	return b, nil
}
