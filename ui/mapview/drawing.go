package mapview

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/yield"
	"github.com/pmlam/pmlam/ui/titles"
)

// drawing is the part of the map that depends on the catalogue only.
type drawing struct {
	titles  string // with their years, one a line
	points  []byte // x and y of each title, little-endian float32
	weights []byte // how well known each title is, little-endian float32; better-known ones are named first
	regions []byte // level, x and y of each region, little-endian float32
}

// drawingOf prepares a drawing. O(items · dimensions).
func drawingOf(e recommend.Engine, pause func()) *drawing {
	n := e.Len()
	var lines strings.Builder
	d := &drawing{points: make([]byte, 0, 8*n), weights: make([]byte, 0, 4*n)}
	for i := range n {
		if i&511 == 511 {
			pause()
		}
		it := e.Item(i)
		lines.WriteString(strings.ReplaceAll(titles.Titled(it), "\n", " "))
		lines.WriteByte('\n')
		x, y := e.Point(i)
		d.points = appendFloats(d.points, x, y)
		d.weights = appendFloats(d.weights, float64(it.Count))
	}
	d.titles = lines.String()
	for _, r := range e.Regions() {
		d.regions = appendFloats(d.regions, float64(r.Level), float64(r.X), float64(r.Y))
	}
	return d
}

// drawablePoints reports whether the titles can be drawn: all their coordinates are finite. O(items).
func drawablePoints(e recommend.Engine) bool {
	for i := range e.Len() {
		if i&4095 == 4095 {
			yield.Now()
		}
		if x, y := e.Point(i); !drawable(x, y) {
			return false
		}
	}
	return true
}

// drawable reports whether numbers are finite within the range of float32.
func drawable(numbers ...float64) bool {
	for _, v := range numbers {
		if !(math.Abs(v) <= math.MaxFloat32) {
			return false
		}
	}
	return true
}

// drawableEllipses reports whether all ellipses can be drawn.
func drawableEllipses(es *recommend.Ellipses) bool {
	for _, e := range es {
		if !drawable(e.X, e.Y, e.A, e.B, e.Angle) {
			return false
		}
	}
	return true
}

// drawablePlaces reports whether all of a visitor's tastes can be drawn.
func drawablePlaces(p *recommend.Places) bool {
	for i := range p.Tastes {
		if !drawable(p.Tastes[i].Share) || !drawableEllipses(&p.Tastes[i].Ellipses) {
			return false
		}
	}
	return true
}

// mapTastes returns each taste's share and its three ellipses, widest last, with x, y, a, b and angle of each:
// little-endian float32. If one cannot be drawn, it returns none.
func mapTastes(p *recommend.Places) (b []byte) {
	if !drawablePlaces(p) {
		return nil
	}
	for i := range p.Tastes {
		b = appendFloats(b, p.Tastes[i].Share)
		for _, e := range p.Tastes[i].Ellipses {
			b = appendFloats(b, e.X, e.Y, e.A, e.B, e.Angle)
		}
	}
	return b
}

// mapRadii returns the radii as little-endian float32.
func mapRadii(radii []float32) []byte {
	b := make([]byte, 0, 4*len(radii))
	for _, v := range radii {
		b = appendFloats(b, float64(v))
	}
	return b
}

func appendFloats(b []byte, values ...float64) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return b
}
