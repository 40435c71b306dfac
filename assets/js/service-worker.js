// Keeps the site on the visitor's machine: the first visit fetches it, every later one starts without a network.
//
// A version of the site is kept in a cache of its own, whole: every file was checked against the digest that the site
// builder wrote below. What a visitor starts is the newest version that is whole, from the first file to the last; a
// version that fails to start twice gives way to the one before. Files other than the page carry their digest in their
// name, so a page that stays open gets its own version's files, however late it asks and whichever version is newest.
// What a host answers in place of a file (an error, the page for an unknown path, a page that it has rewritten) has
// another digest: that version is refused, and the one before goes on.
//
// The page (offline.js) tells how its start went; a cache holds, beside the files, a record of its version:
//
//   version   as the page names itself (data-version)
//   order     counts installations on this machine: the highest is the newest
//   since     when this machine first held a whole version, in milliseconds since 1970
//   files     addresses, so that a cache which lost some is known
//   proven    whether it has ever started here
//   failures  starts that failed since it last started
//   clients   pages that run it: id → "open" (not a word yet), "counted" (as failed, before it could speak), "started"
//
// The record is written last. A cache without one is half filled: installing again goes on with what it has.
//
// Versions are not bound to workers: any worker serves all of them, and the newest version starts at the next start. So a
// new worker does not take over from one that pages have (skipWaiting): it waits until they are closed, as browsers have
// it by themselves, or until a page says that it starts again now. Nor is one replaced while a page of its is loading.

const site = { version: "", files: [] }; // filled in by server/site: files of {address, digest, type}

const patience = 2; // failed starts after which a version gives way
const scope = new URL("./", self.location.href);
const page = new URL("index.html", scope).href;
const record = new URL("?version", scope).href; // no file of a site has a query
const prefix = `site ${scope.pathname} `; // of the caches' names: several sites may share an origin
const own = prefix + site.version;

// --- versions ------------------------------------------------------------------------------------------------------

/** All whole or once whole versions, newest first. */
async function versions() {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
  const found = await Promise.all(names.map(read));
  return found.filter((v) => v !== null).sort((a, b) => b.order - a.order);
}

async function read(name) {
  try {
    // Not by opening it first: that would make one anew which was erased a moment ago.
    const kept = await (await caches.match(record, { cacheName: name }))?.json();
    return kept === undefined ? null : { ...kept, name, cache: await caches.open(name) };
  } catch {
    return null; // damaged: as good as none
  }
}

const write = ({ name, cache, ...kept }) => cache.put(record, new Response(JSON.stringify(kept)));

/** One change of records at a time, among all workers. */
const exclusively = (change) => navigator.locks.request(`${prefix}records`, change);

/** Whether no file is missing: a browser that was killed may have forgotten what it wrote last. */
async function whole(version) {
  const kept = new Set((await version.cache.keys()).map((request) => request.url));
  return version.files.every((file) => kept.has(new URL(file, scope).href));
}

/** The version that is started now; null where none can be. */
async function choose(all) {
  for (const version of all) {
    if (version.failures < patience && (await whole(version))) {
      return version;
    }
  }
  return null;
}

// --- filling a cache -----------------------------------------------------------------------------------------------

const filling = `${prefix}filling`;

/** Fetches this worker's version whole, or throws and says what is wrong. Files that are kept already stay. */
function fill() {
  return navigator.locks.request(filling, async () => {
    const cache = await caches.open(own);
    const before = await versions();
    const stop = new AbortController();
    const left = [...site.files];
    const fetchSome = async () => {
      for (let file; (file = left.shift()) !== undefined; ) {
        await obtain(cache, before, file, stop.signal);
      }
    };
    try {
      await Promise.all(Array.from({ length: 6 }, fetchSome));
    } catch (error) {
      stop.abort();
      left.length = 0;
      if (error.name === "QuotaExceededError") {
        await caches.delete(own); // there will not be room next time either: make room now
      }
      throw error;
    }
    await exclusively(async () => {
      const others = await versions();
      const since = Math.min(Date.now(), ...others.map((v) => v.since));
      const same = others.find((v) => v.name === own);
      const order = 1 + Math.max(0, ...others.map((v) => v.order));
      const files = site.files.map((file) => file.address);
      await write({ proven: false, clients: {}, ...same, name: own, cache, version: site.version, order, since, files, failures: 0 });
    });
  });
}

/** Puts one file into the cache: as it is there, as another version has it, as the browser has it, from the network. */
async function obtain(cache, before, file, signal) {
  const url = new URL(file.address, scope).href;
  for (const { cache: other } of [{ cache }, ...before]) {
    const kept = await other.match(url);
    const content = await kept?.arrayBuffer().catch(() => undefined);
    if (content !== undefined && (await digest(content)) === file.digest) {
      if (other !== cache) {
        await cache.put(url, answer(content, kept.headers, file.type));
      }
      return;
    }
  }
  let problem;
  for (const mode of [url === page ? "no-cache" : "default", "reload"]) {
    try {
      // A redirect to elsewhere is a failure: of a host that wants a login, say.
      const response = await fetch(url, { cache: mode, mode: "same-origin", credentials: "same-origin", signal });
      if (!response.ok) {
        throw new Error(`the host answered ${response.status}`);
      }
      const content = await response.arrayBuffer();
      if ((await digest(content)) !== file.digest) {
        throw new Error("what the host sends is not what was published; the upload is incomplete, or the host rewrites files");
      }
      await cache.put(url, answer(content, response.headers, file.type));
      return;
    } catch (error) {
      problem = error;
      if (signal.aborted || error.name === "QuotaExceededError") {
        break;
      }
    }
  }
  throw Object.assign(new Error(`${file.address}: ${problem.message}`, { cause: problem }), { name: problem.name });
}

/** Checks this worker's version, which was lost or did not start, and fetches what is wrong with it. */
const mend = () => fill().then(tell, refuse);

async function digest(content) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What is kept: made anew, so that it is no redirect and not compressed, with the host's headers and the right type. */
function answer(content, given, type) {
  const headers = new Headers(given);
  for (const name of ["Content-Encoding", "Content-Length", "Content-Range", "Vary"]) {
    headers.delete(name);
  }
  headers.set("Content-Type", type);
  return new Response(content, { headers });
}

/** Removes what nobody needs: all but the newest, the one before that has started here, and what open pages run. */
function tidy() {
  // Not while a version is being fetched: its cache has no record yet.
  return navigator.locks.request(filling, { ifAvailable: true }, async (lock) => {
    if (lock === null) {
      return;
    }
    await exclusively(async () => {
      const all = await versions();
      const [newest, ...older] = all;
      const keep = new Set([newest?.name, (older.find((v) => v.proven && v.failures < patience) ?? older[0])?.name]);
      for (const version of older) {
        if ((await Promise.all(Object.keys(version.clients).map(alive))).includes(true)) {
          keep.add(version.name);
        }
      }
      const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && !keep.has(name));
      await Promise.all(names.map((name) => caches.delete(name)));
    });
  });
}

// --- starts --------------------------------------------------------------------------------------------------------

/** Whether a page is still there. One that does not answer is. */
const alive = (id) =>
  Promise.race([self.clients.get(id).then((client) => client !== undefined), new Promise((known) => setTimeout(known, 1000, true))]);

/**
 * Counts a version's starts that have failed without a word: of pages that are gone, and of one that is loaded again.
 * Returns whether the reloaded page is still to be found.
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

const limit = 10_000; // ms that a page which says nothing is held to be loading
const loading = new Map(); // the pages that are: id → what to call once one has said how its start went

/**
 * Resolves once a page has said how its start went, or is given up. A worker with that to wait for has something to do, so the
 * browser neither ends nor replaces it: Chromium ends one that another waits for as soon as it has nothing to do, and takes past
 * both what the page asked for meanwhile.
 */
const loaded = (id) =>
  new Promise((done) => {
    loading.set(id, done);
    setTimeout(done, limit);
  }).finally(() => loading.delete(id));

/** Answers the request for the page: the start of a version. */
async function start(event) {
  if (event.resultingClientId) {
    event.waitUntil(loaded(event.resultingClientId));
  }
  const version = await exclusively(async () => {
    const all = await versions();
    let reloaded = event.request.isReloadNavigation === true;
    for (const v of all) {
      reloaded = await judge(v, reloaded);
    }
    const chosen = await choose(all);
    if (chosen !== null && event.resultingClientId) {
      chosen.clients[event.resultingClientId] = "open";
    }
    await Promise.all(all.map(write));
    const mine = all.find((v) => v.name === own);
    const lost = chosen !== mine && !(mine && (await whole(mine)));
    const { installing, waiting } = self.registration;
    if (!installing && !waiting && (chosen === null || lost)) {
      event.waitUntil(mend());
    } else if (chosen === null) {
      waiting?.postMessage({ kind: "mend" }); // its version is the one that the host has
    }
    return chosen;
  });
  const kept = await version?.cache.match(page);
  if (kept !== undefined) {
    return kept;
  }
  // None can be started: the network's. Without a network, what there is.
  try {
    return await fetch(event.request, { cache: "no-cache" });
  } catch (error) {
    for (const { cache } of await versions()) {
      const last = await cache.match(page);
      if (last !== undefined) {
        return last;
      }
    }
    throw error;
  }
}

/** Answers the request for any other file of the site. */
async function file(request) {
  const url = request.url.split(/[?#]/, 1)[0];
  for (const { cache } of await versions()) {
    const kept = await cache.match(url);
    if (kept !== undefined) {
      return kept;
    }
  }
  // A record may be missing, in the instant in which it is written anew too: what a cache holds was checked all the same.
  return (await caches.match(url)) ?? fetch(request);
}

// What a page says of its start.
const words = {
  started(version, id) {
    version.failures = 0;
    version.proven = true;
    version.clients[id] = "started";
  },
  failed(version, id) {
    if (version.clients[id] === "open") {
      version.failures += 1;
    }
    version.clients[id] = "counted";
  },
  // It was left before it could start, and nothing says that it could not have.
  excused(version, id) {
    if (version.clients[id] === "counted") {
      version.failures -= 1;
    }
    delete version.clients[id];
  },
};

async function hear(word, name, id) {
  await exclusively(async () => {
    const version = (await versions()).find((v) => v.version === name);
    if (version !== undefined) {
      words[word](version, id);
      await write(version);
    }
  });
  if (word === "started") {
    // A page that began without a worker (the first visit; one loaded anew past everything) gets one. A worker that has no page gives
    // way to a new one as soon as it has nothing to do: at that page's reload, say, and Chromium then took the page from it and its
    // files past it. A worker that was replaced meanwhile may not claim, and need not.
    await self.clients.claim().catch(() => {});
    await tidy();
    await tell();
  }
}

/** What a page wants to know: since when the site starts without a network (0: not yet), and whether a newer version waits. */
async function state(name) {
  const all = await versions();
  const next = await choose(all);
  const running = all.find((v) => v.version === name);
  return { since: next?.since ?? 0, update: next !== null && running !== undefined && next.order > running.order };
}

// --- events --------------------------------------------------------------------------------------------------------

async function broadcast(message) {
  for (const client of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) {
    client.postMessage(message);
  }
}

const tell = () => broadcast({ kind: "changed" });
const refuse = (error) => broadcast({ kind: "refused", version: site.version, reason: error.message });

self.addEventListener("install", (event) => {
  event.waitUntil(
    fill().then(
      async () => {
        await tell(); // the older worker, if there is one, starts it
      },
      async (error) => {
        await refuse(error);
        throw error;
      },
    ),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(tidy().then(tell)));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, href } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) {
    return;
  }
  const address = href.split(/[?#]/, 1)[0];
  if (request.mode === "navigate") {
    if (address === scope.href || address === page) {
      event.respondWith(start(event));
    } else if (site.files.some((known) => new URL(known.address, scope).href === address)) {
      event.respondWith(file(request)); // a licence
    }
  } else if (request.cache === "reload" || request.cache === "no-store") {
    event.respondWith(fetch(request).catch(() => file(request))); // the page wants the network's
  } else if (!request.headers.has("Range")) {
    event.respondWith(file(request));
  }
});

self.addEventListener("message", (event) => {
  const { kind, version } = event.data ?? {};
  if (kind === "state") {
    event.waitUntil(state(version).then((known) => event.ports[0].postMessage(known)));
  } else if (kind === "mend") {
    event.waitUntil(mend());
  } else if (kind === "take over") {
    event.waitUntil(self.skipWaiting());
  } else if (Object.hasOwn(words, kind)) {
    loading.get(event.source?.id)?.();
    event.waitUntil(hear(kind, version, event.source?.id));
  }
});
