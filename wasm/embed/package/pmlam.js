// The recommender of the package @pmlam/recommender. pmlam.d.ts documents the API.
//
//   import { open } from "./embed/pmlam.js";
//   const films = await open("models/movielens.msgpack");
//   console.log(films.recommend({ likes: ["6", "1214"], k: 10 }).items);
//
// Everything runs in the calling thread. After the program and the model only chunks are fetched, and nothing is sent.
// The same code runs in pages, workers, Node, Deno and edge workers.

import "./wasm_exec.js";
import { bytes, download, DownloadError, LengthError } from "./download.js";
import { RecommenderError } from "./error.js";
import { hasSIMD, hasWebAssembly, instantiate } from "./instantiate.js";
import { kernel as ownKernel } from "./kernel.js";
import { coded, fields, plain } from "./plain.js";
import { Profile } from "./profile.js";

export { Profile, RecommenderError };
export { clicked, interleave, liked, log, shown, variant } from "./experiment.js";
export { visitor } from "./visitor.js";

// wasm_exec.js defines a stand-in for Node's process. Other code tests for Node by that name, so the stand-in is only
// present while the program starts; Go reads it then.
const standIn = globalThis.process?.versions === undefined ? globalThis.process : undefined;
if (standIn !== undefined) {
  delete globalThis.process;
}

/**
 * The methods of both kinds of open model. Each returns answer(call, method, first, second), where call runs a function
 * of the program on this model.
 */
class Opened {
  #program; // null once closed
  #model;
  #answer;

  constructor(model, answer) {
    this.#program = model.program;
    this.#model = model;
    this.#answer = answer;
  }

  get length() {
    return this.#model.length;
  }

  get closed() {
    return this.#program === null;
  }

  recommend(request) {
    return this.#ask("recommend", request);
  }

  together(first, second) {
    return this.#ask("together", first, second);
  }

  similar(id, options) {
    return this.#ask("similar", id, options);
  }

  next(request) {
    return this.#ask("recommend", request);
  }

  goesWith(id, options) {
    const request = typeof options === "number" ? { k: options } : options;
    const listed = () => this.#ask("recommend", { ...request, recent: [id] });
    const item = this.#ask("item", id); // an unknown item is an error
    return item instanceof Promise ? item.then(listed) : listed();
  }

  search(query, limit) {
    return this.#ask("search", query, limit);
  }

  find(title) {
    return this.#ask("find", title);
  }

  item(id) {
    return this.#ask("item", id);
  }

  about() {
    return this.#ask("about");
  }

  close() {
    const open = this.#program !== null;
    this.#program = null;
    if (open) {
      this.#model.leave();
    }
  }

  #ask(method, first, second) {
    const call = (name, ...args) => {
      if (this.#program === null) {
        throw new RecommenderError("closed", `${method}: the model is closed`);
      }
      return this.#program.call(name, this.#model.number, ...args);
    };
    return this.#answer(call, method, first, second);
  }
}

/** The program's arguments for a question. Reading the caller's values can close the model. */
const asked = (method, first, second) => [
  method,
  plain(first, method === "similar" || method === "item"),
  plain(second),
];

export class Recommender extends Opened {
  constructor(model) {
    super(model, (call, ...question) => call("ask", ...asked(...question)));
  }
}

/** A model in chunks. Its methods return promises. */
export class ChunkedRecommender extends Opened {
  #folder;
  #most;
  #coming = new Map(); // name → promise of a part in flight

  constructor(model) {
    super(model, (call, ...question) => this.#gather(call, ...question));
    this.#folder = model.source;
    this.#most = model.most;
  }

  /** Asks the program until no parts are missing, fetching those that it names. */
  async #gather(call, ...given) {
    const question = asked(...given);
    for (;;) {
      const { answer, missing } = call("askChunked", ...question);
      if (missing === undefined) {
        return answer;
      }
      // Settle all fetches, so this call's failure does not reach the next call.
      const parts = await Promise.allSettled(missing.map((name) => this.#part(call, name)));
      const failed = parts.find((part) => part.reason);
      if (failed !== undefined) {
        throw failed.reason;
      }
    }
  }

  #part(call, name) {
    let part = this.#coming.get(name);
    if (part === undefined) {
      part = this.#fetch(call, name).finally(() => this.#coming.delete(name));
      this.#coming.set(name, part);
    }
    return part;
  }

  async #fetch(call, name, cache = "default") {
    try {
      const part = await modelFile(this.#folder + name, { most: this.#most, cache });
      if (!this.closed) {
        call("put", name, part);
      }
    } catch (error) {
      // A damaged part may be in the browser's cache, so bypass it once.
      if (cache === "reload" || !(error.code === "model" || error.cause instanceof LengthError)) {
        throw error;
      }
      await this.#fetch(call, name, "reload");
    }
  }
}

/** The running Go program, shared by all open models. */
class Program {
  #functions;
  #users = 0;

  /** @throws {RecommenderError} `program` or `no-webassembly` */
  static async start({ program, kernel }) {
    if (!hasWebAssembly()) {
      throw new RecommenderError("no-webassembly", "WebAssembly is missing or disabled in this engine");
    }
    const go = new globalThis.Go();
    // Go's timers must not fire after it exits.
    go.exit = () => {
      go._scheduledTimeouts.forEach(clearTimeout);
      go._scheduledTimeouts.clear();
    };
    const { instance, simd, problem } = await instantiate(go, program, kernel);
    if (!simd && kernel !== null) {
      console.warn("pmlam: compiling the SIMD kernel failed; scans are slower without it.", problem);
    }
    const started = new Program();
    const had = Object.hasOwn(globalThis, "process");
    if (!had) {
      globalThis.process = standIn;
    }
    try {
      globalThis.pmlamHost = { offer: (_, functions) => (started.#functions = functions) };
      // Settles when the program ends: go.run runs Go up to the point where main waits before it returns.
      const stopped = () => (started.#functions = null);
      go.run(instance).then(stopped, stopped);
    } finally {
      if (!had) {
        delete globalThis.process;
      }
    }
    if (!started.#functions) {
      throw new RecommenderError("program", "the program exited at its start; see the console");
    }
    return started;
  }

  get running() {
    return this.#functions !== null;
  }

  enter() {
    this.#users++;
  }

  /** Frees the model with this number. */
  close(number) {
    if (this.running) {
      this.call("close", number);
    }
    this.leave();
  }

  /** Ends the program, which frees its memory, if no model uses it. */
  leave() {
    if (--this.#users === 0 && this.running) {
      const { end } = this.#functions;
      this.#functions = null;
      end();
    }
  }

  call(name, ...args) {
    if (!this.running) {
      throw new RecommenderError("stopped", "the program has stopped; open the model again");
    }
    let answer;
    let cause;
    try {
      answer = this.#functions[name](...args);
    } catch (error) {
      cause = error; // such as a stack overflow; Go was interrupted and cannot continue
    }
    if (answer === undefined) {
      this.#functions = null;
      throw new RecommenderError("stopped", "the program has failed; open the model again", { cause });
    }
    const { value, error, code, option } = answer;
    if (error !== undefined) {
      throw new RecommenderError(code, error, option === "" ? {} : { option });
    }
    return value;
  }
}

let running = null; // the promise of the Program, or null

/** Returns the running program, or starts it. The caller must call leave() when done. */
async function enter(options) {
  for (;;) {
    const mine = (running ??= begin(options));
    try {
      const program = await mine;
      if (program.running) {
        program.enter();
        return program;
      }
    } catch (error) {
      running = running === mine ? null : running; // the next call tries again
      throw error;
    }
    running = running === mine ? null : running;
  }
}

/** Reads the package's own program. Bundlers for servers can give it an address that only browsers can use. */
async function ownProgram() {
  try {
    return await loaded(new URL("./embed.wasm", import.meta.url), MOST_CODE, { compiled: true });
  } catch (error) {
    const installed = builtin("node:module")?.createRequire(`${globalThis.process.cwd()}/`);
    try {
      return await loaded(installed.resolve("@pmlam/recommender/embed.wasm"), MOST_CODE);
    } catch {
      error.message += "; put embed.wasm next to pmlam.js or set the option program";
      error.message += installed ? '; in Next.js, set serverExternalPackages: ["@pmlam/recommender"]' : "";
      throw error;
    }
  }
}

async function begin({ program, kernel }) {
  const source = await (program === undefined ? ownProgram() : loaded(program, MOST_CODE, { compiled: true }));
  const given =
    kernel === undefined
      ? hasSIMD()
        ? ownKernel()
        : null
      : kernel && (await loaded(kernel, MOST_CODE, { compiled: true }));
  try {
    return await Program.start({ program: source, kernel: given });
  } catch (cause) {
    throw coded("program", "starting the program failed", cause);
  }
}

const builtin = (name) => globalThis.process?.getBuiltinModule?.(name); // in Node

const MOST = 1 << 30; // bytes of a model file
const MOST_INDEX = 1 << 26; // of the index of a model in chunks
const MOST_CODE = 1 << 26; // of the program
const HEAD = "\x84\xa6format\xabpmlam.model"; // first bytes of a model file

/**
 * Reads a URL or, in Node, a file; returns anything else unchanged. A response that is compiled while it downloads is
 * limited to `most` bytes here, others in bytes() of download.js.
 */
async function loaded(source, most, { compiled = false, cache } = {}) {
  if (typeof source !== "string" && !(source instanceof URL)) {
    return source;
  }
  const address = String(source);
  // A single letter before the colon is a drive.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1].toLowerCase();
  const fs = builtin("node:fs");
  if (fs === undefined || (scheme !== undefined && scheme !== "file")) {
    return asFile(() => download(address, compiled ? { most } : { cache }));
  }
  try {
    const file = scheme === undefined ? address : new URL(address);
    if ((await fs.promises.stat(file)).size > most) {
      throw new LengthError("it", most);
    }
    return new Uint8Array(await fs.promises.readFile(file));
  } catch (cause) {
    throw new RecommenderError("file", `reading ${address} failed: ${cause.message}`, { cause });
  }
}

/** Calls f, turning download errors into RecommenderErrors. */
async function asFile(f) {
  try {
    return await f();
  } catch (cause) {
    throw cause instanceof DownloadError || cause instanceof LengthError
      ? new RecommenderError("file", cause.message, { cause })
      : cause;
  }
}

/** Reads a file of a model, with the options of bytes() and download() in download.js. */
async function modelFile(model, { most, begin, cache }) {
  const source = await loaded(model, most, { cache });
  if (typeof Response === "function" && source instanceof Response) {
    return asFile(() => bytes(source, { most, begin }));
  }
  const view = ArrayBuffer.isView(source);
  if (!view && !(source instanceof ArrayBuffer)) {
    throw new RecommenderError("option", "model must be a URL or the bytes of a model file", { option: "model" });
  }
  if (source.byteLength > most) {
    throw new RecommenderError("model", `the file has ${source.byteLength} bytes; the limit is ${most}`);
  }
  return view ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
}

const openOptions = ["program", "kernel"];

const models = new Map(); // the models that this page has open, by key

/** A model, shared by all who opened it. */
class Model {
  #users = 1;
  #key;

  constructor(key, loading) {
    this.#key = key;
    this.ready = loading.then((loaded) => Object.assign(this, loaded)); // program, number, length, most, source
    this.ready.catch(() => this.forget());
    if (key !== undefined) {
      models.set(key, this);
    }
  }

  enter() {
    this.#users++;
    return this;
  }

  leave() {
    if (--this.#users === 0) {
      this.forget();
      this.program?.close(this.number);
    }
  }

  /** Lets the next call open the file again. */
  forget() {
    if (models.get(this.#key) === this) {
      models.delete(this.#key);
    }
  }
}

export async function open(model, options) {
  return new Recommender(await opened("open", options, () => model, { most: MOST, begin: HEAD }));
}

export async function openChunked(folder, options) {
  const base = () => {
    if (typeof folder !== "string" && !(folder instanceof URL)) {
      throw new RecommenderError("option", "folder must be the URL of a folder", { option: "folder" });
    }
    return String(folder).replace(/\/?$/, "/");
  };
  return new ChunkedRecommender(await opened("openChunked", options, base, { most: MOST_INDEX, begin: "pmlamc" }));
}

/** Opens a model. A page that has it open already, by this method and address, shares that model. */
async function opened(method, options, of, limits) {
  const read = {}; // each option, read once
  let source;
  try {
    fields(options).forEach((name) => (read[name] = options[name]));
    source = of();
  } catch (cause) {
    throw coded("option", `${method}: reading its arguments failed`, cause);
  }
  for (const name of Object.keys(read)) {
    if (!openOptions.includes(name)) {
      const all = openOptions.join(" and ");
      throw new RecommenderError("option", `${method} has no option "${name}"; choose from ${all}`, { option: name });
    }
  }
  const key = keyOf(method, source);
  for (;;) {
    const model = models.get(key)?.enter() ?? new Model(key, load(method, read, source, limits));
    try {
      await model.ready;
      if (model.program.running) {
        return model;
      }
    } catch (error) {
      model.leave();
      throw error;
    }
    model.forget();
    model.leave();
  }
}

/** Pages share models. A server that opens a file again wants its new content. */
function keyOf(method, source) {
  if (globalThis.document === undefined || (typeof source !== "string" && !(source instanceof URL))) {
    return undefined;
  }
  try {
    return `${method} ${new URL(source, document.baseURI).href}`;
  } catch {
    return undefined; // fetching it says why
  }
}

/** Starts the program and fetches the file in parallel. */
async function load(method, options, source, limits) {
  const file = method === "openChunked" ? `${source}index.bin` : source;
  const [started, content] = await Promise.allSettled([enter(options), modelFile(file, limits)]);
  if (started.status === "rejected") {
    throw coded("program", "reading the program failed", started.reason);
  }
  const program = started.value;
  try {
    if (content.status === "rejected") {
      throw coded("option", `${method}: reading the model failed`, content.reason);
    }
    return { program, source, ...program.call(method, content.value) };
  } catch (error) {
    program.leave();
    throw error;
  }
}
