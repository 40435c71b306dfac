// Storage estimates, persistence, downloads and erasing, for the program's needs beyond its database (ui/browser;
// page.js passes them on). No function throws: refused values are left out.

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
    // this browser gives no figures
  }
  answer(usage, quota, persisted, askable);
}

/**
 * Calls answer(usage, quota, persisted, askable): this origin's bytes and their limit, whether they are kept for good,
 * and whether the browser can be asked for that.
 */
export const figures = (answer) => void tell(answer);

/** Asks the browser to keep the data even when space is short. Answers like figures. */
export async function persist(answer) {
  try {
    await storage().persist();
  } catch {
    // refused
  }
  tell(answer);
}

/**
 * Removes the colours, the language, the note of a list, and this site's caches and service worker, but nothing of
 * other sites on the same origin.
 */
export async function forget(done) {
  const folder = new URL("./", location.href);
  const attempt = async (f) => {
    try {
      await f();
    } catch {
      // none here
    }
  };
  await attempt(() => localStorage.removeItem("theme"));
  await attempt(() => localStorage.removeItem("language"));
  await attempt(() => localStorage.removeItem("list"));
  await attempt(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) {
      if (registration.scope === folder.href) {
        await registration.unregister();
      }
    }
  });
  const prefix = `site ${folder.pathname} `; // the prefix of caches and locks in service-worker.js
  const remove = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(prefix)) {
        await caches.delete(name);
      }
    }
  };
  // Wait until the worker fills no cache and writes into none, which would bring it back, but only for a moment.
  const locked = (name, f) => navigator.locks.request(prefix + name, { signal: AbortSignal.timeout(2000) }, f);
  await attempt(() => locked("filling", () => locked("records", remove)));
  await attempt(remove);
  done();
}

/** Saves a file on the visitor's device. */
export function download(name, type, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Reads the file chosen in an input and calls read(name, bytes), with null if it is too large or cannot be read. */
export async function readChosen(input, limit, read) {
  const file = input.files[0];
  let bytes = null;
  try {
    bytes = file.size <= limit ? new Uint8Array(await file.arrayBuffer()) : null;
  } catch {
    // the file is missing or gone
  }
  input.value = ""; // allows the same file to be chosen again
  read(file?.name ?? "", bytes);
}
