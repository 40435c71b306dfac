//go:build !js

package e2e

import "testing"

// The map's points, which are blended by hand, look as the browser's own paths do: in all shapes, sizes and colours, at any place within a
// pixel, and where they crowd. A few levels of 255 are the sixteenths of a pixel that places are rounded to.
func TestDotsAreAsTheBrowserDrawsThem(t *testing.T) {
	v := newVisitor(t, persona{})
	v.open(ours.address)
	got := see[[]struct {
		Radius, Ratio, Mean float64
		Covered             float64 // of the pixels
	}](v, `(async () => {
		const module = (name) => import(performance.getEntriesByType("resource").find((r) => r.name.includes("/" + name + ".")).name);
		const [{ Raster }, { Sprites, colourOf, shape, shapeOf }] = await Promise.all([module("map-raster"), module("map-sprites")]);
		const colours = ["rgb(200 30 40)", "#0a84c6", "rgb(20, 120, 60)", "#000", "#fff", "hsl(40 80% 50%)", "rgb(90 80 70)"];
		const W = 240, H = 200;
		const page = () => new OffscreenCanvas(W, H).getContext("2d", { willReadFrequently: true });
		let seed = 1;
		const random = () => (seed = (Math.imul(seed, 48271) >>> 0) % 2147483647) / 2147483647;
		const out = [];
		for (const ratio of [1, 2]) {
			for (const radius of [1.25, 2.5, 5.5]) {
				const raster = new Raster(W, H), sprites = new Sprites(), hand = page(), own = page();
				sprites.prepare(radius, ratio, colours, W);
				for (let n = 0; n < 900; n++) {
					const x = 30 + random() * (W - 60), y = 30 + random() * (H - 60);
					const group = random() < 0.1 ? 15 : Math.floor(random() * 7) | (Math.floor(random() * 4) << 4);
					const size = Math.floor(random() * 3), out = random() < 0.3;
					raster.blend(sprites.of(group, size, out, x, y), Math.floor(x) + W * Math.floor(y));
					own.setTransform(1, 0, 0, 1, x, y);
					own.globalAlpha = out ? 0.1 : [0.42, 0.6, 0.85][size];
					own.fillStyle = colourOf(colours, group);
					shape(own, shapeOf(group), radius * ratio * [0.75, 1, 1.4][size]);
					own.fill();
				}
				raster.copy(hand, 0, 50);
				raster.copy(hand, 50, H - 50);
				const [a, b] = [hand, own].map((g) => g.getImageData(0, 0, W, H).data);
				let sum = 0, covered = 0;
				for (let p = 0; p < a.length; p += 4) {
					covered += b[p + 3] > 0;
					for (let c = 0; c < 3; c++) { // as they look on grey
						const on = (d) => d[p + 3] / 255 * (d[p + c] - 128);
						sum += Math.abs(on(a) - on(b));
					}
				}
				out.push({ Radius: radius, Ratio: ratio, Mean: sum / (3 * covered), Covered: covered / (W * H) });
			}
		}
		return out;
	})()`)
	for _, x := range got {
		t.Logf("radius %g, %g pixels each: %.2f levels apart where anything is drawn, %.0f%% of the picture", x.Radius, x.Ratio, x.Mean, 100*x.Covered)
		if x.Covered < 0.1 || x.Mean > 3 {
			t.Errorf("radius %g, %g pixels each: %.2f levels apart", x.Radius, x.Ratio, x.Mean)
		}
	}
	v.quiet()
}
