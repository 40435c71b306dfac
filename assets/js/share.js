// What goes from hand to hand: a taste that came with the page's address, and texts and links that go out. page.js hands
// this to the program (ui/share_js.go). docs/share.md says what is in a link.

const TASTE = "taste="; // how a fragment that carries one begins

/**
 * Calls take(fragment) for a taste in the address's fragment, now and whenever one comes. It leaves the address at once,
 * so that it is not passed on with it; until drop is called, a reload finds it in the history.
 */
export function takeShared(take) {
  const read = () => {
    const fragment = location.hash.slice(1);
    if (fragment.startsWith(TASTE)) {
      history.replaceState({ taste: fragment }, "", address());
      take(fragment);
    }
  };
  addEventListener("hashchange", read);
  if (location.hash === "" && typeof history.state?.taste === "string") {
    take(history.state.taste);
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
 * Hands out what the visitor shares, a link where url is true, by the device's own way of sharing or else by the
 * clipboard: done("shared"), done("copied"), done("given up") where the visitor thought better of it, and done("refused")
 * where the browser lets the page do neither. To be called while a click or a key is fresh.
 */
export async function share(title, text, url, done) {
  const parcel = url ? { title, url: text } : { title, text };
  if (url && navigator.canShare?.(parcel)) {
    try {
      await navigator.share(parcel);
      done("shared");
      return;
    } catch (error) {
      if (error.name === "AbortError") {
        done("given up");
        return;
      }
      // it cannot after all
    }
  }
  try {
    await navigator.clipboard.writeText(text);
    done("copied");
  } catch {
    done("refused");
  }
}

// What can only be copied by hand is selected as soon as it has the focus.
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLInputElement && target.readOnly) {
    target.select();
  }
});
