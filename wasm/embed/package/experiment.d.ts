import type { Rules } from "./pmlam.js";

/** An item of a list: its id, or an item of an answer. */
type Listed = ID | { readonly id: ID };
type ID = string | number | bigint;

/** What was done, in the order in which it was done. The place of an item in `items`, from 0, is where it stood. */
export type LoggedEvent =
  | { event: "shown"; list: string; items: string[]; teams?: string[] }
  | { event: "clicked"; list: string; item: string }
  | { event: "liked"; list: string; item: string };

/** What happened without a pause of half an hour between. */
export interface LoggedSession {
  /** 128 random bits, by which `pmlam compare` knows sessions that it reads twice. */
  key?: string;
  /** When it began, in UTC: 2026-11-24. */
  day: string;
  /** By experiment. */
  variants: Record<string, string>;
  /** How many events it had that are no longer kept; events[0] is number first. */
  first: number;
  events: LoggedEvent[];
}

/** What log gives: plain data, a line of JSON for `pmlam compare`. Nothing in it names the visitor or the device. */
export interface ExportedLog {
  format: "pmlam-log";
  version: 1;
  /** The oldest first. */
  sessions: LoggedSession[];
}

/**
 * The variant of an experiment that this device gets: the same each time that it is asked, with the visitor's consent
 * on all pages, and without it until the page is left. Each variant is as likely; the order in which they are named does
 * not count. From 2 to 100 variants with different names, at most 100 experiments a session. The names of experiments,
 * variants, lists and teams have from 1 to 64 letters.
 *
 * @throws {RecommenderError} `log`: a name or the number of variants is not so
 */
export function variant<V extends string>(name: string, variants: readonly V[]): V;

/**
 * Logs that a list was shown: its items as they stood, from 1 to 200, each id of at most 1,024 letters and all together
 * of at most 25,000; those of interleave with their teams.
 *
 * @throws {RecommenderError} `log`: the list, an item or a team is not so
 */
export function shown(
  list: string,
  items: readonly (ID | { readonly id: ID; readonly team?: string })[],
): void;

/**
 * Logs that an item of a list was chosen. False, and nothing is logged: the list, as it was shown last in this session,
 * does not have it.
 *
 * @throws {RecommenderError} `log`: the list or the item is not named as shown takes them
 */
export function clicked(list: string, item: Listed): boolean;

/**
 * Logs that an item was liked, for the list that showed it last. False, and nothing is logged: none did in this session.
 *
 * @throws {RecommenderError} `log`: the item is not named as shown takes it
 */
export function liked(item: Listed): boolean;

/**
 * What was logged on this device, at most some 100,000 letters as JSON, for your own code to send, or not. `keys: false`
 * leaves the keys of sessions out. `keep: false` forgets what is returned; variants stay. Both are true where they are
 * left out.
 *
 * @throws {RecommenderError} `option`
 */
export function log(options?: { keys?: boolean; keep?: boolean }): ExportedLog;

/**
 * Two lists in one, by team draft: each list in turn, by lot, picks the best of its items that is not yet there, so that
 * clicks say which list is better, whatever stands higher. It ends with k items, a whole number from 0 (as many as the
 * longer list has), or where one list has no more. seed is a number, of which 32 bits of the whole part count; the same
 * seed, the same lots, and without it they differ from call to call. teams are two different names, "a" and "b" where
 * they are left out.
 *
 * atMost is that of the Rules by which the lists were made: two lists that hold it could together be above it. Given it,
 * a list passes by what would be one too many, and what is made of two lists of k items has k nevertheless.
 *
 * @throws {RecommenderError} `option`, and `log` for an item without an id
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
