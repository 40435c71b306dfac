// Asks a model in chunks under node, and prints the answers as JSON:
//
//	node chunked.mjs FOLDER CHUNKS
//
// FOLDER is as in ask.mjs; CHUNKS is a folder written by `pmlam chunk`.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, chunks] = process.argv.slice(2);
const { openChunked } = await import(pathToFileURL(path.join(folder, "pmlam.js")).href);
const films = await openChunked(chunks);

const replies = {};
async function ask(name, question) {
  try {
    const { items, unknown } = await question();
    replies[name] = { items, unknown };
  } catch (error) {
    replies[name] = { error: error.message, code: error.code, option: error.option };
  }
}

const likes = ["1", "6", "1214"];
await ask("three likes", () => films.recommend({ likes }));
await ask("nothing said", () => films.recommend({}));
await ask("gems", () => films.recommend({ likes, dislikes: ["1721"], mode: "hidden-gems", diversity: 0.4, k: 20 }));
await ask("unknown", () => films.recommend({ likes: [...likes, "gone"], seen: ["lost"] }));
await ask("filtered", () => films.recommend({ likes, genres: ["Western"], toYear: 1960, k: 20 }));
await ask("ruled", () => films.recommend({ likes, rules: { pinned: ["50"], excluded: ["260"] }, k: 5 }));
await ask("similar", () => films.similar("1", 7));
await ask("together", () => films.together({ likes, k: 6 }, { likes: ["608", "912"] }));
replies.item = { items: [await films.item("1")], unknown: [] };
const { items, scan } = await films.about();
replies.about = { items: [{ title: scan, year: items }], unknown: [] };

await ask("search", () => films.search("star wars", 5));
await ask("search mistyped", () => films.search("godfathr"));
await ask("find", async () => ({ items: [await films.find("Toy Story (1995)")], unknown: [] }));
await ask("find none", () => films.find("zzzz"));
await ask("search nothing", () => films.search());

await ask("no such item", () => films.similar("gone"));
await ask("mistyped", () => films.recommend({ like: likes }));
await ask("by title", () => films.recommend({ likes, order: "title" }));
await ask("boost by numbers", () => films.recommend({ likes, rules: { boost: [{ column: "imdbId", weight: 1 }] } }));
await ask("too many", () => films.recommend({ likes, k: 2000 }));
await ask("no folder", () => openChunked(new Uint8Array(1)));
await ask("no index", () => openChunked(path.join(folder, "nowhere")));

// If a part cannot be fetched, the call fails and the next one tries again.
const again = await openChunked(chunks);
const [set] = fs.readdirSync(chunks).filter((name) => name !== "index.bin");
fs.renameSync(path.join(chunks, set), path.join(chunks, "moved"));
await ask("no part", () => again.recommend({ likes }));
fs.renameSync(path.join(chunks, "moved"), path.join(chunks, set));
await ask("a part again", () => again.recommend({ likes }));
// Two concurrent calls share downloads, and a call in progress fails when the model closes.
await ask("at once", async () => (await Promise.all([1, 2].map(() => again.recommend({ likes, k: 3 }))))[1]);
const under = again.similar("2", 3);
again.close();
await ask("closed under way", () => under);
await ask("closed", () => again.item("1"));
films.close();
process.stdout.write(JSON.stringify(replies), () => process.exit(0));
