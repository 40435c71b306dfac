//go:build !js

package e2e

import "testing"

// The map's points and mark symbols, which are blended by hand, look like the browser's own paths: in all shapes, sizes
// and colours, at any subpixel position, and where they overlap. Differences of a few levels out of 255 come from
// rounding positions to sixteenths of a pixel.
func TestDotsMatchTheBrowser(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	got := see[[]struct {
		Radius, Ratio, Mean float64
		Covered             float64 // share of the pixels
	}](v, `(async () => {
		const module = (name) => import("/sources/map/" + name + ".js");
		const [{ Raster }, { Sprites, colourOf, shape, shapeOf }, { Signs, sign }] =
			await Promise.all(["raster", "sprites", "marks"].map(module));
		const colours = ["rgb(200 30 40)", "#0a84c6", "rgb(20, 120, 60)", "#000", "#fff", "hsl(40 80% 50%)", "rgb(90 80 70)"];
		const W = 240, H = 200;
		const page = () => new OffscreenCanvas(W, H).getContext("2d", { willReadFrequently: true });
		let seed = 1;
		const random = () => (seed = (Math.imul(seed, 48271) >>> 0) % 2147483647) / 2147483647;
		const out = [];
		const compare = (radius, ratio, draw) => {
			const raster = new Raster(W, H), hand = page(), own = page();
			draw(raster, own);
			raster.copy(hand, 0, 50);
			raster.copy(hand, 50, H - 50);
			const [a, b] = [hand, own].map((g) => g.getImageData(0, 0, W, H).data);
			let sum = 0, covered = 0;
			for (let p = 0; p < a.length; p += 4) {
				covered += b[p + 3] > 0;
				for (let c = 0; c < 3; c++) { // on a grey background
					const on = (d) => d[p + 3] / 255 * (d[p + c] - 128);
					sum += Math.abs(on(a) - on(b));
				}
			}
			out.push({ Radius: radius, Ratio: ratio, Mean: sum / (3 * covered), Covered: covered / (W * H) });
		};
		for (const ratio of [1, 2]) {
			const place = () => [30 + random() * (W - 60), 30 + random() * (H - 60)];
			const group = () => random() < 0.1 ? 15 : Math.floor(random() * 7) | (Math.floor(random() * 4) << 4);
			for (const radius of [1.25, 2.5, 5.5]) {
				compare(radius, ratio, (raster, own) => {
					const sprites = new Sprites();
					sprites.prepare(radius, ratio, colours, W);
					for (let n = 0; n < 900; n++) {
						const [x, y] = place(), of = group(), size = Math.floor(random() * 3), out = random() < 0.3;
						raster.blend(sprites.of(of, size, out, x, y), Math.floor(x) + W * Math.floor(y));
						own.setTransform(1, 0, 0, 1, x, y);
						own.globalAlpha = out ? 0.1 : [0.42, 0.6, 0.85][size];
						own.fillStyle = colourOf(colours, of);
						shape(own, shapeOf(of), radius * ratio * [0.75, 1, 1.4][size]);
						own.fill();
					}
				});
			}
			compare(0, ratio, (raster, own) => { // the symbols
				const all = { genres: colours, ground: "#f7f5f0", you: "#b03010", soft: "#666" }, signs = new Signs();
				signs.prepare(ratio, all, W);
				for (let n = 0; n < 150; n++) {
					const [x, y] = place(), of = group(), mark = 1 + n % 3;
					raster.blend(signs.of(mark, of, x, y), Math.floor(x) + W * Math.floor(y));
					own.setTransform(ratio, 0, 0, ratio, 0, 0);
					sign(own, x / ratio, y / ratio, mark, of, all);
				}
			});
		}
		return out;
	})()`)
	for _, x := range got {
		t.Logf("radius %g, %g pixels each: %.2f levels apart in the painted %.0f%% of the picture", x.Radius,
			x.Ratio, x.Mean, 100*x.Covered)
		limit := 3.0
		if x.Radius == 0 { // symbols are opaque, with positions rounded to quarters of a pixel
			limit = 8
		}
		if x.Covered < 0.1 || x.Mean > limit {
			t.Errorf("radius %g, %g pixels each: %.2f levels apart", x.Radius, x.Ratio, x.Mean)
		}
	}
	v.noErrors()
}
