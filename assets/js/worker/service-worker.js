// Keeps the site on the visitor's machine: the first visit fetches it, every later one starts without a network.
//
// Each version of the site has a cache of its own. Every file in it was checked against the digest that the site
// builder wrote below. A visitor starts the newest complete version; a version that fails to start twice is passed over
// for the one before. Files other than the page carry their digest in their name, so an open page gets its own
// version's files, whichever version is newest. What a host sends in place of a file (an error, a login page, a
// rewritten page) has another digest: that version is refused and the one before stays in use.
//
// The page (offline.js) reports how its start went. Beside the files, a cache holds a record of its version:
//
//   version   as the page names itself (data-version)
//   order     counts installations on this machine: the highest is the newest
//   since     when this machine first held a complete version, in milliseconds since 1970
//   files     addresses, to find a cache that has lost some
//   proven    whether it has ever started here
//   failures  failed starts since the last successful one
//   clients   pages that run it: id → "open" (no report yet), "counted" (as failed, without a report), "started"
//
// The record is written last: a cache without one is incomplete, and installing again continues it.
//
// Any call of the storage may fail: over quota, a damaged disk, a cache removed meanwhile. The page opens all the same:
// requests are answered from the caches, else from the network, else by a page that says why neither works. A record
// that cannot be written is kept in memory. Nothing is removed or replaced on the strength of a failed read.
//
// Versions are not bound to workers: any worker serves all of them. So a new worker does not call skipWaiting: it waits
// until the old one's pages are closed, or until a page restarts for it, and never replaces one whose page is loading.

const site = { version: "", files: [] }; // filled in by server/site: files of {address, digest, type, steps}

const maxFailedStarts = 2; // after so many the version before is started
const scope = new URL("./", self.location.href);
const page = new URL("index.html", scope).href;
const record = new URL("?version", scope).href; // no file of a site has a query
const prefix = `site ${scope.pathname} `; // of the caches' names: several sites may share an origin
const own = prefix + site.version;

/** Returns what f resolves to, or otherwise where f fails. */
const attempt = async (f, otherwise) => {
  try {
    return await f();
  } catch {
    return otherwise;
  }
};

// --- versions ------------------------------------------------------------------------------------------------------

/** All versions that are or were complete, newest first. Throws where the storage fails. */
const versions = (reader = read) =>
  whileKept(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
    const found = await Promise.all(names.map(reader));
    return found.filter((v) => v !== null).sort((a, b) => b.order - a.order);
  });

/** Those of them that can be read, which is enough to serve from. Never throws. */
const readableVersions = () => attempt(() => versions((name) => attempt(() => read(name), null)), []);

async function read(name) {
  const stored = await caches.match(record, { cacheName: name });
  const kept = unwritten.get(name) ?? (await attempt(() => stored?.json())); // damaged: as if there were none
  return kept === undefined ? null : { ...kept, name, cache: await caches.open(name) };
}

const removal = `${prefix}removal`; // the lock

/**
 * Calls f while no worker removes a version: caches.open makes what is not there, so a version that is removed before
 * it is opened would come back, empty. Where the lock cannot be had, that may be.
 */
async function whileKept(f) {
  let called = false;
  const call = () => {
    called = true;
    return f();
  };
  try {
    return await navigator.locks.request(removal, { mode: "shared" }, call);
  } catch (error) {
    if (called) {
      throw error;
    }
    return f();
  }
}

/** Removes caches, by their names. */
const remove = (names) =>
  navigator.locks.request(removal, () => Promise.all(names.map((name) => caches.delete(name))));

const isQuotaError = (error) => error.name === "QuotaExceededError";
let full = false; // whether the last write exceeded the quota

async function store(cache, address, response) {
  try {
    await cache.put(address, response);
    full = false;
  } catch (error) {
    full = isQuotaError(error);
    throw error;
  }
}

const write = ({ name, cache, ...kept }) => store(cache, record, new Response(JSON.stringify(kept)));

const unwritten = new Map(); // records that could not be written: by name, for as long as this worker runs

/** Writes the record of a version, or remembers it. */
async function note(version) {
  const { name, cache, ...kept } = version;
  try {
    await write(version);
    unwritten.delete(name);
  } catch {
    unwritten.set(name, kept);
  }
}

/** One change of records at a time, among all workers. */
const exclusively = (change) => navigator.locks.request(`${prefix}records`, change);

/** Whether no file is missing: a browser that was killed may have lost its last writes. */
async function whole(version) {
  const kept = new Set((await version.cache.keys()).map((request) => request.url));
  return version.files.every((file) => kept.has(new URL(file, scope).href));
}

/** The version to start now, null where there is none. */
async function choose(all) {
  for (const version of all) {
    if (version.failures < maxFailedStarts && (await whole(version))) {
      return version;
    }
  }
  return null;
}

// --- filling a cache -----------------------------------------------------------------------------------------------

const filling = `${prefix}filling`;

/** Fetches all files of this worker's version that are not in its cache, or throws and says what is wrong. */
function fill() {
  return navigator.locks.request(filling, async () => {
    const cache = await caches.open(own);
    const before = await readableVersions();
    const stop = new AbortController();
    const left = [...site.files];
    const fetchSome = async () => {
      for (let file; (file = left.shift()) !== undefined; ) {
        await fetchFile(cache, before, file, stop.signal);
      }
    };
    try {
      await Promise.all(Array.from({ length: 6 }, fetchSome));
      await exclusively(() => enter(cache));
    } catch (error) {
      stop.abort();
      left.length = 0;
      if (isQuotaError(error)) {
        await attempt(() => remove([own])); // there will be no room next time either
      }
      throw error;
    }
  });
}

/** Records that this worker's version, in this cache, is complete. */
async function enter(cache) {
  const others = await versions();
  const since = Math.min(Date.now(), ...others.map((v) => v.since));
  const same = others.find((v) => v.name === own);
  const order = 1 + Math.max(0, ...others.map((v) => v.order));
  const files = site.files.map((file) => file.address);
  unwritten.delete(own);
  await write({
    proven: false,
    clients: {},
    ...same,
    name: own,
    cache,
    version: site.version,
    order,
    since,
    files,
    failures: 0,
  });
  const mine = (await versions()).find((v) => v.name === own);
  if (mine === undefined || !(await whole(mine))) {
    throw new Error("the browser has not kept what it was given"); // somebody has removed the cache meanwhile
  }
}

/** What one of the caches keeps at an address, if it has that digest: its content and headers; else undefined. */
async function found(some, address, sum) {
  for (const cache of some) {
    const kept = await attempt(() => cache.match(new URL(address, scope).href));
    const content = await attempt(() => kept?.arrayBuffer());
    if (content !== undefined && (await digest(content)) === sum) {
      return { cache, content, headers: kept.headers };
    }
  }
}

/**
 * Puts one file into the cache: from another version, made of another version's by deltas, from the browser's HTTP
 * cache or from the network.
 */
async function fetchFile(cache, before, file, signal) {
  const url = new URL(file.address, scope).href;
  const all = [cache, ...before.map((version) => version.cache)];
  const kept =
    (await found(all, file.address, file.digest)) ?? (await attempt(() => byDeltas(all, file, signal)));
  if (kept !== undefined) {
    if (kept.cache !== cache) {
      await store(cache, url, answer(kept.content, kept.headers, file.type));
    }
    return;
  }
  let problem;
  for (const mode of [url === page ? "no-cache" : "default", "reload"]) {
    try {
      // A redirect to another address is a failure, such as a host that asks for a login.
      const response = await fetch(url, { cache: mode, mode: "same-origin", credentials: "same-origin", signal });
      if (!response.ok) {
        throw new Error(`the host answered ${response.status}`);
      }
      const content = await response.arrayBuffer();
      if ((await digest(content)) !== file.digest) {
        throw new Error(
          "what the host sends is not what was published; the upload is incomplete, or the host rewrites files",
        );
      }
      await store(cache, url, answer(content, response.headers, file.type));
      return;
    } catch (error) {
      problem = error;
      if (signal.aborted || isQuotaError(error)) {
        break;
      }
    }
  }
  throw Object.assign(new Error(`${file.address}: ${problem.message}`, { cause: problem }), { name: problem.name });
}

/**
 * A file that the site publishes deltas of (core/delta), from the latest of its earlier contents that a cache keeps;
 * undefined where none does. Throws where a delta cannot be had, or what comes out is not what was published: then the
 * file is fetched whole.
 */
async function byDeltas(all, { digest: want, steps = [] }, signal) {
  for (let first = steps.length - 1; first >= 0; first--) {
    const base = await found(all, steps[first].from.address, steps[first].from.digest);
    if (base === undefined) {
      continue;
    }
    let { content } = base;
    for (const { address, digest: sum } of steps.slice(first)) {
      const response = await fetch(new URL(address, scope), { mode: "same-origin", signal });
      const delta = await response.arrayBuffer();
      if ((await digest(delta)) !== sum) {
        throw new Error("a delta is not what was published");
      }
      content = applied(new Uint8Array(content), new Uint8Array(delta)).buffer;
    }
    if ((await digest(content)) !== want) {
      throw new Error("a delta does not give what was published");
    }
    return { content, headers: base.headers };
  }
}

/** What a delta makes of a base. Both have their digests, so nothing is wrong in them. */
function applied(base, delta) {
  let at = 8; // what it begins with
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[at++];
      value += (byte % 128) * scale;
      if (byte < 128) {
        return value;
      }
    }
  };
  const target = new Uint8Array(number());
  const count = number();
  const [copies, literals, seeks] = Array.from({ length: 3 }, () => Array.from({ length: count }, number));
  let from = 0;
  let to = 0;
  for (let i = 0; i < count; i++) {
    from += seeks[i] % 2 === 0 ? seeks[i] / 2 : -(seeks[i] + 1) / 2;
    target.set(base.subarray(from, from + copies[i]), to);
    to += copies[i];
    target.set(delta.subarray(at, at + literals[i]), to);
    at += literals[i];
    to += literals[i];
    from += copies[i] + literals[i];
  }
  return target;
}

/** Checks this worker's version, which was lost or did not start, and fetches what is missing or wrong. */
const repair = () => (repairing ??= fill().then(accept, refuse).finally(() => (repairing = null)));

let repairing = null; // its promise while it runs
let refusal = null; // the report of the latest attempt to fetch this worker's version, where it failed

function accept() {
  refusal = null;
  return tell();
}

async function refuse(error) {
  refusal = { refused: true, full: isQuotaError(error) };
  await broadcast({ kind: "refused", version: site.version, reason: error.message, full: refusal.full });
  if (refusal.full) {
    await attempt(tidy);
  }
}

async function digest(content) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The response to store: not a redirect, not compressed, with the host's headers and the right type.
 */
function answer(content, given, type) {
  const headers = new Headers(given);
  for (const name of ["Content-Encoding", "Content-Length", "Content-Range", "Vary"]) {
    headers.delete(name);
  }
  headers.set("Content-Type", type);
  return new Response(content, { headers });
}

/**
 * Removes all versions but the newest, the one before that has started here, and those that open pages run. Where the
 * quota is exceeded the one before goes too, once the newest has started: the visitor's own data need the room.
 */
function tidy() {
  // Not while a version is being fetched: its cache has no record yet.
  return navigator.locks.request(filling, { ifAvailable: true }, async (lock) => {
    if (lock === null) {
      return;
    }
    await exclusively(async () => {
      const all = await versions();
      const [newest, ...older] = all;
      const spare = (full || refusal?.full) && newest?.proven && newest.failures === 0 && (await whole(newest));
      const before = spare ? undefined : (older.find((v) => v.proven && v.failures < maxFailedStarts) ?? older[0]);
      const keep = new Set([newest?.name, before?.name]);
      for (const version of older) {
        if ((await Promise.all(Object.keys(version.clients).map(alive))).includes(true)) {
          keep.add(version.name);
        }
      }
      await remove((await caches.keys()).filter((name) => name.startsWith(prefix) && !keep.has(name)));
    });
  });
}

// --- starts --------------------------------------------------------------------------------------------------------

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

/**
 * The page that says why there is none, in every language, like what index.html says without scripts.
 */
const unavailablePage = () =>
  new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Ellipsis</title>
</head>
<body>
<p>This page cannot be opened: there is no connection, and this browser has not kept a copy of the page that it could
open. What you like is kept on your device, untouched. <a href="">Try again</a> once there is a connection.</p>
<p lang="de">Diese Seite lässt sich nicht öffnen: Es gibt keine Verbindung, und dieser Browser hat keine Kopie der Seite
aufgehoben, die er öffnen könnte. Was du magst, ist auf deinem Gerät aufgehoben, unberührt.
<a href="">Versuch es wieder</a>, sobald es eine Verbindung gibt.</p>
</body>
</html>
`,
    {
      status: 503,
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": "default-src 'none'",
        "Cache-Control": "no-store",
      },
    },
  );

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
  // It was left before it could start: no failure.
  excused(version, id) {
    if (version.clients[id] === "counted") {
      version.failures -= 1;
    }
    delete version.clients[id];
  },
};

async function hear(word, name, id) {
  await attempt(() =>
    exclusively(async () => {
      const version = (await versions()).find((v) => v.version === name);
      if (version !== undefined) {
        words[word](version, id);
        await note(version);
      }
    }),
  );
  if (word === "started") {
    // A page that began without a worker (the first visit; one loaded anew past everything) gets one. A worker that has
    // no page gives way to a new one as soon as it has nothing to do: at that page's reload, say, and Chromium then
    // took the page from it and its files past it. A worker that was replaced meanwhile may not claim, and need not.
    await attempt(() => self.clients.claim());
    await attempt(tidy);
    await tell();
  }
}

let fetchedAgain = false;

/**
 * What a page wants to know: since when the site starts without a network (0: not yet), and whether a newer version
 * waits; also, but only where it is so, that what there is could not be fetched or read (refused), and that there is no
 * room (full).
 */
async function state(event, name) {
  const known = await attempt(
    async () => {
      const all = await versions();
      const next = await choose(all);
      const running = all.find((v) => v.version === name);
      return { since: next?.since ?? 0, update: next !== null && running !== undefined && next.order > running.order };
    },
    { since: 0, update: false, refused: true },
  );
  const { installing, waiting } = self.registration;
  if (known.since === 0 && refusal === null && repairing === null && !installing && !waiting) {
    // It was lost since the page began. One worker fetches it once for that, and not for ever where it does not stay.
    known.refused ||= fetchedAgain;
    if (!known.refused) {
      fetchedAgain = true;
      event.waitUntil(repair());
    }
  }
  return { ...known, ...refusal, ...(full ? { full } : {}) };
}

// --- events --------------------------------------------------------------------------------------------------------

/** Whether an address is the page's, whatever is asked of it. */
const isPage = (address) => [scope.href, page].includes(address.split(/[?#]/, 1)[0]);

/** Tells all pages of this site. The browser lists those of other sites of the same origin too. */
async function broadcast(message) {
  for (const client of await attempt(() => self.clients.matchAll({ type: "window", includeUncontrolled: true }), [])) {
    if (isPage(client.url)) {
      client.postMessage(message);
    }
  }
}

const tell = () => broadcast({ kind: "changed" });

self.addEventListener("install", (event) => {
  event.waitUntil(
    // The older worker, if there is one, starts it.
    fill().then(accept, async (error) => {
      await refuse(error);
      throw error;
    }),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(attempt(tidy).then(tell)));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, href } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) {
    return;
  }
  const address = href.split(/[?#]/, 1)[0];
  if (request.mode === "navigate") {
    if (isPage(address)) {
      event.respondWith(start(event).catch(unavailablePage));
    } else if (site.files.some((known) => new URL(known.address, scope).href === address)) {
      event.respondWith(file(request).catch(unavailablePage)); // a licence
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
    event.waitUntil(state(event, version).then((known) => event.ports[0].postMessage(known)));
  } else if (kind === "mend") {
    event.waitUntil(repair());
  } else if (kind === "take over") {
    event.waitUntil(self.skipWaiting());
  } else if (Object.hasOwn(words, kind)) {
    loading.get(event.source?.id)?.();
    event.waitUntil(hear(kind, version, event.source?.id));
  }
});
