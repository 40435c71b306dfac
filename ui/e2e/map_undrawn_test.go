//go:build !js

package e2e

import "testing"

// Extreme maps, made by hand: one with titles almost on a line, which is drawn and searched correctly, and one that
// cannot be drawn, which reports this once and hides.
func TestMapOfExtremes(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	see[bool](v, `(async () => {
		const { createMap } = await import("/sources/map/map.js");
		globalThis.make = (points) => {
			const host = document.createElement("div");
			host.style = "position: fixed; inset: 0; width: 400px; height: 300px";
			document.body.append(host);
			const bytes = (list) => new Uint8Array(Float32Array.from(list).buffer);
			const n = points.length / 2;
			const texts = Object.fromEntries(["label", "help", "you", "end", "wheel", "find", "found", "point", "from", "site", "unpainted", "regionsLabel", "regionNames", "regionLinks"].map((k) => [k, k]));
			const map = createMap(host, {
				...texts, titles: "x\n".repeat(n), points: bytes(points), weights: bytes(Array(n).fill(1)), groups: new Uint8Array(n).fill(15), regions: bytes([]),
				describe: () => "", search() {}, open() {}, say() {}, fail: () => map.fails = (map.fails ?? 0) + 1,
			});
			return map;
		};
		return true;
	})()`)
	// A plane with an empty second axis.
	see[bool](
		v,
		`(globalThis.flat = make(Array.from({ length: 4000 }, (_, i) => i % 2 ? 1e-18 * i : i / 4000))) !== null`,
	)
	until[bool](v, "the flat map to be drawn",
		`flat.width > 0 && flat.draw() !== undefined && !flat.motion.has("camera")`)
	if got := see[int](v, `flat.near.nearest(flat.plane[200], 0, 1, () => true)`); got != 100 {
		t.Errorf("on a line, the title nearest to the 100th is the %d", got)
	}
	if cells := see[int](v, `flat.near.starts.length`); cells > 3*2000+2 {
		t.Errorf("2,000 titles are in %d cells", cells)
	}
	// Errors in drawing are reported once.
	see[bool](v, `(globalThis.broken = make([0, 0, 1, 1])) !== null`)
	until[bool](v, "the map to be there", `broken.width > 0 && !broken.failed`)
	see[bool](v, `(broken.painter.under = () => { throw new Error("as the test has it"); }, broken.schedule(), true)`)
	until[bool](v, "the map to say that it cannot be drawn", `broken.fails === 1`)
	if see[bool](v, `broken.draw(), broken.draw(), broken.fails !== 1 || !broken.canvas.hidden`) {
		t.Error("a map that cannot be drawn continues, or is still visible")
	}
	v.noErrors("console.error: Error: as the test has it")
}
