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

  /** Makes the changes; null removes everything. */
  commit(changes) {
    if (changes === null) {
      this.files.clear();
      return undefined;
    }
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
  messages = 0;
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
    this.messages++;
    this.onMessage?.();
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

/** Rejects with an error of this kind, whose sentence matches. */
const fails = (promise, kind, sentence = /./) =>
  assert.rejects(promise, (error) => {
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, sentence);
    return true;
  });

/** Numbers below n that are the same in every run. */
function numbers(seed) {
  return (n) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * n);
  };
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

  /** A tab that is closed at any moment loses nothing but the time since the last checkpoint. */
  async cuts(...names) {
    const files = names.map((name) => dropped(name));
    const whole = await Tab.open();
    await whole.call("read", { files });
    await whole.call("train", { quick: true });
    const want = await bytes(await whole.call("model"));
    const until = whole.messages;
    await whole.close();
    const below = numbers(1);
    const store = new Store();
    for (let cut = 0; cut < 20; cut++) {
      const tab = await Tab.open(store);
      const { reading, files: kept } = await tab.call("state");
      const last = below(until);
      const cutOff = new Promise((resolve) => {
        tab.onMessage = () => tab.messages > last && resolve("cut");
      });
      const work = (async () => {
        if (reading === null) {
          await tab.call("read", kept.length > 0 ? {} : { files });
        }
        await tab.call("train", { quick: true });
      })();
      await Promise.race([cutOff, work]);
      await tab.close();
    }
    const tab = await Tab.open(store);
    if ((await tab.call("state")).reading === null) {
      await tab.call("read", { files });
    }
    await tab.call("train", { quick: true });
    assert.deepEqual(await bytes(await tab.call("model")), want, "cuts changed the model");
    assert.equal((await tab.call("state")).unfinished, null);
    await tab.close();
  },

  /** Cancelled work leaves the state from before, and can go on. */
  async cancelled(...names) {
    const tab = await Tab.open();
    await tab.call("read", { files: names.map((name) => dropped(name)) });
    tab.onEvent = ({ type, what }) => type === "progress" && what === "training" && tab.cancel();
    await fails(tab.call("train", { quick: true }), "cancelled");
    const { model, unfinished } = await tab.call("state");
    assert.equal(model, null);
    assert.equal(unfinished.quick, true);
    tab.onEvent = undefined;
    await tab.call("train", { quick: true });
    assert.equal((await tab.call("state")).model.quick, true);
    const { outcome } = await tab.call("refresh", { files: [dropped(names[0])] });
    assert.equal(outcome.refresh.new, 0);
    await tab.call("erase");
    assert.equal(tab.store.files.size, 0, "erase leaves files");
    assert.deepEqual((await tab.call("state")).files, []);
    await tab.close();
  },

  /** A full storage costs nothing but the storage: the tab goes on, and the stored files are an earlier state. */
  async full(...names) {
    for (const first of [1, 4, 9]) {
      const store = new Store();
      store.fails = (n) => (n >= first ? "QuotaExceededError" : undefined);
      const tab = await Tab.open(store);
      await tab.call("read", { files: names.map((name) => dropped(name)) });
      await tab.call("train", { quick: true });
      const { kept, model } = await tab.call("state");
      assert.equal(kept, false);
      assert.ok(model.size > 1000);
      const said = tab.events.filter(({ type }) => type === "kept");
      assert.deepEqual(said, [{ type: "kept", kept: false, text: "The browser's storage for this page is full." }]);
      await tab.close();
      const next = await Tab.open(store);
      const { reading } = await next.call("state");
      store.fails = () => undefined;
      await next.call("read", reading === null ? { files: names.map((name) => dropped(name)) } : {});
      assert.equal((await next.call("state")).kept, true);
      await next.close();
    }
    const store = new Store();
    const tab = await Tab.open(store);
    await tab.call("read", { files: names.map((name) => dropped(name)) });
    store.fails = () => "QuotaExceededError";
    await tab.call("train", { quick: true });
    assert.equal((await tab.call("state")).kept, false);
    await tab.call("erase");
    assert.equal(store.files.size, 0, "erase leaves files when the storage is full");
    assert.equal((await tab.call("state")).kept, true);
    await tab.close();
  },

  /** Wrong files are refused with the command's sentence, or asked about; the project stays as it was. */
  async wrong(...names) {
    const tab = await Tab.open();
    const good = names.map((name) => dropped(name));
    await tab.call("read", { files: good });
    const before = await tab.call("state");
    const text = (name, content) => dropped(name, content);
    await fails(tab.call("read", { files: [text("empty.csv", "")] }), "data", /empty\.csv/);
    const broken = text("broken.zip", Buffer.from("504b0304140000000800", "hex"));
    await fails(tab.call("read", { files: [broken] }), "data", /broken\.zip/);
    const goodNames = new Set(before.files.map(({ name }) => `/project/${name}`));
    tab.store.fails = (_, changes) =>
      changes.some(([name, blob]) => blob === null && goodNames.has(name)) ? "good file removed" : undefined;
    await fails(tab.call("read", { files: [text(path.basename(names[0]), "")] }), "data", /./);
    tab.store.fails = () => undefined;
    const huge = { ...text("huge.csv", "x"), size: 1.5e9 };
    await fails(tab.call("read", { files: [huge] }), "large", /huge\.csv has 1\.5 GB.*pmlam init huge\.csv/);
    assert.deepEqual(await tab.call("state"), before, "a refused file changed the project");
    const rows = Array.from({ length: 600 }, (_, i) => `${i % 40},${(i * 7) % 30}`);
    const strange = text("strange.csv", ["a,b", ...rows].join("\n"));
    const { question } = await tab.call("read", { files: [strange] });
    assert.deepEqual([question.kind, question.role, question.columns], ["column", "user", ["a", "b"]]);
    const second = await tab.call("read", { answers: { user: "a" } });
    assert.equal(second.question.role, "item");
    const reading = await tab.call("read", { answers: { user: "a", item: "b" } });
    assert.equal(reading.users, 40);
    const { toml, files } = await tab.call("state");
    assert.match(toml, /user-column = "a"/);
    assert.deepEqual(files, [{ name: "strange.csv", size: strange.blob.size, use: "ratings" }]);
    await tab.close();
  },

  /** Too little memory ends a command with a sentence, and the tab goes on. */
  async memory(...names) {
    const tab = await Tab.open(new Store(), { room: 2 ** 26 + 2 ** 20 });
    const rows = ["user,item"];
    for (let i = 0; i < 1_000_000; i++) {
      rows.push(`user-${i % 500_000},item-${(i * 7919) % 50_021}`);
    }
    const large = dropped("large.csv", rows.join("\n"));
    await fails(tab.call("read", { files: [large] }), "memory", /65 MB that a tab gets; .*pmlam init large\.csv/);
    await tab.call("read", { files: names.map((name) => dropped(name)) });
    await tab.close();
  },
};

await checks[check](...rest);
