// The studio's worker: takes calls from studio.js, one at a time, and answers with results, errors and events.

import { createCommands } from "./commands.js";
import { createFiles } from "./fs.js";
import { openStore } from "./store.js";

const here = (name) => new URL(name, import.meta.url);

async function fetched(name) {
  const response = await fetch(here(name));
  if (!response.ok) {
    throw new Error(`${name}: ${response.status}`);
  }
  return response;
}

/** A function that makes its value once; a failure is tried again. */
function once(make) {
  let value = null;
  return () => (value ??= make().catch((error) => ((value = null), Promise.reject(error))));
}

const tell = (event) => postMessage({ event });
const files = createFiles(await openStore(), (text) => tell({ type: "kept", kept: false, text }));
// wasm_exec.js and the program take them from here.
Object.assign(globalThis, { fs: files.fs, process: files.process, path: files.path });
await import("./wasm_exec.js");

const commands = createCommands({
  files,
  tell,
  program: once(async () => {
    const response = await fetched("studio.wasm");
    return response.headers.get("Content-Type") === "application/wasm"
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer());
  }),
  kernels: once(async () => {
    const [fused, plain] = await Promise.all(
      ["fused.wasm", "plain.wasm"].map(async (name) => (await fetched(name)).arrayBuffer()),
    );
    return { fused, plain };
  }),
  page: async () => (await fetched("page.zip")).blob(),
});
await files.load();
await commands.start();

onmessage = async ({ data: { id, call, argument } }) => {
  if (call === "cancel") {
    commands.cancel();
    return;
  }
  try {
    postMessage({ id, result: await commands.call(call, argument) });
  } catch (error) {
    const { kind = error instanceof TypeError ? "program" : "internal", message, detail } = error;
    postMessage({ id, error: { kind, message, detail } });
  }
};
postMessage({ ready: true });
