// Fetches the files that the loader's script element names. The first downloads begin here, as early as possible; the
// loader, whose imports take longer to arrive, takes them over.

import { compiled } from "./compile.js";
import { bytes, download, Progress } from "./download.js";
import { hasSIMD, hasWebAssembly } from "./instantiate.js";

const { program, kernel, model, programSize, modelSize } = document.querySelector("script[data-program]").dataset;

/**
 * Begins to fetch the program, the kernel and the model.
 *
 * @param {RequestCache} cache
 * @returns {{watch: (show: (loaded: number, total: number) => void) => void, parts: Promise[]}} watch sets the function
 *   that shows the progress; parts are the program, compiled or as a response, the kernel's response or null, and the
 *   model's bytes
 */
export function fetchAll(cache) {
  let latest = [0, 0];
  let show = null;
  const progress = new Progress((...numbers) => {
    latest = numbers;
    show?.(...numbers);
  });
  const counted = (size) => ({ progress, size: Number(size) || 0, cache });
  const most = Number(modelSize) || 1 << 30; // the limit of any model
  const parts = [
    compiled(program, counted(programSize)),
    kernel && hasSIMD() ? download(kernel, { cache, most: 1 << 20 }) : Promise.resolve(null),
    download(model, counted(modelSize)).then((answer) => bytes(answer, { most })),
  ];
  for (const part of parts) {
    part.catch(() => {}); // the loader reports it
  }
  const watch = (f) => {
    show = f;
    f(...latest);
  };
  return { watch, parts };
}

let first = hasWebAssembly() ? fetchAll("default") : null;

/** Returns the first downloads, once. */
export function fetched() {
  const all = first;
  first = null;
  return all;
}
