// Checks of the studio's commands under node: studio_test.go runs each by its name.
//
//	node check.mjs CHECK FOLDER …
//
// FOLDER has the studio's files as a site has them, with studio.wasm, page.zip and wasm_exec.js.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";

const [check, folder, ...rest] = process.argv.slice(2);
const program = new WebAssembly.Module(fs.readFileSync(path.join(folder, "studio.wasm")));
const archive = fs.readFileSync(path.join(folder, "page.zip"));

/** A dropped file; the File of node 20 cannot be sent to a worker. */
const dropped = (file, content = fs.readFileSync(file)) => ({ name: path.basename(file), blob: new Blob([content]) });

/** The stored files, as in a browser's database. */
class Store {
  files = new Map();
  commits = 0;
  /** Whether a commit fails, and with which name of an error. */
  fails = () => undefined;

  commit(changes) {
    const failed = this.fails(++this.commits, changes);
    if (failed === undefined) {
      for (const [name, blob, time] of changes) {
        if (blob === null) {
          this.files.delete(name);
        } else {
          this.files.set(name, { path: name, blob, time });
        }
      }
    }
    return failed;
  }

  has = (start) => [...this.files.keys()].some((name) => name.startsWith(start));
}

/** A tab with the studio. */
class Tab {
  events = [];
  #calls = new Map();
  #ids = 0;

  static async open(store = new Store(), given = {}) {
    const tab = new Tab();
    tab.store = store;
    const workerData = {
      folder,
      program,
      archive,
      wasmExec: path.join(folder, "wasm_exec.js"),
      stored: [...store.files.values()],
      ...given,
    };
    tab.worker = new Worker(new URL("check-worker.mjs", import.meta.url), { workerData });
    await new Promise((resolve, reject) => {
      tab.worker.on("error", reject);
      tab.worker.on("message", (message) => tab.#hear(message, resolve));
    });
    return tab;
  }

  #hear({ ready, event, commit, changes, id, result, error }, started) {
    if (ready) {
      started();
    } else if (event !== undefined) {
      this.events.push(event);
      this.onEvent?.(event);
    } else if (commit !== undefined) {
      this.worker.postMessage({ committed: commit, failed: this.store.commit(changes) });
    } else {
      const { resolve, reject } = this.#calls.get(id);
      if (error === undefined) {
        resolve(result);
      } else {
        reject(Object.assign(new Error(error.message), error));
      }
    }
  }

  call(call, argument) {
    return new Promise((resolve, reject) => {
      this.#calls.set(++this.#ids, { resolve, reject });
      this.worker.postMessage({ id: this.#ids, call, argument });
    });
  }

  cancel() {
    this.worker.postMessage({ call: "cancel" });
  }

  close() {
    return this.worker.terminate();
  }
}

const bytes = async ({ blob }) => Buffer.from(await blob.arrayBuffer());

const checks = {
  /** Writes what can be downloaded for files, to compare it with the command's: OUT FILE… */
  async downloads(out, ...files) {
    const tab = await Tab.open();
    const reading = await tab.call("read", { files: files.map((file) => dropped(file)) });
    assert.equal(reading.question, undefined);
    assert.ok(reading.users > 0 && reading.items > 0 && reading.likes > 0, JSON.stringify(reading));
    assert.match(reading.text, /is the {2}first rows/);
    assert.match(reading.text, new RegExp(`${path.basename(files[0])}|${reading.likes}`));
    const { outcome } = await tab.call("train", { quick: false });
    assert.equal(outcome.items, reading.items);
    const types = new Set(tab.events.map(({ type }) => type));
    for (const type of ["progress", "curve", "memory", "note"]) {
      assert.ok(types.has(type), `no event ${type}`);
    }
    const site = await tab.call("site");
    fs.writeFileSync(path.join(out, "site.zip"), await bytes(site));
    fs.writeFileSync(path.join(out, "model.msgpack"), await bytes(await tab.call("model")));
    fs.writeFileSync(path.join(out, "pmlam.toml"), await bytes(await tab.call("toml")));
    const again = await tab.call("site");
    assert.deepEqual(await bytes(again), await bytes(site), "the same site gave another archive");
    const preview = await tab.call("preview");
    assert.ok(preview.files.some((file) => file.path === "index.html" && file.type.startsWith("text/html")));
    assert.ok(preview.files.every((file) => !file.path.endsWith(".br") && file.blob.size >= 0));
    const state = await tab.call("state");
    assert.deepEqual([state.kept, state.unfinished, state.model.quick], [true, null, false]);
    assert.equal(state.site.files, site.files);
    await tab.close();
  },
};

await checks[check](...rest);
