// Makes the page start without a network: registers the service worker (worker/service-worker.js) once the page has
// started and is idle, reports to it how the start went, and tells the page what the worker knows.
//
// The script element names the worker; a built site holds its version too:
//
//   <script type="module" src="assets/js/page/offline.js" data-worker="service-worker.js" data-version="…"></script>
//
// It has to come before the scripts whose failures it reports. Where there are no service workers (plain http, a
// private window of some browsers) or the site is not a built one, nothing is registered and nothing else changes.

const script = document.querySelector("script[data-worker]");
const version = script?.dataset.version;
const workers = supported();

/** navigator.serviceWorker, or null where there is none. */
function supported() {
  try {
    return version && navigator.serviceWorker && navigator.locks ? navigator.serviceWorker : null;
  } catch {
    return null; // some browsers throw
  }
}

// --- how the start went --------------------------------------------------------------------------------------------

const EARLY = 10_000; // ms: a page that is left sooner counts as neither started nor failed
let lastWord = ""; // what was last reported: "started", "failed", "excused" or nothing yet
let broken = false; // something went wrong before the start

function tell(word) {
  if (lastWord !== "started" && lastWord !== word) {
    lastWord = word;
    workers?.controller?.postMessage({ kind: word, version });
  }
}

/** Calls f when the page has nothing else to do, in two seconds at most. */
const idle = (f) => (globalThis.requestIdleCallback ? requestIdleCallback(f, { timeout: 2_000 }) : setTimeout(f, 500));

/** Reports that the page has started. */
export function started() {
  if (lastWord !== "started") {
    tell("started");
    idle(register); // fetching the site should not delay the page
  }
}

/** Reports that the page cannot start because of this version. */
export const failed = () => tell("failed");

/** Reports that the page did not start, for a reason other than this version. */
export const excused = () => tell("excused");

addEventListener("error", () => (broken = true), true);
addEventListener("unhandledrejection", () => (broken = true));
addEventListener("pagehide", () => {
  if (lastWord === "" && !broken && performance.now() < EARLY) {
    excused();
  }
});

// --- what is known -------------------------------------------------------------------------------------------------

/**
 * What the page shows of it.
 * @typedef {{online: boolean, able: boolean, since: number, refused: boolean, full: boolean, update: boolean}} Known
 * online: what the browser says. able: whether this browser can keep the site at all. since: when it first had the
 * whole site, in ms since 1970, 0: not yet. refused: the latest try to fetch it whole has failed. full: there was no
 * room for it, or for what is written down of it. update: a newer version waits for the next start.
 */
let known = { online: navigator.onLine, able: workers !== null, since: 0, refused: false, full: false, update: false };
let report = () => {};

function learn(news) {
  known = { ...known, ...news };
  report(known);
}

/** Calls f with what is known, now and whenever that changes. @param {(known: Known) => void} f */
export function watch(f) {
  report = f;
  f(known);
}

const TAKEOVER_LIMIT = 3_000; // ms that a restart waits for a new worker to take over

/**
 * Starts the page again, in the newest version. A worker that waits takes over first: else it would wait until all tabs
 * are closed, and what it does better with it.
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

/** Asks the worker. */
async function ask() {
  const { active } = await workers.ready;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => learn(data);
  active?.postMessage({ kind: "state", version }, [port2]); // none: it was erased in this tab, and came back by another
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

const UPDATE_INTERVAL = 3_600_000; // ms between two looks for a newer version by a page that stays open

/**
 * Notices that the first worker ends, which has said why to those who listened by then. It may have ended already: its
 * state is told before the registration lets go of it.
 */
function first({ installing, waiting, active }) {
  if (active !== null) {
    return;
  }
  const worker = waiting ?? installing;
  const look = () => {
    if ((worker === null || worker.state === "redundant") && known.since === 0) {
      // else it was the first for long
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
        registration.update().catch(() => {}); // no network: later
      }
    });
  } catch (error) {
    console.info(`This browser does not keep the site for use without a network: ${error.message}`);
    learn({ able: false });
  }
}
