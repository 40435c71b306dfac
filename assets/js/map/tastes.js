// The tastes of one person on the map: for each, three nested ellipses, its share and its label.

import { morph } from "./motion.js";

const ROW = 16; // float32 numbers of a taste: its share, and x, y, a, b and angle of three ellipses, widest last
const OUTER = 10; // where the widest ellipse begins among the fifteen numbers

/**
 * Reads the program's bytes: {ellipses: five numbers each, three a taste; weights; labels}, by taste. turned: the plane
 * is turned by a right angle.
 */
export function tastes(bytes, labels, turned) {
  const rows = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  const n = rows.length / ROW;
  const ellipses = new Float32Array(n * (ROW - 1));
  for (let t = 0; t < n; t++) {
    ellipses.set(rows.subarray(t * ROW + 1, (t + 1) * ROW), t * (ROW - 1));
  }
  for (let e = 0; turned && e < ellipses.length; e += 5) {
    turn(ellipses, e);
    ellipses[e + 4] += Math.PI / 2;
  }
  return { ellipses, weights: Array.from({ length: n }, (_, t) => rows[t * ROW]), labels: labels.split("\n") };
}

/** Turns a place in the unit square by a right angle. */
export function turn(places, at) {
  [places[at], places[at + 1]] = [1 - places[at + 1], places[at]];
}

/** Each taste's fifteen numbers. */
export const nests = (of) =>
  Array.from({ length: of?.weights.length ?? 0 }, (_, t) => of.ellipses.subarray(t * (ROW - 1), (t + 1) * (ROW - 1)));

/**
 * Between two states, t from 0 to 1: each taste grows out of the earlier taste around it, or fades in from a wide one.
 */
export function towards(before, after) {
  const left = nests(before);
  const from = after.ellipses.slice();
  nests(after).forEach((to, t) => {
    const far = (nest) => Math.hypot(nest[0] - to[0], nest[1] - to[1]);
    const near = left.reduce((best, nest) => (best === null || far(nest) < far(best) ? nest : best), null);
    const place = from.subarray(t * (ROW - 1), (t + 1) * (ROW - 1));
    if (near !== null && far(near) <= Math.max(near[OUTER + 2], to[OUTER + 2])) {
      left.splice(left.indexOf(near), 1);
      place.set(near);
    } else {
      place.set(to.map((v, i) => (i % 5 === 2 || i % 5 === 3 ? 2 * v : v)));
    }
  });
  return (t) => ({ ...after, ellipses: morph(from, after.ellipses, t) });
}

/** The middle of all tastes, weighted by share, or the map's corner without any. */
export function middle(of) {
  let x = 0,
    y = 0,
    sum = 0;
  nests(of).forEach((nest, t) => {
    x += of.weights[t] * nest[0];
    y += of.weights[t] * nest[1];
    sum += of.weights[t];
  });
  return [x / (sum || 1), y / (sum || 1)];
}

/** Half the width and height of an ellipse. */
const reach = ([, , a, b, turn]) => [
  Math.hypot(a * Math.cos(turn), b * Math.sin(turn)),
  Math.hypot(a * Math.sin(turn), b * Math.cos(turn)),
];

/** The highest place of a taste's middle ellipse. */
export const top = (nest) => [nest[5], nest[6] + reach(nest.subarray(5, 10))[1]];

/** Corners of the rectangles around the widest ellipses: x and y of each. */
export const corners = (of) =>
  nests(of).flatMap((nest) => {
    const [x, y] = nest.subarray(OUTER);
    const [w, h] = reach(nest.subarray(OUTER));
    return [
      [x - w, y - h],
      [x + w, y + h],
    ];
  });
