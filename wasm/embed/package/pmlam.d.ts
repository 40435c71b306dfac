export { clicked, interleave, liked, log, shown, variant } from "./experiment.js";
export type { ExportedLog, LoggedEvent, LoggedSession } from "./experiment.js";
export { RecommenderError } from "./error.js";
export type { ErrorCode } from "./error.js";
export { Profile } from "./profile.js";
export type { ExportedProfile, Mark } from "./profile.js";
export { visitor } from "./visitor.js";
export type { Visitor } from "./visitor.js";

/**
 * An item as a question names it: the catalogue's id, or an item of an earlier answer or a row of a database, which has
 * it. A number or a BigInt is the id that it is written as. Titles are for find and search.
 */
export type Named = ID | { readonly id: ID };
type ID = string | number | bigint;

/** An item of the catalogue. */
export interface Item {
  id: string;
  /** Without the year; the id where no title is known. */
  title: string;
  year: number | null;
  genres: string[];
  /** The catalogue's further columns as text, such as a price or an address; those that are empty are left out. */
  columns: Record<string, string>;
  /** Nobody had rated it when the model was made: it stands where what is known of it says. */
  new: boolean;
}

/** A recommended item, and why. */
export interface Suggestion extends Item {
  /** W2 between the visitor and the item, in latent units. */
  distance: number;
  /**
   * From 0 to 1: the share of the catalogue that scores lower, by distance and, where the model has links, by what the likes and
   * their genres speak for directly.
   */
  match: number;
  /**
   * From 0 to 1: the chance that the visitor likes the item if they rate it; without ratings in the data, that it stays among their first ten.
   * It and certainty are null where they would rest on nothing: for a visitor without a like, and by a model that is
   * not calibrated.
   */
  chance: number | null;
  /** The chance in a word. */
  certainty: "a gamble" | "a hunch" | "fairly sure" | "very sure" | null;
  /** The radius of the uncertainty along two dimensions, in latent units as distance is. */
  spread: number;
  /** At most three liked items that speak for it, with their shares from 0 to 1, the largest first. */
  because: (Item & { share: number })[];
  /** From 0 to 1: the share of what people like in general, beside those of the likes; 0 without likes and by a model without a prior. */
  general: number;
  /** The rules put it first. */
  pinned: boolean;
}

/** Something that two people would both like, and what it is to each of them. */
export interface Shared extends Item {
  /** The rules put it first. */
  pinned: boolean;
  each: [Suggestion, Suggestion];
}

export interface Answer<T> {
  /** The best first. */
  items: T[];
  /** Ids of the question that the model does not have, each once. They were skipped. */
  unknown: string[];
}

/**
 * What a list has to hold, in whatever way it is asked for. What is out of stock or excluded never comes, nor what the
 * visitor has mentioned, nor what a filter leaves out; then atMost, pinned and boost count, in this order. A column that
 * the catalogue does not have is an error; ids that the model does not have are skipped and reported.
 */
export interface Rules {
  /** The column that says whether an item can be had: empty, 0, no, false and "out of stock" say that it cannot. */
  inStock?: string | null;
  /** These never come. */
  excluded?: readonly Named[] | null;
  /** These come first, in this order, and are marked. */
  pinned?: readonly Named[] | null;
  /** At most 16. */
  boost?: readonly Boost[] | null;
  /** At most n items that have the same text in the column, all pages of a list taken together. */
  atMost?: { n: number; column: string } | null;
}

/** Moves items up, or down where the weight is below 0. By 1 an item is as likely as one that is 2.7 times as likely. */
export interface Boost {
  column: string;
  /** Items whose column is this. Without it: the larger the column's number, the more. */
  value?: string | number | bigint | boolean | null;
  /** From -100 to 100, and not 0. */
  weight: number;
}

/** What recommend is asked. An option that is not among these is an error. */
export interface Request {
  likes?: readonly Named[] | null;
  dislikes?: readonly Named[] | null;
  /** What they know and say nothing of; it does not come. */
  seen?: readonly Named[] | null;
  /** How many at most, from 1 to 10,000; 10 where it is left out. */
  k?: number | null;
  mode?: "for-you" | "hidden-gems" | "outside-bubble" | null;
  /** At least one of these. */
  genres?: readonly string[] | null;
  /** The first and the last year that may come, whole numbers; an item without a year does not come then. */
  fromYear?: number | null;
  toYear?: number | null;
  /** Further columns of the catalogue that must equal a text. One that it does not have is an error. */
  where?: Readonly<Record<string, string | number | bigint | boolean>> | null;
  /** All but "best": everything that passes the filters, whatever mode says. */
  order?: "best" | "known" | "new" | "title" | null;
  /** How many of the first to leave out, from 0 to 10,000. */
  skip?: number | null;
  /** Items that were shown and make way; what comes is unlike them. */
  instead?: readonly Named[] | null;
  /** From 0 to 1: at 0.25, 0.5, 0.75 and 1 as many as 2, 4, 6 and 8 of ten are unlike the rest. */
  diversity?: number | null;
  /** From 0 to 1: at 0.25, 0.5, 0.75 and 1 as many as 2, 4, 6 and 8 of ten are drawn by lot. */
  exploration?: number | null;
  /** Of the lots, a whole number from 0 to 2^53, 0 where it is left out; the same seed, the same answer. */
  seed?: number | null;
  rules?: Rules | null;
}

/** What similar may be told beside the item. None of what is mentioned comes. */
export interface SimilarRequest {
  likes?: readonly Named[] | null;
  dislikes?: readonly Named[] | null;
  seen?: readonly Named[] | null;
  /** How many at most, from 1 to 10,000; 10 where it is left out. */
  k?: number | null;
  rules?: Rules | null;
}

/** What is known of a model. */
export interface About {
  /** What it was trained on: a name, and how many users, items and likes that had. */
  dataset: string;
  users: number;
  items: number;
  positives: number;
  /** Always empty: a model file holds no date. */
  trained: string;
  /** The version of pmlam, and the preset, that trained it. */
  program: string;
  preset: string;
  /** Measured quality, by name. */
  metrics: Record<string, number>;
  licence: string;
  attribution: string;
  /** SHA-256 of the file. */
  digest: string;
  /** "simd", or "go" where the engine has no SIMD. */
  scan: "simd" | "go";
  /** The names of the catalogue's further columns. */
  columns: string[];
  /** All genres, the most frequent first. */
  genres: string[];
}

/** A model that is open. Every method but close throws a RecommenderError where it is asked wrongly. */
export class Recommender {
  private constructor();
  /** The number of items. */
  readonly length: number;
  readonly closed: boolean;
  recommend(request: Request): Answer<Suggestion>;
  /** For two people, near both. Of the first k, skip, diversity, instead, genres, years, where and rules count too. */
  together(first: Request, second: Request): Answer<Shared>;
  /**
   * The nearest items, at most k; a number stands for { k }.
   *
   * @throws {RecommenderError} `unknown-item` where no item has the id
   */
  similar(id: Named, options?: number | SimilarRequest | null): Answer<Suggestion>;
  /** By title as it is typed, mistyped ones too; at most limit, from 1 to 10,000 (10). A score of 1 is the very title. */
  search(query: string, limit?: number | null): Answer<Item & { score: number }>;
  /** The item of a title, with or without its year. @throws {RecommenderError} `unknown-item` where none is like it */
  find(title: string): Item;
  /** @throws {RecommenderError} `unknown-item` */
  item(id: Named): Item;
  about(): About;
  /** Frees the model, and with the last model the program. A closed model answers nothing; closing again does nothing. */
  close(): void;
}

/**
 * A model in chunks that is open: of what `pmlam chunk` wrote it fetches what a question needs. Methods answer as those
 * of Recommender do and promise it; besides, a RecommenderError with the code `file` says that a part could not be
 * fetched, and the next question tries again. Of what the whole model would list a title can be missing, where it lies
 * in a chunk that was not fetched.
 *
 * Some of Recommender needs all items: order must be "best", a rule's boost needs a value, k and skip are 1,000 at most
 * together, and unknown names no id of seen and excluded.
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
   * As of Recommender, among the titles that lie where the query is looked up: little-known ones come once enough of
   * them is typed, and mistyped words where their first letters are right. What else is known of a title, item says.
   */
  search(query: string, limit?: number | null): Promise<Answer<{
    id: string;
    title: string;
    year: number | null;
    score: number;
  }>>;
  /** Of the titles that search looks at. @throws {RecommenderError} `unknown-item` where none is like it */
  find(title: string): Promise<Item>;
  item(id: Named): Promise<Item>;
  about(): Promise<About>;
  /** Frees the model, and with the last model the program. What is being asked is rejected with the code `closed`. */
  close(): void;
}

/**
 * Opens a model in chunks.
 *
 * @param folder the address of the folder that `pmlam chunk --out` wrote, relative to the page; under Node a path too
 * @throws {RecommenderError} `option`, `file`, `model`, `program` or `no-webassembly`
 */
export function openChunked(folder: string | URL, options?: OpenOptions): Promise<ChunkedRecommender>;

export interface OpenOptions {
  /** In place of embed.wasm beside pmlam.js: its address, its bytes, or the module that the platform has compiled. */
  program?: string | URL | BufferSource | WebAssembly.Module;
  /** In place of the kernel for SIMD that pmlam.js holds: likewise; null: do without, which is slower. */
  kernel?: string | URL | BufferSource | WebAssembly.Module | null;
}

/**
 * Opens a model. All models that are open share one program; the options count for the model that starts it.
 *
 * @param model its address, relative to the page, or the file's bytes; under Node a path or a file: address too
 * @throws {RecommenderError} `option`, `file`, `model`, `program` or `no-webassembly`
 */
export function open(model: string | URL | BufferSource, options?: OpenOptions): Promise<Recommender>;
