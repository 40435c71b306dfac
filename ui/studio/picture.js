// The pictures of a training: its curves, and the map that forms.

const svg = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  return element;
};

const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Draws the curves, the latest in colour over the earlier ones: NDCG where it was measured, else the loss. Returns
 * whether it was measured, and the latest point.
 * @param {{values: {number: number, ndcg: number | null, loss: number}[]}[]} curves
 */
export function drawCurve(host, curves) {
  const measured = curves.some((c) => c.values.some((v) => v.ndcg !== null));
  const lines = curves
    .map((c) => c.values.map((v) => ({ number: v.number, value: measured ? v.ndcg : v.loss })))
    .map((line) => line.filter((p) => Number.isFinite(p.value)))
    .filter((line) => line.length > 0);
  const points = lines.flat();
  const most = Math.max(2, ...points.map((p) => p.number));
  const values = points.map((p) => p.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (n) => (100 * (n - 1)) / (most - 1);
  const y = (value) => 48 - (46 * (value - low)) / (high - low || 1);
  const picture = svg("svg", { viewBox: "-2 0 104 50", preserveAspectRatio: "none", "aria-hidden": "true" });
  lines.forEach((line, i) => {
    const path = line
      .map((p, k) => `${k === 0 ? "M" : "L"}${x(p.number).toFixed(2)} ${y(p.value).toFixed(2)}`)
      .join("");
    picture.append(
      svg("path", { d: path + (line.length === 1 ? "h0.1" : ""), class: i === lines.length - 1 ? "now" : "" }),
    );
  });
  host.replaceChildren(picture);
  return { measured, last: lines.at(-1)?.at(-1) ?? { number: 0, value: 0 } };
}

/**
 * Draws the map's points, x and y from -1 to 1, in the canvas's colour. With reduced motion it draws the first and the
 * last picture.
 */
export function drawMap(canvas, { points, step, steps }) {
  const width = canvas.clientWidth;
  if (width === 0 || (still.matches && canvas.width === Math.round(width * devicePixelRatio) && step < steps)) {
    return;
  }
  const size = Math.round(width * devicePixelRatio);
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(canvas).color;
  const n = points.length / 2;
  context.globalAlpha = n > 2000 ? 0.45 : 0.75;
  const radius = (devicePixelRatio * Math.min(4, Math.max(1, width / 6 / Math.sqrt(n || 1)))) | 0 || 1;
  const at = (v) => size * (0.5 + 0.47 * v);
  for (let i = 0; i < points.length; i += 2) {
    context.beginPath();
    context.arc(at(points[i]), at(points[i + 1]), radius, 0, 7);
    context.fill();
  }
}
