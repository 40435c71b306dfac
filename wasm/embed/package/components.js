// The elements <pmlam-recommendations> and <pmlam-like>. components.d.ts documents them. Importing this file defines
// them; the program and the model are fetched once a list is near the screen.

import { RecommenderError } from "./error.js";
import * as experiment from "./experiment.js";
import { visitor } from "./visitor.js";

export { log, variant } from "./experiment.js";
export { RecommenderError, visitor };

const Base = globalThis.HTMLElement ?? class {}; // no elements on a server

const NEAR = "600px"; // below the screen

function styled(root, css) {
  // Strict policies forbid style elements but allow sheets made by scripts.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
}

function child(parent, name, part) {
  const element = document.createElement(name);
  element.part = part;
  return parent.appendChild(element);
}

const ids = (text) => (text ?? "").split(/\s+/).filter((id) => id !== "");

/** Opens a model, which all elements and open() of the page share. A folder is a model in chunks. */
const opened = (address) =>
  import("./pmlam.js").then(({ open, openChunked }) => (address.endsWith("/") ? openChunked(address) : open(address)));

/** Resolves once the page has loaded and is idle. */
const calm = () =>
  new Promise((resolve) => {
    const idle = () => (globalThis.requestIdleCallback ?? setTimeout)(resolve);
    if (document.readyState === "complete") {
      idle();
    } else {
      addEventListener("load", idle, { once: true });
    }
  });

/** Offers the page's model to AI agents of the browser, if it has any. tools.js decides whether there is a model. */
function offerTools() {
  if (document.modelContext ?? navigator.modelContext) {
    import("./tools.js").then(({ offer }) => offer(ownersRules));
  }
}

// --- <pmlam-recommendations> ---

const listStyle = `
  :host { display: block }
  :host([hidden]) { display: none }
  ul { display: grid; gap: var(--pmlam-gap, 1rem); list-style: none; margin: 0; padding: 0;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--pmlam-width, 10rem)), 1fr)) }
  [part=link] { display: grid; gap: 0.25rem; align-content: start; min-height: 2.75rem; color: inherit }
  [part=link]:focus-visible { outline: 0.15rem solid var(--pmlam-focus, currentColor); outline-offset: 0.15rem }
  img { width: 100%; aspect-ratio: var(--pmlam-ratio, auto); object-fit: cover }
  [part=detail] { font-size: 0.875em }
`;

class Recommendations extends Base {
  static observedAttributes = ["model", "against", "item", "likes", "k", "href", "picture", "detail", "label", "list"];

  #root = null;
  #slot = null;
  #list = null;
  #near = false;
  #observer = null;
  #models = new Map(); // attribute → {address, opening: promise of the model}
  #lots = Math.floor(Math.random() * 2 ** 32); // seed of the interleaving
  #items = null; // the items shown
  #logged = ""; // the ids that were logged last
  #screen = null; // observes when the list is on the screen
  #turn = 0; // counts draws; outdated ones are dropped

  connectedCallback() {
    if (this.#root === null) {
      this.#root = this.attachShadow({ mode: "open" });
      styled(this.#root, listStyle);
      this.#slot = document.createElement("slot");
      this.#list = document.createElement("ul");
      this.#list.part = "list";
      this.#list.setAttribute("role", "list"); // Safari drops the role without bullets
      this.#root.append(this.#slot);
      this.#list.addEventListener("click", this.#clicked);
      this.#list.addEventListener("auxclick", this.#clicked); // with the middle button, into another tab
    }
    visitor.addEventListener("change", this.#draw);
    offerTools();
    if (this.#near) {
      this.#draw();
      return;
    }
    this.#say("waiting");
    this.#observer ??= new IntersectionObserver(
      async (entries) => {
        if (!this.#near && entries.some((entry) => entry.isIntersecting)) {
          this.#near = true;
          this.#observer.disconnect();
          await calm();
          this.#draw();
        }
      },
      { rootMargin: NEAR },
    );
    this.#observer.observe(this);
  }

  disconnectedCallback() {
    visitor.removeEventListener("change", this.#draw);
    this.#observer.disconnect();
    this.#screen?.disconnect();
    // Moving an element disconnects and reconnects it at once.
    queueMicrotask(() => {
      if (!this.isConnected) {
        this.#release();
        offerTools();
      }
    });
  }

  attributeChangedCallback() {
    if (this.isConnected) {
      offerTools();
    }
    if (this.#near) {
      this.#draw();
    }
  }

  #release(attributes = [...this.#models.keys()]) {
    for (const attribute of attributes) {
      const { opening } = this.#models.get(attribute);
      this.#models.delete(attribute);
      opening.then((recommender) => recommender.close()).catch(() => {});
    }
  }

  #say(state, name, detail) {
    this.setAttribute("state", state);
    if (name !== undefined) {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    }
  }

  #draw = async () => {
    const turn = ++this.#turn;
    if (!this.isConnected) {
      return;
    }
    let answer = { items: [], unknown: [] };
    if (this.getAttribute("model") && !this.hasAttribute("item") && !this.#known()) {
      this.#show(null); // nothing is downloaded for a visitor without likes
      this.#say("empty", "pmlam-empty", answer);
      return;
    }
    if (this.getAttribute("state") !== "ready") {
      this.#say("loading");
    }
    try {
      const recommender = await this.#recommender("model");
      const against = await this.#against();
      if (turn !== this.#turn || recommender.closed || against?.closed) {
        return;
      }
      answer = await this.#ask(recommender);
      if (against !== null) {
        answer = await this.#mix(answer, against);
      }
      if (turn !== this.#turn || !this.isConnected) {
        return;
      }
    } catch (error) {
      if (turn === this.#turn && this.isConnected) {
        told(error);
        this.#show(null);
        this.#say("failed", "pmlam-error", { error });
      }
      return;
    }
    if (answer.items.length === 0) {
      this.#show(null);
      this.#say("empty", "pmlam-empty", answer);
      return;
    }
    // Do not replace content that has the focus.
    if (this.#slot.isConnected && this.contains(document.activeElement)) {
      this.addEventListener("focusout", () => setTimeout(this.#draw), { once: true });
      return;
    }
    this.#show(answer.items);
    this.#say("ready", "pmlam-ready", answer);
  };

  async #recommender(attribute) {
    if (!this.getAttribute(attribute)) {
      throw new RecommenderError("option", `set the attribute ${attribute} to a model's URL`, { option: attribute });
    }
    const address = new URL(this.getAttribute(attribute), document.baseURI).href;
    let mine = this.#models.get(attribute);
    if (mine?.address !== address) {
      if (mine !== undefined) {
        this.#release([attribute]);
      }
      mine = { address, opening: opened(address) };
      this.#models.set(attribute, mine);
    }
    try {
      return await mine.opening;
    } catch (error) {
      if (this.#models.get(attribute) === mine) {
        this.#release([attribute]);
      }
      throw error;
    }
  }

  /** Returns the model to interleave with, or null. If it fails, the list is still shown. */
  async #against() {
    if (this.hasAttribute("against")) {
      return this.#recommender("against").catch(told);
    }
    if (this.#models.has("against")) {
      this.#release(["against"]);
    }
    return null;
  }

  /**
   * Interleaves an answer with another model's. If either is empty or the other model fails, for example for lack of a
   * column, one list is shown.
   */
  async #mix(answer, against) {
    let other;
    try {
      other = await this.#ask(against);
    } catch (error) {
      told(error);
      return answer;
    }
    if (answer.items.length === 0 || other.items.length === 0) {
      return answer.items.length > 0 ? answer : other;
    }
    const options = { seed: this.#lots, teams: ["model", "against"], atMost: ownersRules()?.atMost };
    return { ...answer, items: experiment.interleave(answer.items, other.items, options) };
  }

  #likes() {
    return [...ids(this.getAttribute("likes")), ...visitor.marks.likes];
  }

  /** The visitor's recent items, for the list "next". */
  #recent() {
    return this.getAttribute("list") === "next" ? visitor.recent : [];
  }

  #known() {
    return this.#likes().length + this.#recent().length > 0;
  }

  async #ask(recommender) {
    const { columns, order } = await recommender.about();
    for (const name of ["href", "picture", "detail"]) {
      const text = this.getAttribute(name) ?? "";
      for (const column of name === "detail" ? ids(text) : placeholders(text)) {
        if (!["id", "title", "year"].includes(column) && !columns.includes(column)) {
          throw new RecommenderError("option", `${name}: the catalogue has no column "${column}"`, { option: name });
        }
      }
    }
    const k = this.hasAttribute("k") ? Number(this.getAttribute("k")) : undefined;
    const { dislikes, seen } = visitor.marks;
    const rules = ownersRules();
    if (this.hasAttribute("item")) {
      const method = this.getAttribute("list") === "goes-with" && order ? "goesWith" : "similar";
      return byItem(recommender, method, this.getAttribute("item"), { dislikes, seen, k, rules });
    }
    const likes = this.#likes();
    const recent = this.#recent();
    const request = { likes, dislikes, seen, k, rules };
    // Models without the order of likes, also those in chunks, take recent items as likes.
    const told = order ? { ...request, recent } : { ...request, likes: [...likes, ...recent] };
    const answer = await recommender.recommend(told);
    const known = [...likes, ...recent].some((id) => !answer.unknown.includes(id));
    return known ? answer : { ...answer, items: [] }; // unknown visitor: keep the page's content
  }

  /** Shows items, or the page's own content if null. */
  #show(items) {
    this.#items = items;
    if (items === null) {
      this.#root.replaceChildren(this.#slot);
      return;
    }
    const label = this.getAttribute("label");
    if (label === null) {
      this.#list.removeAttribute("aria-label");
    } else {
      this.#list.setAttribute("aria-label", label);
    }
    const focused = this.#root.activeElement?.closest("li");
    const place = [...this.#list.children].indexOf(focused);
    this.#list.replaceChildren(...items.map((item) => this.#item(item)));
    this.#root.replaceChildren(this.#list);
    if (place >= 0) {
      // Keep the focus on the same item, or at the same place.
      const rows = [...this.#list.children];
      const row = rows.find((one) => one.dataset.item === focused.dataset.item) ?? rows[place] ?? rows.at(-1);
      row.querySelector("a")?.focus({ preventScroll: true });
    }
    this.#watch();
  }

  /** Logs a named list once part of it is on the screen, unless the same items were logged last. */
  #watch() {
    this.#screen ??= new IntersectionObserver((entries) => {
      const list = this.getAttribute("list");
      if (list && this.#items !== null && entries.at(-1).isIntersecting) {
        this.#screen.disconnect();
        const ids = JSON.stringify(this.#items.map((item) => item.id));
        if (ids !== this.#logged) {
          this.#logged = ids;
          quietly(() => experiment.shown(list, this.#items));
        }
      }
    });
    this.#screen.disconnect();
    this.#screen.observe(this.#list);
  }

  #clicked = (event) => {
    const list = this.getAttribute("list");
    const item = event.target.closest("a")?.closest("li").dataset.item;
    if (list && item !== undefined && event.button < 2) {
      quietly(() => experiment.clicked(list, item));
    }
  };

  #item(item) {
    const element = document.createElement("li");
    element.part = item.pinned ? "item pinned" : "item";
    element.dataset.item = item.id;
    const href = address(this.getAttribute("href"), item);
    const link = child(element, href === null ? "span" : "a", "link");
    if (href !== null) {
      link.href = href;
    }
    const picture = address(this.getAttribute("picture"), item);
    if (picture !== null) {
      const image = child(link, "img", "picture");
      image.alt = ""; // the title says the same
      image.loading = "lazy";
      image.src = picture;
    }
    child(link, "span", "title").textContent = item.title;
    for (const name of ids(this.getAttribute("detail"))) {
      const text = field(item, name);
      if (text !== "") {
        child(link, "span", "detail").textContent = text;
      }
    }
    return element;
  }
}

function told(error) {
  console.warn(`pmlam-recommendations: ${error.message}`);
  return null;
}

/** Calls f; if logging fails, the page continues. */
function quietly(f) {
  try {
    f();
  } catch (error) {
    told(error);
  }
}

/** Returns items similar to one, or items that go with it; none for an item added after the training. */
async function byItem(recommender, method, item, options) {
  try {
    return await recommender[method](item, options);
  } catch (error) {
    if (error.code === "unknown-item") {
      return { items: [], unknown: [item] };
    }
    throw error;
  }
}

/** Returns the page's rules, the JSON of <meta name="pmlam-rules">. */
function ownersRules() {
  const text = document.querySelector('meta[name="pmlam-rules"]')?.content;
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new RecommenderError("option", `pmlam-rules is not JSON: ${cause.message}`, { option: "rules", cause });
  }
}

const field = (item, name) => String((["id", "title", "year"].includes(name) ? item[name] : item.columns[name]) ?? "");

const placeholders = (template) => [...template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]);

/**
 * Fills in {id}, {title}, {year} and {column}; a template that is a single placeholder inserts a whole URL. Returns
 * null without a template, if a value is missing, or if the result is not an http: or https: URL.
 */
function address(template, item) {
  if (template === null) {
    return null;
  }
  const names = placeholders(template);
  if (names.some((name) => field(item, name) === "")) {
    return null;
  }
  const whole = names.length === 1 && template === `{${names[0]}}`;
  const filled = template.replace(/\{([^{}]+)\}/g, (_, name) =>
    whole ? field(item, name) : encodeURIComponent(field(item, name)),
  );
  try {
    const { protocol, href } = new URL(filled, document.baseURI);
    return protocol === "https:" || protocol === "http:" ? href : null;
  } catch {
    return null;
  }
}

// --- <pmlam-like> ---

const likeStyle = `
  :host { display: inline-block }
  :host([hidden]) { display: none }
  button { font: inherit; color: inherit; min-width: 2.75rem; min-height: 2.75rem; padding: 0.25rem 0.75rem;
    border: 1px solid currentColor; border-radius: var(--pmlam-radius, 0.5rem);
    background: var(--pmlam-background, transparent); cursor: pointer }
  button[aria-pressed=true] { background: var(--pmlam-pressed, transparent) }
  button:focus-visible { outline: 0.15rem solid var(--pmlam-focus, currentColor); outline-offset: 0.15rem }
`;

class Like extends Base {
  static observedAttributes = ["item", "label"];

  #button = null;
  #icon = null;

  connectedCallback() {
    if (this.#button === null) {
      const root = this.attachShadow({ mode: "open", delegatesFocus: true });
      styled(root, likeStyle);
      this.#button = child(root, "button", "button");
      this.#button.type = "button";
      this.#icon = child(this.#button, "span", "icon");
      this.#icon.setAttribute("aria-hidden", "true");
      this.#button.append(" ");
      child(this.#button, "slot", "label").textContent = "Like";
      this.#button.addEventListener("click", () => this.#toggle());
    }
    visitor.addEventListener("change", this.#draw);
    this.#draw();
  }

  disconnectedCallback() {
    visitor.removeEventListener("change", this.#draw);
  }

  attributeChangedCallback() {
    if (this.#button !== null) {
      this.#draw();
    }
  }

  #toggle() {
    const item = this.getAttribute("item");
    const liked = visitor.of(item) !== "like";
    if (liked) {
      visitor.mark(item, "like");
      quietly(() => experiment.liked(item));
    } else {
      visitor.forget(item);
    }
    this.dispatchEvent(new CustomEvent("pmlam-like", { detail: { item, liked }, bubbles: true, composed: true }));
  }

  #draw = () => {
    const liked = visitor.of(this.getAttribute("item")) === "like";
    this.#button.setAttribute("aria-pressed", String(liked));
    this.#icon.textContent = liked ? "♥" : "♡";
    this.#button.disabled = !this.getAttribute("item");
    const label = this.getAttribute("label");
    if (label === null) {
      this.#button.removeAttribute("aria-label");
    } else {
      this.#button.setAttribute("aria-label", label);
    }
  };
}

if (globalThis.customElements !== undefined) {
  customElements.define("pmlam-recommendations", Recommendations);
  customElements.define("pmlam-like", Like);
  offerTools();
}
