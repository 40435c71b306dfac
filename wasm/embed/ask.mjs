// Asks the embedded recommender under node what embed_test.go asks the native one, and writes the answers as JSON:
//
//	node ask.mjs FOLDER
//
// FOLDER holds what a site publishes as its folder embed, and the model. PMLAM_SCAN=go leaves the kernel out.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const read = (name) => new Uint8Array(fs.readFileSync(path.join(folder, name)));
if (process.env.PMLAM_SCAN === "go") {
  WebAssembly.validate = () => false; // an engine without SIMD
}
const { open } = await import(pathToFileURL(path.join(folder, "pmlam.js")).href);
const kernel = process.env.PMLAM_SCAN === "go" ? null : read("kernel.wasm");
const files = { program: read("embed.wasm"), ...(kernel && { kernel }) };
const films = await open(read("model.msgpack"), files);

const replies = {};
async function ask(name, question) {
  try {
    const items = await question();
    replies[name] = { items };
  } catch (error) {
    replies[name] = { error: error.message };
  }
}

const likes = ["Toy Story", "Heat", "Alien"];
await ask("three likes", () => films.recommend({ likes }));
const byID = [films.find("Toy Story"), films.find("Heat").id, Number(films.find("Alien").id)];
await ask("by id", () => films.recommend({ likes: byID }));
const many = { likes: [...likes, "Fargo", "Casablanca"], dislikes: ["Titanic"], seen: ["Pulp Fiction"] };
await ask("much said", () => films.recommend({ ...many, k: 25 }));
await ask("gems", () => films.recommend({ likes, mode: "hidden-gems", diversity: 0.4 }));
await ask("bubble", () => films.recommend({ likes, mode: "outside-bubble", exploration: 0.8, seed: 7 }));
await ask("filtered", () => films.recommend({ likes, k: 5, genres: ["Comedy"], fromYear: 1990, toYear: 1999 }));
await ask("known", () => films.recommend({ likes, k: 5, order: "known", skip: 3 }));
await ask("different", () => films.recommend({ likes, instead: films.recommend({ likes }) }));
await ask("together", () => films.together({ likes, k: 6 }, { likes: ["Fargo", "Casablanca"] }));
await ask("no order", () => films.recommend({ likes, order: "upwards" }));
await ask("nobody else", () => films.together({ likes }));
await ask("nothing said", () => films.recommend({ k: 3 }));
await ask("similar", () => films.similar("Toy Story", 7));
await ask("search", () => films.search("godfathr", 3));

await ask("no such title", () => films.recommend({ likes: ["Heat", "xyzzyq"] }));
await ask("no array", () => films.recommend({ likes: "Heat" }));
await ask("no object", () => films.recommend());
await ask("half", () => films.recommend({ k: 2.5 }));
await ask("too wild", () => films.recommend({ exploration: 1.5 }));
await ask("no mode", () => films.recommend({ mode: "sideways" }));
await ask("no query", () => films.search(7));
await ask("damaged", () => open(read("damaged.msgpack")));
await ask("scan", () => {
  throw new Error(films.about().scan);
});

process.stdout.write(JSON.stringify(replies), () => process.exit(0));
