import type { ExportedProfile, Mark } from "./profile.js";

/**
 * What the visitor of this site has said. It fires `change` whenever that changes, and `consent` whenever consent does,
 * on other pages of the site too.
 */
export interface Visitor extends EventTarget {
  /**
   * Whether marks are kept for the site's other pages, in localStorage, and with them what experiments need. False until
   * it is set, or the page has `<meta name="pmlam-consent" content="given">`, or marks that an earlier consent kept.
   * Taking it back forgets all.
   */
  consent: boolean;
  /** The ids by mark, the oldest first, as recommend takes them. */
  readonly marks: { likes: string[]; dislikes: string[]; seen: string[] };
  /** What was said of an item, or null. */
  of(id: string | number): Mark | null;
  mark(id: string | number, mark: Mark): void;
  forget(id: string | number): void;
  export(): ExportedProfile;
  /** Takes what export gave in place of what is here. @throws {RecommenderError} `profile` */
  restore(exported: unknown): void;
}

export const visitor: Visitor;
