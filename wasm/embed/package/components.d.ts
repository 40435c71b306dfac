import type { RecommenderError } from "./error.js";
import type { Answer, Suggestion } from "./pmlam.js";

export { RecommenderError } from "./error.js";
export { log, variant } from "./experiment.js";
export { visitor } from "./visitor.js";
export type { Visitor } from "./visitor.js";

/**
 * A list of items similar to `item` or, without that attribute, of recommendations for the visitor. The element's own
 * content is shown until the list is ready, and stays if there is no list.
 *
 * Attributes:
 * - `model`: the model's URL, relative to the page; a URL that ends with a slash is the folder of a model in chunks
 * - `item`: the id of the item to list similar items for
 * - `likes`: ids separated by spaces, added to the visitor's own likes
 * - `k`: the maximum number of items; default 10
 * - `href`, `picture`: a URL template for each item, with the placeholders `{id}`, `{title}`, `{year}` and `{column}`
 *   for any column of the catalogue; a placeholder on its own inserts a complete URL
 * - `detail`: columns to show below the title, separated by spaces
 * - `label`: the list's name for screen readers
 * - `list`: the list's name in the log of views and clicks; lists without one are not logged
 * - `against`: the URL of a second model, whose list is interleaved with the first; the teams are `model` and `against`
 *
 * The attribute `state` is `waiting` (not near the screen), `loading`, `ready`, `empty` (neither the visitor nor the
 * item is known to the model) or `failed`.
 *
 * Events: `pmlam-ready` and `pmlam-empty` with the answer, `pmlam-error` with the error.
 *
 * Parts: `list`, `item` (plus `pinned` if a rule put it first), `link`, `picture`, `title`, `detail`. CSS variables:
 * `--pmlam-width`, `--pmlam-gap`, `--pmlam-ratio`, `--pmlam-focus`.
 *
 * `<meta name="pmlam-rules">` sets rules for all lists of the page, as JSON of the type `Rules` in pmlam.d.ts. Items
 * that the visitor disliked or has seen are never listed.
 *
 * Where the browser has agents (WebMCP), the page offers the first list's model to them as the tools `recommend`,
 * `similar`, `search`, `explain` and `remember`; the last asks the visitor. `<meta name="pmlam-tools" content="off">`
 * switches this off, and a model's URL as the content names the model of a page without a list.
 *
 * @example
 * <pmlam-recommendations model="shop.msgpack" item="17" k="6" href="/p/{id}" label="Similar lamps">
 *   <a href="/lamps">All lamps</a>
 * </pmlam-recommendations>
 */
export interface RecommendationsElement extends HTMLElement {}

/**
 * A button that adds the item with the id `item` to the visitor's likes, or removes it. The element's content is the
 * button's text; the attribute `label` replaces it for screen readers. It fires `pmlam-like`.
 *
 * Parts: `button`, `icon`, `label`. CSS variables: `--pmlam-background`, `--pmlam-pressed`, `--pmlam-radius`,
 * `--pmlam-focus`.
 *
 * @example
 * <pmlam-like item="17">I like this lamp</pmlam-like>
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
