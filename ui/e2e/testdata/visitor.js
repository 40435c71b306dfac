// The tests' view of the page, and the positions of their clicks. Injected before the page's scripts; it only reads,
// and blocks clicks that miss their target.
//
// Elements are found by role and accessible name. The browser's own names (element.computedName) cost seconds per page,
// so the few rules that this page needs are implemented here; TestAccessibleNames compares them with the browser's.
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

  /** All elements with this role and accessible name, optionally `within` the element of that [role, name]. */
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

  // --- clicks that cannot miss ----------------------------------------------------------------------------------------
  //
  // While a driver's click is on its way, the page may move or reuse an element. So the click's events are checked
  // before the page receives them: if both the pointerdown and the click hit their target, by its role and name at that
  // moment, the page gets them. Otherwise it gets none of them, clicked() describes what they hit, and the test aims
  // again, as a person would.

  let aimed = null; // {hits(event), which returns an error or ""; began; why; over}

  /** Watches the next click. hits(event) returns "" if the event reaches its target, else what it hits. */
  const guard = (hits) => (aimed = { hits, began: false, why: "", over: false });

  function watchClick(event) {
    const { type } = event, a = aimed;
    if (a === null || a.over || !event.isTrusted) {
      return;
    }
    if (type === "pointerdown") {
      a.began = true;
    }
    if (type === "pointerdown" || type === "click" && a.why === "") {
      a.why = a.began ? a.hits(event) : "a click of something else";
    }
    if (type === "pointercancel" || type === "contextmenu") {
      a.why ||= `it became another gesture (${type})`;
    }
    if (a.why !== "") {
      event.stopImmediatePropagation();
      if (type !== "pointerdown") { // blocking it would suppress mousedown, which moves the focus
        event.preventDefault();
      }
    }
    a.over = type === "click" || type === "pointercancel" || type === "contextmenu" || type === "touchend" && a.why !== "";
    if (type === "mouseup") { // its click follows in the same task
      setTimeout(() => {
        if (!a.over) {
          a.why ||= "the pointer went down and up on different things";
          a.over = true;
        }
      });
    }
  }
  for (const type of ["pointerdown", "touchstart", "mousedown", "pointerup", "touchend", "mouseup", "click", "pointercancel",
    "contextmenu"]) {
    addEventListener(type, watchClick, { capture: true, passive: false });
  }

  /** The result of the aimed click: {over, why}; why is "" if it hit. A page that has navigated was clicked. */
  function clicked() {
    if (aimed === null) {
      return { over: true, why: "" };
    }
    const { over, why } = aimed;
    if (over) {
      aimed = null;
    }
    return { over, why };
  }

  /** Where to click the only element with this role and name: {x, y}, or {why} it cannot be clicked now. */
  async function aim(wanted, called, within) {
    await frames(1); // lets the page show the last action
    const now = () => find(wanted, called, within).find(shown);
    const e = now();
    if (e === undefined) {
      return { why: "there is none" };
    }
    const middle = () => {
      const r = e.getBoundingClientRect();
      return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
    };
    const holds = (thing, n) => thing.contains(n) || n instanceof HTMLLabelElement && n.control === thing;
    const hit = (p) => {
      const top = document.elementFromPoint(p.x, p.y);
      return top !== null && holds(e, top) ? null : top ?? document.documentElement;
    };
    const inside = (p) => p.x >= 0 && p.y >= 0 && p.x < innerWidth - 1 && p.y < innerHeight - 1;
    let p = middle();
    if (!inside(p) || hit(p) !== null) {
      e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      p = middle();
    }
    if (!inside(p)) {
      return { why: "it cannot be scrolled into view" };
    }
    const over = hit(p);
    if (over !== null) {
      return { why: `it is covered by ${around(over)}` };
    }
    guard(({ target }) => {
      const thing = now();
      return thing !== undefined && holds(thing, target) ? "" : `it hit ${around(target)}`;
    });
    return p;
  }

  /**
   * Where to click a position of the map: {x, y}, or {why} it cannot be clicked now. where() returns it in pixels of
   * the picture, or undefined if it does not exist. It is called again when the click arrives.
   */
  function aimMap(where) {
    const now = () => {
      const at = where(), r = document.getElementById("map-canvas").getBoundingClientRect();
      return at && { x: r.x + at[0], y: r.y + at[1] };
    };
    const p = now();
    if (p === undefined) {
      return { why: "the map has no such place" };
    }
    const top = document.elementFromPoint(p.x, p.y);
    if (top?.id !== "map-canvas") {
      return { why: `over it lies ${top === null ? "nothing" : around(top)}` };
    }
    guard(({ target, clientX, clientY }) => {
      const q = now();
      return q !== undefined && target === top && Math.hypot(clientX - q.x, clientY - q.y) < 2 ? "" : "it has moved";
    });
    return p;
  }

  /** The page's activity that may change what it shows, or "" if it is idle until something happens. */
  function goesOn() {
    const loading = document.getElementById("loading");
    if (loading && !loading.hidden && loading.dataset.state !== "failed") {
      return "it has not started";
    }
    if (globalThis.ellipsis?.tasks > 0) {
      return `the program has ${ellipsis.tasks} things to do`;
    }
    const map = document.querySelector(".map-host")?.map;
    if (map?.late !== undefined || map?.frame !== undefined) {
      return "the map is drawn";
    }
    // The browser reports a new size to the map in the next frame.
    if (map && shown(map.host) && Math.abs(map.host.getBoundingClientRect().width - map.width) >= 1) {
      return "the map learns its size";
    }
    return "";
  }

  const has = (...thing) => find(...thing).length > 0;

  /** An attribute of the first element with this role and name, or "". */
  const attribute = (attr, ...thing) => find(...thing)[0]?.getAttribute(attr) ?? "";

  /** The visible text of the first element with this role and name, or "". */
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
        marks: card.querySelectorAll("svg.mark").length,
      };
    });
  }

  const headings = () => cards().map((c) => c.heading);

  /** The accessible names of all elements of a role inside an element. */
  const names = (wanted, within) =>
    (within ? find(...within) : [document]).flatMap((scope) =>
      [...scope.querySelectorAll(things)].filter((e) => role(e) === wanted && told(e)).map(name));

  /** The focused element: [role, name], or []. */
  function focused() {
    const e = document.activeElement;
    return e === null || e === document.body || e === document.documentElement ? [] : [role(e), name(e)];
  }

  /** The number of colours in the element's canvas, and its painted share. */
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

  /** Everything stored for this origin, by place; bytes in base64. */
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
      if (!key.startsWith("site ")) { // the site's own files, without visitor data
        out[`caches / ${key}`] = "";
      }
    }
    if (document.cookie !== "") {
      out.cookie = document.cookie;
    }
    return out;
  }

  // Announcements: the successive texts of the page's live region.
  const announced = [];
  let first = 0; // index of the first that counts
  new MutationObserver(() => {
    const text = document.getElementById("live")?.textContent ?? "";
    if (text !== "" && text !== announced.at(-1)) {
      announced.push(text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });

  /** [] if the text was announced, which then is the first that counts; else "" and the announcements. */
  function unannounced(text) {
    const at = announced.findIndex((said, i) => i >= first && said.includes(text));
    if (at < 0) {
      return ["", ...announced.slice(first)];
    }
    first = at;
    return [];
  }

  // Texts that appear only briefly: those that were on the screen since watchFor was called.
  const appeared = new Set();

  /** Watches for a text that may have disappeared before a test checks for it. */
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

  globalThis.visitor = { role, name, find, aim, aimMap, clicked, goesOn, has, attribute, text, cards, headings, names, focused, painted, stored,
    shown, around, frames, violations, things, unannounced, watchFor, appeared };
})();
