// Runs the experiments that experiment_test.go checks under node, and prints the results as JSON:
//
//	node experiment.mjs FOLDER
//
// FOLDER holds the package. `now` is the current time.

import path from "node:path";
import { pathToFileURL } from "node:url";

const from = (name) => import(pathToFileURL(path.join(process.argv[2], name)).href);
const { clicked, interleave, liked, log, shown, variant } = await from("experiment.js");
const { Log } = await from("log.js");

let now = Date.UTC(2026, 10, 24, 23, 50);
Date.now = () => now;
const minutes = 60_000;
const answers = { said: {} };

// Many devices: the counts of each pair of variants in two experiments, and of devices that move when one is added.
const names = ["a", "b", "c"];
const pairs = names.flatMap((x) => names.map((y) => x + y));
answers.pairs = Object.fromEntries(pairs.map((pair) => [pair, 0]));
answers.moved = { kept: 0, toNew: 0, swapped: 0 };
for (let i = 0; i < 9000; i++) {
  const device = new Log();
  const first = device.variant("one", names);
  answers.pairs[first + device.variant("two", ["c", "b", "a"])]++;
  const again = Log.restore(JSON.parse(JSON.stringify(device.kept())));
  const more = again.variant("one", [...names, "d"]);
  answers.moved[more === first ? "kept" : more === "d" ? "toNew" : "swapped"]++;
}

// One device, through the package's functions.
const mine = variant("ranking", ["plain", "genres"]);
answers.sticky = Array.from({ length: 20 }, () => variant("ranking", ["plain", "genres"])).every((v) => v === mine);
shown("home", [
  { id: "1", team: "x" },
  { id: 2, team: "y" },
]);
answers.said.clicked = clicked("home", 2);
answers.said.other = clicked("home", "3");
answers.said.elsewhere = clicked("foot", "2");
answers.said.liked = liked({ id: "1" });
now += 29 * minutes;
shown("foot", ["7"]);
now += 31 * minutes;
answers.said.late = clicked("foot", "7"); // in the session that showed the item
now += 31 * minutes;
shown("home", ["8"]);
answers.log = log();
answers.keyless = log({ keys: false });
answers.taken = log({ keep: false });
shown("home", ["9"]);
answers.after = log();
answers.stays = variant("ranking", ["plain", "genres"]) === mine;

// A long log drops the oldest events.
const long = new Log();
for (let i = 0; i < 3000; i++) {
  long.shown(
    "home",
    Array.from({ length: 10 }, (_, place) => `item ${i}, ${place}`),
  );
  now += i % 100 === 0 ? 31 * minutes : 0;
}
const kept = long.export().sessions;
answers.bounded = {
  letters: JSON.stringify(kept).length,
  events: kept.reduce((sum, session) => sum + session.events.length, 0),
  first: kept[0].first,
  last: kept.at(-1).events.at(-1).items[0],
};

// Team drafts for many seeds: the teams and their order.
const a = ["1", "2", "3", "4", "5", "6"];
const b = ["4", "9", "1", "8", "2", "7"];
answers.drafts = Array.from({ length: 400 }, (_, seed) => interleave(a, b, { seed, k: 6 }));
answers.again = interleave(a, b, { seed: 7, k: 6 });
answers.objects = interleave([{ id: "1", title: "One" }], [{ id: "1", title: "Uno" }], { teams: ["en", "it"] });
answers.short = interleave(a, ["1"], { seed: 3 });
answers.unseeded = interleave(a, b).length;

// Two lists with at most two items per brand, mixed into one with the same bound and length; items without a brand are
// not bounded.
const branded = (ids) => ids.map((id) => ({ id, columns: { brand: id.slice(0, -1) } }));
const [plain, other] = [branded(["x1", "x2", "y1", "1", "2", "3"]), branded(["y2", "y3", "x3", "x4", "4", "5"])];
answers.bounds = { longest: 0, shortest: Infinity };
for (let seed = 0; seed < 200; seed++) {
  const mixed = interleave(plain, other, { seed, atMost: { n: 2, column: "brand" } });
  const count = (brand) => mixed.filter((item) => item.columns.brand === brand).length;
  answers.bounds.longest = Math.max(answers.bounds.longest, count("x"), count("y"));
  answers.bounds.shortest = Math.min(answers.bounds.shortest, mixed.length);
}

answers.errors = {};
for (const [name, f] of Object.entries({
  "no variants": () => variant("x", ["a"]),
  "same variants": () => variant("x", ["a", "a"]),
  "no name": () => variant("", ["a", "b"]),
  "no list": () => shown("x".repeat(65), ["1"]),
  "no items": () => shown("home", []),
  "no id": () => shown("home", [{ title: "One" }]),
  "half teams": () => shown("home", [{ id: "1", team: "x" }, { id: "2" }]),
  "too long": () =>
    shown(
      "home",
      Array.from({ length: 200 }, (_, i) => `${i} ${"x".repeat(900)}`),
    ),
  "no log option": () => log({ key: false }),
  "no interleave option": () => interleave([], [], { sed: 1 }),
  "no k": () => interleave([], [], { k: 0.5 }),
  "no team": () => interleave([], [], { teams: ["", "b"] }),
  "no bound": () => interleave([], [], { atMost: { n: 0, column: "brand" } }),
  "no arrays": () => interleave("1", []),
  damaged: () => Log.restore({ id: "x", last: 0, sessions: [{ key: "k" }] }),
})) {
  try {
    f();
    answers.errors[name] = "none";
  } catch (error) {
    answers.errors[name] = `${error.code ?? error.name}: ${error.message}`;
  }
}
console.log(JSON.stringify(answers));
