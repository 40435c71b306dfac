/// <reference path="./frameworks.d.ts" />
import type { RecommenderError } from "./error.js";
import type { Answer, Suggestion } from "./pmlam.js";

export { RecommenderError } from "./error.js";
export { log, variant } from "./experiment.js";
export { visitor } from "./visitor.js";
export type { Visitor } from "./visitor.js";

/**
 * A list of items similar to `item` or, without that attribute, of recommendations for the visitor; `list` chooses
 * others. The element's own content is shown until the list is ready, and stays if there is no list.
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

/** The attributes of `<pmlam-recommendations>`, for frameworks. */
export interface RecommendationsAttributes {
  /** The model's URL, relative to the page. A URL that ends with a slash is the folder of a model in chunks. */
  model: string;
  /** The id of the item to list similar items for. */
  item?: string | number;
  /** Ids separated by spaces, added to the visitor's own likes. */
  likes?: string;
  /** The maximum number of items. Default: 10. */
  k?: string | number;
  /**
   * A URL template for each item's link, with the placeholders `{id}`, `{title}`, `{year}` and `{column}` for any column
   * of the catalogue. A placeholder on its own inserts a complete URL.
   */
  href?: string;
  /** A URL template for each item's picture, as `href`. */
  picture?: string;
  /** Columns to show below the title, separated by spaces. */
  detail?: string;
  /** The list's name for screen readers. */
  label?: string;
  /**
   * The list's name in the log of views and clicks. Lists without one are not logged. Two names choose the list, if the
   * model knows the order of likes: `next` lists what people choose after the visitor's recent items
   * (`visitor.viewed`), and `goes-with` what they choose with `item` or after it.
   */
  list?: "next" | "goes-with" | (string & {});
  /** The URL of a second model, whose list is interleaved with the first. The teams are `model` and `against`. */
  against?: string;
}

/**
 * A button that adds the item with the id `item` to the visitor's likes, or removes it. The element's content is the
 * button's text. It fires `pmlam-like`.
 *
 * Parts: `button`, `icon`, `label`. CSS variables: `--pmlam-background`, `--pmlam-pressed`, `--pmlam-radius`,
 * `--pmlam-focus`.
 *
 * @example
 * <pmlam-like item="17">I like this lamp</pmlam-like>
 */
export interface LikeElement extends HTMLElement {}

/** The attributes of `<pmlam-like>`, for frameworks. */
export interface LikeAttributes {
  /** The item's id. */
  item: string | number;
  /** The button's name for screen readers, instead of its text. */
  label?: string;
}

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
