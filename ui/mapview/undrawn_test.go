package mapview_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/mapview"
)

// wild is an engine with numbers that cannot be drawn.
type wild struct {
	*uitest.Line
	place, ring, radius float64
}

func (e wild) Point(i int) (x, y float64) { return float64(i) + e.place, e.place }

func (e wild) ItemEllipses(i int) recommend.Ellipses {
	x, y := e.Point(i)
	of := model.Ellipse{X: x, Y: y, A: 1 + e.ring, B: 1}
	return recommend.Ellipses{of, of, of}
}

func (e wild) Places(recommend.Visit, *recommend.Taste) recommend.Places {
	return recommend.Places{Tastes: []recommend.Place{{Share: 1, Ellipses: e.ItemEllipses(0)}}}
}

func (e wild) Radii(_ recommend.Visit, t *recommend.Taste) []float32 {
	out := e.Line.Radii(recommend.Visit{}, t)
	out[7] += float32(e.radius)
	return out
}

// Parts of the map that cannot be drawn are left out, and the page says so. The rest works, without NaN or infinities
// in its texts.
func TestUndrawn(t *testing.T) {
	for name, c := range map[string]struct {
		wild
		whole, part, distances bool
	}{
		"all is well":           {wild: wild{}, distances: true},
		"places are no numbers": {wild: wild{place: math.NaN()}, whole: true},
		"places are too large":  {wild: wild{place: 1e39}, whole: true},
		"rings are no numbers":  {wild: wild{ring: math.NaN()}, part: true},
		"rings are infinite":    {wild: wild{ring: math.Inf(1)}, part: true},
		"a radius is no number": {wild: wild{radius: math.NaN()}, part: true},
		"a radius is infinite":  {wild: wild{radius: math.Inf(1)}, part: true},
	} {
		t.Run(name, func(t *testing.T) {
			c.Line = uitest.NewLine(60)
			v := uitest.Come(t, c.wild, uitest.NewMemory())
			v.Does(func() { v.P.Starters.Pick(0) })
			v.Does(func() { v.P.Map.ShowDistances(true) })
			v.Does(func() { v.P.List.ToggleWhy(1) })
			v.Sees(`aria-label="Not for me: Film 1"`)
			html := v.HTML()
			if got := strings.Contains(html, v.P.W.MapUndrawn); got != c.whole {
				t.Errorf("the page says that the map cannot be drawn: %v", got)
			}
			if got := strings.Contains(html, v.P.W.PartUndrawn); got != c.part {
				t.Errorf("the page says that a part cannot be drawn: %v", got)
			}
			if got := strings.Contains(html, v.P.W.DistanceNote); got != c.distances {
				t.Errorf("the page says that distances are drawn: %v", got)
			}
			for _, wrong := range []string{"NaN", "Inf"} {
				if strings.Contains(html, wrong) {
					t.Errorf("the page shows %s", wrong)
				}
			}
			b := mapview.MapTastes(&v.P.List.Places)
			if wrong := !mapview.Drawable(c.ring, c.place); (len(b) == 0) != wrong {
				t.Errorf("the map gets %d bytes of tastes", len(b))
			}
			for ; len(b) > 0; b = b[4:] {
				if x := float64(math.Float32frombits(binary.LittleEndian.Uint32(b))); !mapview.Drawable(x) {
					t.Fatalf("the map gets %v", x)
				}
			}
		})
	}
}
