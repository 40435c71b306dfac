import type { RecommenderError } from "./error.js";
import type { Answer, Suggestion } from "./pmlam.js";

export { RecommenderError } from "./error.js";
export { log, variant } from "./experiment.js";
export { visitor } from "./visitor.js";
export type { Visitor } from "./visitor.js";

/**
 * A list of what is like an item, or, without the attribute `item`, of what the visitor may like. What stands within
 * the element is shown until the list is ready, and where there is none.
 *
 * Attributes:
 * - `model`: the model's address, relative to the page; one that ends with a slash is a folder of a model in chunks
 * - `item`: an id: the list is of what is like it
 * - `likes`: ids with spaces between, which count beside what the visitor has marked
 * - `k`: how many at most, 10
 * - `href`, `picture`: an address for each item, in which `{id}`, `{title}`, `{year}` and `{column}` stand for what the
 *   catalogue says; `{column}` alone is a column that holds the address
 * - `detail`: names of columns, with spaces between, that are shown below the title
 * - `label`: what the list is called for screen readers
 * - `list`: a name by which it is logged when it is on the screen and when an item is chosen; without it nothing is
 * - `against`: another model's address: its list is interleaved with the first, by the teams `model` and `against`
 *
 * The attribute `state` says how far it is: `waiting` (not near the screen), `loading`, `ready`, `empty` (nothing is
 * known of the visitor or of the item) or `failed`. Parts: `list`, `item` (and `pinned`, where the rules put it first),
 * `link`, `picture`, `title`, `detail`. Variables: `--pmlam-width`, `--pmlam-gap`, `--pmlam-ratio`, `--pmlam-focus`.
 *
 * The page's `<meta name="pmlam-rules">` holds Rules of pmlam.d.ts as JSON, which every list holds. What the visitor
 * has marked as disliked or seen never comes.
 *
 * Events: `pmlam-ready` and `pmlam-empty` with the answer, `pmlam-error` with the error.
 */
export interface RecommendationsElement extends HTMLElement {}

/**
 * A button that says that the visitor likes an item: attribute `item`, its id. What stands within it is its text;
 * attribute `label` is what screen readers say in place of that. Parts: `button`, `icon`, `label`. Variables:
 * `--pmlam-background`, `--pmlam-pressed`, `--pmlam-radius`, `--pmlam-focus`. Event: `pmlam-like`.
 */
export interface LikeElement extends HTMLElement {}

declare global {
  interface HTMLElementTagNameMap {
    "pmlam-recommendations": RecommendationsElement;
    "pmlam-like": LikeElement;
  }
  interface HTMLElementEventMap {
    "pmlam-ready": CustomEvent<Answer<Suggestion>>;
    "pmlam-empty": CustomEvent<Answer<Suggestion>>;
    "pmlam-error": CustomEvent<{ error: RecommenderError }>;
    "pmlam-like": CustomEvent<{ item: string; liked: boolean }>;
  }
}
