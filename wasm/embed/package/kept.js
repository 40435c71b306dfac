// Texts in localStorage. Storage may be blocked, full or damaged; then reads return null and writes do nothing.

export const read = (key) => attempt(() => localStorage.getItem(key)) ?? null;

export const write = (key, text) => attempt(() => localStorage.setItem(key, text));

export const remove = (key) => attempt(() => localStorage.removeItem(key));

/** Returns the result of f, or undefined if f throws. */
export function attempt(f) {
  try {
    return f();
  } catch {
    return undefined;
  }
}
