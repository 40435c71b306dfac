// What the visitor of this site likes, for the elements of components.js: on this page, and on the site's other pages
// where the visitor has consented. It lies in the browser's localStorage and is never sent.

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
      this.#write(); // what is stored says that there is consent
    }
    // Another page of the site has said something; a page that the browser had put aside hears of it when it is back.
    addEventListener("storage", (event) => (event.key === KEY || event.key === null) && this.#readAgain());
    addEventListener("pageshow", (event) => event.persisted && this.#readAgain());
  }

  get consent() {
    return this.#consent;
  }

  set consent(given) {
    if (typeof given !== "boolean") {
      throw new RecommenderError("option", "consent is true or false", { option: "consent" });
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
    this.#read(); // what other pages have said meanwhile
    how(this.#profile);
    this.#write();
    this.#tell();
  }

  /** What is stored says that there was consent; what cannot be read counts as nothing. */
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
      this.#consent = false; // taken back on another page
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
