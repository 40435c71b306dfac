// Makes the page start without a network: registers the service worker (worker/service-worker.js) once the page has
// started and is idle, reports the outcome of the start to it, and passes the worker's state to the page.
//
// The script element names the worker, and in a built site its version:
//
//   <script type="module" src="assets/js/page/offline.js" data-worker="service-worker.js" data-version="…"></script>
//
// It must precede the scripts whose failures it reports. Without service workers (plain http, private windows of
// some browsers), or in a site that is not built, it registers nothing and changes nothing.

const script = document.querySelector("script[data-worker]");
const version = script?.dataset.version;
const workers = supported();

/** navigator.serviceWorker, or null. */
function supported() {
  try {
    return version && navigator.serviceWorker && navigator.locks ? navigator.serviceWorker : null;
  } catch {
    return null; // throws in some browsers
  }
}

// --- the outcome of the start --------------------------------------------------------------------------------------

const EARLY = 10_000; // ms: a page that is left earlier has neither started nor failed
let lastWord = ""; // the last report: "started", "failed", "excused" or none yet
let broken = false; // an error before the start

function tell(word) {
  if (lastWord !== "started" && lastWord !== word) {
    lastWord = word;
    workers?.controller?.postMessage({ kind: word, version });
  }
}

/** Calls f when the page is idle, or after two seconds at most. */
const idle = (f) => (globalThis.requestIdleCallback ? requestIdleCallback(f, { timeout: 2_000 }) : setTimeout(f, 500));

/** Reports that the page has started. */
export function started() {
  if (lastWord !== "started") {
    tell("started");
    idle(register); // fetching the site must not delay the page
  }
}

/** Reports that this version cannot start the page. */
export const failed = () => tell("failed");

/** Reports that the page did not start for a reason other than this version. */
export const excused = () => tell("excused");

addEventListener("error", () => (broken = true), true);
addEventListener("unhandledrejection", () => (broken = true));
addEventListener("pagehide", () => {
  if (lastWord === "" && !broken && performance.now() < EARLY) {
    excused();
  }
});

// --- the state of the copy -----------------------------------------------------------------------------------------

/**
 * The state of the copy, for the page.
 * @typedef {{online: boolean, able: boolean, since: number, refused: boolean, full: boolean, update: boolean}} Known
 * online: according to the browser. able: this browser can keep the site. since: when the first copy was complete, in
 * ms since 1970, 0: not yet. refused: the latest attempt to fetch the whole site failed. full: there was no room for
 * the site, or for its records. update: a newer version is ready for the next start.
 */
let known = { online: navigator.onLine, able: workers !== null, since: 0, refused: false, full: false, update: false };
let report = () => {};

function learn(news) {
  known = { ...known, ...news };
  report(known);
}

/** Calls f with the state of the copy, now and after every change. @param {(known: Known) => void} f */
export function watch(f) {
  report = f;
  f(known);
}

const TAKEOVER_LIMIT = 3_000; // ms that a restart waits for a new worker to take over

/**
 * Restarts the page in the newest version. A waiting worker takes over first; otherwise it would wait, with its
 * improvements, until all tabs are closed.
 */
export async function restart() {
  const waiting = (await workers?.getRegistration())?.waiting;
  if (waiting) {
    await new Promise((done) => {
      waiting.addEventListener("statechange", () => ["activated", "redundant"].includes(waiting.state) && done());
      setTimeout(done, TAKEOVER_LIMIT);
      waiting.postMessage({ kind: "take over" });
    });
  }
  location.reload();
}

addEventListener("online", () => learn({ online: true }));
addEventListener("offline", () => learn({ online: false }));

/** Asks the worker for its state. */
async function ask() {
  const { active } = await workers.ready;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => learn(data);
  active?.postMessage({ kind: "state", version }, [port2]); // null: erased in this tab, and restored by another one
}

workers?.addEventListener("message", ({ data }) => {
  if (data?.kind === "changed") {
    ask();
    learn({ refused: false, full: false });
  } else if (data?.kind === "refused") {
    console.warn(
      `Version ${data.version} of this site could not be kept for use without a network: ${data.reason}. ` +
        "It will be tried again.",
    );
    learn({ refused: true, full: data.full });
  }
});

// --- registration --------------------------------------------------------------------------------------------------

const UPDATE_INTERVAL = 3_600_000; // ms between checks for a newer version by an open page

/**
 * Notices that the first worker has ended; it has told its listeners why. It may have ended before this call: its state
 * changes before the registration lets go of it.
 */
function first({ installing, waiting, active }) {
  if (active !== null) {
    return;
  }
  const worker = waiting ?? installing;
  const look = () => {
    if ((worker === null || worker.state === "redundant") && known.since === 0) {
      // otherwise it was not the first
      learn({ refused: true });
    }
  };
  look();
  worker?.addEventListener("statechange", look);
}

async function register() {
  if (workers === null) {
    return;
  }
  const controlled = workers.controller !== null;
  try {
    const registration = await workers.register(script.dataset.worker, { updateViaCache: "none" });
    first(registration);
    if (!controlled) {
      const { active } = await workers.ready;
      active.postMessage({ kind: "started", version });
    }
    await ask();
    let looked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && Date.now() - looked > UPDATE_INTERVAL) {
        looked = Date.now();
        registration.update().catch(() => {}); // no network: try later
      }
    });
  } catch (error) {
    console.info(`This browser does not keep the site for use without a network: ${error.message}`);
    learn({ able: false });
  }
}
