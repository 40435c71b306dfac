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
import { takePicks } from "./picks.js";
import { dropShared, shareLink, shareList, takeShared } from "./share.js";
import { money } from "./money.js";
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

// --- focus, scroll and animations across a render ------------------------------------------------------------------

let places = new Map(); // data-key → top of each card before the render
let anchor = null; // the card that keeps its place on the screen, the focused or first one: its index, and its top
let held = null; // the focused element before the render
let acted = null; // the button or link of a card that was pressed last: its card's key, and a selector
const marks = []; // those that marked a title, in order
let undone = false; // the latest of them is to be focused, if its title comes back

const cards = () => document.querySelectorAll("#app .cards > [data-key]");
const topOf = (card) => card.offsetTop - scrollY; // wherever an animation shows it
const inCard = (pressed) =>
  document.querySelector(`#app .cards > [data-key="${CSS.escape(pressed?.key ?? "")}"] ${pressed?.selector}`);

function beforeRender() {
  places = new Map();
  anchor = null;
  const active = document.activeElement?.closest(".cards > [data-key]");
  const apart = !active && document.activeElement?.closest("#next") && document.activeElement.id !== "next";
  const back = undone ? marks.at(-1)?.index : undefined; // where the title that comes back was
  [...cards()].forEach((card, index) => {
    places.set(card.dataset.key, card.getBoundingClientRect().top);
    const top = topOf(card);
    const first = anchor === null || card === active || index === back;
    if (scrollY > 0 && !apart && first && top + card.offsetHeight > 0 && top < innerHeight) {
      anchor = { index, top };
    }
  });
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
  keepScroll();
  move();
  giveWay();
  expectList(document.getElementById("app")?.dataset.list === "true");
}

let expected; // whether the next visit begins with a list

/** Notes for early.js whether the next visit begins with a list, which keepList adds. */
function expectList(list) {
  if (list === expected) {
    return;
  }
  expected = list;
  try {
    if (!list) {
      localStorage.removeItem("list");
    } else if (localStorage.getItem("list") === null) {
      localStorage.setItem("list", "1");
    }
  } catch {
    // no storage
  }
}

/** Stores the visitor's own list as it is shown, without further cards than ten, for early.js. */
function keepList() {
  const next = document.querySelector("#app #next");
  if (
    !expected ||
    location.hash !== "" ||
    next.querySelector(".card") === null ||
    next.querySelector(".notice, .shared")
  ) {
    return;
  }
  const copy = next.cloneNode(true);
  copy.querySelectorAll(".card:nth-child(n + 11)").forEach((card) => card.remove());
  const version = document.querySelector("script[data-worker]")?.dataset.version;
  const folder = new URL("./", location.href).pathname;
  try {
    localStorage.setItem("list", JSON.stringify({ version, folder, html: copy.outerHTML }));
  } catch {
    // no storage, or no room
  }
}

document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && keepList());

/** Keeps the list where it is: the card that takes the anchor's index takes its place on the screen. */
function keepScroll() {
  const all = cards();
  if (coming !== null && (all.length > 0 || document.querySelector("#app :is(.starters, .empty)") !== null)) {
    const { y, pressed } = coming;
    coming = null;
    scrollTo({ top: y, behavior: "instant" });
    (inCard(pressed) ?? document.getElementById("next")).focus({ preventScroll: true });
  } else if (anchor !== null && all.length > anchor.index) {
    const moved = topOf(all[anchor.index]) - anchor.top;
    if (Math.abs(moved) > 1) {
      scrollBy({ top: moved, behavior: "instant" });
    }
  }
}

/** Keeps the focus on its title. If the title is gone, the focus stays at its place, or as near as possible. */
function keepFocus() {
  const back = undone ? inCard(marks.at(-1)) : null;
  if (back !== null) {
    [undone, held] = [false, null];
    marks.pop();
    back.focus({ preventScroll: true });
    return;
  }
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

addEventListener(
  "click",
  ({ target }) => {
    const pressed = target.closest(".cards > [data-key] :is([data-act], a[href])");
    undone = target.closest(".undo-button") !== null;
    acted = null;
    if (pressed !== null) {
      const { act } = pressed.dataset;
      const selector = act ? `[data-act="${act}"]` : `a[href="${CSS.escape(pressed.getAttribute("href"))}"]`;
      acted = { key: pressed.closest("[data-key]").dataset.key, selector };
      if (["like", "dislike", "seen", "later"].includes(act)) {
        marks.push({ ...acted, index: [...cards()].findIndex((card) => card.contains(pressed)) });
      }
    }
  },
  true,
);

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

/** Whether an element that matches the selector has the pointer or the focus. */
const engaged = (selector) => document.querySelector(`:is(${selector}):is(:hover, :focus-within)`) !== null;

/**
 * Focuses the first element that matches the selector, once it exists; a whole section is shown from its top. While the
 * visitor goes back, the place that they come back to has the focus instead.
 */
function focus(selector) {
  if (coming !== null) {
    return;
  }
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

// Each step of the page's history keeps its place: {at: {y, pressed}, from} is the scroll position and the button of a
// card that led away, and the fragment of the step before.
let coming = null; // the place of the step that the visitor goes back to, until its list is shown

/** Notes the place of the current step, before it is left. */
function notePlace() {
  history.replaceState({ ...history.state, at: { y: scrollY, pressed: acted } }, "");
}

/** Calls follow with the address's fragment, now and after every step back, forward or along a link. */
function watchAddress(follow) {
  const read = () => follow(location.hash.slice(1));
  history.scrollRestoration = "manual"; // the browser would scroll before the list is there
  addEventListener("hashchange", ({ oldURL }) => {
    if (history.state === null) {
      history.replaceState({ from: new URL(oldURL).hash.slice(1) }, ""); // along a link
    }
    read();
  });
  addEventListener("popstate", ({ state }) => {
    coming = state?.at ?? null;
    read();
  });
  addEventListener(
    "click",
    ({ target }) => {
      if (target.closest('a[href^="#"]') !== null) {
        notePlace();
      }
    },
    true,
  );
  read();
}

/** Adds the fragment to the page's history, if it has changed. The fragment of the step before goes back to it. */
function go(fragment) {
  const now = location.hash.slice(1);
  if (now === fragment) {
    return;
  }
  if (history.state?.from === fragment) {
    history.back();
    return;
  }
  notePlace();
  history.pushState({ from: now }, "", fragment === "" ? location.pathname + location.search : "#" + fragment);
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

let undo = () => {};

document.addEventListener("keydown", (event) => {
  const at = event.target;
  if (!(at instanceof HTMLElement)) {
    return;
  }
  const text = at.matches("input:not([type=range], [type=file]), textarea");
  if (
    event.key.toLowerCase() === "z" &&
    (event.ctrlKey || event.metaKey) &&
    !event.shiftKey &&
    !event.altKey &&
    !text
  ) {
    event.preventDefault();
    undone = true;
    undo();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const offered = document.querySelector(".undo-button");
  if (event.key === "F6" && offered !== null) {
    event.preventDefault();
    offered.focus({ preventScroll: true });
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
  money,
  engaged,
  watchUndo: (f) => (undo = f),
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
  takePicks,
  takeShared,
  dropShared,
  shareLink,
  shareList,
  restart,
  watchOffline: watch,
  createMap: (host, options) => createMap(host, { ...options, say }),
};
