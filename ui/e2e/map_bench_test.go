//go:build !js

package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// frames lets the page's own pointer events drag the map in circles, or the wheel zoom it in and out, one event per
// frame. It returns the milliseconds between frames, and those spent drawing.
const frames = `(async (zoom, n) => {
	const canvas = document.getElementById("map-canvas"), r = canvas.getBoundingClientRect(), map = canvas.parentElement.map;
	const send = (type, x, y, more) => canvas.dispatchEvent(new (type === "wheel" ? WheelEvent : PointerEvent)(type,
		{ pointerId: 1, pointerType: "mouse", bubbles: true, cancelable: true, clientX: r.x + x, clientY: r.y + y, ...more }));
	canvas.setPointerCapture = () => {}; // no real pointer to capture
	const frame = () => new Promise(requestAnimationFrame);
	const draw = map.draw;
	let spent = 0;
	map.draw = () => {
		const since = performance.now(), more = draw.call(map);
		map.context.getImageData(0, 0, 1, 1); // forces the deferred drawing
		spent = performance.now() - since;
		return more;
	};
	const apart = [], drawing = [];
	for (let i = 0; i < 20; i++) await frame();
	let x = r.width / 2, y = r.height / 2;
	if (!zoom) send("pointerdown", x, y);
	let before = await frame();
	for (let i = 0; i < n; i++) {
		if (zoom) {
			send("wheel", x, y, { deltaY: i %% 60 < 30 ? -12 : 12, ctrlKey: false, metaKey: true });
		} else {
			send("pointermove", x += 7 * Math.cos(i / 40), y += 7 * Math.sin(i / 40));
		}
		const now = await frame();
		apart.push(now - before);
		drawing.push(spent);
		before = now;
	}
	send("pointerup", x, y);
	delete canvas.setPointerCapture;
	delete map.draw;
	return [apart, drawing];
})(%t, 240)`

// BenchmarkMap measures how smooth the map is while being dragged and zoomed, for four seconds each: the time between
// frames, 16.7 ms if none is late, the time to draw one, and the CPU time of the page's thread per frame, which a busy
// machine does not inflate. The browser renders in software.
func BenchmarkMap(b *testing.B) {
	for _, n := range sizes {
		for _, zoom := range []bool{false, true} {
			b.Run(fmt.Sprint(n, map[bool]string{false: "/drag", true: "/zoom"}[zoom]), func(b *testing.B) {
				h := sizeHost(b, n)
				v := newVisitor(b, persona{})
				v.open(h.address)
				v.press(see[[]string](v, `visitor.names("button", ["list", `+quote(words.Starters)+`])`)[0])
				v.press(words.ZoomIn)
				v.press(words.ZoomIn)
				if _, err := chromedp.Call(v.ctx, performance.Enable,
					performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
					b.Fatal(err)
				}
				var apart, drawing []float64
				before := v.busy()
				for b.Loop() {
					took := see[[2][]float64](v, fmt.Sprintf(frames, zoom))
					apart, drawing = append(apart, took[0]...), append(drawing, took[1]...)
				}
				b.ReportMetric((v.busy()-before)*1000/float64(len(apart)), "cpu-ms")
				report(b, apart)
				p50, p95, _ := quantiles(drawing)
				b.ReportMetric(p50, "draw-p50-ms")
				b.ReportMetric(p95, "draw-p95-ms")
			})
		}
	}
}

// busy returns the CPU time in seconds that the page's thread has spent on its tasks.
func (v *visitor) busy() float64 {
	v.Helper()
	m, err := chromedp.Call(v.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		v.Fatal(err)
	}
	for _, x := range m.Metrics {
		if x.Name == "TaskDuration" {
			return x.Value
		}
	}
	v.Fatal("the browser does not report its CPU time")
	return 0
}
