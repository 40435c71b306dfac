// Uses the package where compiling bytes is forbidden, as on edge workers: the program and the kernel are compiled
// modules. It prints the ids of an answer and the scan in use:
//
//	node sealed.mjs FOLDER

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const read = (name) => new Uint8Array(fs.readFileSync(path.join(folder, name)));
const [program, kernel, model] = ["embed.wasm", "kernel.wasm", "model.msgpack"].map(read);
const modules = { program: new WebAssembly.Module(program), kernel: new WebAssembly.Module(kernel) };

void globalThis.Response; // node compiles its HTTP parser on first use
const { instantiate, Module } = WebAssembly;
const refuse = () => {
  throw new Error("code generation is disallowed");
};
WebAssembly.compile = WebAssembly.compileStreaming = WebAssembly.instantiateStreaming = refuse;
WebAssembly.instantiate = (source, imports) => (source instanceof Module ? instantiate(source, imports) : refuse());
globalThis.fetch = refuse;

const { open } = await import(pathToFileURL(path.join(folder, "pmlam.js")).href);
fs.promises.readFile = refuse;
let refused = "";
await open(model, { program }).catch((error) => (refused = error.code));
const films = await open(model, modules);
const items = films.recommend({ likes: ["1", "6", "1214"] }).items.map((item) => item.id);
console.log(JSON.stringify({ items, refused, scan: films.about().scan }));
films.close();
// The process must end by itself.
