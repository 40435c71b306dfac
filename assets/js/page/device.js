// Storage estimates, persistence, downloads and erasing, which the program uses beside its own database
// (ui/browser; page.js passes them on). No function here throws: what the browser refuses is left out.

const storage = () => navigator.storage; // undefined without https, and in WebKitGTK

async function tell(answer) {
  const askable = typeof storage()?.persist === "function";
  let usage = 0;
  let quota = 0;
  let persisted = false;
  try {
    ({ usage = 0, quota = 0 } = await storage().estimate());
    persisted = await storage().persisted();
  } catch {
    // a browser that does not tell
  }
  answer(usage, quota, persisted, askable);
}

/**
 * Calls answer(usage, quota, persisted, askable): bytes of this origin, bytes it may have, whether they are kept for
 * good, and whether the browser can be asked to.
 */
export const figures = (answer) => void tell(answer);

/** Asks the browser to keep what is stored even when space is short, and answers as figures does. */
export async function persist(answer) {
  try {
    await storage().persist();
  } catch {
    // refused
  }
  tell(answer);
}

/**
 * Removes the colours and the language, and this site's caches and service worker, but nothing of other sites of the
 * same origin.
 */
export async function forget(done) {
  const folder = new URL("./", location.href);
  const attempt = async (f) => {
    try {
      await f();
    } catch {
      // there is none of it here
    }
  };
  await attempt(() => localStorage.removeItem("theme"));
  await attempt(() => localStorage.removeItem("language"));
  await attempt(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) {
      if (registration.scope === folder.href) {
        await registration.unregister();
      }
    }
  });
  const prefix = `site ${folder.pathname} `; // as service-worker.js names its caches and locks
  const remove = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(prefix)) {
        await caches.delete(name);
      }
    }
  };
  // Not while the worker fills a cache or writes into one, which would bring it back; but for no longer than a moment.
  const locked = (name, f) => navigator.locks.request(prefix + name, { signal: AbortSignal.timeout(2000) }, f);
  await attempt(() => locked("filling", () => locked("records", remove)));
  await attempt(remove);
  done();
}

/** Hands the visitor a file. */
export function download(name, type, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Reads the file that was chosen in an input: read(name, bytes), with null where it cannot be or is too large. */
export async function readChosen(input, limit, read) {
  const file = input.files[0];
  let bytes = null;
  try {
    bytes = file.size <= limit ? new Uint8Array(await file.arrayBuffer()) : null;
  } catch {
    // there is none, or it went away meanwhile
  }
  input.value = ""; // so that the same file can be chosen again
  read(file?.name ?? "", bytes);
}
