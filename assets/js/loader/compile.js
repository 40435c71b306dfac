// Compiles the page's program in a worker (compile-worker.js), which keeps the page's thread free.

import { download } from "./download.js";

/**
 * Fetches the program and compiles it in a worker. If that is not possible, returns the response for the caller to
 * compile. Takes the options of download.
 *
 * @returns {Promise<WebAssembly.Module | Response>}
 * @throws {DownloadError}
 */
export async function compiled(program, options) {
  return (await compileInWorker(program, options)) ?? download(program, options);
}

/** Compiles in the worker; null if that fails, for any reason. */
function compileInWorker(program, { progress, size, cache }) {
  const file = progress.begin(program, size);
  return new Promise((resolve) => {
    const worker = new Worker(new URL("../worker/compile-worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: [what, value] }) => (what === "done" ? resolve(value) : file[what](value));
    worker.onerror = worker.onmessageerror = () => resolve(null);
    worker.postMessage({ program: new URL(program, document.baseURI).href, size, cache });
  }).catch(() => null); // no workers in this browser
}
