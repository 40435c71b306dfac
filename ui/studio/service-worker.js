// Answers the studio's own preview, and makes the studio start without a network.
//
// The page puts the files of the preview into a cache, and this worker answers them at preview/…, each with its content
// and type. The page also lists the files that the studio needs, for another cache: the network comes first, and the
// cache answers without one.

const scope = new URL("./", self.location.href);
const preview = new URL("preview/", scope).href;
const caching = { kept: `studio ${scope.pathname} kept`, preview: `studio ${scope.pathname} preview` };

addEventListener("install", () => self.skipWaiting()); // it serves every version of the page
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = request.url.split(/[?#]/, 1)[0];
  if (request.method !== "GET" || new URL(address).origin !== scope.origin) {
    return;
  }
  if (address.startsWith(preview)) {
    event.respondWith(previewed(request, address));
  } else {
    event.respondWith(current(request, address));
  }
});

async function previewed(request, address) {
  const cache = await caches.open(caching.preview);
  const found = await cache.match(address.endsWith("/") ? `${address}index.html` : address);
  if (found !== undefined) {
    return found;
  }
  // Pictures in folders of the owner are not here: the page shows a tile instead.
  const status = request.destination === "image" ? 204 : 404;
  return new Response(status === 204 ? null : "There is no such file in the preview.", { status });
}

async function current(request, address) {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(caching.kept);
    const found = await cache.match(address === new URL("index.html", scope).href ? scope.href : address);
    if (found === undefined) {
      throw error;
    }
    return found;
  }
}

// {files}: the addresses to keep, instead of all earlier ones. Answers whether they are kept.
addEventListener("message", (event) => {
  const done = keep(event.data.files).then(
    () => true,
    () => false,
  );
  event.waitUntil(done.then((kept) => event.ports[0].postMessage(kept)));
});

async function keep(files) {
  const cache = await caches.open(caching.kept);
  const fresh = await Promise.all(
    files.map(async (address) => {
      const response = await fetch(address, { cache: "no-cache" });
      if (!response.ok) {
        throw new Error(`${address}: ${response.status}`);
      }
      return [address, response];
    }),
  );
  for (const [address, response] of fresh) {
    await cache.put(address, response);
  }
  for (const old of await cache.keys()) {
    if (!files.includes(old.url)) {
      await cache.delete(old);
    }
  }
}
