// The worker of compile.js. It receives {program, size, cache} and answers with pairs: ["learn", bytes], ["add", bytes]
// and ["end"] as the program arrives (see Progress), at last ["done", its module], null where something went wrong.
//
// It also starts an instance and discards it. Chromium compiles a function at its first call, in the calling thread,
// and keeps the code with the module: Go calls six hundred functions to start, 50 ms that would block the page's
// thread.

import "../loader/wasm_exec.js";
import { download } from "../loader/download.js";
import { instantiate } from "../loader/instantiate.js";

onmessage = async ({ data: { program, size, cache } }) => {
  const tell = (what) => (value) => postMessage([what, value]);
  const progress = { begin: () => ({ learn: tell("learn"), add: tell("add"), end: tell("end") }) };
  try {
    const module = await WebAssembly.compileStreaming(download(program, { progress, size, cache }));
    const go = new globalThis.Go();
    go.run((await instantiate(go, module, null)).instance); // up to where it first yields
    postMessage(["done", module]);
  } catch {
    postMessage(["done", null]); // the page then compiles it itself and reports errors
  }
  close(); // else the program would continue
};
