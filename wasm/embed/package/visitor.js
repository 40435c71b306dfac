// The visitor's marks, shared by the elements of components.js and, with consent, by the site's other pages. They are
// stored in localStorage and never sent.

import { RecommenderError } from "./error.js";
import { attempt, read, remove, write } from "./kept.js";
import { Profile } from "./profile.js";

const KEY = "pmlam-profile";

class Visitor extends (globalThis.EventTarget ?? Object) {
  #profile = new Profile();
  #consent = false;

  constructor() {
    super();
    if (globalThis.document === undefined) {
      return; // rendered on a server
    }
    this.#consent = document.querySelector('meta[name="pmlam-consent"]')?.content === "given";
    this.#read();
    if (read(KEY) === null) {
      this.#write(); // stored marks imply consent
    }
    // Another page changed the marks; a page restored from the back/forward cache checks again.
    addEventListener("storage", (event) => (event.key === KEY || event.key === null) && this.#readAgain());
    addEventListener("pageshow", (event) => event.persisted && this.#readAgain());
  }

  get consent() {
    return this.#consent;
  }

  set consent(given) {
    if (typeof given !== "boolean") {
      throw new RecommenderError("option", "consent must be true or false", { option: "consent" });
    }
    if (given === this.#consent) {
      return;
    }
    this.#consent = given;
    if (given) {
      this.#write();
    } else {
      this.#profile = new Profile();
      remove(KEY);
      this.#tell();
    }
    this.dispatchEvent(new Event("consent"));
  }

  get marks() {
    return this.#profile.marks;
  }

  of(id) {
    return this.#profile.of(id);
  }

  mark(id, kind) {
    this.#change((profile) => profile.mark(id, kind));
  }

  forget(id) {
    this.#change((profile) => profile.forget(id));
  }

  export() {
    return this.#profile.export();
  }

  restore(exported) {
    const restored = Profile.restore(exported);
    this.#change(() => (this.#profile = restored));
  }

  #change(how) {
    this.#read(); // changes of other pages
    how(this.#profile);
    this.#write();
    this.#tell();
  }

  /** Loads stored marks, which imply consent. Unreadable ones count as none. */
  #read() {
    const text = read(KEY);
    if (text !== null) {
      this.#consent = true;
      this.#profile = attempt(() => Profile.restore(JSON.parse(text))) ?? new Profile();
    }
  }

  #readAgain() {
    const before = this.#consent;
    if (before && read(KEY) === null) {
      this.#consent = false; // withdrawn on another page
      this.#profile = new Profile();
    }
    this.#read();
    this.#tell();
    if (this.#consent !== before) {
      this.dispatchEvent(new Event("consent"));
    }
  }

  #write() {
    if (this.#consent) {
      write(KEY, JSON.stringify(this.#profile.export()));
    }
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}

export const visitor = new Visitor();
