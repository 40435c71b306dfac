/** What a visitor says of an item. */
export type Mark = "like" | "dislike" | "seen";

/** What Profile.export gives: plain data, to be kept as JSON. */
export interface ExportedProfile {
  format: "pmlam-profile";
  version: 1;
  marks: [id: string, mark: Mark][];
}

/** What a visitor has said: at most 4,096 marks, of which the oldest go first. It needs no model and stores nothing. */
export class Profile {
  constructor();
  /** Takes what export gave. @throws {RecommenderError} `profile` where it is something else */
  static restore(exported: unknown): Profile;
  /**
   * Says something of an item, whose id has from 1 to 1,024 letters, in place of what was said before.
   *
   * @throws {RecommenderError} `profile`
   */
  mark(id: string | number | bigint, mark: Mark): void;
  /** Takes back what was said of an item; nothing where nothing was. */
  forget(id: string | number | bigint): void;
  /** What was said of an item, or null. */
  of(id: string | number | bigint): Mark | null;
  /** How many items are marked. */
  readonly size: number;
  /** The ids by mark, the oldest first, as recommend takes them: `recommend({ ...profile.marks, k: 6 })`. */
  readonly marks: { likes: string[]; dislikes: string[]; seen: string[] };
  /** What restore takes. */
  export(): ExportedProfile;
}
