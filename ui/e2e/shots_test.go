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

// shotLimit keeps the pictures small enough for a README.
const shotLimit = 250 << 10

var shots = flag.String("shots", "", "folder for the pictures of README and docs")

// TestShots writes screenshots of the page's views, in light and dark, on desktop and phone, to the folder -shots,
// relative to the root of the repository. README and docs show them. Without -shots it takes and discards the
// screenshots of a light desktop, to keep the code working.
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

// likeForShots likes the titles for the screenshots and dismisses messages.
func (v *visitor) likeForShots(likes []string) {
	v.Helper()
	v.like(likes...)
	v.lists(answer(visit(v, likes...), recommend.Request{}))
	v.press(words.ClearSearch)
	v.dismiss()
	see[bool](v, `(document.activeElement.blur(), scrollTo(0, 0), true)`)
}

// writePicture writes a screenshot as a PNG, and checks that it is small enough for a README.
func (v *visitor) writePicture(folder, name string) {
	v.Helper()
	if size := v.shoot(folder, name); size > shotLimit {
		v.Errorf("%s has %d KB; the limit is %d KB", name, size>>10, shotLimit>>10)
	}
}

// shoot writes a screenshot once the page has settled, and returns its size in bytes.
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

// smaller re-encodes a PNG with 256 colours: its most frequent ones, after dropping their lowest bits, and the nearest
// of them for others. For a screen of flat colours the loss is invisible.
func smaller(file []byte) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("cannot decode the browser's picture: %w", err)
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
	cells := map[[3]uint8]int{} // number of palette colours by neighbourhood
	for _, c := range slices.SortedFunc(maps.Keys(count), by) {
		cell := [3]uint8{c.R >> 4, c.G >> 4, c.B >> 4}
		if cells[cell] < 4 && len(palette) < 256 { // so that shades of one colour do not fill the palette
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
