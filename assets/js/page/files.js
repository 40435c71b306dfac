// Files that a visitor imports: chosen under "Import your ratings" or dropped anywhere on the page. They are read on
// the device and passed to the program; nothing is uploaded.

/**
 * Calls take(names, contents, dropped) with files that are chosen or dropped. Contents are Uint8Arrays, null for a file
 * that would exceed limit bytes in all, undefined for one that cannot be read.
 */
export function takeFiles(limit, take) {
  async function bring(list, dropped) {
    const names = [];
    const contents = [];
    let left = limit;
    for (const file of [...list].slice(0, 20)) {
      names.push(file.name);
      left -= file.size;
      try {
        contents.push(left < 0 ? null : new Uint8Array(await file.arrayBuffer()));
      } catch {
        contents.push(undefined);
      }
    }
    if (names.length > 0) {
      take(names, contents, dropped);
    }
  }

  document.addEventListener("change", (event) => {
    const input = event.target;
    if (input instanceof HTMLInputElement && input.id === "import-file") {
      void bring(input.files, false);
      input.value = ""; // allows the same file to be chosen again
    }
  });

  // By default the browser would navigate to a dropped file.
  const root = document.documentElement;
  const files = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (files(event)) {
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      root.dataset.dropping = "";
    }
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) {
      delete root.dataset.dropping;
    }
  });
  document.addEventListener("drop", (event) => {
    delete root.dataset.dropping;
    if (files(event)) {
      event.preventDefault();
      void bring(event.dataTransfer.files, true);
    }
  });
}

/**
 * Calls take with the unpacked bytes of a raw DEFLATE stream, or null if it is damaged or gives more than size bytes.
 */
export async function inflate(packed, size, take) {
  const out = new Uint8Array(Math.min(size, packed.length * 1032)); // no stream unpacks to more
  let n = 0;
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) {
        break;
      }
      if (n + value.length > out.length) {
        await reader.cancel();
        throw new RangeError("longer than announced");
      }
      out.set(value, n);
      n += value.length;
    }
  } catch {
    take(null);
    return;
  }
  take(out.subarray(0, n));
}
