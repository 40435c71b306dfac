// Fetches files and reports the progress in bytes.

/** A file could not be loaded. `status` is the server's answer, or 0 if there was none. */
export class DownloadError extends Error {
  constructor(url, status, cause) {
    super(status === 0 ? `${url} could not be loaded` : `${url} could not be loaded: the server answered ${status}`, {
      cause,
    });
    this.name = "DownloadError";
    this.url = url;
    this.status = status;
  }
}

/**
 * Adds up the progress of several files. Each report is (loaded, total) in uncompressed bytes; total is 0 while the
 * size of any file is unknown.
 */
export class Progress {
  #files = new Map(); // url → {loaded, size} of the latest attempt
  #report;

  /** @param {(loaded: number, total: number) => void} report called at each step */
  constructor(report) {
    this.#report = report;
  }

  /**
   * Starts a file, or restarts it: reports of an earlier attempt no longer count.
   * @param {number} size in bytes, 0: not known yet
   */
  begin(url, size) {
    const file = { loaded: 0, size };
    this.#files.set(url, file);
    this.#tell();
    return {
      /** Sets the size if it was unknown. */
      learn: (size) => {
        file.size ||= size;
        this.#tell();
      },
      /** Counts more bytes. */
      add: (bytes) => {
        file.loaded += bytes;
        this.#tell();
      },
      /** Ends the file: its size is the number of loaded bytes. */
      end: () => {
        file.size = file.loaded;
        this.#tell();
      },
    };
  }

  #tell() {
    let loaded = 0;
    let total = 0;
    let known = true;
    for (const file of this.#files.values()) {
      loaded += file.loaded;
      total += Math.max(file.size, file.loaded);
      known &&= file.size > 0;
    }
    this.#report(loaded, known ? total : 0);
  }
}

/** A file is longer than allowed. However well it is compressed, no more of it is unpacked and kept. */
export class LengthError extends Error {
  constructor(url, most) {
    super(`${url} is longer than ${most} bytes`);
    this.name = "LengthError";
  }
}

/**
 * Fetches a file. The promise resolves when the response begins, so that a module can be compiled while it arrives. A
 * response that turns out to be longer than allowed is aborted.
 *
 * @param {string} url
 * @param {{progress?: Progress, size?: number, most?: number, cache?: RequestCache}} options size: uncompressed, in
 *   bytes, 0: unknown; most: the longest allowed file, by default its size if known
 * @returns {Promise<Response>}
 * @throws {DownloadError}
 */
export async function download(url, { progress, size = 0, most = size || Infinity, cache = "default" } = {}) {
  const file = progress?.begin(url, size);
  const stop = new AbortController();
  let response;
  try {
    response = await fetch(url, { cache, credentials: "same-origin", signal: stop.signal });
  } catch (cause) {
    throw new DownloadError(url, 0, cause);
  }
  if (!response.ok) {
    throw new DownloadError(url, response.status);
  }
  // Content-Length counts transferred bytes; without compression that is the file's own size.
  if (!response.headers.get("Content-Encoding")) {
    file?.learn(Number(response.headers.get("Content-Length")) || 0);
  }
  if (file !== undefined || most < Infinity) {
    // Count a clone, and return the original response: browsers cache compiled code by a response's address, which one
    // built from a counted stream lacks. Other errors reach the original's reader, which reports them.
    count(response.clone(), file, most).catch((error) => error instanceof LengthError && stop.abort(error));
  }
  return response;
}

async function count(response, file, most) {
  const reader = response.body?.getReader();
  for (let loaded = 0; ;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) {
      file?.end();
      return;
    }
    if ((loaded += value.byteLength) > most) {
      throw new LengthError(response.url, most);
    }
    file?.add(value.byteLength);
  }
}

/**
 * Reads a response to its end, or only as far as needed to see that it begins wrongly.
 *
 * @param {Response} response
 * @param {{most?: number, begin?: string}} options the most bytes allowed; the expected beginning, a letter for a byte
 * @throws {DownloadError} if the connection breaks off
 * @throws {LengthError} if there are more bytes
 */
export async function bytes(response, { most = Infinity, begin = "" } = {}) {
  let all = new Uint8Array(Math.min(most, 1 << 20));
  let n = 0;
  let begins = begin === "";
  let reader;
  const next = () => reader?.read() ?? { done: true };
  try {
    reader = response.body?.getReader();
    for (let got = await next(); !got.done; got = await next()) {
      const end = n + got.value.length;
      if (end > most) {
        throw new LengthError(response.url, most);
      }
      if (end > all.length) {
        const larger = new Uint8Array(Math.min(most, Math.max(end, 2 * all.length)));
        larger.set(all);
        all = larger;
      }
      all.set(got.value, n);
      n = end;
      begins ||= n >= begin.length && String.fromCharCode(...all.subarray(0, begin.length)) === begin;
      if (!begins && n >= begin.length) {
        break;
      }
    }
  } catch (cause) {
    throw cause instanceof LengthError ? cause : new DownloadError(response.url, 0, cause);
  } finally {
    reader?.cancel().catch(() => {}); // do not wait for the rest
  }
  return all.subarray(0, n);
}
