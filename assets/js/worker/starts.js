// Answers requests of pages: chooses the version that a page starts, and counts failed starts. Loaded by
// service-worker.js.

/** Whether a page still exists; true if the browser does not answer. */
const alive = (id) =>
  Promise.race([
    attempt(() => self.clients.get(id), null).then((client) => client !== undefined),
    new Promise((known) => setTimeout(known, 1000, true)),
  ]);

/**
 * Counts unreported starts as failed, for pages that are gone or being reloaded. Returns whether the reloaded page
 * still exists.
 */
async function judge(version, reloaded) {
  for (const [id, said] of Object.entries(version.clients)) {
    const gone = !(await alive(id));
    if (said === "open" && (gone || reloaded)) {
      version.failures += 1;
      version.clients[id] = "counted";
      reloaded = false;
    }
    if (gone) {
      delete version.clients[id];
    }
  }
  return reloaded;
}

const limit = 10_000; // ms after which a page without a report no longer counts as loading
const loading = new Map(); // loading pages: id → callback for its report

/**
 * Resolves once a page has reported the outcome of its start, or after the limit. Until then the worker counts as busy,
 * so the browser neither ends nor replaces it. Chromium replaces an idle worker at once, and requests of the page in
 * that moment bypass both workers.
 */
const loaded = (id) =>
  new Promise((done) => {
    loading.set(id, done);
    setTimeout(done, limit);
  }).finally(() => loading.delete(id));

/** Chooses the version that a request for the page starts, and records the start; null if none can be started. */
const begin = (event) =>
  exclusively(async () => {
    const all = await versions();
    let reloaded = event.request.isReloadNavigation === true;
    for (const v of all) {
      reloaded = await judge(v, reloaded);
    }
    const chosen = await choose(all);
    if (chosen !== null && event.resultingClientId) {
      chosen.clients[event.resultingClientId] = "open";
    }
    await Promise.all(all.map(note));
    const mine = all.find((v) => v.name === own);
    const lost = chosen !== mine && !(mine && (await whole(mine)));
    const { installing, waiting } = self.registration;
    if (!installing && !waiting && (chosen === null || lost)) {
      event.waitUntil(repair());
    } else if (chosen === null) {
      waiting?.postMessage({ kind: "mend" }); // its version is the host's
    }
    return chosen;
  });

/** Answers the request for the page: the start of a version. Never throws. */
async function start(event) {
  if (event.resultingClientId) {
    event.waitUntil(loaded(event.resultingClientId));
  }
  let version = await attempt(() => begin(event));
  if (version === undefined) {
    version = await attempt(async () => choose(await readableVersions()), null); // the start is not recorded
  }
  const found = await attempt(() => version?.cache.match(page));
  if (found !== undefined) {
    return found;
  }
  // No version can be started: try the network, then any cached page.
  const sent = await attempt(() => fetch(event.request, { cache: "no-cache" }));
  return sent ?? (await kept(page)) ?? unavailablePage();
}

/** A file of the site from the newest version that has it, or undefined. */
async function kept(address) {
  for (const { cache } of await readableVersions()) {
    const found = await attempt(() => cache.match(address));
    if (found !== undefined) {
      return found;
    }
  }
  // A record may be missing for the instant of its rewriting; the cache's files were checked anyway.
  return attempt(() => caches.match(address));
}

/** Answers the request for any other file of the site. */
const file = async (request) => (await kept(request.url.split(/[?#]/, 1)[0])) ?? fetch(request);
