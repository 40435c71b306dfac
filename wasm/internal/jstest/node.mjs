// Runs a Go program for js/wasm under node, with the SIMD kernel loaded by the page's own code.
//
//	node node.mjs PROGRAM [ARGUMENT]…
//
// It works as the -exec of `GOOS=js GOARCH=wasm go test`. PMLAM_TEST_SCAN=go disables the kernel. A program that trains
// gets the training's kernels instead, of the version that PMLAM_TEST_KERNELS names. The exit code is the program's.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import v8 from "node:v8";
import { hasSIMD, instantiate } from "../../../assets/js/loader/instantiate.js";
import { instantiateTraining } from "../../kernel/training/training.js";

const [program, ...rest] = process.argv.slice(2);
if (program === undefined) {
  console.error("usage: node node.mjs PROGRAM [ARGUMENT]…");
  process.exit(2);
}

// wasm_exec.js expects this under node.
globalThis.fs = fs;
globalThis.path = path;
const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
// A classic script that sets globalThis.Go.
(0, eval)(fs.readFileSync(path.join(goroot, "lib/wasm/wasm_exec.js"), "utf8"));

const here = path.dirname(fileURLToPath(import.meta.url));
const go = new Go();
go.argv = [program, ...rest];
const { PATH = "", HOME = "" } = process.env;
go.env = { TMPDIR: os.tmpdir(), PATH, HOME };
go.exit = process.exit;
const module = new WebAssembly.Module(fs.readFileSync(program));
const trains = WebAssembly.Module.imports(module).some((needed) => needed.module === "vec");
const instance = await (trains ? withTraining() : withKernel());
process.on("exit", (code) => {
  if (code === 0 && !go.exited) {
    // Nothing can wake the program any more: let Go report the deadlock.
    go._pendingEvent = { id: 0 };
    go._resume();
  }
});
await go.run(instance);

/** Instantiates a program that scores, with the SIMD kernel. */
async function withKernel() {
  const wanted = process.env.PMLAM_TEST_SCAN !== "go" && hasSIMD();
  const kernel = wanted ? fs.readFileSync(path.join(here, "../../kernel/kernel.wasm")) : null;
  const { instance, simd, problem } = await instantiate(go, module, kernel);
  if (simd !== wanted) {
    console.error("the kernel was wanted and is not in use:", problem);
    process.exit(1);
  }
  return instance;
}

/** Instantiates a program that trains, with the training's kernels. */
async function withTraining() {
  const [fused, plain] = ["fused", "plain"].map((name) =>
    fs.readFileSync(path.join(here, `../../kernel/training/${name}.wasm`)),
  );
  if (!WebAssembly.validate(fused)) {
    v8.setFlagsFromString("--experimental-wasm-relaxed-simd"); // node 20
  }
  const none = new Uint8Array(0);
  const wanted = process.env.PMLAM_TEST_KERNELS ?? "fused";
  const { instance, version } = await instantiateTraining(go, module, {
    fused: wanted === "fused" ? fused : none,
    plain: wanted === "go" ? none : plain,
  });
  if (version !== wanted) {
    console.error(`the kernels in use are ${version} instead of ${wanted}: this machine has no fused multiply-add`);
  }
  return instance;
}
