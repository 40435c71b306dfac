package tune

import (
	"image/color"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	charts "github.com/pmlam/pmlam/core/lab/plot"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Size of a panel, and number of panels in a row.
const (
	panelWidth  = 3.2 * vg.Inch
	panelHeight = 2.5 * vg.Inch
	panelsWide  = 3
)

var (
	finishedColour = color.RGBA{R: 0x1b, G: 0x5e, B: 0x9b, A: 0xff} // finished trials
	stoppedColour  = color.RGBA{R: 0xb4, G: 0xb9, B: 0xc2, A: 0xff} // stopped ones
	bestColour     = color.RGBA{R: 0xd1, G: 0x3b, B: 0x1f, A: 0xff} // the best one
	lines          = color.RGBA{R: 0xe6, G: 0xe8, B: 0xec, A: 0xff}
)

// Picture draws the importance of each setting, and for each setting the NDCG@10 of the trials against its values:
// finished trials dark, stopped ones grey at their last measurement, the best one red. Diverged trials are left out.
// format is "png" or "svg".
func Picture(w io.Writer, format string, space Space, trials []choose.Trial) error {
	panels := []*plot.Plot{}
	important := Importances(space, trials)
	bars, err := barsOf(important)
	if err != nil {
		return err
	}
	panels = append(panels, bars)
	low, high := rangeOf(trials)
	for _, m := range important {
		for i := range space {
			if space[i].Name == m.Name {
				p, err := scatter(&space[i], trials, low, high)
				if err != nil {
					return err
				}
				panels = append(panels, p)
			}
		}
	}
	rows := (len(panels) + panelsWide - 1) / panelsWide
	width, height := panelWidth*panelsWide, panelHeight*vg.Length(rows)
	canvas, c, err := charts.NewCanvas(format, width, height, vgimg.DefaultDPI)
	if err != nil {
		return err
	}
	tiles := draw.Tiles{
		Rows: rows, Cols: panelsWide,
		PadTop: vg.Points(8), PadBottom: vg.Points(8), PadLeft: vg.Points(8), PadRight: vg.Points(14),
		PadX: vg.Points(18), PadY: vg.Points(16),
	}
	for i, p := range panels {
		p.Draw(tiles.At(c, i%panelsWide, i/panelsWide))
	}
	_, err = canvas.WriteTo(w)
	return err
}

func panel(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = vg.Points(11)
	p.Title.Padding = vg.Points(4)
	p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = vg.Points(8), vg.Points(8)
	p.X.Label.TextStyle.Font.Size, p.Y.Label.TextStyle.Font.Size = vg.Points(9), vg.Points(9)
	p.X.Padding, p.Y.Padding = vg.Points(3), vg.Points(3)
	return p
}

// barsOf draws the importances, the largest on top.
func barsOf(all []Importance) (*plot.Plot, error) {
	p := panel("Share of the ranks' variance explained")
	n := len(all)
	values, names := make(plotter.Values, n), make([]string, n)
	for i, m := range all {
		values[n-1-i], names[n-1-i] = m.Explained, m.Name
	}
	bars, err := plotter.NewBarChart(values, 0.6*panelHeight/vg.Length(n+2))
	if err != nil {
		return nil, err
	}
	bars.Horizontal, bars.Color, bars.LineStyle.Width = true, finishedColour, 0
	p.Add(bars)
	p.NominalY(names...)
	p.X.Min = 0
	p.X.Max = max(p.X.Max, 0.1)
	return p, nil
}

// rangeOf returns the range of the NDCG axis: from the worst finished trial to the best, extended downwards for stopped
// trials to at most twice that range.
func rangeOf(trials []choose.Trial) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, t := range trials {
		if t.State == choose.Complete {
			low, high = min(low, t.NDCG), max(high, t.NDCG)
		}
	}
	if low > high {
		return 0, 1
	}
	floor := low - max(high-low, 0.005)
	for _, t := range trials {
		if t.State == choose.Stopped {
			low = max(min(low, t.NDCG), floor)
		}
	}
	margin := max(high-low, 0.001) / 20
	return low - margin, high + margin
}

func scatter(s *Param, trials []choose.Trial, low, high float64) (*plot.Plot, error) {
	p := panel(s.Name)
	p.Y.Label.Text = "validation NDCG@10"
	p.Y.Min, p.Y.Max = low, high
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = lines, lines
	p.Add(grid)
	var finished, stopped, best plotter.XYs
	top := Best(trials)
	for i := range trials {
		t := &trials[i]
		text, ok := t.Values[s.Name]
		if !ok || t.State == choose.Diverged {
			continue
		}
		at := plotter.XY{X: s.Number(text), Y: t.NDCG}
		switch {
		case top != nil && t.Number == top.Number:
			best = append(best, at)
		case t.State == choose.Stopped:
			at.Y = max(at.Y, low)
			stopped = append(stopped, at)
		default:
			finished = append(finished, at)
		}
	}
	for _, kind := range []struct {
		points plotter.XYs
		colour color.Color
		radius vg.Length
	}{{stopped, stoppedColour, 2.2}, {finished, finishedColour, 2.6}, {best, bestColour, 4}} {
		if len(kind.points) == 0 {
			continue
		}
		dots, err := plotter.NewScatter(kind.points)
		if err != nil {
			return nil, err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: kind.colour, Radius: kind.radius, Shape: draw.CircleGlyph{}}
		p.Add(dots)
	}
	p.Y.Min, p.Y.Max = low, high
	switch {
	case s.Values != nil:
		p.X.Min, p.X.Max = -0.5, float64(len(s.Values))-0.5
		var ticks plot.ConstantTicks
		for i, v := range s.Values {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: v})
		}
		p.X.Tick.Marker = ticks
	case s.Log:
		p.X.Min, p.X.Max = math.Log(s.Low), math.Log(s.High)
		p.X.Tick.Marker = logTicks(s.Low, s.High)
	default:
		p.X.Min, p.X.Max = s.Low, s.High
	}
	return p, nil
}

// logTicks labels 1, 2 and 5 times the powers of ten on an axis that holds natural logarithms.
func logTicks(low, high float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, e)
			if v < low*0.999 || v > high*1.001 {
				continue
			}
			label := strconv.FormatFloat(v, 'g', 3, 64)
			if math.Log10(high/low) > 2.5 && m != 1 {
				label = ""
			}
			ticks = append(ticks, plot.Tick{Value: math.Log(v), Label: label})
		}
	}
	return ticks
}
