// What a visitor has said, kept by whoever uses it. It needs no model, and nothing is stored or sent here.

import { RecommenderError } from "./error.js";
import { briefly, idText, reading } from "./plain.js";

const FORMAT = "pmlam-profile";
const MOST = 4096; // marks; the oldest go first

const kinds = ["like", "dislike", "seen"];

export class Profile {
  #marks = new Map(); // id → kind, the oldest first

  static restore(exported) {
    const profile = new Profile();
    return reading("profile", () => {
      const { format, version, marks } = exported ?? {};
      if (format !== FORMAT || version !== 1 || !Array.isArray(marks)) {
        throw new RecommenderError("profile", "this is no profile of version 1, as Profile.export writes it");
      }
      for (const entry of marks) {
        const [id, kind] = Array.isArray(entry) ? entry : [];
        profile.mark(id, kind);
      }
      return profile;
    });
  }

  mark(id, kind) {
    const text = idText(id);
    if (text === undefined) {
      throw new RecommenderError("profile", "an item is marked by its id, a text of at most 1024 letters");
    }
    if (!kinds.includes(kind)) {
      throw new RecommenderError("profile", `an item is marked as ${kinds.join(", ")}, and not as ${briefly(kind)}`);
    }
    this.#marks.delete(text);
    this.#marks.set(text, kind);
    if (this.#marks.size > MOST) {
      this.#marks.delete(this.#marks.keys().next().value);
    }
  }

  forget(id) {
    this.#marks.delete(idText(id));
  }

  of(id) {
    return this.#marks.get(idText(id)) ?? null;
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
