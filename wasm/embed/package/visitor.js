// The visitor's marks and recent items, shared by the elements of components.js and, with consent, by the site's other
// pages. They are stored in localStorage and never sent.

import { RecommenderError } from "./error.js";
import { attempt, read, remove, write } from "./kept.js";
import { idText } from "./plain.js";
import { Profile } from "./profile.js";

const KEY = "pmlam-profile";
const RECENT = "pmlam-recent"; // [id, time in ms] of each recent item, the latest last
const MOST = 20; // recent items, as many as count
const DAYS = 30; // until a recent item expires

class Visitor extends (globalThis.EventTarget ?? Object) {
  #profile = new Profile();
  #consent = false;
  #recent = [];

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
    addEventListener("storage", ({ key }) => (key === KEY || key === RECENT || key === null) && this.#readAgain());
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
      this.#forgetAll();
      remove(KEY);
      remove(RECENT);
      this.#tell();
    }
    this.dispatchEvent(new Event("consent"));
  }

  #forgetAll() {
    this.#profile = new Profile();
    this.#recent = [];
  }

  get marks() {
    return this.#profile.marks;
  }

  get recent() {
    const since = Date.now() - DAYS * 24 * 60 * 60 * 1000;
    return this.#recent.filter(([, at]) => at >= since).map(([id]) => id);
  }

  viewed(id) {
    const text = idText(id);
    if (text === undefined) {
      throw new RecommenderError("profile", "an item needs an id of 1 to 1024 characters");
    }
    this.#change(() => this.#late(text));
  }

  bought(id) {
    this.#change((profile) => {
      profile.mark(id, "like");
      this.#late(idText(id));
    });
  }

  #late(text) {
    const others = new Set(this.recent);
    others.delete(text);
    const kept = this.#recent.filter(([id]) => others.has(id));
    this.#recent = [...kept, [text, Date.now()]].slice(-MOST);
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
      this.#recent = attempt(() => restored(JSON.parse(read(RECENT)))) ?? [];
    }
  }

  #readAgain() {
    const before = this.#consent;
    if (before && read(KEY) === null) {
      this.#consent = false; // withdrawn on another page
      this.#forgetAll();
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
      if (this.#recent.length > 0) {
        write(RECENT, JSON.stringify(this.#recent));
      } else {
        remove(RECENT);
      }
    }
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}

/** Returns stored recent items, without anything else that a page may have written there. */
const restored = (entries) =>
  entries
    .filter((entry) => typeof entry?.[0] === "string" && idText(entry[0]) === entry[0] && entry[1] <= Date.now())
    .map(([id, at]) => [id, Number(at)])
    .slice(-MOST);

export const visitor = new Visitor();
