// Fetches a version into its cache, repairs it, and removes versions that are not needed. Loaded by service-worker.js.

const filling = `${prefix}filling`;

/** Fetches all files of this worker's version that its cache lacks, or throws an error that says what is wrong. */
function fill() {
  return navigator.locks.request(filling, async () => {
    const cache = await caches.open(own);
    const before = await readableVersions();
    const stop = new AbortController();
    const left = [...site.files];
    const fetchSome = async () => {
      for (let file; (file = left.shift()) !== undefined;) {
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
    throw new Error("the browser did not keep a stored file"); // the cache was removed meanwhile
  }
}

/** The content and headers at an address in one of the caches, if it has that digest; otherwise undefined. */
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
 * Puts one file into the cache: from another version, by deltas from another version's file, from the browser's HTTP
 * cache or from the network.
 */
async function fetchFile(cache, before, file, signal) {
  const url = new URL(file.address, scope).href;
  const all = [cache, ...before.map((version) => version.cache)];
  const kept = (await found(all, file.address, file.digest)) ?? (await attempt(() => byDeltas(all, file, signal)));
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
      const content = await published(response, file);
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

/** Checks this worker's version, which was lost or did not start, and fetches missing or wrong files. */
const repair = () =>
  (repairing ??= fill()
    .then(accept, refuse)
    .finally(() => (repairing = null)));

let repairing = null; // the promise of a running repair
let refusal = null; // the report of the latest attempt to fetch this worker's version, if it failed

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

/**
 * Reads a response that must be the published file. It reads no more bytes than published, however well they are
 * compressed.
 */
async function published(response, { size, digest: want }) {
  const content = new Uint8Array(size);
  const reader = response.body?.getReader();
  let at = 0;
  for (let got; (got = await reader?.read()) !== undefined && !got.done; at += got.value.length) {
    if (at + got.value.length > size) {
      reader.cancel().catch(() => {});
      at = Infinity;
      break;
    }
    content.set(got.value, at);
  }
  if (at !== size || (await digest(content)) !== want) {
    throw new Error("not the published file: the upload is incomplete, or the host rewrites files");
  }
  return content.buffer;
}

async function digest(content) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The response to store: without redirect or compression, with the host's headers and the right type. */
function answer(content, given, type) {
  const headers = new Headers(given);
  for (const name of ["Content-Encoding", "Content-Length", "Content-Range", "Vary"]) {
    headers.delete(name);
  }
  headers.set("Content-Type", type);
  return new Response(content, { headers });
}

/**
 * Removes all versions except the newest, the previous one that has started here, and any that open pages run. When the
 * quota is exceeded, the previous one goes too once the newest has started: the visitor's own data needs the room.
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
