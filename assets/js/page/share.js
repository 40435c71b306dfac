// Sharing: a taste that came with the page's address, and the links and lists that the visitor shares. page.js passes
// these functions to the program (ui/browser); docs/share.md has the format of a link.

import { download } from "./device.js";

const TASTE = "taste="; // how a fragment that carries one begins

let tell; // tells the program of a taste that came, and of the outcome of sharing, as a text

/**
 * Calls take("taste", fragment) for a taste in the address's fragment, now and whenever one comes. It leaves the
 * address at once, so that it is not passed on with it; until dropShared is called, a reload finds it in the history.
 * What comes of a link or a list that is handed out is told by take("link", text) and take("list", text).
 */
export function takeShared(take) {
  tell = take;
  const read = () => {
    const fragment = location.hash.slice(1);
    if (fragment.startsWith(TASTE)) {
      history.replaceState({ taste: fragment }, "", address());
      take("taste", fragment);
    }
  };
  addEventListener("hashchange", read);
  if (location.hash === "" && typeof history.state?.taste === "string") {
    take("taste", history.state.taste);
  } else {
    read();
  }
}

/** Forgets the taste that came with the address. */
export function dropShared() {
  if (history.state?.taste !== undefined) {
    history.replaceState(null, "");
  }
}

/** The page's own address, without a fragment. */
export const address = () => location.href.split("#")[0];

/**
 * Hands out the page's address with a fragment: by the device's own way of sharing, else by the clipboard, else in a
 * field to be copied by hand, and says so. It is called while a click or a key is fresh. close is the name of a button.
 */
export async function shareLink(title, fragment, copied, byHand, close) {
  const url = `${address()}#${fragment}`;
  try {
    if (navigator.canShare?.({ title, url })) {
      await navigator.share({ title, url });
      tell("link", "");
      return;
    }
  } catch (error) {
    if (error.name === "AbortError") {
      return; // the visitor cancelled
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    tell("link", copied);
  } catch {
    offer(byHand, url, close);
  }
}

/** Shows what can only be copied by hand, selected. */
function offer(text, value, close) {
  const dialog = document.createElement("dialog");
  dialog.className = "by-hand";
  dialog.setAttribute("aria-label", text);
  const label = document.createElement("label");
  const field = document.createElement("input");
  field.readOnly = true;
  field.value = value;
  label.append(text, field);
  const button = document.createElement("button");
  button.className = "quiet";
  button.textContent = close;
  button.onclick = () => dialog.close();
  dialog.append(label, button);
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
  field.focus();
  field.select();
}

/** The first ten cards of the list as text, a line each: title, year and what it is there for. */
function list(title, because, site) {
  const and = new Intl.ListFormat(document.documentElement.lang || "en");
  const text = (e, selector) => e.querySelector(selector)?.textContent ?? "";
  const lines = [...document.querySelectorAll("#recommendations > .card")].slice(0, 10).map((card, i) => {
    const reasons = [...card.querySelectorAll(".reason b")].map((b) => b.textContent);
    const line = [text(card, ".title"), text(card, ".year")].filter(Boolean).join(", ");
    return `${i + 1}. ${line}.${reasons.length > 0 ? ` ${because} ${and.format(reasons)}.` : ""}`;
  });
  return [title, "", ...lines, "", `${site}, ${address()}`, ""].join("\n");
}

/** Copies the list as text, or saves it as a file where the page may not copy. */
export async function shareList(site, title, because, copied) {
  const text = list(title, because, site);
  try {
    await navigator.clipboard.writeText(text);
    tell("list", copied);
  } catch {
    download(`${site.toLowerCase()}.txt`, "text/plain", text);
  }
}
