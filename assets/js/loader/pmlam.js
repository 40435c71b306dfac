// The recommender for your own page, without ours:
//
//   import { open } from "./embed/pmlam.js";
//   const films = await open("models/movielens.msgpack");
//   console.log(films.recommend({ likes: ["Heat", "Alien"], k: 10 }));
//
// All of it runs in the visitor's browser; after the model nothing is fetched and nothing is sent. Beside this file
// must lie instantiate.js, download.js, wasm_exec.js, embed.wasm and kernel.wasm (`make program MAIN=./wasm/embed
// PROGRAM=embed.wasm`). A page with a Content-Security-Policy has to allow script-src 'wasm-unsafe-eval' and
// connect-src for the files.

import "./wasm_exec.js";
import { bytes, download } from "./download.js";
import { hasSIMD, hasWebAssembly, instantiate } from "./instantiate.js";

/**
 * An item of the catalogue.
 * @typedef {{id: string, title: string, year: number | null, genres: string[]}} Item
 */

/**
 * A recommended item, and why.
 * @typedef {Item & {
 *   distance: number, match: number, chance: number | null, spread: number,
 *   certainty: "a gamble" | "a hunch" | "fairly sure" | "very sure" | null,
 *   because: (Item & {share: number})[]
 * }} Suggestion
 * distance: W2 between the visitor and the item, in latent units. match: the share of the catalogue that scores lower,
 * by distance and, where the model has links, by what the likes and their genres speak for directly. chance: that the
 * visitor likes the item if they rate it; without ratings in the data, that it stays among their first ten. certainty:
 * the same in a word. Both are null where they would rest on nothing: for a visitor without a like, and by a model
 * that is not calibrated. spread: the radius of the uncertainty. because: at most three liked items that speak for it,
 * with their shares.
 */

/**
 * What recommend is asked. Items are named by the catalogue's id or by title, with or without the year.
 * @typedef {{
 *   likes?: (string | number | Item)[], dislikes?: (string | number | Item)[], seen?: (string | number | Item)[],
 *   k?: number, mode?: "for-you" | "hidden-gems" | "outside-bubble",
 *   genres?: string[], fromYear?: number, toYear?: number, where?: Record<string, string>,
 *   order?: "best" | "known" | "new" | "title", skip?: number, instead?: (string | number | Item)[],
 *   diversity?: number, exploration?: number, seed?: number
 * }} Request
 * k: how many, 10 where it is left out. genres: at least one of these. where: further columns of the catalogue that
 * must equal a text. order: the best known, the newest, or by title, whatever the mode says. skip: how many of the
 * first to leave out. instead: items that were shown and make way; what comes is unlike them. diversity and
 * exploration: from 0 to 1; at 0.25, 0.5, 0.75 and 1 as many as 2, 4, 6 and 8 of ten are others: unlike the rest, or
 * drawn by lot. seed: of the lots; the same seed, the same answer.
 */

/** A model that is ready to answer. Every method throws an Error that is a sentence where it is asked wrongly. */
export class Recommender {
  #program;

  /** @private use open */
  constructor(program) {
    this.#program = program;
  }

  /** The number of items. */
  get length() {
    return this.#program.length;
  }

  /** @param {Request} request @returns {Suggestion[]} best first */
  recommend(request) {
    return value(this.#program.recommend(request));
  }

  /**
   * For two people, near both. Of the first request k, skip, diversity, instead, genres, years and where count too.
   * @param {Request} first @param {Request} second @returns {(Item & {each: [Suggestion, Suggestion]})[]} best first;
   *   each: what it is to the one and to the other
   */
  together(first, second) {
    return value(this.#program.together(first, second));
  }

  /**
   * @param {string | number | Item} item @param {number} [k] @returns {Suggestion[]} the nearest items, nearest first
   */
  similar(item, k) {
    return value(this.#program.similar(item, k));
  }

  /** @param {string} query as it is typed @param {number} [limit] @returns {(Item & {score: number})[]} best first */
  search(query, limit) {
    return value(this.#program.search(query, limit));
  }

  /** @param {string | number | Item} item an id or a title @returns {Item} */
  find(item) {
    return value(this.#program.find(item));
  }

  /** What is known of the model: data, licence, measured quality, and which scan is in use. */
  about() {
    return value(this.#program.about());
  }
}

function value(answer) {
  if (answer.error !== undefined) {
    throw new Error(answer.error);
  }
  return answer.value;
}

let started = null; // the program, shared by all models

async function start(files) {
  if (!hasWebAssembly()) {
    throw new Error("this browser has no WebAssembly, or has switched it off");
  }
  const go = new globalThis.Go();
  const { instance } = await instantiate(
    go,
    files.program ?? download(new URL("embed.wasm", import.meta.url).href),
    files.kernel ?? (hasSIMD() ? download(new URL("kernel.wasm", import.meta.url).href) : null),
  );
  return new Promise((resolve, reject) => {
    globalThis.pmlamHost = { offer: (name, f) => resolve({ [name]: f }) };
    // It runs until the page ends.
    go.run(instance).then(() => reject(new Error("the recommender's program stopped when it started")), reject);
  });
}

/**
 * Opens a model.
 *
 * @param {string | URL | Uint8Array} model its address, relative to the page, or the file itself
 * @param {{program?: BufferSource, kernel?: BufferSource}} [files] in place of what lies beside this file, for engines
 *   that cannot fetch; they count at the first call only
 * @returns {Promise<Recommender>}
 */
export async function open(model, files = {}) {
  started ??= start(files).catch((error) => {
    started = null; // the next call tries again
    throw error;
  });
  const [program, file] = await Promise.all([
    started,
    model instanceof Uint8Array ? model : download(String(model)).then(bytes),
  ]);
  return new Recommender(value(program.open(file)));
}
