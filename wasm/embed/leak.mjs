// Opens, asks and closes a model repeatedly under node, and prints the memory used as JSON:
//
//	node --expose-gc leak.mjs FOLDER OPENINGS QUESTIONS
//
// FOLDER is as in ask.mjs. A quarter of the openings and questions run before memory is first measured.

import path from "node:path";
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const [opened, asked] = process.argv.slice(3).map(Number);
const { open } = await import(pathToFileURL(path.join(folder, "pmlam.js")).href);
const file = new Uint8Array(fs.readFileSync(path.join(folder, "model.msgpack")));

// All started programs with their memory.
const programs = [];
globalThis.Go = class extends globalThis.Go {
  constructor() {
    super();
    programs.push(this);
  }
};
const bytes = () => programs.at(-1)._inst.exports.mem.buffer.byteLength;
const values = () => programs.at(-1)._values.length;

async function openings(n) {
  for (let i = 0; i < n; i++) {
    const model = await open(file);
    model.recommend({ likes: ["1", "6"] });
    model.close();
  }
}
const kept = await open(file);
const questions = (n) => {
  for (let i = 0; i < n; i++) {
    kept.recommend({ likes: [String(i), "6"], k: 1 });
  }
};
await openings(opened / 4);
questions(asked / 4);
const before = { bytes: bytes(), values: values() };
await openings(opened);
questions(asked);
const after = { bytes: bytes(), values: values() };
kept.close();

// No model is open now, so the program ends; the next open starts another.
const memory = new WeakRef(programs[0].importObject);
const again = await open(file);
const answers = again.recommend({ likes: ["1", "6"] }).items.length;
again.close();
const ended = programs.map((go) => go.exited);
programs.length = 0;
for (let i = 0; i < 100 && memory.deref() !== undefined; i++) {
  await new Promise((next) => setTimeout(next));
  globalThis.gc();
}
console.log(JSON.stringify({ before, after, ended, answers, freed: memory.deref() === undefined }));
