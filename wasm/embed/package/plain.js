// What the program is asked with is a copy of plain values. Whatever a caller's value does when it is read (a getter, a
// proxy), it does here: an exception that passes through Go ends the program, and with it every model of the page.

import { RecommenderError } from "./error.js";

const DEEPEST = 4; // request → rules → boost → entry → value
const LONGEST = 65_536; // letters of a text, entries of a list; of a longer list Go says so
const MOST = 1 << 24; // letters of an argument, of which a value counts as many as VALUE
const VALUE = 32;

/** Returns the id of a text, a number or a BigInt; undefined for anything else and for more than 1,024 letters. */
export function idText(id) {
  const named = typeof id === "string" || typeof id === "number" || (typeof id === "bigint" && fits(id, 256));
  const text = named ? String(id) : "";
  return text === "" || text.length > 1024 ? undefined : text;
}

/** Returns a value for a sentence: a text, no longer than a line, or its type. */
export const briefly = (value) => (typeof value === "string" ? value.slice(0, 64) : typeof value);

/** Returns the names of an object's own fields. Bytes have none: their numbers would be millions. */
export const fields = (object) => (ArrayBuffer.isView(object) ? [] : Object.keys(object ?? {}));

const fits = (big, bits) => BigInt.asIntN(bits, big) === big;

/**
 * Returns a copy of an argument, which may be an item, as those of a list may be: of an item its id alone is copied. Of
 * other objects their own fields are. BigInts become numbers, or texts where they have more than 53 bits.
 *
 * @throws {RecommenderError} `option`: reading it throws, or it is too large
 */
export function plain(argument, mayBeItem = false) {
  let left = MOST;
  const refuse = (sentence) => {
    throw new RecommenderError("option", sentence);
  };
  const take = (letters) => (left -= letters) < 0 && refuse(`an argument holds more than ${MOST} letters and values`);
  const copy = (value, depth) => {
    take(VALUE);
    if (typeof value === "bigint") {
      return fits(value, 54) ? Number(value) : fits(value, 256) ? String(value) : refuse("a BigInt has over 256 bits");
    }
    if (typeof value === "string") {
      take(value.length);
      return value.length > LONGEST ? refuse(`a text has more than ${LONGEST} letters`) : value;
    }
    if (typeof value !== "object" || value === null) {
      return value; // Go keeps functions and symbols apart from the rest, and refuses them
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

/** Calls f. What a value of the caller throws when it is read becomes the package's error. */
export function reading(code, f) {
  try {
    return f();
  } catch (cause) {
    throw coded(code, "an argument cannot be read", cause);
  }
}

/** An item of an answer is known by its id; what else it holds is not asked for. */
function item(value) {
  const id = typeof value === "object" && value !== null && !Array.isArray(value) ? value.id : undefined;
  return id === undefined ? value : { id };
}

/** The package's error of whatever was thrown, or of a promise that was rejected with it. */
export function coded(code, sentence, cause) {
  try {
    return cause instanceof RecommenderError
      ? cause
      : new RecommenderError(code, `${sentence}: ${cause?.message ?? String(cause)}`, { cause });
  } catch {
    return new RecommenderError(code, sentence, { cause });
  }
}
