// Answers requests of pages: which version a page starts, how many starts failed. Loaded by service-worker.js.

/** Whether a page still exists; where the browser does not answer, it is taken to. */
const alive = (id) =>
  Promise.race([
    attempt(() => self.clients.get(id), null).then((client) => client !== undefined),
    new Promise((known) => setTimeout(known, 1000, true)),
  ]);

/**
 * Counts as failed the starts of pages that are gone, or that are being reloaded, without a report. Returns whether the
 * reloaded page still exists.
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

const limit = 10_000; // ms after which a page without a report is no longer taken to be loading
const loading = new Map(); // pages that are loading: id → what to call once one has reported

/**
 * Resolves once a page has reported how its start went, or after the limit. Until then the worker is busy, so the
 * browser neither ends nor replaces it: Chromium replaces an idle worker at once, and the page's requests in that
 * moment then go past both workers.
 */
const loaded = (id) =>
  new Promise((done) => {
    loading.set(id, done);
    setTimeout(done, limit);
  }).finally(() => loading.delete(id));

/** Chooses the version that a request for the page starts, and records that it does; null where none can be started. */
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
      waiting?.postMessage({ kind: "mend" }); // its version is the one that the host has
    }
    return chosen;
  });

/** Answers the request for the page: the start of a version. It never fails. */
async function start(event) {
  if (event.resultingClientId) {
    event.waitUntil(loaded(event.resultingClientId));
  }
  let version = await attempt(() => begin(event));
  if (version === undefined) {
    version = await attempt(async () => choose(await readableVersions()), null); // not recorded, but it starts
  }
  const found = await attempt(() => version?.cache.match(page));
  if (found !== undefined) {
    return found;
  }
  // No version can be started: try the network, then any cached page.
  const sent = await attempt(() => fetch(event.request, { cache: "no-cache" }));
  return sent ?? (await kept(page)) ?? unavailablePage();
}

/** A file of the site from the newest version that has it, undefined where none has. */
async function kept(address) {
  for (const { cache } of await readableVersions()) {
    const found = await attempt(() => cache.match(address));
    if (found !== undefined) {
      return found;
    }
  }
  // A record may be missing for the instant in which it is written anew; what a cache holds was checked all the same.
  return attempt(() => caches.match(address));
}

/** Answers the request for any other file of the site. */
const file = async (request) => (await kept(request.url.split(/[?#]/, 1)[0])) ?? fetch(request);
