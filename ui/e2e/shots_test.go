//go:build !js

package e2e

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
)

// shotLimit keeps the pictures fit for a README.
const shotLimit = 250 << 10

var shots = flag.String("shots", "", "folder for the pictures of README and docs")

// TestShots writes pictures of the page's views, in light and dark, on a desktop and a phone, into the folder that
// -shots names, from the root of the repository. They are what README and docs show. Without -shots it takes
// those of a desktop in light, so that taking them stays possible, and throws them away.
func TestShots(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	folder := *shots
	all := folder != ""
	switch {
	case !all:
		folder = t.TempDir()
	case !filepath.IsAbs(folder):
		folder = filepath.Join(root, folder)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	likes := append(slices.Clone(three), "Amelie (Le Fabuleux destin d'Amélie Poulain)",
		"Spirited Away (Sen to Chihiro no kamikakushi)")
	for _, colours := range []string{"light", "dark"} {
		dark := colours == "dark"
		t.Run("desktop, "+colours, func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, persona{Dark: dark})
			v.open(ours.address)
			v.sees("list", words.Starters)
			v.writePicture(folder, "first-visit-"+colours)
			v.likeForShots(likes)
			v.writePicture(folder, "desktop-"+colours)
			v.byDistance()
			v.attribute("button", words.ViewDistance, "aria-pressed", "true")
			v.writePicture(folder, "distances-"+colours)
		})
		if !all {
			return
		}
		t.Run("phone, "+colours, func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, persona{Width: 390, Height: 844, Phone: true, Dark: dark, Scale: 2})
			v.open(ours.address)
			v.likeForShots(likes)
			v.writePicture(folder, "phone-next-"+colours)
			for _, tab := range []struct{ name, file string }{{words.TabMap, "map"}, {words.TabTaste, "taste"}} {
				v.tab(tab.name)
				v.writePicture(folder, "phone-"+tab.file+"-"+colours)
			}
		})
	}
}

// likeForShots likes what the pictures show, and puts away what tells of it.
func (v *visitor) likeForShots(likes []string) {
	v.Helper()
	v.like(likes...)
	v.lists(answer(visit(v, likes...), recommend.Request{}))
	v.press(words.ClearSearch)
	v.press(words.Close)
	v.misses("button", words.Undo)
	see[bool](v, `(document.activeElement.blur(), scrollTo(0, 0), true)`)
}

// writePicture writes what the screen shows as a PNG, which has to be fit for a README.
func (v *visitor) writePicture(folder, name string) {
	v.Helper()
	if size := v.shoot(folder, name); size > shotLimit {
		v.Errorf("%s has %d KB, more than the %d KB that a picture may have", name, size>>10, shotLimit>>10)
	}
}

// shoot writes what the screen shows, once the page has settled, as a PNG of so many bytes.
func (v *visitor) shoot(folder, name string) (size int) {
	v.Helper()
	v.settled()
	return v.shootNow(folder, name)
}

// shootNow is shoot for a page that does not settle.
func (v *visitor) shootNow(folder, name string) (size int) {
	v.Helper()
	see[bool](v, `visitor.frames(4).then(() => true)`)
	shot, err := chromedp.Run(v.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		v.Fatal(err)
	}
	if shot, err = smaller(shot); err != nil {
		v.Fatal(err)
	}
	file := filepath.Join(folder, name+".png")
	if err := os.WriteFile(file+".tmp", shot, 0o644); err != nil {
		v.Fatal(err)
	}
	if err := os.Rename(file+".tmp", file); err != nil {
		v.Fatal(err)
	}
	v.Logf("%s: %d KB", file, len(shot)>>10)
	return len(shot)
}

// smaller writes a PNG again with 256 colours: those that it has most of, after their lowest bits were dropped, and for
// every other one the nearest of them. A screen of flat colours loses nothing that can be seen.
func smaller(file []byte) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("the browser's picture cannot be read: %w", err)
	}
	size := decoded.Bounds()
	count := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA {
		r, g, b, _ := decoded.At(x, y).RGBA()
		return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
	}
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	by := func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G),
			cmp.Compare(a.B, b.B))
	}
	var palette color.Palette
	cells := map[[3]uint8]int{} // how many colours of a neighbourhood are in the palette
	for _, c := range slices.SortedFunc(maps.Keys(count), by) {
		cell := [3]uint8{c.R >> 4, c.G >> 4, c.B >> 4}
		if cells[cell] < 4 && len(palette) < 256 { // so that shades of one colour do not take all places
			cells[cell]++
			palette = append(palette, c)
		}
	}
	out := image.NewPaletted(size, palette)
	nearest := map[color.RGBA]uint8{}
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			c := at(x, y)
			i, ok := nearest[c]
			if !ok {
				i = uint8(palette.Index(c))
				nearest[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, out); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
