import type { Rules } from "./pmlam.js";

/** An item: its id, or an object with an id, such as an item of an answer. */
type Listed = ID | { readonly id: ID };
type ID = string | number | bigint;

/** An event of a session. In `items`, an item's index is its position in the list. */
export type LoggedEvent =
  | { event: "shown"; list: string; items: string[]; teams?: string[] }
  | { event: "clicked"; list: string; item: string }
  | { event: "liked"; list: string; item: string };

/** The events of a visit. A session ends after 30 minutes without an event. */
export interface LoggedSession {
  /** 128 random bits, which let `pmlam compare` drop sessions that it reads twice. */
  key?: string;
  /** The day on which the session began, in UTC: `2026-11-24`. */
  day: string;
  /** The assigned variants, by experiment. */
  variants: Record<string, string>;
  /** The index of `events[0]` in the session. Earlier events are no longer stored. */
  first: number;
  /** The events in order. */
  events: LoggedEvent[];
}

/**
 * The result of `log`: JSON data, one line of input for `pmlam compare`. It does not identify the visitor or device.
 */
export interface ExportedLog {
  format: "pmlam-log";
  version: 1;
  /** The sessions, oldest first. */
  sessions: LoggedSession[];
}

/**
 * Returns this device's variant of an experiment. All variants are equally likely, in whatever order they are listed.
 * The result stays the same on all pages if the visitor consented, and until the page is left otherwise.
 *
 * @param name The experiment's name. A session has at most 100 experiments.
 * @param variants From 2 to 100 different names. All names have 1 to 64 characters.
 * @throws {RecommenderError} `log` if a name or the number of variants is invalid.
 * @example
 * const mode = variant("mode", ["for-you", "hidden-gems"]);
 */
export function variant<V extends string>(name: string, variants: readonly V[]): V;

/**
 * Logs that a list was shown.
 *
 * @param list The list's name, 1 to 64 characters.
 * @param items The 1 to 200 items in their order on the page, with their teams if they come from `interleave`. Ids have
 * at most 1,024 characters each and 25,000 together.
 * @throws {RecommenderError} `log` if the list, an item or a team is invalid.
 */
export function shown(
  list: string,
  items: readonly (ID | { readonly id: ID; readonly team?: string })[],
): void;

/**
 * Logs that the visitor chose an item of a list. It returns false and logs nothing if the list, as last shown in this
 * session, does not have the item.
 *
 * @throws {RecommenderError} `log` if the list or the item is invalid.
 */
export function clicked(list: string, item: Listed): boolean;

/**
 * Logs that the visitor liked an item, for the last list that showed it. It returns false and logs nothing if no list
 * of this session did.
 *
 * @throws {RecommenderError} `log` if the item is invalid.
 */
export function liked(item: Listed): boolean;

/**
 * Returns the log of this device, about 100,000 characters of JSON at most. Nothing is sent; that is up to your code.
 *
 * @param options `keys: false` leaves out the session keys. `keep: false` deletes the returned events but keeps the
 * variants. Both default to true.
 * @throws {RecommenderError} `option` if an option is invalid.
 * @example
 * navigator.sendBeacon("/log", JSON.stringify(log({ keep: false })));
 */
export function log(options?: { keys?: boolean; keep?: boolean }): ExportedLog;

/**
 * Mixes two lists so that clicks show which one is better, regardless of positions (team-draft interleaving). The lists
 * take turns in random order, and each picks its best item that is not yet in the result.
 *
 * Options:
 * - `k`: the maximum number of items; by default the length of the longer list. The result ends early if a list runs
 *   out
 * - `seed`: the seed of the random order, a number of which the low 32 bits count; by default it differs between calls
 * - `teams`: two different names for the lists; by default `"a"` and `"b"`
 * - `atMost`: the rule of the same name that both lists follow; the result then follows it too
 *
 * @throws {RecommenderError} `option` if an option is invalid, `log` if an item has no id.
 * @example
 * const items = interleave(one.recommend(visit).items, other.recommend(visit).items, { k: 6 });
 */
export function interleave<
  T extends { readonly id: ID; readonly columns?: Readonly<Record<string, string>> },
  A extends string = "a",
  B extends string = "b",
>(
  a: readonly T[],
  b: readonly T[],
  options?: { k?: number; seed?: number; teams?: readonly [A, B]; atMost?: Rules["atMost"] },
): (T & { team: A | B })[];
export function interleave<A extends string = "a", B extends string = "b">(
  a: readonly ID[],
  b: readonly ID[],
  options?: { k?: number; seed?: number; teams?: readonly [A, B] },
): { id: string; team: A | B }[];
