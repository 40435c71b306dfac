// The page's calls of the browser, next to its program: screen-reader announcements, the focus, animations when the
// list is re-ordered, the colours, keys, and the painted map. The program (ui/browser) finds them under
// globalThis.ellipsis; the page works without them.
//
// Elements of a title have the attribute data-key, which identifies them for the program's renderer and for this
// script. Their buttons have data-act.

import * as device from "./device.js";
import { inflate, takeFiles } from "./files.js";
import { createMap } from "../map/map.js";
import { giveWay, painted } from "../map/motion.js";
import { restart, watch } from "./offline.js";
import { dropShared, shareLink, shareList, takeShared } from "./share.js";
import { chosen, pageTitle, setLanguage } from "./words.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

// --- announcements -------------------------------------------------------------------------------------------------

let waiting = [];

/** Makes screen readers say text soon, joined with further texts within a moment. */
function say(text) {
  if (text === "") {
    return;
  }
  waiting.push(text);
  if (waiting.length > 1) {
    return;
  }
  setTimeout(() => {
    const line = document.getElementById("live");
    const all = waiting.reduce((said, next) => said + (/[.!?…]$/.test(said) ? " " : ". ") + next);
    waiting = [];
    if (line !== null) {
      line.textContent = line.textContent === all ? all + "\u00a0" : all; // so that the same text is announced again
    }
  }, 120);
}

// --- focus and animations across a render --------------------------------------------------------------------------

let places = new Map(); // data-key → top of each card before the render
let held = null; // the focused element before the render

const cards = () => document.querySelectorAll(".cards > [data-key]");

function beforeRender() {
  places = new Map();
  for (const card of still.matches ? [] : cards()) {
    places.set(card.dataset.key, card.getBoundingClientRect().top);
  }
  held = null;
  const focused = document.activeElement;
  if (focused === null || focused === document.body) {
    return;
  }
  const keyed = focused.closest("[data-key]");
  const around = [];
  for (let e = focused.parentElement; e !== null && e !== document.body; e = e.parentElement) {
    around.push(e);
  }
  const list = keyed?.parentElement;
  held = {
    focused,
    key: keyed?.dataset.key,
    act: focused.dataset.act,
    list,
    at: [...(list?.children ?? [])].indexOf(keyed),
    around,
  };
}

function afterRender() {
  keepFocus();
  move();
  giveWay();
}

/** Keeps the focus on its title. If the title is gone, the focus stays at its place, or as near as possible. */
function keepFocus() {
  if (held === null) {
    return;
  }
  const { focused, key, act, list, at, around } = held;
  held = null;
  if (key !== undefined && act !== undefined && list.isConnected) {
    const does = `[data-act="${CSS.escape(act)}"]`;
    const same =
      list.querySelector(`:scope > [data-key="${CSS.escape(key)}"] ${does}`) ?? list.children[at]?.querySelector(does);
    if (same) {
      if (same !== document.activeElement) {
        same.focus({ preventScroll: true });
      }
      return;
    }
  }
  if (document.activeElement === focused && focused.isConnected) {
    return;
  }
  for (const e of around) {
    if (e.id === "app") {
      // That part of the page is gone: go to the recommendations, instead of the link that skips to them.
      const about = document.getElementById("next");
      (visible(about) ? about : document.querySelector("[aria-current=page]")).focus({ preventScroll: true });
      return;
    }
    const next = e.isConnected
      ? [...e.querySelectorAll("button, input, a[href]")].filter(visible).at(list === e ? -1 : 0)
      : undefined;
    if (next !== undefined) {
      next.focus({ preventScroll: true });
      return;
    }
  }
}

const visible = (e) => e.getClientRects().length > 0;

/** Glides cards to their new places, and fades new ones in. */
function move() {
  if (still.matches || places.size === 0) {
    return;
  }
  const all = [...cards()];
  if (all.length === places.size && all.every((card, i) => [...places.keys()][i] === card.dataset.key)) {
    return;
  }
  for (const card of all) {
    for (const a of card.getAnimations()) {
      a.cancel();
    }
  }
  const tops = all.map((card) => card.getBoundingClientRect().top);
  const timing = { duration: 180, easing: "cubic-bezier(.2,.7,.2,1)" };
  all.forEach((card, i) => {
    const before = places.get(card.dataset.key);
    if (before === undefined) {
      card.animate([{ opacity: 0 }, { opacity: 1 }], timing);
    } else if (Math.abs(before - tops[i]) > 1) {
      card.animate([{ transform: `translateY(${before - tops[i]}px)` }, { transform: "none" }], timing);
    }
  });
}

/** Focuses the first element that matches the selector, once it exists; a whole section is shown from its top. */
function focus(selector) {
  requestAnimationFrame(() => {
    const element = document.querySelector(selector);
    const part = element?.tabIndex === -1;
    element?.focus({ preventScroll: part });
    if (part) {
      scrollTo(0, 0);
    }
  });
}

// --- the address ---------------------------------------------------------------------------------------------------

/** Calls follow with the address's fragment, now and after every step back, forward or along a link. */
function watchAddress(follow) {
  const read = () => follow(location.hash.slice(1));
  addEventListener("hashchange", read);
  addEventListener("popstate", read);
  read();
}

/** Adds the fragment to the page's history, if it has changed. */
function go(fragment) {
  if (location.hash.slice(1) !== fragment) {
    history.pushState(null, "", fragment === "" ? location.pathname + location.search : "#" + fragment);
  }
}

function setTitle(heading) {
  const page = pageTitle();
  document.title = heading === "" ? page : `${heading} · ${page.split(":")[0]}`;
}

// --- colours -------------------------------------------------------------------------------------------------------

const themes = ["", "light", "dark"];
const themeKey = "theme"; // outside of the program's store, so that the colours are right before the program starts

/** 0: as the system, 1: light, 2: dark. */
function setTheme(t) {
  if (themes[t]) {
    document.documentElement.dataset.theme = themes[t];
  } else {
    delete document.documentElement.dataset.theme;
  }
  try {
    if (themes[t]) {
      localStorage.setItem(themeKey, String(t));
    } else {
      localStorage.removeItem(themeKey);
    }
  } catch {
    // no storage: the colours last until the page is closed
  }
}

const theme = () => Math.max(themes.indexOf(document.documentElement.dataset.theme ?? ""), 0);

try {
  setTheme(Number(localStorage.getItem(themeKey)) || 0);
} catch {
  // no storage
}

// --- keys ----------------------------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  const at = event.target;
  if (!(at instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (event.key === "/" && !at.matches("input, textarea, select")) {
    const search = document.getElementById("search");
    if (search !== null && visible(search)) {
      event.preventDefault();
      search.focus();
      search.select();
    }
    return;
  }
  const down = event.key === "ArrowDown";
  if (!down && event.key !== "ArrowUp" && !(event.key === "Enter" && at.id === "search")) {
    return;
  }
  // Arrow keys move between the search box and the results, within the focused button's column.
  const rows = [...document.querySelectorAll(".found > [data-key]")];
  const row = at.closest(".found > [data-key]");
  let to;
  if (at.id === "search" && event.key !== "ArrowUp") {
    to = rows[0]?.querySelector("[data-act]");
  } else if (row !== null && event.key !== "Enter") {
    const next = rows.indexOf(row) + (down ? 1 : -1);
    to =
      next < 0
        ? document.getElementById("search")
        : rows[next]?.querySelector(`[data-act="${CSS.escape(at.dataset.act ?? "like")}"]`);
  }
  if (to) {
    event.preventDefault();
    to.focus();
  }
});

globalThis.ellipsis = {
  ...device,
  say,
  beforeRender,
  afterRender,
  focus,
  painted,
  watchAddress,
  go,
  setTitle,
  setTheme,
  theme,
  language: () => document.documentElement.lang,
  chosenLanguage: chosen,
  setLanguage,
  inflate,
  takeFiles,
  takeShared,
  dropShared,
  shareLink,
  shareList,
  restart,
  watchOffline: watch,
  createMap: (host, options) => createMap(host, { ...options, say }),
};
