package ui

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/pmlam/pmlam/core/recommend"
)

// drawing is what of the catalogue is on the map.
type drawing struct {
	titles  string // with their years, a line each
	points  []byte // x and y of each in turn, little-endian float32
	weights []byte // how well known each is, little-endian float32: the better known are named first
	undrawn bool   // it cannot be drawn: a place is no number
}

// drawingOf works out what the map is made of. O(I·h).
func drawingOf(e recommend.Engine, pause func()) *drawing {
	n := e.Len()
	var titles strings.Builder
	d := &drawing{points: make([]byte, 0, 8*n), weights: make([]byte, 0, 4*n)}
	for i := range n {
		if i&511 == 511 {
			pause()
		}
		it := e.Item(i)
		titles.WriteString(strings.ReplaceAll(titled(it), "\n", " "))
		titles.WriteByte('\n')
		x, y := e.Point(i)
		d.points = appendFloat(appendFloat(d.points, x), y)
		d.undrawn = d.undrawn || !drawable(x, y)
		d.weights = appendFloat(d.weights, float64(it.Count))
	}
	d.titles = titles.String()
	return d
}

// drawable reports whether numbers can be drawn: they are numbers, and float32 holds them.
func drawable(numbers ...float64) bool {
	for _, v := range numbers {
		if !(math.Abs(v) <= math.MaxFloat32) {
			return false
		}
	}
	return true
}

// drawableEllipses reports whether all of them can be drawn.
func drawableEllipses(es *recommend.Ellipses) bool {
	for _, e := range es {
		if !drawable(e.X, e.Y, e.A, e.B, e.Angle) {
			return false
		}
	}
	return true
}

// mapEllipses returns the three ellipses, widest last, five float32 each: x, y, a, b, angle. What cannot be drawn is
// nothing.
func mapEllipses(b []byte, es recommend.Ellipses) []byte {
	if !drawableEllipses(&es) {
		es = recommend.Ellipses{}
	}
	for _, e := range es {
		for _, v := range [...]float64{e.X, e.Y, e.A, e.B, e.Angle} {
			b = appendFloat(b, v)
		}
	}
	return b
}

// mapRadii returns the radii as little-endian float32.
func mapRadii(radii []float32) []byte {
	b := make([]byte, 0, 4*len(radii))
	for _, v := range radii {
		b = appendFloat(b, float64(v))
	}
	return b
}

// meet reports whether the two lists have a text in common.
func meet(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

func appendFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
}
