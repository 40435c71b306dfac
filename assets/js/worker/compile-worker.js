// The worker of compile.js. It receives {program, size, cache} and posts pairs: ["learn", bytes], ["add", bytes] and
// ["end"] while the program arrives (see Progress), then ["done", module], with null after an error.
//
// It also starts an instance and discards it. Chromium compiles a function at its first call, in the calling thread,
// and keeps the code with the module. Go calls six hundred functions at its start, which would block the page's thread
// for 50 ms.

import "../loader/wasm_exec.js";
import { download } from "../loader/download.js";
import { instantiate } from "../loader/instantiate.js";

onmessage = async ({ data: { program, size, cache } }) => {
  const tell = (what) => (value) => postMessage([what, value]);
  const progress = { begin: () => ({ learn: tell("learn"), add: tell("add"), end: tell("end") }) };
  try {
    const module = await WebAssembly.compileStreaming(download(program, { progress, size, cache }));
    const go = new globalThis.Go();
    go.run((await instantiate(go, module, null)).instance); // up to its first yield
    postMessage(["done", module]);
  } catch {
    postMessage(["done", null]); // the page then compiles the program itself, and reports errors
  }
  close(); // otherwise the program would continue
};
