// A visitor's marks. It needs no model, and stores and sends nothing.

import { RecommenderError } from "./error.js";
import { briefly, idText, reading } from "./plain.js";

const FORMAT = "pmlam-profile";
const MOST = 4096; // marks; the oldest are dropped

const kinds = ["like", "dislike", "seen"];

export class Profile {
  #marks = new Map(); // id → kind, the oldest first

  static restore(exported) {
    const profile = new Profile();
    return reading("profile", () => {
      const { format, version, marks } = exported ?? {};
      if (format !== FORMAT || version !== 1 || !Array.isArray(marks)) {
        throw new RecommenderError("profile", "not an exported profile of version 1; pass a result of export()");
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
      throw new RecommenderError("profile", "an item needs an id of 1 to 1024 characters");
    }
    if (!kinds.includes(kind)) {
      throw new RecommenderError("profile", `a mark must be ${kinds.join(", ")}, not ${briefly(kind)}`);
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
