// Sharing: a taste that came with the page's address, and links and lists to share. page.js passes these functions to
// the program (ui/browser). docs/share.md documents the format of links.

import { download } from "./device.js";

const TASTE = "taste="; // the beginning of a fragment with a taste

let tell; // tells the program of a received taste, and of the outcome of sharing

/**
 * Calls take("taste", fragment) for a taste in the address's fragment, now and later. The taste leaves the address at
 * once, so that it is not passed on with it; a reload finds it in the history, until dropShared is called. The outcomes
 * of sharing a link or a list arrive as take("link", text) and take("list", text).
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

/** Drops the taste that came with the address. */
export function dropShared() {
  if (history.state?.taste !== undefined) {
    history.replaceState(null, "");
  }
}

/** The page's address without its fragment. */
export const address = () => location.href.split("#")[0];

/**
 * Shares the page's address with a fragment: through the device's share sheet, else by the clipboard, else in a field
 * to be copied by hand. Reports the outcome. Call it within a click or key press. close is the label of a button.
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

/** Shows a selected text to be copied by hand. */
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

/** The first ten cards as text, one a line: title, year and reasons. */
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

/** Copies the list as text, or saves it as a file if the page may not copy. */
export async function shareList(site, title, because, copied) {
  const text = list(title, because, site);
  try {
    await navigator.clipboard.writeText(text);
    tell("list", copied);
  } catch {
    download(`${site.toLowerCase()}.txt`, "text/plain", text);
  }
}
