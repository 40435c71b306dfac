export { clicked, interleave, liked, log, shown, variant } from "./experiment.js";
export type { ExportedLog, LoggedEvent, LoggedSession } from "./experiment.js";
export { RecommenderError } from "./error.js";
export type { ErrorCode } from "./error.js";
export { Profile } from "./profile.js";
export type { ExportedProfile, Mark } from "./profile.js";
export { visitor } from "./visitor.js";
export type { Visitor } from "./visitor.js";

/**
 * An item, given as its id in the catalogue or as an object with an `id`, such as an item of an earlier answer or a row
 * of a database. Numbers and BigInts are converted to text: `6n` is `"6"`. Titles are not accepted here; use `find` or
 * `search` for them.
 */
export type Named = ID | { readonly id: ID };
type ID = string | number | bigint;

/** An item of the catalogue. */
export interface Item {
  id: string;
  /** The title without its year; the id if the catalogue has no title. */
  title: string;
  year: number | null;
  genres: string[];
  /** The catalogue's further columns as text, such as a price or a URL. Empty ones are left out. */
  columns: Record<string, string>;
  /** Whether the item had no ratings when the model was made. It is then ranked by its metadata. */
  new: boolean;
}

/** A recommended item, with the reasons for it. */
export interface Suggestion extends Item {
  /** The 2-Wasserstein distance between the visitor and the item, in latent units. */
  distance: number;
  /**
   * The share of the catalogue that scores lower, from 0 to 1. The score is the distance and, if the model has item
   * links, the direct support from the likes and their genres.
   */
  match: number;
  /**
   * The probability, from 0 to 1, that the visitor likes the item if they rate it. For data without ratings it is the
   * probability that they keep it among their first ten. Null for a visitor without likes and for an uncalibrated
   * model.
   */
  chance: number | null;
  /** The chance in words; null if the chance is. */
  certainty: "a gamble" | "a hunch" | "fairly sure" | "very sure" | null;
  /** The radius of the uncertainty along two dimensions, in latent units. */
  spread: number;
  /** Up to three likes that explain the item, each with its share from 0 to 1, the largest first. */
  because: (Item & { share: number })[];
  /**
   * The share of general popularity in the reasons, from 0 to 1; the likes have the rest. 0 without likes and for a
   * model without a prior.
   */
  general: number;
  /** Whether a rule put the item first. */
  pinned: boolean;
}

/** An item that two people would both like. */
export interface Shared extends Item {
  /** Whether a rule put the item first. */
  pinned: boolean;
  /** The item as it is suggested to the first and to the second person. */
  each: [Suggestion, Suggestion];
}

/** A list of results. */
export interface Answer<T> {
  /** The results, best first. */
  items: T[];
  /** The requested ids that the model does not have, without duplicates. They were skipped. */
  unknown: string[];
}

/**
 * The site's rules, which hold for every list. They apply in this order: items that are out of stock, excluded,
 * mentioned by the visitor or filtered out are dropped; then `atMost`, `pinned` and `boost` apply.
 *
 * Naming a column that the catalogue does not have is an error. Ids that the model does not have are skipped and
 * reported in `unknown`.
 *
 * @example
 * shop.recommend({ likes: ["17"], rules: { inStock: "stock", atMost: { n: 2, column: "brand" } } });
 */
export interface Rules {
  /** The column that says whether an item is available: empty, `0`, `no`, `false` and `out of stock` mean it is not. */
  inStock?: string | null;
  /** Items that are never listed. */
  excluded?: readonly Named[] | null;
  /** Items to list first, in this order; they are marked as `pinned`. */
  pinned?: readonly Named[] | null;
  /** Up to 16 boosts. */
  boost?: readonly Boost[] | null;
  /** List at most `n` items with the same text in `column`, counted over all pages of a list. */
  atMost?: { n: number; column: string } | null;
}

/** Moves items up, or down if the weight is negative. */
export interface Boost {
  column: string;
  /** Boost items whose column equals this value. Without it, the boost grows with the rank of the column's number. */
  value?: string | number | bigint | boolean | null;
  /** From -100 to 100, except 0. A weight of 1 ranks an item like one that is 2.7 times as likely. */
  weight: number;
}

/** Options of `recommend` and `together`. Unknown options are errors. */
export interface Request {
  likes?: readonly Named[] | null;
  dislikes?: readonly Named[] | null;
  /** Items that the visitor knows, without an opinion. They are not listed. */
  seen?: readonly Named[] | null;
  /** The maximum number of items, from 1 to 10,000. Default: 10. */
  k?: number | null;
  /** Default: `"for-you"`. */
  mode?: "for-you" | "hidden-gems" | "outside-bubble" | null;
  /** List only items with at least one of these genres. */
  genres?: readonly string[] | null;
  /** The first year to list, a whole number. Items without a year are then left out. */
  fromYear?: number | null;
  /** The last year to list, a whole number. Items without a year are then left out. */
  toYear?: number | null;
  /** List only items whose columns equal these values. */
  where?: Readonly<Record<string, string | number | bigint | boolean>> | null;
  /** Default: `"best"`. The other orders list every item that passes the filters and ignore `mode`. */
  order?: "best" | "known" | "new" | "title" | null;
  /** The number of items to skip at the start of the list, from 0 to 10,000. Default: 0. */
  skip?: number | null;
  /**
   * Items of late, such as viewed or bought ones, the latest last. If the model knows the order of likes (`about().order`),
   * the last 20 raise the items that people choose next, and then no chance is stated. Without likes they also count as
   * likes. A model in chunks does not take them.
   */
  recent?: readonly Named[] | null;
  /** List recent items too, as for goods that people buy again. Default: as the model says (`about().again`). */
  again?: boolean | null;
  /** Items of an earlier list to replace; the new items differ from them. */
  instead?: readonly Named[] | null;
  /** From 0 to 1: at 0.25, 0.5, 0.75 and 1, up to 2, 4, 6 and 8 of ten items are chosen for variety. Default: 0. */
  diversity?: number | null;
  /** From 0 to 1: at 0.25, 0.5, 0.75 and 1, up to 2, 4, 6 and 8 of ten items are drawn at random. Default: 0. */
  exploration?: number | null;
  /** The seed of random draws, a whole number from 0 to 2^53. Default: 0. The same seed gives the same list. */
  seed?: number | null;
  rules?: Rules | null;
}

/** Options of `similar`. The items that they mention are not listed. */
export interface SimilarRequest {
  likes?: readonly Named[] | null;
  dislikes?: readonly Named[] | null;
  seen?: readonly Named[] | null;
  /** The maximum number of items, from 1 to 10,000. Default: 10. */
  k?: number | null;
  rules?: Rules | null;
}

/** Facts about a model. */
export interface About {
  /** The name of the training data. */
  dataset: string;
  /** The number of users in the training data. */
  users: number;
  /** The number of items in the training data. */
  items: number;
  /** The number of likes in the training data. */
  positives: number;
  /** Always empty: model files do not store a date. */
  trained: string;
  /** The version of `pmlam` that trained the model. */
  program: string;
  /** The training preset. */
  preset: string;
  /** Measured quality, by the name of the metric. */
  metrics: Record<string, number>;
  licence: string;
  attribution: string;
  /** The SHA-256 checksum of the file. */
  digest: string;
  /** The scan in use: `"simd"`, or `"go"` if the engine lacks SIMD. */
  scan: "simd" | "go";
  /** Whether the model knows which items people choose after others (`next`, `goesWith`, `recent`). */
  order: boolean;
  /** Whether people choose items again, by the training data or the owner's word: the default of `again`. */
  again: boolean;
  /** The names of the catalogue's further columns. */
  columns: string[];
  /** All genres, most frequent first. */
  genres: string[];
}

/**
 * An open model. Create one with {@link open}.
 *
 * Every method except `close` throws a `RecommenderError` on invalid arguments.
 */
export class Recommender {
  private constructor();
  /** The number of items. */
  readonly length: number;
  readonly closed: boolean;
  /**
   * Recommends items to a visitor.
   *
   * @example
   * const { items } = shop.recommend({ likes: ["17", "42"], k: 10 });
   */
  recommend(request: Request): Answer<Suggestion>;
  /**
   * Recommends items that suit two people. `k`, `skip`, `diversity`, `instead`, `rules` and the filters (`genres`,
   * years, `where`) are taken from the first request; the second adds only `likes`, `dislikes` and `seen`.
   */
  together(first: Request, second: Request): Answer<Shared>;
  /**
   * Returns the items nearest to an item.
   *
   * @param options Options, or just the number of items.
   * @throws {RecommenderError} `unknown-item` if the model does not have the item.
   */
  similar(id: Named, options?: number | SimilarRequest | null): Answer<Suggestion>;
  /** Returns what people choose next: `recommend` with the items `recent`. */
  next(request: Request & { recent: readonly Named[] }): Answer<Suggestion>;
  /**
   * Returns items that go with an item: those that people choose with it or after it, then similar ones.
   *
   * @param options Options, or just the number of items.
   * @throws {RecommenderError} `unknown-item` if the model does not have the item.
   */
  goesWith(id: Named, options?: number | Omit<Request, "recent"> | null): Answer<Suggestion>;
  /**
   * Finds items by title while it is being typed, tolerating typing mistakes. A score of 1 is an exact match.
   *
   * @param limit The maximum number of items, from 1 to 10,000. Default: 10.
   */
  search(query: string, limit?: number | null): Answer<Item & { score: number }>;
  /**
   * Returns the item with a title, given with or without its year.
   *
   * @throws {RecommenderError} `unknown-item` if no title is similar.
   */
  find(title: string): Item;
  /**
   * Returns an item of the catalogue.
   *
   * @throws {RecommenderError} `unknown-item` if the model does not have the item.
   */
  item(id: Named): Item;
  /** Returns facts about the model, such as its training data, quality and licence. */
  about(): About;
  /** Frees the model. Closing the last open model also ends the program. Closing twice has no effect. */
  close(): void;
}

/**
 * An open model in chunks. Create one with {@link openChunked}.
 *
 * It fetches only the files that an answer needs. It has the methods of {@link Recommender}, but they return promises.
 * They also reject with the code `file` if a file cannot be fetched; the next call tries again. A list can miss items
 * that lie in chunks that were not fetched.
 *
 * Some options need the whole catalogue and are limited here:
 * - `order` must be `"best"`, and a `boost` needs a `value`;
 * - `k` and `skip` may add up to 1,000;
 * - `unknown` does not report ids of `seen` and `excluded`.
 */
export class ChunkedRecommender {
  private constructor();
  /** The number of items of the whole model. */
  readonly length: number;
  readonly closed: boolean;
  recommend(request: Request): Promise<Answer<Suggestion>>;
  together(first: Request, second: Request): Promise<Answer<Shared>>;
  similar(id: Named, options?: number | SimilarRequest | null): Promise<Answer<Suggestion>>;
  /**
   * Finds items by title. A little-known title appears once enough of it is typed, and mistyped words are found if
   * their first letters are right. Use `item` for the genres and columns of a result.
   */
  search(query: string, limit?: number | null): Promise<Answer<{
    id: string;
    title: string;
    year: number | null;
    score: number;
  }>>;
  /**
   * Returns the item with a title, among the titles that `search` looks at.
   *
   * @throws {RecommenderError} `unknown-item` if no title is similar.
   */
  find(title: string): Promise<Item>;
  item(id: Named): Promise<Item>;
  about(): Promise<About>;
  /**
   * Frees the model. Closing the last open model also ends the program. Calls in progress reject with the code
   * `closed`.
   */
  close(): void;
}

/** Options of `open` and `openChunked`. */
export interface OpenOptions {
  /**
   * The program: a URL, its bytes, or a module that the platform compiled. Default: `embed.wasm` next to `pmlam.js`.
   */
  program?: string | URL | BufferSource | WebAssembly.Module;
  /** The SIMD kernel, in the same forms. Default: the one in `pmlam.js`. Null runs without SIMD, which is slower. */
  kernel?: string | URL | BufferSource | WebAssembly.Module | null;
}

/**
 * Opens a model file. All open models share one program, and the options apply only to the call that starts it. In a
 * page, calls with the same URL share one model while it is open; add a query, such as `?v=2`, for a newer file.
 *
 * @param model The file's URL, relative to the page, or its bytes. In Node also a path or a `file:` URL.
 * @throws {RecommenderError} `option`, `file`, `model`, `program` or `no-webassembly`.
 * @example
 * import { open } from "@pmlam/recommender";
 *
 * const shop = await open("shop.msgpack");
 * const { items } = shop.recommend({ likes: ["17", "42"], k: 10 });
 */
export function open(model: string | URL | BufferSource, options?: OpenOptions): Promise<Recommender>;

/**
 * Opens a model in chunks, for catalogues too large for one download.
 *
 * @param folder The URL of the folder that `pmlam chunk --out` wrote, relative to the page. In Node also a path.
 * @throws {RecommenderError} `option`, `file`, `model`, `program` or `no-webassembly`.
 */
export function openChunked(folder: string | URL, options?: OpenOptions): Promise<ChunkedRecommender>;
