// What a site keeps on the visitor's device: texts in localStorage. Storage may be forbidden, full or damaged; the page
// goes on without it.

/** Returns a text, or null. */
export const read = (key) => attempt(() => localStorage.getItem(key)) ?? null;

export const write = (key, text) => attempt(() => localStorage.setItem(key, text));

export const remove = (key) => attempt(() => localStorage.removeItem(key));

/** Returns what f returns, and undefined where it throws. */
export function attempt(f) {
  try {
    return f();
  } catch {
    return undefined;
  }
}
