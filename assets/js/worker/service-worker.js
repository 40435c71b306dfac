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

const site = { version: "", files: [] }; // filled in by server/site: files of {address, size, digest, type, steps}

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

// One subject a file. They share this file's constants and one another's functions. The site builder (server/site) puts
// their contents here, so that browsers fetch, compare and keep one file.
importScripts("versions.js");
importScripts("deltas.js");
importScripts("filling.js");
importScripts("unavailable.js");
importScripts("starts.js");
importScripts("pages.js");

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
