// Keeps the site on the visitor's device: the first visit fetches it, and later visits start without a network.
//
// Each version of the site has its own cache. Every file in it was checked against the digest that the site builder
// wrote below. A visit starts the newest complete version; a version that fails to start twice is skipped for the
// previous one. Files other than the page carry their digest in their name, so an open page gets the files of its own
// version, whichever is newest. If a host sends something else instead of a file (an error, a login page, a rewritten
// page), the digest differs: that version is refused, and the previous one stays in use.
//
// The page (offline.js) reports the outcome of its start. Next to the files, a cache holds a record of its version:
//
//   version   the page's name for it (data-version)
//   order     counts installations on this device: the highest is the newest
//   since     when this device first had a complete version, in milliseconds since 1970
//   files     addresses, to detect a cache with lost files
//   proven    whether it has ever started here
//   failures  failed starts since the last successful one
//   clients   pages that run it: id → "open" (no report yet), "counted" (as failed, without a report), "started"
//
// The record is written last: a cache without one is incomplete, and installing again continues it.
//
// Any call of the storage may fail: over quota, a damaged disk, a cache removed meanwhile. The page opens anyway:
// requests are answered from the caches, else from the network, else by a page that says why neither works. A record
// that cannot be written is kept in memory. A failed read never causes a removal or replacement.
//
// Versions are not bound to workers: any worker serves every version. So a new worker does not call skipWaiting. It
// waits until the old one's pages are closed, or until a page restarts for it, and never replaces one whose page is
// loading.

const site = { version: "", files: [] }; // filled in by server/site: files of {address, size, digest, type, steps}

const maxFailedStarts = 2; // after that many the previous version is started
const scope = new URL("./", self.location.href);
const page = new URL("index.html", scope).href;
const record = new URL("?version", scope).href; // no file of a site has a query
const prefix = `site ${scope.pathname} `; // of the caches' names: sites may share an origin
const own = prefix + site.version;

/** Returns the result of f, or otherwise if f fails. */
const attempt = async (f, otherwise) => {
  try {
    return await f();
  } catch {
    return otherwise;
  }
};

// One subject per file. They share this file's constants and each other's functions. The site builder (server/site)
// inlines them here, so that browsers fetch, compare and keep one file.
importScripts("versions.js");
importScripts("deltas.js");
importScripts("filling.js");
importScripts("unavailable.js");
importScripts("starts.js");
importScripts("pages.js");

self.addEventListener("install", (event) => {
  event.waitUntil(
    // An older worker, if there is one, starts it.
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
    event.respondWith(fetch(request).catch(() => file(request))); // this page wants the network's version
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
