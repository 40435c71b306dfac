// The studio's worker under node, for check.mjs: the same commands, with a store in the parent's thread, which survives
// this thread as the browser's database survives a tab.

import nodeFS from "node:fs";
import v8 from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { pathToFileURL } from "node:url";

const { folder, program, archive, wasmExec, stored, room } = workerData;
const { createCommands } = await import(pathToFileURL(`${folder}/commands.js`));
const { createFiles } = await import(pathToFileURL(`${folder}/fs.js`));

let asked = 0;
const waiting = new Map();
const ask = (changes) =>
  new Promise((resolve, reject) => {
    waiting.set(++asked, { resolve, reject });
    parentPort.postMessage({ commit: asked, changes });
  });
const store = { durable: true, load: async () => stored, commit: ask, erase: () => ask(null) };
const tell = (event) => parentPort.postMessage({ event });
const files = createFiles(store, (text) => tell({ type: "kept", kept: false, text }));

const [fused, plain] = ["fused.wasm", "plain.wasm"].map((name) => nodeFS.readFileSync(`${folder}/${name}`));
if (!WebAssembly.validate(fused)) {
  v8.setFlagsFromString("--experimental-wasm-relaxed-simd"); // node 20
}
const code = nodeFS.readFileSync(wasmExec, "utf8");
Object.assign(globalThis, { fs: files.fs, path: files.path });
Object.defineProperty(globalThis, "process", { value: files.process });
(0, eval)(code);

const commands = createCommands({
  files,
  tell,
  program: async () => program,
  kernels: async () => ({ fused, plain }),
  page: async () => new Blob([archive]),
  memory: room,
});
await files.load();
await commands.start();

parentPort.on("message", async ({ id, call, argument, committed, failed }) => {
  if (committed !== undefined) {
    const { resolve, reject } = waiting.get(committed);
    waiting.delete(committed);
    return failed === undefined ? resolve() : reject(Object.assign(new Error(failed), { name: failed }));
  }
  if (call === "cancel") {
    return commands.cancel();
  }
  if (argument?.files) {
    argument.files = argument.files.map(({ name, blob, size = blob.size }) =>
      Object.defineProperties(blob, { name: { value: name }, size: { value: size } }),
    );
  }
  try {
    parentPort.postMessage({ id, result: await commands.call(call, argument) });
  } catch ({ kind = "internal", message, detail, stack }) {
    parentPort.postMessage({ id, error: { kind, message, detail, stack } });
  }
  return undefined;
});
parentPort.postMessage({ ready: true });
