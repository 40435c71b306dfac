package plot

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// Picture is a row of panels, written as Name.png and Name.svg.
type Picture struct {
	Name   string
	Panels []Panel
	Tall   bool // panels are taller than wide: for many close lines
}

// Panel is one plot. With the zero values of Square, LogX, LogY and Bottom its axes are linear and fit the data.
type Panel struct {
	Title, X, Y string
	Square      bool // both axes run from 0 to 1, with the diagonal, on which a statement is true
	LogX, LogY  bool // decadic axes; all values must be positive
	Lines       []Line
	Clouds      []Cloud
	Legend      Corner
}

// Line is a curve: points in order, with marks if Marks is set, and bars where High is above Low.
type Line struct {
	Name      string // "": not in the legend
	X, Y      []float64
	Low, High []float64 // bars of each point; nil: no bars
	Marks     bool
	Faint     bool // grey and thin
	Bold      bool // thick: the main line
}

// Cloud is a set of unordered points.
type Cloud struct {
	Name string
	X, Y []float64
}

// Corner is the place of the legend; the zero value is the lower right.
type Corner uint8

// The corners.
const (
	LowerRight Corner = iota
	UpperRight
	UpperLeft
	Beside // to the right of all panels, once for all: the legend of the first panel with this value
)

// Colours that people with any colour vision can distinguish (Okabe and Ito 2008), dark ones first.
var colours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff},
}

// style is the look of a line. Marks and colours have different periods, and dashes change when the colours repeat, so
// many lines differ in more than one way.
type style struct {
	color  color.RGBA
	dashes []vg.Length
	glyph  draw.GlyphDrawer
}

var (
	dashes = [][]vg.Length{nil, {vg.Points(5), vg.Points(2)}, {vg.Points(1.5), vg.Points(2)},
		{vg.Points(5), vg.Points(2), vg.Points(1.5), vg.Points(2)}}
	glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{},
		draw.RingGlyph{}, draw.SquareGlyph{}, draw.CrossGlyph{}}
)

var faint = color.RGBA{0xa0, 0xa4, 0xab, 0xff}

const (
	panelWidth  = 3.5 * vg.Inch
	panelHeight = 3.1 * vg.Inch
	tallHeight  = 5.5 * vg.Inch
	legendWidth = 1.7 * vg.Inch
)

// Write writes the picture into folder, created if missing, each file atomically, and returns the paths.
func (p *Picture) Write(folder string) (paths []string, err error) {
	if err := durable.OS.MakeFolder(folder); err != nil {
		return nil, fmt.Errorf("cannot create the folder for plots: %w", err)
	}
	for _, format := range []string{"png", "svg"} {
		path := filepath.Join(folder, p.Name+"."+format)
		if err := durable.WriteFile(durable.OS, path,
			func(w io.Writer) error { return p.Draw(w, format) }); err != nil {
			return nil, fmt.Errorf("writing the plot %s: %w", path, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// Draw draws the panels side by side. format is "png" or "svg".
func (p *Picture) Draw(w io.Writer, format string) error {
	plots := make([]*plot.Plot, len(p.Panels))
	var legend *plot.Legend
	for i := range p.Panels {
		var err error
		if plots[i], err = p.Panels[i].plot(); err != nil {
			return err
		}
		if p.Panels[i].Legend == Beside {
			if legend == nil {
				of := plots[i].Legend
				legend = &of
			}
			plots[i].Legend = plot.NewLegend()
		}
	}
	panels := panelWidth * vg.Length(len(p.Panels))
	width := panels
	if legend != nil {
		width += legendWidth
	}
	height := panelHeight
	if p.Tall {
		height = tallHeight
	}
	canvas, c, err := NewCanvas(format, width, height, 110)
	if err != nil {
		return err
	}
	if legend != nil {
		legend.Top, legend.Left, legend.ThumbnailWidth = true, true, vg.Points(24)
		legend.Draw(draw.Crop(c, panels, 0, 0, -vg.Points(20)))
	}
	tiles := draw.Tiles{
		Rows: 1, Cols: len(p.Panels), PadX: vg.Points(14),
		PadTop: vg.Points(6), PadBottom: vg.Points(6), PadLeft: vg.Points(6), PadRight: vg.Points(12),
	}
	for i, x := range plots {
		x.Draw(tiles.At(draw.Crop(c, 0, panels-width, 0, 0), i, 0))
	}
	_, err = canvas.WriteTo(w)
	return err
}

// NewCanvas returns an empty white picture of a size, its canvas, and its writer. format is "png", with dpi dots per
// inch, or "svg".
func NewCanvas(format string, width, height vg.Length, dpi int) (io.WriterTo, draw.Canvas, error) {
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch format {
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}
	case "svg":
		canvas = vgsvg.New(width, height)
	default:
		return nil, draw.Canvas{}, fmt.Errorf("unknown picture format %q; use png or svg", format)
	}
	c := draw.New(canvas)
	c.FillPolygon(color.White, c.ClipPolygonXY([]vg.Point{{X: 0, Y: 0}, {X: width, Y: 0}, {X: width, Y: height},
		{X: 0, Y: height}}))
	return canvas, c, nil
}

func (p *Panel) plot() (*plot.Plot, error) {
	x := plot.New()
	x.Title.Text, x.X.Label.Text, x.Y.Label.Text = p.Title, p.X, p.Y
	x.Title.TextStyle.Font.Size, x.Title.Padding = vg.Points(11), vg.Points(5)
	x.X.Label.TextStyle.Font.Size, x.Y.Label.TextStyle.Font.Size = vg.Points(9), vg.Points(9)
	x.X.Tick.Label.Font.Size, x.Y.Tick.Label.Font.Size = vg.Points(8), vg.Points(8)
	x.Legend.TextStyle.Font.Size, x.Legend.Padding, x.Legend.ThumbnailWidth = vg.Points(8), vg.Points(1), vg.Points(14)
	x.Legend.Top, x.Legend.Left = p.Legend != LowerRight, p.Legend == UpperLeft
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{0xe8}, color.Gray{0xe8}
	x.Add(grid)
	x.X.Tick.Marker, x.Y.Tick.Marker = round{}, round{}
	if p.LogX {
		x.X.Scale, x.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	if p.LogY {
		x.Y.Scale, x.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	if p.Square {
		diagonal, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
		if err != nil {
			return nil, err
		}
		diagonal.Color, diagonal.Dashes = faint, []vg.Length{vg.Points(3), vg.Points(3)}
		x.Add(diagonal)
		x.Legend.Add("as stated", diagonal)
	}
	for k, cloud := range p.Clouds {
		dots, err := plotter.NewScatter(points(cloud.X, cloud.Y))
		if err != nil {
			return nil, err
		}
		c := colours[k%len(colours)]
		c.R, c.G, c.B, c.A = c.R/2, c.G/2, c.B/2, 0x80 // half transparent, alpha multiplied in
		dots.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(1.2), Shape: draw.CircleGlyph{}}
		x.Add(dots)
		if cloud.Name != "" {
			x.Legend.Add(cloud.Name, dots)
		}
	}
	strong := 0
	for k := range p.Lines {
		look := style{color: faint, glyph: draw.CircleGlyph{}}
		if !p.Lines[k].Faint {
			look = style{colours[strong%len(colours)], dashes[strong/len(colours)%len(dashes)],
				glyphs[strong%len(glyphs)]}
			strong++
		}
		if err := p.Lines[k].add(x, look); err != nil {
			return nil, err
		}
	}
	switch {
	case p.Square:
		x.X.Min, x.X.Max, x.Y.Min, x.Y.Max = 0, 1, 0, 1
	case (p.Legend == UpperLeft || p.Legend == UpperRight) && !p.LogY: // room for the legend above the lines
		x.Y.Max += 0.08 * float64(len(p.Lines)) * (x.Y.Max - x.Y.Min)
	}
	return x, nil
}

// add draws the line into x.
func (l *Line) add(x *plot.Plot, look style) error {
	line, err := plotter.NewLine(points(l.X, l.Y))
	if err != nil {
		return err
	}
	line.Color, line.Width, line.Dashes = look.color, vg.Points(1.6), look.dashes
	switch {
	case l.Faint:
		line.Width = vg.Points(1)
	case l.Bold:
		line.Width = vg.Points(2.6)
	}
	x.Add(line)
	thumbs := []plot.Thumbnailer{line}
	if l.Low != nil {
		var at plotter.XYs
		var bars plotter.YErrors
		for i, y := range l.Y {
			if l.High[i] > l.Low[i] {
				at = append(at, plotter.XY{X: l.X[i], Y: y})
				bars = append(bars, struct{ Low, High float64 }{math.Max(y-l.Low[i], 0), math.Max(l.High[i]-y, 0)})
			}
		}
		if len(at) > 0 {
			e, err := plotter.NewYErrorBars(struct {
				plotter.XYs
				plotter.YErrors
			}{at, bars})
			if err != nil {
				return err
			}
			e.Color, e.Width, e.CapWidth = look.color, vg.Points(0.8), vg.Points(3)
			x.Add(e)
		}
	}
	if l.Marks {
		dots, err := plotter.NewScatter(points(l.X, l.Y))
		if err != nil {
			return err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: look.color, Radius: vg.Points(2.2), Shape: look.glyph}
		x.Add(dots)
		thumbs = append(thumbs, dots)
	}
	if l.Name != "" {
		x.Legend.Add(l.Name, thumbs...)
	}
	return nil
}

// round puts ticks at round numbers, four to eight of them.
type round struct{}

func (round) Ticks(low, high float64) (out []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, m := range []float64{5, 2} {
		if m*step <= (high-low)/4 {
			step *= m
			break
		}
	}
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step+0, 'g', 4, 64)})
	}
	return out
}

func points(x, y []float64) plotter.XYs {
	if len(x) != len(y) {
		panic(fmt.Sprintf("figure: a line has %d values of x and %d of y", len(x), len(y)))
	}
	out := make(plotter.XYs, len(x))
	for i := range x {
		out[i] = plotter.XY{X: x[i], Y: y[i]}
	}
	return out
}
