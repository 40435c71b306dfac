// What a visitor of the tests sees and where they would click. Injected before the page's own scripts; it only reads.
//
// Things are found by role and accessible name. The browser's own names (element.computedName) cost seconds a page, so
// the few rules that this page needs are written down here; TestAccessibleNames holds them against the browser's.
(() => {
  const things = "a[href], button, input, ol, ul, section, nav, main, header, h1, h2, h3, canvas, [role], [aria-label]";
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    e.getClientRects().length > 0;
  const frames = (n) => new Promise((resolve) => (n === 0 ? resolve() : requestAnimationFrame(() => resolve(frames(n - 1)))));

  const tags = { A: "link", BUTTON: "button", OL: "list", UL: "list", NAV: "navigation", MAIN: "main", HEADER: "banner",
    H1: "heading", H2: "heading", H3: "heading", CANVAS: "canvas" };
  const inputs = { search: "searchbox", range: "slider", file: "button" };

  const role = (e) =>
    e.getAttribute("role") ??
    (e.localName === "input" ? inputs[e.type] ?? "textbox" : e.localName === "section" ? (name(e) === "" ? "" : "region") : tags[e.tagName] ?? "");

  const spaced = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const byContent = /^(A|BUTTON|H1|H2|H3)$/;

  function name(e) {
    const by = e.getAttribute("aria-labelledby");
    if (by) {
      return spaced(by.split(" ").map((id) => document.getElementById(id)?.textContent).join(" "));
    }
    if (e.getAttribute("aria-label")) {
      return spaced(e.getAttribute("aria-label"));
    }
    if (e.labels?.length > 0) {
      return spaced(e.labels[0].textContent);
    }
    return byContent.test(e.tagName) || e.getAttribute("role") === "option" ? spaced(e.textContent) : "";
  }

  const told = (e) => e.checkVisibility({ visibilityProperty: true }) &&
    e.closest("[aria-hidden=true], [inert]") === null;

  /** All elements of that role and accessible name; where `within` is given, inside the thing of that [role, name]. */
  function find(wanted, called, within) {
    const scopes = within ? find(...within) : [document];
    const out = [];
    for (const scope of scopes) {
      for (const e of scope.querySelectorAll(things)) {
        if (role(e) === wanted && name(e) === called && told(e)) {
          out.push(e);
        }
      }
    }
    return out;
  }

  const around = (e) => `${e.localName}${e.id ? "#" + e.id : ""}${e.className && typeof e.className === "string" ? "." + e.className.split(" ").join(".") : ""}`;

  /** Where to click for the one thing of that role and name: {x, y}, or {why} it cannot be clicked now. */
  async function aim(wanted, called, within) {
    const found = find(wanted, called, within).filter(shown);
    if (found.length === 0) {
      return { why: "there is none" };
    }
    const e = found[0];
    const middle = () => {
      const r = e.getBoundingClientRect();
      return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
    };
    const hit = (p) => {
      const top = document.elementFromPoint(p.x, p.y);
      return top !== null && (e.contains(top) ||
        (top instanceof HTMLLabelElement && top.control === e)) ? null : top ?? document.documentElement;
    };
    const inside = (p) => p.x >= 0 && p.y >= 0 && p.x < innerWidth - 1 && p.y < innerHeight - 1;
    let p = middle();
    if (!inside(p) || hit(p) !== null) {
      e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    }
    await frames(2);
    p = middle();
    await frames(1);
    const q = middle();
    const glides = document.getAnimations().some((a) => a.playState === "running" && a.effect.target?.contains(e));
    if (!e.isConnected || glides || p.x !== q.x || p.y !== q.y) {
      return { why: "it moves" };
    }
    if (!inside(q)) {
      return { why: "it cannot be scrolled into view" };
    }
    const over = hit(q);
    if (over !== null) {
      return { why: `it is covered by ${around(over)}` };
    }
    return q;
  }

  const has = (...thing) => find(...thing).length > 0;

  /** An attribute of the first thing of that role and name, "" where there is none. */
  const attribute = (attr, ...thing) => find(...thing)[0]?.getAttribute(attr) ?? "";

  /** The text of the first thing of that role and name as it is seen, "" where there is none. */
  const text = (...thing) => find(...thing)[0]?.innerText ?? "";

  /** The cards of the list, in order. */
  function cards() {
    const list = document.getElementById("recommendations");
    return [...(list?.children ?? [])].map((card) => {
      const heading = card.querySelector("h3");
      const paragraphs = [...card.querySelectorAll("p")].map((p) => p.innerText.trim());
      return {
        heading: heading.innerText.replace(/\s+/g, " ").trim(),
        paragraphs,
        buttons: [...card.querySelectorAll("button")].map((b) => name(b)),
        marks: card.querySelectorAll("svg ellipse").length,
      };
    });
  }

  const headings = () => cards().map((c) => c.heading);

  /** The names of all that role holds inside a thing, as they are told to assistive technology. */
  const names = (wanted, within) =>
    (within ? find(...within) : [document]).flatMap((scope) =>
      [...scope.querySelectorAll(things)].filter((e) => role(e) === wanted && told(e)).map(name));

  /** What has the focus: [role, name], or [] where nothing has. */
  function focused() {
    const e = document.activeElement;
    return e === null || e === document.body || e === document.documentElement ? [] : [role(e), name(e)];
  }

  /** How many different colours the canvas of the thing shows, and how much of it is painted at all. */
  function painted() {
    const canvas = document.querySelector("canvas");
    if (canvas === null || canvas.width === 0) {
      return { colours: 0, share: 0 };
    }
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set();
    let drawn = 0;
    const pixels = new Uint32Array(data.buffer);
    for (const p of pixels) {
      if (p >>> 24 !== 0) {
        drawn++;
        colours.add(p);
      }
    }
    return { colours: colours.size, share: drawn / pixels.length };
  }

  /** Everything that is stored for this origin, by place; bytes in base64. */
  async function stored() {
    const out = {};
    for (const { name } of await indexedDB.databases()) {
      const open = indexedDB.open(name);
      const db = await new Promise((resolve, reject) => {
        open.onsuccess = () => resolve(open.result);
        open.onerror = () => reject(open.error);
      });
      for (const store of db.objectStoreNames) {
        const s = db.transaction(store).objectStore(store);
        const ask = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
        const [keys, values] = await Promise.all([ask(s.getAllKeys()), ask(s.getAll())]);
        keys.forEach((key, i) => (out[`${name} / ${store} / ${key}`] = values[i] instanceof Uint8Array ? btoa(Array.from(values[i].length < 65536 ? values[i] : [], (c) => String.fromCharCode(c)).join("")) : JSON.stringify(values[i])));
      }
      db.close();
    }
    for (const [place, storage] of Object.entries({ localStorage, sessionStorage })) {
      for (const key of Object.keys(storage)) {
        out[`${place} / ${key}`] = storage.getItem(key);
      }
    }
    for (const key of await caches.keys()) {
      if (!key.startsWith("site ")) { // the site's own files, which say nothing of the visitor
        out[`caches / ${key}`] = "";
      }
    }
    if (document.cookie !== "") {
      out.cookie = document.cookie;
    }
    return out;
  }

  // What was announced: the texts of the page's live region, one after the other.
  const announced = [];
  let first = 0; // of them that counts
  new MutationObserver(() => {
    const text = document.getElementById("live")?.textContent ?? "";
    if (text !== "" && text !== announced.at(-1)) {
      announced.push(text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });

  /** [] where the text was announced, which then is the first that counts; else "" and what was announced. */
  function unannounced(text) {
    const at = announced.findIndex((said, i) => i >= first && said.includes(text));
    if (at < 0) {
      return ["", ...announced.slice(first)];
    }
    first = at;
    return [];
  }

  // Texts that show for a moment only: those of them that have been on the screen since watchFor was called.
  const appeared = new Set();

  /** Watches for a text, which may have gone again by the time that a test asks for it. */
  function watchFor(text) {
    appeared.delete(text);
    const shows = () => document.body.innerText.replace(/\s+/g, " ").includes(text);
    new MutationObserver((_, observer) => {
      if (shows()) {
        appeared.add(text);
        observer.disconnect();
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  }

  const violations = [];
  addEventListener("securitypolicyviolation",
    (e) => violations.push(`${e.violatedDirective} blocked ${e.blockedURI || "inline"} at ${e.sourceFile}:${e.lineNumber}`));

  globalThis.visitor = { role, name, find, aim, has, attribute, text, cards, headings, names, focused, painted, stored,
    shown, around, frames, violations, things, unannounced, watchFor, appeared };
})();
