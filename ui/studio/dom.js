// Elements, announcements and numbers, for the views of the studio.

/**
 * Makes an element. Options are attributes; a function is a listener ("onclick"), true is an empty attribute, and
 * false, null and undefined are left out. value, checked and disabled are properties.
 * @param {string} name
 * @param {Record<string, unknown>} [options]
 * @param {...(Node | string | null | false | undefined)} children
 */
export function h(name, options = {}, ...children) {
  const element = document.createElement(name);
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  for (const [key, value] of Object.entries(options)) {
    if (typeof value === "function") {
      element.addEventListener(key.slice(2), value);
    } else if (["value", "checked", "disabled"].includes(key)) {
      element[key] = value ?? "";
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  return element;
}

/** The heading of a step, which has the focus when the step is shown. */
export const heading = (text) => h("h1", { id: "step-heading", class: "display", tabindex: "-1" }, text);

/** A button. Its id keeps the focus on it when its view is made anew. */
export const button = (id, look, text, onclick, disabled = false) =>
  h("button", { id, type: "button", class: look, onclick, disabled }, text);

let underWay = 0;

/** Whether fill is at work, so that a loss of the focus is not the visitor's. */
export const filling = () => underWay > 0;

/** Replaces the children. The focus stays on the element with the same id, and on its text's selection. */
export function fill(parent, ...children) {
  const { id, selectionStart, selectionEnd } = parent.contains(document.activeElement) ? document.activeElement : {};
  underWay++;
  try {
    parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
    const same = id ? document.getElementById(id) : null;
    if (same !== null && same !== document.activeElement) {
      same.focus({ preventScroll: true });
      if (typeof selectionStart === "number") {
        same.setSelectionRange(selectionStart, selectionEnd);
      }
    }
  } finally {
    underWay--;
  }
}

/** Makes screen readers say the text. */
export function say(text) {
  const line = document.getElementById("live");
  line.textContent = line.textContent === text ? `${text}\u00a0` : text; // so that the same text is said again
}

const locale = () => (document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang);

/** A whole number in the page's language. */
export const count = (n) => new Intl.NumberFormat(locale()).format(n);

/** A fraction in the page's language, with up to this many digits. */
export const decimal = (x, digits) => new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(x);

/** A size in bytes: "12 kB", "1.3 MB". */
export function bytes(n) {
  const [unit, name] = n < 1e6 ? [1e3, "kilobyte"] : n < 1e9 ? [1e6, "megabyte"] : [1e9, "gigabyte"];
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit: name,
    maximumFractionDigits: unit > 1e3 && n < 10 * unit ? 1 : 0,
  }).format(n / unit);
}

/** A day and a time: "28 November, 17:40". */
export const moment = (date) =>
  new Intl.DateTimeFormat(locale(), { day: "numeric", month: "long", hour: "numeric", minute: "2-digit" }).format(
    new Date(date),
  );
