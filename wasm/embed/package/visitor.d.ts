import type { ExportedProfile, Mark } from "./profile.js";

/**
 * The marks of this site's visitor. It fires `change` when they change and `consent` when the consent changes,
 * including changes on other pages of the site.
 */
export interface Visitor extends EventTarget {
  /**
   * Whether the visitor consented to storage. If true, marks and experiment data are kept in localStorage for the
   * site's other pages; setting it to false deletes them. It starts out true if the page has `<meta
   * name="pmlam-consent" content="given">` or marks are already stored.
   *
   * @throws {RecommenderError} `option` if it is set to anything but true or false.
   */
  consent: boolean;
  /** The marked ids, oldest first, as options of `recommend`. */
  readonly marks: { likes: string[]; dislikes: string[]; seen: string[] };
  /**
   * The ids of recent items, the latest last, as the option `recent`: at most 20, from the last 30 days. With consent
   * they are kept like the marks.
   */
  readonly recent: string[];
  /**
   * Makes an item the latest of the recent ones, for example when its page is opened.
   *
   * @throws {RecommenderError} `profile` if the id is invalid.
   */
  viewed(id: string | number | bigint): void;
  /**
   * Likes an item and makes it the latest of the recent ones, for example after an order.
   *
   * @throws {RecommenderError} `profile` if the id is invalid.
   */
  bought(id: string | number | bigint): void;
  /** Returns an item's mark, or null. */
  of(id: string | number | bigint): Mark | null;
  /**
   * Marks an item, replacing its previous mark. Beyond 4,096 marks, the oldest are dropped.
   *
   * @throws {RecommenderError} `profile` if the id or the mark is invalid.
   */
  mark(id: string | number | bigint, mark: Mark): void;
  /** Removes an item's mark, if it has one. */
  forget(id: string | number | bigint): void;
  /** Returns the marks as JSON data. */
  export(): ExportedProfile;
  /**
   * Replaces all marks by an exported profile.
   *
   * @throws {RecommenderError} `profile` if the argument is not one.
   */
  restore(exported: unknown): void;
}

export const visitor: Visitor;
