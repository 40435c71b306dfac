// What a visitor has said, kept by whoever uses it. It needs no model, and nothing is stored or sent here.

import { RecommenderError } from "./error.js";

const FORMAT = "pmlam-profile";
const MOST = 4096; // marks; the oldest go first
const LONGEST = 1024; // letters of an id

const kinds = ["like", "dislike", "seen"];

export class Profile {
  #marks = new Map(); // id → kind, the oldest first

  static restore(exported) {
    const profile = new Profile();
    const { format, version, marks } = exported ?? {};
    if (format !== FORMAT || version !== 1 || !Array.isArray(marks)) {
      throw new RecommenderError("profile", "this is no profile of version 1, as Profile.export writes it");
    }
    for (const entry of marks) {
      const [id, kind] = Array.isArray(entry) ? entry : [];
      profile.mark(id, kind);
    }
    return profile;
  }

  mark(id, kind) {
    if ((typeof id !== "string" && typeof id !== "number") || id === "" || String(id).length > LONGEST) {
      throw new RecommenderError("profile", `an item is marked by its id, a text of at most ${LONGEST} letters`);
    }
    if (!kinds.includes(kind)) {
      throw new RecommenderError("profile", `an item is marked as ${kinds.join(", ")}, and not as ${String(kind)}`);
    }
    id = String(id);
    this.#marks.delete(id);
    this.#marks.set(id, kind);
    if (this.#marks.size > MOST) {
      this.#marks.delete(this.#marks.keys().next().value);
    }
  }

  forget(id) {
    this.#marks.delete(String(id));
  }

  of(id) {
    return this.#marks.get(String(id)) ?? null;
  }

  get size() {
    return this.#marks.size;
  }

  get marks() {
    const all = { likes: [], dislikes: [], seen: [] };
    for (const [id, kind] of this.#marks) {
      all[kind === "seen" ? "seen" : `${kind}s`].push(id);
    }
    return all;
  }

  export() {
    return { format: FORMAT, version: 1, marks: [...this.#marks] };
  }
}
