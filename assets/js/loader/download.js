// Fetches files and tells how far they are, in bytes.

/** A file that could not be had. `status` is the server's answer, or 0 where there was none. */
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
 * Adds up how far several files are. Each report is (loaded, total) in bytes as they lie in memory; total is 0 as long
 * as the size of any file is unknown.
 */
export class Progress {
  #files = new Map(); // url → {loaded, size} of the latest attempt
  #report;

  /** @param {(loaded: number, total: number) => void} report called at each step */
  constructor(report) {
    this.#report = report;
  }

  /**
   * Begins a file, again where it had begun: what an earlier attempt still reports is not counted.
   * @param {number} size in bytes, 0: not known yet
   */
  begin(url, size) {
    const file = { loaded: 0, size };
    this.#files.set(url, file);
    this.#tell();
    return {
      /** Learns the size, where it was not known. */
      learn: (size) => {
        file.size ||= size;
        this.#tell();
      },
      /** Counts further bytes. */
      add: (bytes) => {
        file.loaded += bytes;
        this.#tell();
      },
      /** Ends the file: its size is what was loaded. */
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

/** A file that is longer than it may be. However well it is compressed, no more of it is unpacked and kept. */
export class LengthError extends Error {
  constructor(url, most) {
    super(`${url} has more than the ${most} bytes that it may have`);
    this.name = "LengthError";
  }
}

/**
 * Fetches a file. The promise is kept when the answer begins, so that a module can be compiled while it arrives. An
 * answer that turns out to be longer than it may be breaks off.
 *
 * @param {string} url
 * @param {{progress?: Progress, size?: number, most?: number, cache?: RequestCache}} options size: of the file itself,
 *   in bytes, 0: not known; most: how long it may be, by itself as long as it is known to be
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
  // The length that the server names is of what travels; it is the file's own where nothing was compressed.
  if (!response.headers.get("Content-Encoding")) {
    file?.learn(Number(response.headers.get("Content-Length")) || 0);
  }
  if (file !== undefined || most < Infinity) {
    // The copy is what is counted. The answer itself stays what the network gave: browsers keep compiled code by its
    // address, which an answer made of a counted stream would not have.
    // Another error than of its length meets whoever reads the answer itself, who reports it.
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
 * Reads an answer to its end; one that does not begin as it must, no further than that shows.
 *
 * @param {Response} response
 * @param {{most?: number, begin?: string}} options how many bytes it may have; what it begins with, a letter for a byte
 * @throws {DownloadError} where the connection breaks off
 * @throws {LengthError} where there are more bytes
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
    reader?.cancel().catch(() => {}); // what is left is not waited for
  }
  return all.subarray(0, n);
}
