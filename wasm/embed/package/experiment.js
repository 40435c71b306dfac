// Experiments on this device: variants, and a log of lists shown and clicks. With the consent that visitor.js manages
// they are stored in localStorage, and deleted when it is withdrawn. Nothing is sent.

import { RecommenderError } from "./error.js";
import { interleave } from "./interleave.js";
import { attempt, read, remove, write } from "./kept.js";
import { Log } from "./log.js";
import { fields, reading } from "./plain.js";
import { visitor } from "./visitor.js";

export { interleave };

const KEY = "pmlam-log";

let mine = new Log();

/** Loads changes of the site's other pages; an unreadable log is ignored. */
function refresh() {
  const text = visitor.consent ? read(KEY) : null;
  if (text !== null) {
    mine = attempt(() => Log.restore(JSON.parse(text))) ?? mine;
  }
}

function change(how) {
  refresh();
  const answer = reading("log", () => how(mine));
  if (visitor.consent) {
    write(KEY, JSON.stringify(mine.kept()));
  }
  return answer;
}

function forget() {
  mine = new Log();
  remove(KEY);
}

if (globalThis.document !== undefined) {
  visitor.addEventListener("consent", () => (visitor.consent ? change(() => {}) : forget()));
  if (!visitor.consent) {
    remove(KEY);
  }
}

export const variant = (name, variants) => change((log) => log.variant(name, variants));

export const shown = (list, items) => change((log) => log.shown(list, items));

export const clicked = (list, item) => change((log) => log.clicked(list, item));

export const liked = (item) => change((log) => log.liked(item));

const options = ["keys", "keep"];

export function log(given) {
  const { keys, keep } = reading("option", () => chosen(given));
  refresh();
  const exported = mine.export({ keys });
  if (!keep) {
    change((log) => log.forget());
  }
  return exported;
}

function chosen(given) {
  const all = { keys: true, keep: true };
  for (const name of fields(given)) {
    all[name] = given[name];
    if (!options.includes(name) || typeof all[name] !== "boolean") {
      throw new RecommenderError("option", `log takes only ${options.join(" and ")}, each true or false`, {
        option: name,
      });
    }
  }
  return all;
}
