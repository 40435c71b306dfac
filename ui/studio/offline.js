// Keeps the studio's files for visits without a network, and answers the preview: registers service-worker.js.

import { files } from "./studio.js";

/** The cache of the preview's files, named as in service-worker.js. */
export const previewCache = `studio ${new URL("./", location.href).pathname} preview`;

let registered = null;

/** The registration, once its worker runs; null where the browser has none, as in some private windows. */
export function worker() {
  registered ??= (async () => {
    try {
      await navigator.serviceWorker.register("service-worker.js", { updateViaCache: "none" });
      return await navigator.serviceWorker.ready;
    } catch {
      return null;
    }
  })();
  return registered;
}

/** Lets the worker keep this page, the files it has loaded, and every file that the program may load. */
export async function keepOffline() {
  const registration = await worker();
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name.split(/[?#]/, 1)[0]);
  const own = new URL("./", location.href);
  const root = new URL("../", own);
  const all = [
    own.href,
    ...loaded.filter((a) => a.startsWith(root.href) && !/\/(preview|samples)\//.test(a)),
    ...files,
  ];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    document.documentElement.dataset.offline = data ? "kept" : "refused";
  };
  registration?.active.postMessage({ files: [...new Set(all)] }, [port2]);
}
