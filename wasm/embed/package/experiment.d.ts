import type { Rules } from "./pmlam.js";

/** An item of a list: its id, or an item of an answer. */
type Listed = string | number | { readonly id: string };

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
 * on all pages, and without it until the page is left. Each variant is as likely. A name has at most 64 letters.
 *
 * @throws {RecommenderError} `log`
 */
export function variant<V extends string>(name: string, variants: readonly V[]): V;

/**
 * Logs that a list was shown, its items as they stood, at most 200; those of interleave with their teams.
 *
 * @throws {RecommenderError} `log`
 */
export function shown(
  list: string,
  items: readonly (string | number | { readonly id: string; readonly team?: string })[],
): void;

/** Logs that an item of a list was chosen. False, and nothing is logged: the list did not show it in this session. */
export function clicked(list: string, item: Listed): boolean;

/** Logs that an item was liked that a list has shown. False, and nothing is logged: none did in this session. */
export function liked(item: Listed): boolean;

/**
 * What was logged on this device, at most 100,000 letters, for your own code to send, or not. `keys: false` leaves the
 * keys of sessions out. `keep: false` forgets what is returned; variants stay.
 */
export function log(options?: { keys?: boolean; keep?: boolean }): ExportedLog;

/**
 * Two lists in one, by team draft: each list in turn, by lot, picks the best of its items that is not yet there, so that
 * clicks say which list is better, whatever stands higher. It ends with k items (as many as the longer list has), or
 * where one list has no more. The same seed, the same lots. `atMost` is that of the lists' rules: each list holds it, but
 * the two together may not, and an item for which there is no room is passed over.
 *
 * @throws {RecommenderError} `option`, and `log` for an item without an id
 */
export function interleave<T extends { readonly id: string }, A extends string = "a", B extends string = "b">(
  a: readonly T[],
  b: readonly T[],
  options?: { k?: number; seed?: number; teams?: readonly [A, B]; atMost?: Rules["atMost"] },
): (T & { team: A | B })[];
export function interleave<A extends string = "a", B extends string = "b">(
  a: readonly (string | number)[],
  b: readonly (string | number)[],
  options?: { k?: number; seed?: number; teams?: readonly [A, B] },
): { id: string; team: A | B }[];
