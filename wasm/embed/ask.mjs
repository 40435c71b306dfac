// Asks the package under node the questions that embed_test.go asks natively, and prints the answers as JSON:
//
//	node ask.mjs FOLDER
//
// FOLDER holds the files of a site's folder embed and the model. They are opened by path. PMLAM_TEST_SCAN=go disables
// the kernel.

import path from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const file = (name) => path.join(folder, name);
if (process.env.PMLAM_TEST_SCAN === "go") {
  WebAssembly.validate = () => false; // an engine without SIMD
}
const { open, Profile } = await import(pathToFileURL(path.join(folder, "pmlam.js")).href);
const films = await open(file("model.msgpack"));

const replies = {};
async function ask(name, question) {
  try {
    const { items, unknown } = await question();
    replies[name] = { items, unknown };
  } catch (error) {
    replies[name] = { error: error.message, code: error.code, option: error.option };
  }
}

const id = (title) => films.find(title).id;
const likes = ["Toy Story", "Heat", "Alien"].map(id);
await ask("three likes", () => films.recommend({ likes }));
const byID = [films.find("Toy Story"), films.item(likes[1]), Number(likes[2])];
await ask("by id", () => films.recommend({ likes: byID }));
const two = ["Fargo", "Casablanca"].map(id);
const many = { likes: [...likes, ...two], dislikes: [id("Titanic")], seen: [id("Pulp Fiction")] };
await ask("much said", () => films.recommend({ ...many, k: 25 }));
await ask("gems", () => films.recommend({ likes, mode: "hidden-gems", diversity: 0.4 }));
await ask("bubble", () => films.recommend({ likes, mode: "outside-bubble", exploration: 0.8, seed: 7 }));
await ask("filtered", () => films.recommend({ likes, k: 5, genres: ["Comedy"], fromYear: 1990, toYear: 1999 }));
await ask("known", () => films.recommend({ likes, k: 5, order: "known", skip: 3 }));
await ask("different", () => films.recommend({ likes, instead: films.recommend({ likes }).items }));
await ask("together", () => films.together({ likes: [...likes, "gone"], k: 6 }, { likes: ["lost", "gone", ...two] }));
await ask("no order", () => films.recommend({ likes, order: "upwards" }));
await ask("nobody else", () => films.together({ likes }));
await ask("nothing said", () => films.recommend({ k: 3 }));
await ask("similar", () => films.similar(likes[0], 7));
await ask("similar by options", () => films.similar(likes[0], { ...many, k: 7 }));
const rules = {
  inStock: "tmdbId",
  pinned: ["50", "gone", 1],
  excluded: [films.find("Jaws")],
  boost: [
    { column: "imdbId", weight: -0.5 },
    { column: "tmdbId", value: 949, weight: 2 },
  ],
  atMost: { n: 1, column: "imdbId" },
};
await ask("ruled", () => films.recommend({ likes, rules, k: 15 }));
await ask("similar by rules", () => films.similar(likes[1], { rules, k: 15 }));
await ask("together by rules", () => films.together({ likes, rules }, { likes: two }));
await ask("no rules", () => films.recommend({ likes, rules: "inStock" }));
await ask("no rule", () => films.similar(likes[0], { rules: { instock: "tmdbId" } }));
await ask("search", () => films.search("godfathr", 3));

await ask("unknown", () => films.recommend({ likes: ["gone", ...likes, "Heat"], seen: ["gone", 0.5] }));
const profile = new Profile();
likes.forEach((one) => profile.mark(one, "like"));
await ask("profile", () => films.recommend(Profile.restore(JSON.parse(JSON.stringify(profile.export()))).marks));
await ask("no such item", () => films.similar("Heat"));
await ask("no such title", () => films.find("xyzzyq"));
await ask("no item", () => films.recommend({ likes: [[]] }));
await ask("no array", () => films.recommend({ likes: "Heat" }));
await ask("no column", () => films.recommend({ where: { colour: "red" } }));
await ask("mistyped", () => films.recommend({ like: [] }));
await ask("mistyped where it opens", () => open(file("model.msgpack"), { programm: "" }));
await ask("no profile", () => Profile.restore({ likes: [] }));
await ask("no mark", () => profile.mark("1", "love"));
await ask("no object", () => films.recommend());
await ask("half", () => films.recommend({ k: 2.5 }));
await ask("too wild", () => films.recommend({ exploration: 1.5 }));
await ask("no mode", () => films.recommend({ mode: "sideways" }));
await ask("no query", () => films.search(7));
await ask("no model", () => open({}));
await ask("missing", () => open(file("missing.msgpack")));
await ask("damaged", () => open(file("damaged.msgpack")));
await ask("scan", () => {
  throw new Error(films.about().scan);
});
const other = await open(pathToFileURL(file("model.msgpack")));
other.close();
other.close();
await ask("closed", () => other.search("heat"));

process.stdout.write(JSON.stringify(replies), () => process.exit(0));
