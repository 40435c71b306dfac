// Runs a Go program for js/wasm under node, with the SIMD kernel loaded by the page's own code.
//
//	node node.mjs PROGRAM [ARGUMENT]…
//
// It works as the -exec of `GOOS=js GOARCH=wasm go test`. PMLAM_TEST_SCAN=go disables the kernel. The exit code is the
// program's.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { hasSIMD, instantiate } from "../../../assets/js/loader/instantiate.js";

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
const wanted = process.env.PMLAM_TEST_SCAN !== "go" && hasSIMD();
const kernel = wanted ? fs.readFileSync(path.join(here, "../../kernel/kernel.wasm")) : null;

const go = new Go();
go.argv = [program, ...rest];
const { PATH = "", HOME = "" } = process.env;
go.env = { TMPDIR: os.tmpdir(), PATH, HOME };
go.exit = process.exit;
const { instance, simd, problem } = await instantiate(go, fs.readFileSync(program), kernel);
if (simd !== wanted) {
  console.error("the kernel was wanted and is not in use:", problem);
  process.exit(1);
}
process.on("exit", (code) => {
  if (code === 0 && !go.exited) {
    // Nothing can wake the program any more: let Go report the deadlock.
    go._pendingEvent = { id: 0 };
    go._resume();
  }
});
await go.run(instance);
