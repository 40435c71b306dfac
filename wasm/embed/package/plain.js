// Copies arguments into plain values for the program. Getters and proxies run here, because an exception that passes
// through Go ends the program and closes every model of the page.

import { RecommenderError } from "./error.js";

const DEEPEST = 4; // request → rules → boost → entry → value
const LONGEST = 65_536; // characters of a text, entries of a list; Go rejects longer lists
const MOST = 1 << 24; // characters of an argument; each value counts as VALUE
const VALUE = 32;

/** Returns an id as text; undefined if it is not a text, number or BigInt of 1 to 1,024 characters. */
export function idText(id) {
  const named = typeof id === "string" || typeof id === "number" || (typeof id === "bigint" && fits(id, 256));
  const text = named ? String(id) : "";
  return text === "" || text.length > 1024 ? undefined : text;
}

/** Returns up to 64 characters of a text, or the type of another value, for an error. */
export const briefly = (value) => (typeof value === "string" ? value.slice(0, 64) : typeof value);

/** Returns an object's own field names; none for typed arrays, which can have millions. */
export const fields = (object) => (ArrayBuffer.isView(object) ? [] : Object.keys(object ?? {}));

const fits = (big, bits) => BigInt.asIntN(bits, big) === big;

/**
 * Returns a copy of an argument. Items are reduced to their ids, other objects to their own fields. BigInts become
 * numbers, or texts if they need more than 53 bits.
 * @param mayBeItem whether the argument itself can be an item
 * @throws {RecommenderError} `option` if reading it throws or it is too large
 */
export function plain(argument, mayBeItem = false) {
  let left = MOST;
  const refuse = (sentence) => {
    throw new RecommenderError("option", sentence);
  };
  const take = (letters) => (left -= letters) < 0 && refuse(`an argument has more than ${MOST} characters of values`);
  const copy = (value, depth) => {
    take(VALUE);
    if (typeof value === "bigint") {
      return fits(value, 54)
        ? Number(value)
        : fits(value, 256)
          ? String(value)
          : refuse("a BigInt has more than 256 bits");
    }
    if (typeof value === "string") {
      take(value.length);
      return value.length > LONGEST ? refuse(`a text has more than ${LONGEST} characters`) : value;
    }
    if (typeof value !== "object" || value === null) {
      return value; // Go rejects functions and symbols
    }
    if (Array.isArray(value)) {
      const all = new Array(depth < DEEPEST ? value.length : 0);
      for (let i = 0; all.length <= LONGEST && i < all.length; i++) {
        all[i] = copy(item(value[i]), depth + 1);
      }
      return all;
    }
    const all = Object.create(null);
    for (const name of depth < DEEPEST ? fields(value) : []) {
      take(name.length);
      all[name] = copy(value[name], depth + 1);
    }
    return all;
  };
  return reading("option", () => copy(mayBeItem ? item(argument) : argument, 0));
}

/** Returns f(), turning errors of the caller's getters and proxies into RecommenderErrors. */
export function reading(code, f) {
  try {
    return f();
  } catch (cause) {
    throw coded(code, "reading an argument failed", cause);
  }
}

/** Reduces an item of an answer to its id. */
function item(value) {
  const id = typeof value === "object" && value !== null && !Array.isArray(value) ? value.id : undefined;
  return id === undefined ? value : { id };
}

/** Wraps whatever was thrown in a RecommenderError. */
export function coded(code, sentence, cause) {
  try {
    return cause instanceof RecommenderError
      ? cause
      : new RecommenderError(code, `${sentence}: ${cause?.message ?? String(cause)}`, { cause });
  } catch {
    return new RecommenderError(code, sentence, { cause });
  }
}
