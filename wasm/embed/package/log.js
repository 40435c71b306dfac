// What was shown to a visitor, in which variant, and what they did with it: plain data, kept by whoever uses it
// (experiment.js does, with consent). Nothing is stored or sent here. experiment.d.ts says what an export holds.

import { RecommenderError } from "./error.js";
import { briefly, idText } from "./plain.js";

const FORMAT = "pmlam-log";
const PAUSE = 30 * 60_000; // ms; after so long another session begins
const MOST = 100_000; // letters of all events as JSON; the oldest go first
const LONGEST_NAME = 64; // letters of the name of a list, an experiment, a variant or a team
const MOST_ITEMS = 200; // of a list
const MOST_VARIANTS = 100; // of an experiment, and experiments of a session

const wrong = (sentence) => new RecommenderError("log", sentence);

export class Log {
  #id = null; // of this device, never exported; drawn when it is first needed
  #last = 0; // when the last session was last heard of, ms
  #sessions = []; // {key, day, variants, first, events}; first is the number of events that it no longer has

  /** Takes what kept gave. It throws where it is something else. */
  static restore({ id, last, sessions }) {
    const log = new Log();
    const whole = (session) =>
      typeof session.key === "string" &&
      typeof session.day === "string" &&
      Number.isInteger(session.first) &&
      Object.values(session.variants).every((variant) => typeof variant === "string") &&
      session.events.every((e) => typeof e.list === "string" && (e.event !== "shown" || Array.isArray(e.items)));
    if (typeof id !== "string" || typeof last !== "number" || !sessions.every(whole)) {
      throw wrong("what was kept is no log");
    }
    [log.#id, log.#last, log.#sessions] = [id, last, sessions];
    return log;
  }

  /** What restore takes. */
  kept() {
    return { id: (this.#id ??= random()), last: this.#last, sessions: this.#sessions };
  }

  variant(name, variants) {
    named("an experiment", name);
    if (!Array.isArray(variants) || variants.length < 2 || variants.length > MOST_VARIANTS) {
      throw wrong(`an experiment has from 2 to ${MOST_VARIANTS} variants`);
    }
    variants.forEach((variant) => named("a variant", variant));
    if (new Set(variants).size < variants.length) {
      throw wrong("the variants of an experiment have different names");
    }
    // Rendezvous hashing: the order does not count, and another variant takes visitors over, but swaps none.
    this.#id ??= random();
    const scores = variants.map((variant) => hash([name, variant, this.#id].join("\0")));
    const variant = variants[scores.indexOf(Math.max(...scores))];
    const assigned = this.#session().variants;
    if (!Object.hasOwn(assigned, name) && Object.keys(assigned).length >= MOST_VARIANTS) {
      throw wrong(`a session has at most ${MOST_VARIANTS} experiments`);
    }
    assigned[name] = variant;
    return variant;
  }

  shown(list, items) {
    named("a list", list);
    if (!Array.isArray(items) || items.length === 0 || items.length > MOST_ITEMS) {
      throw wrong(`a list that is logged has from 1 to ${MOST_ITEMS} items`);
    }
    const event = { event: "shown", list, items: items.map(idOf) };
    const teams = items.map((item) => item?.team);
    if (teams.some((team) => team !== undefined)) {
      teams.forEach((team) => named("a team", team));
      event.teams = teams;
    }
    if (JSON.stringify(event).length > MOST / 4) {
      throw wrong(`a list that is logged has at most ${MOST / 4} letters`);
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

  /** Adds what was done with an item to the session that showed it, in whichever of its lists was the last. */
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

  /** Forgets all events. The device keeps its variants, and the session goes on where it was. */
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
    throw wrong(`${what} is named by a text of at most ${LONGEST_NAME} letters, and not by ${briefly(name)}`);
  }
}

export function idOf(item) {
  const id = idText(typeof item === "object" && item !== null ? item.id : item);
  if (id === undefined) {
    throw wrong("an item is named by its id, a text of at most 1024 letters");
  }
  return id;
}

/** 128 random bits in hexadecimal. crypto.randomUUID is missing where a page came by http:. */
function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** 32 bits of a text: FNV-1a, mixed by the last step of MurmurHash3. */
function hash(text) {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    h = Math.imul(h ^ byte, 0x01000193);
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
