// Team-draft interleaving of two lists. Source: Radlinski, Kurup, Joachims, "How Does Clickthrough Data Reflect
// Retrieval Quality?", CIKM 2008.

import { RecommenderError } from "./error.js";
import { idOf } from "./log.js";
import { fields, reading } from "./plain.js";

const options = ["k", "seed", "teams", "atMost"];

export const interleave = (a, b, given = {}) => reading("option", () => mix(a, b, given));

function mix(a, b, given) {
  const wrong = (sentence, option) => new RecommenderError("option", sentence, { option });
  for (const name of fields(given)) {
    if (!options.includes(name)) {
      throw wrong(`interleave has no option "${name}"; choose from ${options.join(", ")}`, name);
    }
  }
  if (!Array.isArray(a) || !Array.isArray(b)) {
    throw wrong("interleave needs two arrays of items");
  }
  const { k = Math.max(a.length, b.length), seed, teams = ["a", "b"], atMost = null } = given;
  if (!Number.isInteger(k) || k < 0) {
    throw wrong("k must be a whole number from 0", "k");
  }
  if (seed !== undefined && !Number.isFinite(seed)) {
    throw wrong("seed must be a number", "seed");
  }
  const named = (team) => typeof team === "string" && team !== "";
  if (!Array.isArray(teams) || teams.length !== 2 || !teams.every(named) || teams[0] === teams[1]) {
    throw wrong("teams must be two different names", "teams");
  }
  if (atMost !== null && !(Number.isInteger(atMost.n) && atMost.n > 0 && named(atMost.column))) {
    throw wrong('atMost must be like { n: 2, column: "brand" }, with n a whole number from 1', "atMost");
  }
  const draw = seed === undefined ? Math.random : generator(seed);
  const lists = [a, b];
  const place = [0, 0]; // index of each list's next item
  const size = [0, 0]; // items picked by each team
  const taken = new Set();
  const groups = new Map(); // value in the column of atMost → number of items
  const group = (item) => (atMost && item.columns?.[atMost.column]?.trim()) || null;
  const open = (item) => !taken.has(idOf(item)) && !(groups.get(group(item)) >= atMost?.n);
  const mixed = [];
  while (mixed.length < k) {
    for (const t of [0, 1]) {
      while (place[t] < lists[t].length && !open(lists[t][place[t]])) {
        place[t]++;
      }
    }
    if (place[0] === lists[0].length || place[1] === lists[1].length) {
      break; // one list has no more items
    }
    const t = size[0] === size[1] ? Number(draw() < 0.5) : Number(size[1] < size[0]);
    const item = lists[t][place[t]];
    taken.add(idOf(item));
    if (group(item) !== null) {
      groups.set(group(item), (groups.get(group(item)) ?? 0) + 1);
    }
    size[t]++;
    mixed.push({ ...(typeof item === "object" ? item : { id: String(item) }), team: teams[t] });
  }
  return mixed;
}

/** Returns a generator of numbers in [0, 1): mulberry32, with two steps skipped to separate neighbouring seeds. */
function generator(seed) {
  let state = Math.trunc(seed) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
  next();
  next();
  return next;
}
