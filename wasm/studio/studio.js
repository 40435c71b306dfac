// The studio's program, for its page: calls that return promises, made by worker.js.
//
//	const studio = await openStudio({ onEvent });
//	await studio.read({ files });
//
// One call runs at a time. The work of a cancelled call or a closed tab is not lost: the next training goes on from the
// last checkpoint.

import { StudioError } from "./commands.js";

export { StudioError };

const here = (name) => new URL(name, import.meta.url).href;

/** The addresses that the program may load, for use without a network. */
export const files = [
  "studio.js",
  "worker.js",
  "commands.js",
  "fs.js",
  "store.js",
  "training.js",
  "wasm_exec.js",
  "studio.wasm",
  "fused.wasm",
  "plain.wasm",
  "page.zip",
].map(here);

const project = "pmlam studio"; // the lock

/** How long a cancelled call may take to end, in milliseconds, before its worker is stopped. */
const patience = 4000;

/** Claims the project for this tab, until the function is called; rejects with kind "busy" if another tab has it. */
async function claim() {
  if (navigator.locks === undefined) {
    return () => {};
  }
  const got = Promise.withResolvers?.() ?? withResolvers();
  const released = withResolvers();
  navigator.locks
    .request(project, { ifAvailable: true }, (lock) => {
      got.resolve(lock !== null);
      return lock === null ? undefined : released.promise;
    })
    .catch(got.reject);
  if (!(await got.promise)) {
    throw new StudioError("busy", "the studio is open in another tab; close it there, or go on there");
  }
  return released.resolve;
}

/** Resolves once no other tab has the project. */
export const freed = () => navigator.locks.request(project, () => {});

function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

/**
 * Opens the project.
 * @param {{onEvent?: (event: {type: string}) => void}} [options]
 */
export async function openStudio({ onEvent = () => {} } = {}) {
  const release = await claim();
  let worker = null; // a promise of it
  let known = null; // the last state
  let running = null; // {id, resolve, reject, stop}
  let ids = 0;

  function start() {
    const started = withResolvers();
    const made = new Worker(here("worker.js"), { type: "module" });
    made.onmessage = ({ data }) => {
      if (data.ready) {
        started.resolve(made);
      } else if (data.event !== undefined) {
        onEvent(data.event);
      } else if (running !== null && data.id === running.id) {
        const { resolve, reject } = running;
        running = null;
        if (data.error === undefined) {
          resolve(data.result);
        } else {
          reject(new StudioError(data.error.kind, data.error.message, data.error.detail));
        }
      }
    };
    made.onerror = (event) => {
      const error = new StudioError("program", event.message || "the program could not be loaded");
      started.reject(error);
      running?.reject(error);
      running = null;
      made.terminate();
      worker = null;
    };
    return started.promise;
  }

  /** Makes one call, when no other one runs. */
  async function call(name, argument) {
    if (running !== null) {
      throw new StudioError("running", "another call is running");
    }
    const made = withResolvers();
    running = { id: ++ids, ...made };
    const { id } = running;
    try {
      worker ??= start();
      (await worker).postMessage({ id, call: name, argument });
    } catch (error) {
      running = null;
      worker = null;
      throw error;
    }
    return made.promise;
  }

  async function state() {
    if (running === null) {
      known = await call("state");
    }
    return known;
  }

  async function cancel() {
    const cut = running;
    if (cut === null) {
      return;
    }
    const used = await worker;
    used.postMessage({ call: "cancel" });
    const ended = () => running !== cut;
    const until = Date.now() + patience;
    while (!ended() && (known?.kept === false || Date.now() < until)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (!ended()) {
      // The program is within a long step. The stored files are complete, as after the end of a process.
      used.terminate();
      worker = null;
      running = null;
      cut.reject(new StudioError("cancelled", "stopped"));
    }
  }

  try {
    worker = start();
    await state();
  } catch (error) {
    release();
    throw error;
  }
  return {
    state,
    cancel,
    read: (argument) => call("read", argument),
    train: (argument) => call("train", argument),
    refresh: (argument) => call("refresh", argument),
    settings: (changes) => call("settings", { changes }),
    setToml: (text) => call("setToml", { text }),
    preview: () => call("preview"),
    site: () => call("site"),
    model: () => call("model"),
    toml: () => call("toml"),
    erase: () => call("erase"),
    close() {
      running?.reject(new StudioError("cancelled", "closed"));
      running = null;
      worker?.then((used) => used.terminate());
      worker = null;
      release();
    },
  };
}
