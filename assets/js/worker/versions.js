// The versions of the site on this device, each in a cache of its own with a record. Loaded by service-worker.js, which
// describes the record.

/** All versions that are or were complete, newest first. Throws if the storage fails. */
const versions = (reader = read) =>
  whileKept(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
    const found = await Promise.all(names.map(reader));
    return found.filter((v) => v !== null).sort((a, b) => b.order - a.order);
  });

/** The readable ones among them, which is enough to answer requests. Never throws. */
const readableVersions = () => attempt(() => versions((name) => attempt(() => read(name), null)), []);

async function read(name) {
  const stored = await caches.match(record, { cacheName: name });
  const kept = unwritten.get(name) ?? (await attempt(() => stored?.json())); // damaged: as if missing
  return kept === undefined ? null : { ...kept, name, cache: await caches.open(name) };
}

const removal = `${prefix}removal`; // name of a lock

/**
 * Calls f while no worker removes a version. caches.open creates missing caches, so a version removed just before would
 * come back empty. Without the lock, that risk remains.
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

/** Removes caches by name. */
const remove = (names) => navigator.locks.request(removal, () => Promise.all(names.map((name) => caches.delete(name))));

const isQuotaError = (error) => error.name === "QuotaExceededError";
let full = false; // the last write exceeded the quota

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

const unwritten = new Map(); // by name: records that could not be written, for as long as this worker runs

/** Writes the record of a version, or keeps it in memory. */
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

/** Whether no file is missing: a killed browser may have lost its last writes. */
async function whole(version) {
  const kept = new Set((await version.cache.keys()).map((request) => request.url));
  return version.files.every((file) => kept.has(new URL(file, scope).href));
}

/** The version to start now, or null. */
async function choose(all) {
  for (const version of all) {
    if (version.failures < maxFailedStarts && (await whole(version))) {
      return version;
    }
  }
  return null;
}
