// Loads the page's program: fetches it together with the SIMD kernel and the model, shows the progress, instantiates
// the program and starts it. A failure is shown as a sentence, with a button to try again where that may help.
//
// The script element names the files, relative to the page:
//
//   <script type="module" src="assets/js/loader/loader.js" data-program="assets/app.wasm"
//     data-kernel="assets/kernel.wasm" data-model="assets/models/movielens.msgpack"
//     data-program-size="…" data-model-size="…"></script>
//
// The sizes are optional: the uncompressed sizes in bytes, since a compressed response does not tell. A file larger
// than its size is refused, and no more of it is read. The loader uses these elements if the page has them: #loading
// (its data-state is "loading", "failed" or "done"), #loading-bar (a progress element), #loading-text, and
// #loading-retry (a button, created if missing).
//
// The program takes globalThis.pmlamHost when it starts (see wasm/internal/host):
//
//   model  Uint8Array, the model file
//   ready  function (sound): the page is shown; sound is false if it only shows an error
//   fail   function (text, again): shows why the page is missing, with a button to reload if again is true

import "./wasm_exec.js";
import { fetchAll, fetched } from "./ahead.js";
import { DownloadError } from "./download.js";
import { hasWebAssembly, instantiate } from "./instantiate.js";
import { excused, failed, started } from "../page/offline.js";
import "../page/render.js";
import { words } from "../page/words.js";

const describe = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

// All deferred scripts, page.js among them, have run or failed.
const scriptsRan = new Promise((resolve) =>
  document.readyState === "complete" ? resolve() : addEventListener("DOMContentLoaded", resolve),
);

const place = document.getElementById("loading") ?? document.body.appendChild(document.createElement("div"));

/** Puts text into #loading-text, or else into the place itself. */
function say(text) {
  const line = place.querySelector("#loading-text") ?? place.appendChild(child("p", "loading-text"));
  if (line.textContent !== text) {
    line.textContent = text; // do not announce the same text twice in a live region
  }
}

function child(name, id) {
  const element = document.createElement(name);
  element.id = id;
  return element;
}

function retryButton() {
  const button = place.querySelector("#loading-retry") ?? place.appendChild(child("button", "loading-retry"));
  button.type = "button";
  return button;
}

function show(loaded, total) {
  if (place.dataset.state !== "loading") {
    return; // a file of an earlier attempt
  }
  const bar = place.querySelector("#loading-bar");
  if (bar !== null && total > 0) {
    bar.max = total;
    bar.value = loaded;
  }
  say(total > 0 && loaded >= total ? words().starting : words().loading(loaded, total));
}

/** Shows a problem. again is the action of the button; null: no button. */
function fail(text, again) {
  place.dataset.state = "failed";
  place.hidden = false;
  if (!place.isConnected) {
    document.body.prepend(place);
  }
  const bar = place.querySelector("#loading-bar");
  if (bar !== null) {
    bar.hidden = true;
  }
  place.setAttribute("role", "alert");
  say(`${text} ${words().kept}`);
  const button = retryButton();
  button.hidden = again === null;
  button.textContent = words().again;
  button.onclick = again;
}

function begin() {
  place.dataset.state = "loading";
  place.hidden = false;
  place.removeAttribute("role");
  const bar = place.querySelector("#loading-bar");
  if (bar !== null) {
    bar.hidden = false;
  }
  const button = place.querySelector("#loading-retry");
  if (button !== null) {
    button.hidden = true;
  }
}

const pressed = []; // selectors of buttons that the visitor pressed in the last visit's list (page/early.js)

place.addEventListener("click", ({ target }) => {
  const button = target.closest(".card [data-act]");
  if (button !== null) {
    pressed.push(inApp(button));
  }
});

/** The selector of the button that takes the place of one of the loading page. */
function inApp(button) {
  const { act } = button.dataset;
  const { key } = button.closest("[data-key]").dataset;
  return `#app [data-key="${CSS.escape(key)}"] ${act ? `[data-act="${CSS.escape(act)}"]` : "button"}`;
}

/**
 * Hides the loading page. The focus stays on its title, or else goes to the list that has taken its place. Buttons of
 * the last visit's list that were pressed are pressed now.
 */
function handOver() {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const keyed = focused?.closest("[data-key]") ? inApp(focused) : null;
  place.dataset.state = "done";
  place.hidden = true;
  place.querySelector("#next")?.remove();
  if (keyed !== null) {
    const same = document.querySelector(keyed);
    (same ?? document.getElementById("next"))?.focus({ preventScroll: true });
    if (same === null) {
      scrollTo(0, 0);
    }
  }
  setTimeout(() => pressed.forEach((button) => document.querySelector(button)?.click()));
}

const reload = () => location.reload();

// Models of at least this many bytes keep Go's own limit of the heap. For smaller ones the heap may grow to five times
// its live size before a collection, which blocks the only thread for 10 to 40 ms. Most memory allocated before the
// page is shown stays in use anyway.
const LARGE = 8 << 20;

/** @param {RequestCache} cache "reload" asks the network again, since the browser's cache may be damaged */
async function start(cache) {
  begin();
  if (!hasWebAssembly()) {
    fail(words().noWebAssembly, null);
    excused();
    return;
  }
  const go = new globalThis.Go();
  const files = fetched() ?? fetchAll(cache);
  files.watch(show);
  const [program, kernel, model] = files.parts;
  let parts, content;
  try {
    [parts, content] = await Promise.all([instantiate(go, program, kernel), model]);
  } catch (error) {
    console.error(error);
    failed();
    if (!(error instanceof DownloadError)) {
      // A connection lost during compilation is a TypeError in some browsers; a compilation error is not.
      const network = error instanceof TypeError;
      fail(network ? words().unreachable : words().broken(describe(error)), () => start("reload"));
    } else if (error.status === 0) {
      fail(words().unreachable, () => start("default"));
    } else {
      fail(words().refused(error.url, error.status), reload);
    }
    return;
  }
  if (parts.problem !== null) {
    console.warn("The SIMD kernel could not be loaded; the program scans without it.", parts.problem);
  }
  let told = false;
  globalThis.pmlamHost = {
    model: content,
    ready(sound) {
      handOver();
      (sound ? started : failed)();
    },
    fail(text, again) {
      told = true;
      failed();
      fail(text, again ? reload : null);
    },
  };
  if (content.byteLength < LARGE) {
    go.env.GOGC = "400";
  }
  content = null; // the program has a copy of its own; this one can be freed
  await scriptsRan;
  await new Promise((next) => setTimeout(next)); // a task of its own, like instantiating
  try {
    await go.run(parts.instance);
  } catch (error) {
    console.error(error);
  }
  if (!told) {
    failed();
    fail(words().stopped, reload);
  }
}

// Not awaited: the program runs as long as the page.
start("default");
