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

/**
 * Fetches a file. The promise is kept when the answer begins, so that a module can be compiled while it arrives.
 *
 * @param {string} url
 * @param {{progress?: Progress, size?: number, cache?: RequestCache}} options size: of the file itself, in bytes
 * @returns {Promise<Response>}
 * @throws {DownloadError}
 */
export async function download(url, { progress, size = 0, cache = "default" } = {}) {
  const file = progress?.begin(url, size);
  let response;
  try {
    response = await fetch(url, { cache, credentials: "same-origin" });
  } catch (cause) {
    throw new DownloadError(url, 0, cause);
  }
  if (!response.ok) {
    throw new DownloadError(url, response.status);
  }
  if (file !== undefined) {
    // The length that the server names is of what travels; it is the file's own where nothing was compressed.
    if (!response.headers.get("Content-Encoding")) {
      file.learn(Number(response.headers.get("Content-Length")) || 0);
    }
    // The copy is what is counted. The answer itself stays what the network gave: browsers keep compiled code by its
    // address, which an answer made of a counted stream would not have.
    count(response.clone(), file);
  }
  return response;
}

async function count(response, file) {
  try {
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        file.end();
        return;
      }
      file.add(value.byteLength);
    }
  } catch {
    // Whoever reads the answer itself meets the same error and reports it.
  }
}

/** Reads an answer to its end. @throws {DownloadError} where the connection breaks off */
export async function bytes(response) {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw new DownloadError(response.url, 0, cause);
  }
}
