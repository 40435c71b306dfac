// Where the studio's project is kept: in IndexedDB, whose transactions are whole or not at all, as files with Blobs.
// Blobs lie on the disk, so a large file takes no memory until it is read.

/**
 * @typedef {object} Store
 * @property {boolean} durable whether it survives the tab
 * @property {() => Promise<{path: string, blob: Blob, time: number}[]>} load all files
 * @property {(changes: [string, Blob | null, number][]) => Promise<void>} commit writes and removes (null) files, all
 *   or none
 * @property {() => Promise<void>} erase removes all files
 */

/** Whether an error says that there is no more room. */
export const full = (error) => error?.name === "QuotaExceededError" || error?.code === "ENOSPC";

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * Opens the database. If the browser refuses, as some do in private windows, everything is kept in memory.
 * @returns {Promise<Store>}
 */
export async function openStore(name = "pmlam studio") {
  try {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("files", { keyPath: "path" });
    const db = await done(request);
    let asBuffers = false; // some engines refuse Blobs in a private window
    /** Makes changes in one transaction. */
    const change = (make) =>
      new Promise((resolve, reject) => {
        const transaction = db.transaction("files", "readwrite");
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new DOMException("aborted", "QuotaExceededError"));
        make(transaction.objectStore("files"));
      });
    const store = {
      durable: true,
      async load() {
        const all = await done(db.transaction("files").objectStore("files").getAll());
        return all.map((file) => ({ ...file, blob: new Blob([file.blob]) }));
      },
      async commit(changes) {
        if (asBuffers) {
          const buffer = async ([path, blob, time]) => [path, blob && (await blob.arrayBuffer()), time];
          changes = await Promise.all(changes.map(buffer));
        }
        await change((files) => {
          for (const [path, blob, time] of changes) {
            if (blob === null) {
              files.delete(path);
            } else {
              files.put({ path, blob, time });
            }
          }
        });
      },
      erase: () => change((files) => files.clear()),
    };
    const probe = () => store.commit([["/probe", new Blob(["x"]), 0]]);
    await probe().catch(() => {
      asBuffers = true;
      return probe();
    });
    await store.commit([["/probe", null, 0]]);
    return store;
  } catch {
    return memoryStore();
  }
}

/** A store that lasts as long as the tab: the file system has the files already. */
export const memoryStore = () => ({
  durable: false,
  load: async () => [],
  commit: async () => {},
  erase: async () => {},
});
