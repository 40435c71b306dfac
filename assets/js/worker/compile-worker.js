// The worker of compile.js. It is told {program, size, cache} and answers with pairs: ["learn", bytes], ["add", bytes]
// and ["end"] as the program arrives (see Progress), at last ["done", its module], null where something went wrong.
//
// The program's first steps are taken here too, and forgotten. Chromium compiles a function when it is first called, in
// the thread that calls it, and keeps it for all who share the module: to start Go calls six hundred functions, which
// would hold the page's thread for fifty milliseconds at a time.

import "../loader/wasm_exec.js";
import { download } from "../loader/download.js";
import { instantiate } from "../loader/instantiate.js";

onmessage = async ({ data: { program, size, cache } }) => {
  const tell = (what) => (value) => postMessage([what, value]);
  const progress = { begin: () => ({ learn: tell("learn"), add: tell("add"), end: tell("end") }) };
  try {
    const module = await WebAssembly.compileStreaming(download(program, { progress, size, cache }));
    const go = new globalThis.Go();
    go.run((await instantiate(go, module, null)).instance); // as far as to where it first lets others in
    postMessage(["done", module]);
  } catch {
    postMessage(["done", null]); // the page tries it itself, and then says what is wrong
  }
  close(); // else the program would go on in its next turn
};
