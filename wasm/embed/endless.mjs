// Opens damaged files and files that decompress without end under node, and prints the error of each as JSON:
//
//	node endless.mjs FOLDER CHUNKS
//
// FOLDER is as in ask.mjs; CHUNKS is a folder written by `pmlam chunk`.

import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [folder, chunks] = process.argv.slice(2);
const { open, openChunked } = await import(pathToFileURL(path.join(folder, "pmlam.js")).href);
const model = fs.readFileSync(path.join(folder, "model.msgpack"));

// The first bytes of the endless files. "/chunks" is a folder with a valid index and endless parts. Parts of "/damaged"
// have a flipped bit; parts of "/damaged-once" only on the first request.
const heads = {
  "/zeros": Buffer.alloc(0),
  "/zeros/index.bin": Buffer.alloc(0),
  "/index/index.bin": Buffer.from("pmlamc5\ni\0"),
  "/program": Buffer.from([0, 97, 115, 109, 1, 0, 0, 0, 0, 255, 255, 255, 255, 7, 1, 97]), // a section without end
};
const times = {}; // requests by part
const server = http.createServer(({ url }, answer) => {
  const [, place, ...name] = url.split("/");
  const damaged = { "damaged-once": 1, damaged: Infinity }[place];
  if (damaged !== undefined || url === "/chunks/index.bin") {
    const content = fs.readFileSync(path.join(chunks, ...name));
    times[url] = (times[url] ?? 0) + 1;
    if (name.length > 1 && times[url] <= damaged) {
      content[content.length >> 1] ^= 1;
    }
    answer.end(content);
    return;
  }
  answer.writeHead(200, { "Content-Encoding": "gzip", "Content-Type": "application/wasm" });
  const zeros = new Readable({ read: () => zeros.push(Buffer.alloc(1 << 16)) });
  zeros.push(heads[url] ?? Buffer.from("pmlamc5\n"));
  zeros.pipe(zlib.createGzip({ level: 1 })).pipe(answer);
  answer.on("close", () => zeros.destroy());
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const at = (name) => `http://127.0.0.1:${server.address().port}/${name}`;

console.warn = () => {}; // of the kernel

const said = {};
for (const [name, opening] of Object.entries({
  program: () => open(model, { program: at("program") }),
  kernel: async () => (await open(model, { kernel: at("program") })).close(),
  model: () => open(at("zeros")),
  response: async () => open(await fetch(at("zeros"))),
  "no index": () => openChunked(at("zeros")),
  index: () => openChunked(at("index")),
  part: async () => (await openChunked(at("chunks"))).recommend({ likes: ["1"] }),
  "damaged part": async () => (await openChunked(at("damaged"))).recommend({ likes: ["1"] }),
  "damaged once": async () => (await openChunked(at("damaged-once"))).recommend({ likes: ["1"] }),
})) {
  try {
    await opening();
    said[name] = "opened";
  } catch (error) {
    said[name] = `${error.code}: ${error.message.replace(/http:\S*[/]/, "")}`;
  }
}
process.stdout.write(JSON.stringify({ said, peak: process.resourceUsage().maxRSS }), () => process.exit(0));
