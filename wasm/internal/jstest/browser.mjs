// Runs a Go program for js/wasm in a page. browser.go serves it and reads the console. The query holds the arguments.

import { instantiate } from "./instantiate.js";
import { mountFiles } from "./files.mjs";
import { instantiateTraining } from "./training.js";

const go = new Go();
let used = null; // memory of a program that trains
go.argv = [
  "program",
  ...location.search
    .slice(1)
    .split("&")
    .filter((argument) => argument !== ""),
];
go.exit = (code) => {
  if (used !== null) {
    console.log(`memory: ${used.buffer.byteLength / 2 ** 20} MB`);
  }
  console.log(`exit: ${code}`);
};
try {
  const program = await WebAssembly.compileStreaming(fetch("program.wasm"));
  const trains = WebAssembly.Module.imports(program).some((needed) => needed.module === "vec");
  await go.run(await (trains ? withTraining(program) : withKernel(program)));
} catch (error) {
  console.log(`exit: ${error}`);
}

/** Instantiates a program that scores, with the SIMD kernel. */
async function withKernel(program) {
  const { instance, simd, problem } = await instantiate(go, program, fetch("kernel.wasm"));
  if (!simd) {
    throw problem;
  }
  return instance;
}

/** Instantiates a program that trains, with the training's kernels. */
async function withTraining(program) {
  await mountFiles();
  const [fused, plain] = await Promise.all(
    ["fused.wasm", "plain.wasm"].map(async (name) => (await fetch(name)).arrayBuffer()),
  );
  const { instance, memory, version } = await instantiateTraining(go, program, { fused, plain });
  console.log(`kernels: ${version}`);
  used = memory;
  return instance;
}
