// Takes picks from the invitation in the page's HTML before the program runs. A reload keeps them; the program takes
// them over (page.js) and then hears of further ones.

import { words } from "./words.js";

const key = "picks"; // of the session: the program stores them for good
const wanted = 3;
const picks = new Set();
let tell = keep; // is called after each pick

const store = (f) => {
  try {
    return f(sessionStorage);
  } catch {
    return null; // no storage
  }
};

function keep() {
  store((s) => (picks.size > 0 ? s.setItem(key, JSON.stringify([...picks])) : s.removeItem(key)));
}

function show() {
  for (const button of document.querySelectorAll("#loading-starters > li > button")) {
    button.ariaPressed = String(picks.has(button.dataset.id));
  }
  document.querySelectorAll("#loading-dots > .dot").forEach((dot, i) => dot.classList.toggle("on", i < picks.size));
  const line = document.getElementById("loading-opening");
  if (line !== null) {
    line.textContent = picks.size < wanted ? words().opening : words().picked;
  }
}

/** Calls take(id, liked) for the picks so far, and for further changes while the page is not there yet. */
export function takePicks(take) {
  for (const id of picks) {
    take(id, true);
  }
  store((s) => s.removeItem(key));
  tell = take;
}

document.getElementById("loading-starters")?.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button === null) {
    return;
  }
  const { id } = button.dataset;
  const liked = button.ariaPressed !== "true";
  if (liked) {
    picks.add(id);
  } else {
    picks.delete(id);
  }
  show();
  tell(id, liked);
});
for (const id of JSON.parse(store((s) => s.getItem(key)) ?? "[]")) {
  picks.add(id);
}
show();
document.documentElement.dataset.picks = "";
