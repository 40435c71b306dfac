/** A visitor's opinion of an item. */
export type Mark = "like" | "dislike" | "seen";

/** The result of `export`: JSON data to store. */
export interface ExportedProfile {
  format: "pmlam-profile";
  version: 1;
  /** The marks, oldest first. */
  marks: [id: string, mark: Mark][];
}

/**
 * A visitor's marks, at most 4,096; further marks replace the oldest. A profile needs no model and stores nothing
 * itself.
 *
 * @example
 * const stored = localStorage.getItem("profile");
 * const profile = stored ? Profile.restore(JSON.parse(stored)) : new Profile();
 * profile.mark("17", "like");
 * const { items } = shop.recommend({ ...profile.marks, k: 6 });
 * localStorage.setItem("profile", JSON.stringify(profile.export()));
 */
export class Profile {
  constructor();
  /**
   * Restores an exported profile.
   *
   * @throws {RecommenderError} `profile` if the argument is not one.
   */
  static restore(exported: unknown): Profile;
  /**
   * Marks an item, replacing its previous mark.
   *
   * @param id The item's id, 1 to 1,024 characters.
   * @throws {RecommenderError} `profile` if the id or the mark is invalid.
   */
  mark(id: string | number | bigint, mark: Mark): void;
  /** Removes an item's mark, if it has one. */
  forget(id: string | number | bigint): void;
  /** Returns an item's mark, or null. */
  of(id: string | number | bigint): Mark | null;
  /** The number of marked items. */
  readonly size: number;
  /** The marked ids, oldest first, as options of `recommend`. */
  readonly marks: { likes: string[]; dislikes: string[]; seen: string[] };
  /** Returns the profile as JSON data. */
  export(): ExportedProfile;
}
