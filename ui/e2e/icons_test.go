//go:build !js

package e2e

import (
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var writeIcons = flag.Bool("icons", false, "write the PNG icons")

// The PNG icons match the SVG ones. -icons writes them.
func TestIcons(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.do(chromedp.Navigate("about:blank"))
	for _, icon := range []struct {
		name string
		size int
	}{{"icon", 192}, {"icon", 512}, {"mask", 180}, {"mask", 192}, {"mask", 512}} {
		source := filepath.Join(root, "assets/icons", icon.name+".svg")
		if icon.name == "mask" {
			source = "testdata/mask.svg" // only its PNGs are published
		}
		svg, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		drawn := v.draw(svg, icon.size)
		file := filepath.Join(root, "assets/icons", fmt.Sprintf("%s-%d.png", icon.name, icon.size))
		if *writeIcons {
			write(t, file, drawn)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("%v: run make icons", err)
		}
		if d := difference(t, b, drawn); d > 0.01 {
			t.Errorf("%s differs from %s.svg by %.3f of the range per pixel: run make icons", file,
				icon.name, d)
		}
	}
}

// draw renders the picture as a PNG of size × size pixels, keeping transparency.
func (v *visitor) draw(svg []byte, size int) []byte {
	v.Helper()
	drawn := see[string](v, fmt.Sprintf(`(async () => {
		const picture = new Image(%d, %[1]d);
		picture.src = "data:image/svg+xml;base64,%s";
		await picture.decode();
		const canvas = Object.assign(document.createElement("canvas"), { width: %[1]d, height: %[1]d });
		canvas.getContext("2d").drawImage(picture, 0, 0, %[1]d, %[1]d);
		return canvas.toDataURL("image/png").split(",")[1];
	})()`, size, base64.StdEncoding.EncodeToString(svg)))
	b, err := base64.StdEncoding.DecodeString(drawn)
	if err != nil {
		v.Fatal(err)
	}
	return b
}

// write writes the picture with maximum compression.
func write(t *testing.T, file string, picture []byte) {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, decoded); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// difference returns the mean difference of two pictures of the same size, from 0 to 1.
func difference(t *testing.T, a, b []byte) float64 {
	t.Helper()
	var pictures [2]image.Image
	for i, data := range [][]byte{a, b} {
		var err error
		if pictures[i], err = png.Decode(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	bounds := pictures[0].Bounds()
	if bounds != pictures[1].Bounds() {
		t.Fatalf("the pictures have the sizes %v and %v", bounds, pictures[1].Bounds())
	}
	sum := 0.0
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			var c [2][4]uint32
			for i, p := range pictures {
				c[i][0], c[i][1], c[i][2], c[i][3] = p.At(x, y).RGBA()
			}
			for k := range 4 {
				sum += max(float64(c[0][k]), float64(c[1][k])) - min(float64(c[0][k]), float64(c[1][k]))
			}
		}
	}
	return sum / 0xffff / 4 / float64(bounds.Dx()*bounds.Dy())
}

// The page is installable: the browser accepts the manifest without complaints, allows installation and finds the
// icons.
func TestInstallable(t *testing.T) {
	t.Parallel()
	for name, host := range hosts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			v := newVisitor(t, persona{Profile: t.TempDir()}) // installation needs a browser of its own
			v.open(h.address)
			manifest, err := chromedp.Call(v.ctx, page.GetAppManifest, page.GetAppManifestParams{})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(manifest.URL, h.address) || len(manifest.Errors) > 0 {
				t.Errorf("the manifest is %q; complaints: %+v", manifest.URL, manifest.Errors)
			}
			if m := manifest.Manifest; m == nil || m.StartURL != h.address || m.Scope != h.address ||
				len(m.Icons) != 4 {
				t.Errorf("the browser parsed the manifest as %+v", m)
			}
			result, err := chromedp.Call(v.ctx, page.GetInstallabilityErrors, cdp.Empty{})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range result.InstallabilityErrors {
				t.Errorf("not installable: %s %+v", e.ErrorID, e.ErrorArguments)
			}
			v.noErrors()
		})
	}
}
