// The recommender: package @pmlam/recommender. pmlam.d.ts says what each part takes, answers and throws.
//
//   import { open } from "./embed/pmlam.js";
//   const films = await open("models/movielens.msgpack");
//   console.log(films.recommend({ likes: ["6", "1214"], k: 10 }).items);
//
// All of it runs where it is called: after the program and the model nothing is fetched, but for the chunks of a model
// that is open in chunks, and nothing is sent. Page, worker, Node, Deno and edge workers run the same code.

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

// wasm_exec.js puts a stand-in for Node's process where there is none. Other code of the page asks by that name
// whether it runs under Node, so it is there only while the program starts, which is when Go takes it.
const standIn = globalThis.process?.versions === undefined ? globalThis.process : undefined;
if (standIn !== undefined) {
  delete globalThis.process;
}

/**
 * What both kinds of a model have: its methods, all of which answer(call, method, first, second) answers. call asks a
 * function of the program about the model.
 */
class Opened {
  #program;
  #model;
  #answer;

  constructor(program, model, answer) {
    this.#program = program;
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
    const program = this.#program;
    this.#program = null;
    program?.close(this.#model.number);
  }

  #ask(method, first, second) {
    const call = (name, ...args) => {
      if (this.#program === null) {
        throw new RecommenderError("closed", `${method} was asked of a model that is closed`);
      }
      return this.#program.call(name, this.#model.number, ...args);
    };
    return this.#answer(call, method, first, second);
  }
}

/** What the program is given of a question. Reading the arguments can close the model. */
const asked = (method, first, second) => [
  method,
  plain(first, method === "similar" || method === "item"),
  plain(second),
];

export class Recommender extends Opened {
  constructor(program, model) {
    super(program, model, (call, ...question) => call("ask", ...asked(...question)));
  }
}

/** A model in chunks: its methods promise their answers. */
export class ChunkedRecommender extends Opened {
  #folder;
  #most;
  #coming = new Map(); // by name, the promise of a part that is being fetched

  constructor(program, model, folder) {
    super(program, model, (call, ...question) => this.#gather(call, ...question));
    this.#folder = folder;
    this.#most = model.most;
  }

  /** The program says which parts it lacks for an answer, until it lacks none. */
  async #gather(call, ...given) {
    const question = asked(...given);
    for (;;) {
      const { answer, missing } = call("askChunked", ...question);
      if (missing === undefined) {
        return answer;
      }
      // All come to their end, so that the next question does not take part in the failure of this one.
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
      // What is damaged may lie in the browser's own cache, where it would stay.
      if (cache === "reload" || !(error.code === "model" || error.cause instanceof LengthError)) {
        throw error;
      }
      await this.#fetch(call, name, "reload");
    }
  }
}

/** The Go program while it runs, shared by all models that are open and those that are being opened. */
class Program {
  #functions;
  #users = 0;

  /** @throws {RecommenderError} with the code "program" or "no-webassembly" */
  static async start({ program, kernel }) {
    if (!hasWebAssembly()) {
      throw new RecommenderError("no-webassembly", "this engine has no WebAssembly, or has switched it off");
    }
    const go = new globalThis.Go();
    // After its end Go's timers would wake it.
    go.exit = () => {
      go._scheduledTimeouts.forEach(clearTimeout);
      go._scheduledTimeouts.clear();
    };
    const { instance, simd, problem } = await instantiate(go, program, kernel);
    if (!simd && kernel !== null) {
      console.warn("pmlam: the SIMD kernel could not be compiled; scanning without it is slower.", problem);
    }
    const started = new Program();
    const had = Object.hasOwn(globalThis, "process");
    if (!had) {
      globalThis.process = standIn;
    }
    try {
      globalThis.pmlamHost = { offer: (_, functions) => (started.#functions = functions) };
      // Kept when it ends: all of Go up to where main waits runs within this call.
      const stopped = () => (started.#functions = null);
      go.run(instance).then(stopped, stopped);
    } finally {
      if (!had) {
        delete globalThis.process;
      }
    }
    if (!started.#functions) {
      throw new RecommenderError("program", "the program stopped when it started; the console says why");
    }
    return started;
  }

  get running() {
    return this.#functions !== null;
  }

  enter() {
    this.#users++;
  }

  /** Frees a model, by its number. */
  close(number) {
    if (this.running) {
      this.call("close", number);
    }
    this.leave();
  }

  /** Ends the program where nobody else uses it, which frees its memory. */
  leave() {
    if (--this.#users === 0 && this.running) {
      const { end } = this.#functions;
      this.#functions = null;
      end();
    }
  }

  /** Calls one of the program's functions. */
  call(name, ...args) {
    if (!this.running) {
      throw new RecommenderError("stopped", "the program has stopped; open the model again");
    }
    let answer;
    let cause;
    try {
      answer = this.#functions[name](...args);
    } catch (error) {
      cause = error; // such as a stack that was used up; what Go was doing is cut off, so it cannot go on
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

/** Returns the program that runs, or starts one; the caller has entered it and must leave it. */
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

async function begin({ program, kernel }) {
  const own = () => new URL("./embed.wasm", import.meta.url);
  let source;
  try {
    source = await loaded(program ?? own(), MOST_CODE, { compiled: true });
  } catch (error) {
    if (program === undefined && error.code === "file") {
      error.message += "; embed.wasm must lie beside pmlam.js, or be given as the option program";
    }
    throw error;
  }
  const given =
    kernel === undefined
      ? hasSIMD()
        ? ownKernel()
        : null
      : kernel && (await loaded(kernel, MOST_CODE, { compiled: true }));
  try {
    return await Program.start({ program: source, kernel: given });
  } catch (cause) {
    throw coded("program", "the program cannot be started", cause);
  }
}

const node = () => globalThis.process?.getBuiltinModule?.("node:fs");

const MOST = 1 << 30; // bytes of a model
const MOST_INDEX = 1 << 26; // of the index of one in chunks
const MOST_CODE = 1 << 26; // of the program
const HEAD = "\x84\xa6format\xabpmlam.model"; // what a model begins with

/**
 * Reads what an option names: an address or, under Node, a file; anything else is returned as it is. An answer of the
 * network is bounded here where it is compiled while it arrives, and by bytes (download.js) where it is not.
 */
async function loaded(source, most, { compiled = false, cache } = {}) {
  if (typeof source !== "string" && !(source instanceof URL)) {
    return source;
  }
  const address = String(source);
  // One letter before the colon is a drive.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1].toLowerCase();
  const fs = node();
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
    throw new RecommenderError("file", `${address} could not be read: ${cause.message}`, { cause });
  }
}

/** Calls f, and says in the package's words what went wrong in it with a file. */
async function asFile(f) {
  try {
    return await f();
  } catch (cause) {
    throw cause instanceof DownloadError || cause instanceof LengthError
      ? new RecommenderError("file", cause.message, { cause })
      : cause;
  }
}

/** Reads a file of a model. The options are as of bytes and of download (download.js). */
async function modelFile(model, { most, begin, cache }) {
  const source = await loaded(model, most, { cache });
  if (typeof Response === "function" && source instanceof Response) {
    return asFile(() => bytes(source, { most, begin }));
  }
  const view = ArrayBuffer.isView(source);
  if (!view && !(source instanceof ArrayBuffer)) {
    throw new RecommenderError("option", "open takes a model's address, or the bytes of its file", { option: "model" });
  }
  if (source.byteLength > most) {
    throw new RecommenderError("model", `the file has ${source.byteLength} bytes, and may have ${most}`);
  }
  return view ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
}

const openOptions = ["program", "kernel"];

export function open(model, options) {
  return opened("open", options, { model: () => model, most: MOST, begin: HEAD }, (program, file) => {
    return new Recommender(program, program.call("open", file));
  });
}

export function openChunked(folder, options) {
  let base;
  const model = () => {
    if (typeof folder !== "string" && !(folder instanceof URL)) {
      throw new RecommenderError("option", "openChunked takes the address of a folder", { option: "folder" });
    }
    base = String(folder).replace(/\/?$/, "/");
    return `${base}index.bin`;
  };
  return opened("openChunked", options, { model, most: MOST_INDEX, begin: "pmlamc" }, (program, file) => {
    return new ChunkedRecommender(program, program.call("openChunked", file), base);
  });
}

/** Starts the program and fetches a file, side by side, and returns what make makes of the two. */
async function opened(method, options, { model, ...file }, make) {
  const read = {}; // the options, each once
  let source;
  try {
    fields(options).forEach((name) => (read[name] = options[name]));
    source = model();
  } catch (cause) {
    throw coded("option", `${method} cannot read what it is given`, cause);
  }
  for (const name of Object.keys(read)) {
    if (!openOptions.includes(name)) {
      const all = openOptions.join(" and ");
      throw new RecommenderError("option", `${method} has no option "${name}"; there are ${all}`, { option: name });
    }
  }
  const [started, content] = await Promise.allSettled([enter(read), modelFile(source, file)]);
  if (started.status === "rejected") {
    throw coded("program", "the program cannot be read", started.reason);
  }
  const program = started.value;
  try {
    if (content.status === "rejected") {
      throw coded("option", `${method} cannot read what it is given`, content.reason);
    }
    return make(program, content.value);
  } catch (error) {
    program.leave();
    throw error;
  }
}
