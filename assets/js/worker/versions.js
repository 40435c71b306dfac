// The versions of the site that this machine holds, each in a cache of its own with a record. Loaded by
// service-worker.js, which describes the record.

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
const remove = (names) => navigator.locks.request(removal, () => Promise.all(names.map((name) => caches.delete(name))));

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
