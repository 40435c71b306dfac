// A log of lists, variants and clicks as plain data. It stores and sends nothing itself; experiment.js stores it with
// the visitor's consent. experiment.d.ts describes an export.

import { RecommenderError } from "./error.js";
import { briefly, idText } from "./plain.js";

const FORMAT = "pmlam-log";
const PAUSE = 30 * 60_000; // ms; a longer pause begins a new session
const MOST = 100_000; // characters of all events as JSON; the oldest are dropped
const LONGEST_NAME = 64; // characters in the name of a list, experiment, variant or team
const MOST_ITEMS = 200; // of a list
const MOST_VARIANTS = 100; // per experiment; also the most experiments per session

const wrong = (sentence) => new RecommenderError("log", sentence);

export class Log {
  #id = null; // this device's random id, set on first use; never exported
  #last = 0; // time of the last event, ms
  #sessions = []; // {key, day, variants, first, events}; first is the number of dropped events

  /** Restores a log from the result of kept(), or throws. */
  static restore({ id, last, sessions }) {
    const log = new Log();
    const whole = (session) =>
      typeof session.key === "string" &&
      typeof session.day === "string" &&
      Number.isInteger(session.first) &&
      Object.values(session.variants).every((variant) => typeof variant === "string") &&
      session.events.every((e) => typeof e.list === "string" && (e.event !== "shown" || Array.isArray(e.items)));
    if (typeof id !== "string" || typeof last !== "number" || !sessions.every(whole)) {
      throw wrong("the stored log is invalid");
    }
    [log.#id, log.#last, log.#sessions] = [id, last, sessions];
    return log;
  }

  /** Returns the log for restore(). */
  kept() {
    return { id: (this.#id ??= random()), last: this.#last, sessions: this.#sessions };
  }

  variant(name, variants) {
    named("an experiment", name);
    if (!Array.isArray(variants) || variants.length < 2 || variants.length > MOST_VARIANTS) {
      throw wrong(`an experiment needs 2 to ${MOST_VARIANTS} variants`);
    }
    variants.forEach((variant) => named("a variant", variant));
    if (new Set(variants).size < variants.length) {
      throw wrong("variants must have different names");
    }
    // Rendezvous hashing: the order has no effect, and an added variant takes visitors without moving others.
    this.#id ??= random();
    const scores = variants.map((variant) => hash([name, variant, this.#id].join("\0")));
    const variant = variants[scores.indexOf(Math.max(...scores))];
    const assigned = this.#session().variants;
    if (!Object.hasOwn(assigned, name) && Object.keys(assigned).length >= MOST_VARIANTS) {
      throw wrong(`a session can have at most ${MOST_VARIANTS} experiments`);
    }
    assigned[name] = variant;
    return variant;
  }

  shown(list, items) {
    named("a list", list);
    if (!Array.isArray(items) || items.length === 0 || items.length > MOST_ITEMS) {
      throw wrong(`a list must have 1 to ${MOST_ITEMS} items`);
    }
    const event = { event: "shown", list, items: items.map(idOf) };
    const teams = items.map((item) => item?.team);
    if (teams.some((team) => team !== undefined)) {
      teams.forEach((team) => named("a team", team));
      event.teams = teams;
    }
    if (JSON.stringify(event).length > MOST / 4) {
      throw wrong(`a list's ids can have at most ${MOST / 4} characters together`);
    }
    this.#add(this.#session(), event);
  }

  clicked(list, item) {
    named("a list", list);
    return this.#answer("clicked", idOf(item), (event) => event.list === list);
  }

  liked(item) {
    const id = idOf(item);
    return this.#answer("liked", id, (event) => event.items.includes(id));
  }

  /** Adds an event to the latest session, for the last matching list that showed the item. */
  #answer(what, item, of) {
    const session = this.#sessions.at(-1);
    const shown = session?.events.findLast((event) => event.event === "shown" && of(event));
    if (!shown?.items.includes(item)) {
      return false;
    }
    this.#add(session, { event: what, list: shown.list, item });
    return true;
  }

  #session() {
    const now = Date.now();
    if (this.#sessions.length === 0 || Math.abs(now - this.#last) > PAUSE) {
      this.#begin(now, {});
    }
    this.#last = now;
    return this.#sessions.at(-1);
  }

  #begin(now, variants) {
    this.#sessions = this.#sessions.filter((session) => session.events.length > 0);
    const day = new Date(now).toISOString().slice(0, 10);
    this.#sessions.push({ key: random(), day, variants, first: 0, events: [] });
  }

  #add(session, event) {
    session.events.push(event);
    this.#last = Date.now();
    let letters = JSON.stringify(this.#sessions).length;
    while (letters > MOST) {
      const [oldest] = this.#sessions;
      letters -= JSON.stringify(oldest.events.shift() ?? "").length + 1;
      oldest.first++;
      if (oldest.events.length === 0) {
        letters -= JSON.stringify(this.#sessions.shift()).length + 1;
      }
    }
  }

  export({ keys = true } = {}) {
    const sessions = structuredClone(this.#sessions.filter((session) => session.events.length > 0));
    if (!keys) {
      sessions.forEach((session) => delete session.key);
    }
    return { format: FORMAT, version: 1, sessions };
  }

  /** Forgets all events. The variants and the session continue. */
  forget() {
    this.#sessions = this.#sessions.slice(-1);
    for (const session of this.#sessions) {
      session.first += session.events.length;
      session.events = [];
    }
  }
}

function named(what, name) {
  if (typeof name !== "string" || name === "" || name.length > LONGEST_NAME) {
    throw wrong(`${what} needs a name of 1 to ${LONGEST_NAME} characters, not ${briefly(name)}`);
  }
}

export function idOf(item) {
  const id = idText(typeof item === "object" && item !== null ? item.id : item);
  if (id === undefined) {
    throw wrong("an item needs an id of 1 to 1024 characters");
  }
  return id;
}

/** Returns 128 random bits in hexadecimal. crypto.randomUUID is missing on http: pages. */
function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns 32 bits of a text: FNV-1a with the last step of MurmurHash3. */
function hash(text) {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    h = Math.imul(h ^ byte, 0x01000193);
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
