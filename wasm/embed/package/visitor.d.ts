import type { ExportedProfile, Mark } from "./profile.js";

/**
 * What the visitor of this site has said. It fires `change` whenever that changes, and `consent` whenever consent does,
 * on other pages of the site too.
 */
export interface Visitor extends EventTarget {
  /**
   * Whether marks are kept for the site's other pages, in localStorage, and with them what experiments need. False until
   * it is set, or the page has `<meta name="pmlam-consent" content="given">`, or marks that an earlier consent kept.
   * Taking it back forgets all. @throws {RecommenderError} `option` where it is set to what is neither true nor false
   */
  consent: boolean;
  /** The ids by mark, the oldest first, as recommend takes them. */
  readonly marks: { likes: string[]; dislikes: string[]; seen: string[] };
  /** What was said of an item, or null. */
  of(id: string | number | bigint): Mark | null;
  /** Says something of an item in place of what was said before; at most 4,096 marks. @throws {RecommenderError} `profile` */
  mark(id: string | number | bigint, mark: Mark): void;
  /** Takes back what was said of an item. */
  forget(id: string | number | bigint): void;
  /** What restore takes: plain data. */
  export(): ExportedProfile;
  /** Takes what export gave in place of what is here. @throws {RecommenderError} `profile` */
  restore(exported: unknown): void;
}

export const visitor: Visitor;
