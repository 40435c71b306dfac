package curves

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/pmlam/pmlam/core/training"
)

// series is one line of a panel.
type series struct {
	name   string
	value  func(training.Epoch) float64
	colour color.RGBA
	dashes []vg.Length
}

// Colours that people with colour-vision deficiency can distinguish (Okabe and Ito 2008), dark enough for lines on
// white; dashes separate the second three losses from the first.
var (
	blue       = color.RGBA{0, 90, 160, 255}
	vermillion = color.RGBA{190, 75, 0, 255}
	green      = color.RGBA{0, 125, 90, 255}
	ink        = color.RGBA{30, 30, 30, 255}
	grid       = color.RGBA{225, 225, 225, 255}
	dashed     = []vg.Length{5, 3}
)

// panel is a part of the picture: lines on one scale.
type panel struct {
	label string
	lines []series
}

// margins is the figure with its own panel; all others are losses.
const margins = "margin"

// panels returns the picture's panels from the top. Panels without measurements or changes are left out when drawn.
func panels(figures []string) []panel {
	losses, margin := panel{label: "mean loss of a pair"}, panel{label: margins}
	for k, name := range figures {
		if name == margins {
			margin.lines = append(margin.lines, series{"mean, user-item", figure(k), blue, nil})
			continue
		}
		// inner_user_item becomes "inner, user-item".
		what, of, _ := strings.Cut(name, "_")
		if of != "" {
			what += ", " + strings.ReplaceAll(of, "_", "-")
		}
		n := len(losses.lines)
		line := series{what, figure(k), []color.RGBA{blue, vermillion, green}[n%3], nil}
		if n/3%2 == 1 {
			line.dashes = dashed
		}
		losses.lines = append(losses.lines, line)
	}
	return []panel{losses, margin, {"validation", []series{
		{"NDCG@10", func(e training.Epoch) float64 { return e.NDCG }, blue, nil},
		{"Recall@10", func(e training.Epoch) float64 { return e.Recall }, vermillion, nil},
	}}}
}

// Sizes of the picture.
const (
	dpi         = 110
	width       = 9 * vg.Inch
	panelHeight = 2.8 * vg.Inch
	legendWidth = 1.7 * vg.Inch // of the strip next to the panels
	pointsUpTo  = 40            // epochs; with more, points would hide the line
)

// PNG returns the picture: the losses over the epochs, the margin if it is learned, and the validation if there is one,
// with the best epoch marked. It needs at least one epoch.
func PNG(figures []string, epochs []training.Epoch) ([]byte, error) {
	var plots [][]*plot.Plot
	var legends []plot.Legend
	for k, panel := range panels(figures) {
		p, legend, err := drawPanel(panel, k == 0, epochs)
		if err != nil {
			return nil, err
		}
		if p != nil {
			plots, legends = append(plots, []*plot.Plot{p}), append(legends, legend)
		}
	}
	plots[len(plots)-1][0].X.Label.Text = "epoch"
	canvas := vgimg.NewWith(vgimg.UseWH(width, panelHeight*vg.Length(len(plots))), vgimg.UseDPI(dpi),
		vgimg.UseBackgroundColor(color.White))
	whole := draw.New(canvas)
	tiles := draw.Tiles{Rows: len(plots), Cols: 1, PadY: 12, PadTop: 12, PadBottom: 8, PadLeft: 8,
		PadRight: legendWidth}
	for i, row := range plot.Align(plots, tiles, whole) {
		plots[i][0].Draw(row[0])
		beside := whole
		beside.Min = vg.Point{X: row[0].Max.X + 10, Y: row[0].Min.Y}
		beside.Max.Y = row[0].Max.Y
		legends[i].Draw(beside)
	}
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(&b); err != nil {
		return nil, fmt.Errorf("drawing the learning curves: %w", err)
	}
	return b.Bytes(), nil
}

// drawPanel returns a panel and its legend, or nil for an empty one. A panel that is always shown has at least its
// first line.
func drawPanel(panel panel, always bool, epochs []training.Epoch) (*plot.Plot, plot.Legend, error) {
	p, legend := plot.New(), plot.NewLegend()
	p.Y.Label.Text = panel.label
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{whole: true}, ticks{}
	p.X.Min, p.X.Max = 1, float64(max(len(epochs), 2))
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Color, axis.Tick.Label.Color = ink, ink
		axis.Color, axis.Tick.Color = ink, ink
		axis.Label.TextStyle.Font.Size, axis.Tick.Label.Font.Size = 13, 11
	}
	legend.Top, legend.Left, legend.Padding = true, true, 2
	legend.TextStyle.Color, legend.TextStyle.Font.Size = ink, 11
	lattice := plotter.NewGrid()
	lattice.Vertical.Color, lattice.Horizontal.Color = grid, grid
	p.Add(lattice)
	seen := 0
	best := -1
	for i, e := range epochs {
		if e.Best {
			best = i
		}
	}
	for k, s := range panel.lines {
		var xy plotter.XYs
		changes := false
		for _, e := range epochs {
			if v := s.value(e); !math.IsNaN(v) && !math.IsInf(v, 0) {
				changes = changes || v != 0 && (panel.label != margins || v != s.value(epochs[0]))
				xy = append(xy, plotter.XY{X: float64(e.Number), Y: v})
			}
		}
		if len(xy) == 0 || !changes && !(always && k == 0) {
			continue
		}
		seen++
		line, points, err := plotter.NewLinePoints(xy)
		if err != nil {
			return nil, legend, fmt.Errorf("drawing the learning curves: %w", err)
		}
		line.Color, line.Width, line.Dashes = s.colour, 1.6, s.dashes
		points.Color, points.Shape, points.Radius = s.colour, draw.CircleGlyph{}, 2
		p.Add(line)
		if len(xy) <= pointsUpTo {
			p.Add(points)
		}
		legend.Add(s.name, line)
		if best >= 0 && panel.label == "validation" && k == 0 {
			mark, err := plotter.NewScatter(plotter.XYs{{X: float64(epochs[best].Number), Y: s.value(epochs[best])}})
			if err != nil {
				return nil, legend, fmt.Errorf("drawing the learning curves: %w", err)
			}
			mark.Color, mark.Shape, mark.Radius = ink, draw.RingGlyph{}, 5
			p.Add(mark)
			legend.Add(fmt.Sprintf("best: epoch %d", epochs[best].Number), mark)
		}
	}
	if seen == 0 {
		return nil, legend, nil
	}
	// No zooming into noise: a panel's axis begins at 0 if that is near.
	span := p.Y.Max - p.Y.Min
	if p.Y.Min > 0 && p.Y.Min < 2*span {
		p.Y.Min = 0
		span = p.Y.Max
	}
	if span == 0 { // all values are equal, and none is below 0
		p.Y.Min = 0
		if span = p.Y.Max; span == 0 {
			p.Y.Max, span = 1, 1
		}
	}
	p.Y.Max += 0.05 * span
	return p, legend, nil
}

// ticks sets a labelled tick at every 1, 2 or 5 of some power of ten, about five of them; only whole ones if whole.
type ticks struct{ whole bool }

func (t ticks) Ticks(from, to float64) (out []plot.Tick) {
	power := math.Floor(math.Log10((to - from) / 5))
	step := math.Pow(10, power)
	for _, by := range []float64{2, 5, 10} {
		if (to-from)/step > 6 {
			step = by * math.Pow(10, power)
		}
	}
	if t.whole {
		step = max(step, 1)
	}
	digits := max(0, int(-math.Floor(math.Log10(step))))
	for n := math.Ceil(from/step-1e-9) + 0; n*step <= to*(1+1e-9); n++ {
		out = append(out, plot.Tick{Value: n * step, Label: strconv.FormatFloat(n*step, 'f', digits, 64)})
	}
	return out
}

// figure returns a function that reads figure k of an epoch.
func figure(k int) func(training.Epoch) float64 {
	return func(e training.Epoch) float64 { return e.Figures[k] }
}
