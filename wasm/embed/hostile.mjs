// Passes values of every kind to every parameter of the package under node. It prints as JSON how many calls answered,
// how many were rejected, and what failed:
//
//	node hostile.mjs FOLDER CHUNKS
//
// FOLDER is as in ask.mjs; CHUNKS is a folder written by `pmlam chunk`. A call must answer or throw the package's
// error, and a normal call after it must succeed.

import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, chunks] = process.argv.slice(2);
const file = (name) => path.join(folder, name);
const { open, openChunked, interleave, log, shown, clicked, liked, variant, visitor, Profile, RecommenderError } =
  await import(pathToFileURL(file("pmlam.js")).href);

let raw; // the functions of the first program, which pmlam.js guards
let host;
Object.defineProperty(globalThis, "pmlamHost", {
  set: ({ offer }) => (host = { offer: (name, functions) => offer(name, (raw = functions)) }),
  get: () => host,
  configurable: true,
});

console.warn = () => {}; // about invalid kernels

const boom = () => {
  throw new TypeError("boom");
};
const thrower = (what) => () => {
  throw what;
};
const traps = (f) => Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((name) => [name, f]));
const cyclic = { likes: [], rules: {}, id: {} };
cyclic.likes.push(cyclic, cyclic.likes);
cyclic.rules.boost = [cyclic];
cyclic.id.id = cyclic;
const sparse = [];
sparse[4_000_000_000] = "1";
const revoked = (of) => {
  const { proxy, revoke } = Proxy.revocable(of, {});
  revoke();
  return proxy;
};
const detached = new ArrayBuffer(8);
const cut = new Uint8Array(detached);
structuredClone(detached, { transfer: [detached] });
class Row {
  #id = "1";
  get id() {
    return this.#id;
  }
}

// The values by name. They are shared, so a call that changes one is noticed.
const values = {
  undefined: undefined,
  null: null,
  true: true,
  false: false,
  NaN: NaN,
  "-0": -0,
  0: 0,
  1: 1,
  "-1": -1,
  half: 0.5,
  Infinity: Infinity,
  "-Infinity": -Infinity,
  "2^31": 2 ** 31,
  "2^53": 2 ** 53,
  "1e300": 1e300,
  "5e-324": 5e-324,
  "10n": 10n,
  "-1n": -1n,
  "2n^64": 2n ** 64n,
  "2n^1e6": 2n ** 1_000_000n,
  "BigInt object": Object(10n),
  empty: "",
  text: "1",
  "high surrogate": "\ud800",
  "low surrogate": "\udc00x",
  NUL: "a\0b",
  emoji: "🎬",
  __proto__: "__proto__",
  "long text": "x".repeat(70_000),
  "1 MB": "y".repeat(1 << 20),
  "right to left": "\u202e1",
  symbol: Symbol("s"),
  iterator: Symbol.iterator,
  function: () => "1",
  class: Row,
  async: async () => 1,
  Date: new Date(0),
  "bad Date": new Date(NaN),
  RegExp: /1/,
  Error: new Error("e"),
  Promise: Promise.resolve("1"),
  Map: new Map([["likes", ["1"]]]),
  Set: new Set(["1"]),
  WeakMap: new WeakMap(),
  String: new String("1"),
  Number: new Number(1),
  globalThis: globalThis,
  Math: Math,
  Proxy: new Proxy({}, {}),
  Uint8Array: new Uint8Array(4),
  Float64Array: new Float64Array([1, NaN]),
  BigInt64Array: new BigInt64Array(2),
  DataView: new DataView(new ArrayBuffer(4)),
  ArrayBuffer: new ArrayBuffer(4),
  detached: detached,
  "view of detached": cut,
  SharedArrayBuffer: new SharedArrayBuffer(4),
  "view of shared": new Uint8Array(new SharedArrayBuffer(4)),
  "16 MB": new Uint8Array(1 << 24),
  "[]": [],
  "[1]": [1],
  "[10n]": [10n],
  "[[]]": [[]],
  sparse: sparse,
  holes: [, , "1"],
  "2^32-1": new Array(2 ** 32 - 1),
  many: new Array(70_000).fill("1"),
  mixed: ["1", null, undefined, NaN, 1n, Symbol("x"), () => 1, {}],
  "{}": {},
  "{id}": { id: 10n },
  "no prototype": Object.assign(Object.create(null), { likes: ["1"] }),
  row: new Row(),
  "own __proto__": JSON.parse('{"__proto__": {"likes": ["1"]}, "constructor": 1}'),
  "array-like": { length: 2 ** 32, 0: "1" },
  endless: { length: Infinity },
  cyclic: cyclic,
  arguments: (function () {
    return arguments;
  })(1),
  getter: {
    get likes() {
      return boom();
    },
    get id() {
      return boom();
    },
  },
  "getter throws a text": {
    get likes() {
      throw "text";
    },
    get id() {
      throw Symbol("thrown");
    },
  },
  "getter throws undefined": {
    get likes() {
      throw undefined;
    },
    get id() {
      throw null;
    },
  },
  "getter asks": {
    get likes() {
      return films.recommend({ likes: ["1"] }).items;
    },
    get id() {
      return films.item("1");
    },
  },
  "toString throws": { toString: boom, valueOf: boom, [Symbol.toPrimitive]: boom, toJSON: boom },
  "proxy that throws": new Proxy({}, traps(boom)),
  "list that throws": new Proxy([], traps(boom)),
  "proxy that throws a proxy": new Proxy({}, traps(thrower(new Proxy({}, traps(boom))))),
  "proxy that lies": new Proxy(
    {},
    {
      get: () => 1n,
      ownKeys: () => ["likes", "k"],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  ),
  "list that lies": new Proxy([], { get: (of, name) => (name === "length" ? 2 ** 40 : of[name]) }),
  "list of itself": new Proxy([], { get: (of, name, self) => (name === "length" ? 1000 : self) }),
  revoked: revoked({}),
  "revoked list": revoked([]),
  "revoked function": revoked(() => 1),
};

const counts = { calls: 0, answered: 0, refused: 0 };
const wrong = [];
let films = await open(file("model.msgpack"));
let parts = await openChunked(chunks);
const alive = () => films.item("1").id === "1";
const ordinary = () =>
  films
    .recommend({ likes: ["1", "6"], k: 3 })
    .items.map((item) => item.id)
    .join();
const want = ordinary();

/** Makes a call, then a normal one; after every 16th call a full list. */
async function call(name, f) {
  counts.calls++;
  try {
    const answer = f();
    await (answer instanceof Promise ? answer : null);
    counts.answered++;
  } catch (error) {
    counts.refused++;
    if (!ours(error)) {
      wrong.push(`${name}: threw ${describe(error)}`);
    }
  }
  try {
    if (counts.calls % 16 > 0 ? !alive() : ordinary() !== want) {
      wrong.push(`${name}: the next normal call gave another answer`);
    }
  } catch (error) {
    wrong.push(`${name}: the next normal call threw ${describe(error)}`);
    films = await open(file("model.msgpack"));
    parts = await openChunked(chunks);
  }
}

/** Whether an error is the package's, and not a failure of the program. */
function ours(error) {
  try {
    return error instanceof RecommenderError && error.code !== "stopped" && error.code !== "internal";
  } catch {
    return false; // reading it throws
  }
}

function describe(error) {
  try {
    return `${error.name} ${error.code}: ${String(error.message).slice(0, 200)}`;
  } catch {
    return typeof error;
  }
}

// The places of a value in a request.
const options = [
  "likes",
  "dislikes",
  "seen",
  "instead",
  "k",
  "mode",
  "genres",
  "fromYear",
  "toYear",
  "where",
  "order",
  "skip",
  "diversity",
  "exploration",
  "seed",
  "rules",
  "unknown",
];
const rules = ["inStock", "excluded", "pinned", "boost", "atMost", "unknown"];
const requests = [
  (v) => v,
  ...options.map((name) => (v) => ({ likes: ["1"], [name]: v })),
  ...["likes", "seen", "instead", "genres"].map((name) => (v) => ({ [name]: [v, "1"] })),
  (v) => ({ likes: [{ id: v }] }),
  (v) => ({ where: { imdbId: v } }),
  ...rules.map((name) => (v) => ({ rules: { [name]: v } })),
  ...["excluded", "pinned", "boost"].map((name) => (v) => ({ rules: { [name]: [v] } })),
  ...["column", "value", "weight"].map((name) => (v) => ({
    rules: { boost: [{ column: "imdbId", value: "1", weight: 1, [name]: v }] },
  })),
  ...["n", "column"].map((name) => (v) => ({ rules: { atMost: { n: 1, column: "imdbId", [name]: v } } })),
];

// Every parameter of both recommenders' methods.
const places = {};
requests.forEach((of, i) => {
  places[`recommend ${i}`] = (v) => films.recommend(of(v));
  places[`together ${i}`] = (v) => (i % 4 === 0 ? parts : films).together(of(v), { likes: ["1"] });
});
for (const [kind, engine] of [
  ["", () => films],
  ["in chunks, ", () => parts],
]) {
  places[`${kind}recommend`] = (v) => engine().recommend({ likes: [v], dislikes: v });
  places[`${kind}together, second`] = (v) => engine().together({ likes: ["1"] }, v);
  places[`${kind}together, second's likes`] = (v) => engine().together({ likes: ["1"] }, { likes: v });
  places[`${kind}similar`] = (v) => engine().similar(v);
  places[`${kind}similar, options`] = (v) => engine().similar("1", v);
  for (const name of ["likes", "dislikes", "seen", "k", "rules", "unknown"]) {
    places[`${kind}similar, ${name}`] = (v) => engine().similar("1", { [name]: v });
  }
  places[`${kind}search`] = (v) => engine().search(v);
  places[`${kind}search, limit`] = (v) => engine().search("heat", v);
  places[`${kind}find`] = (v) => engine().find(v);
  places[`${kind}item`] = (v) => engine().item(v);
  places[`${kind}about`] = (v) => engine().about(v);
}
const model = new Uint8Array(8);
Object.assign(places, {
  open: (v) => open(v),
  "open, options": (v) => open(model, v),
  "open, an option": (v) => open(model, { [typeof v === "symbol" ? v : "unknown"]: v }),
  openChunked: (v) => openChunked(v),
  "openChunked, options": (v) => openChunked(file("nowhere"), v),
});

// Functions that need no program.
const others = {
  mark: (v) => new Profile().mark(v, "like"),
  "mark, as": (v) => new Profile().mark("1", v),
  of: (v) => new Profile().of(v),
  forget: (v) => new Profile().forget(v),
  restore: (v) => Profile.restore(v),
  "restore, marks": (v) => Profile.restore({ format: "pmlam-profile", version: 1, marks: v }),
  "restore, mark": (v) => Profile.restore({ format: "pmlam-profile", version: 1, marks: [v] }),
  "restore, id": (v) => Profile.restore({ format: "pmlam-profile", version: 1, marks: [[v, "like"]] }),
  "visitor.mark": (v) => visitor.mark(v, "like"),
  "visitor.restore": (v) => visitor.restore(v),
  "visitor.consent": (v) => (visitor.consent = v),
  variant: (v) => variant(v, ["a", "b"]),
  "variant, variants": (v) => variant("x", v),
  "a variant": (v) => variant("x", [v, "b"]),
  shown: (v) => shown(v, ["1"]),
  "shown, items": (v) => shown("home", v),
  "shown, item": (v) => shown("home", [v]),
  "shown, id": (v) => shown("home", [{ id: v }]),
  "shown, team": (v) => shown("home", [{ id: "1", team: v }]),
  clicked: (v) => clicked(v, "1"),
  "clicked, item": (v) => clicked("home", v),
  liked: (v) => liked(v),
  log: (v) => log(v),
  "log, keys": (v) => log({ keys: v }),
  interleave: (v) => interleave(v, ["1"]),
  "interleave, other": (v) => interleave(["1"], v),
  "interleave, item": (v) => interleave([v], ["1"]),
  "interleave, options": (v) => interleave(["1"], ["2"], v),
  ...Object.fromEntries(
    ["k", "seed", "teams", "atMost", "unknown"].map((name) => [
      `interleave, ${name}`,
      (v) => interleave(["1"], ["2"], { [name]: v }),
    ]),
  ),
};

for (const [what, v] of Object.entries(values)) {
  // Copying "list of itself" takes half a million values and a tenth of a second, so it gets fewer calls.
  const every = what === "list of itself" ? 10 : 1;
  for (const [where, f] of Object.entries(places).filter((_, i) => i % every === 0)) {
    await call(`${where} of ${what}`, () => f(v));
  }
  for (const [where, f] of Object.entries(others)) {
    await call(`${where} of ${what}`, () => f(v));
  }
}

// BigInts are accepted as ids, and so are rows of a database.
const ids = (request) =>
  films
    .recommend(request)
    .items.map((item) => item.id)
    .join();
const same = ids({ likes: ["1", "6", "1214"] });
if (ids({ likes: [1n, { id: 6n }, { id: 1214 }] }) !== same) {
  wrong.push("BigInts do not work as ids");
}
const { unknown } = films.recommend({ likes: [2n ** 64n, -(2n ** 63n), 9007199254740993n] });
if (unknown.join() !== "18446744073709551616,-9223372036854775808,9007199254740993") {
  wrong.push(`large BigInts became ${unknown}`);
}

// A panic fails only its own call.
const panics = [
  () => raw.ask(1, "recommend", 10n),
  () => raw.ask(1, "nothing"),
  () => raw.ask("1", "recommend", {}),
  () => raw.ask(1n, "recommend"),
  () => raw.askChunked(2, "item", 10n),
  () => raw.put({}),
  () => raw.close(1n),
];
for (const panic of panics) {
  await call(String(panic), () => {
    const answer = panic();
    if (answer?.code !== "internal") {
      wrong.push(`a panic returned ${JSON.stringify(answer)}`);
    }
  });
}
parts.close();
films.close();

// Invalid programs and kernels are rejected, and the next open works.
for (const [what, v] of Object.entries(values)) {
  for (const name of ["program", "kernel"]) {
    counts.calls++;
    try {
      (await open(file("model.msgpack"), { [name]: v })).close();
      counts.answered++;
    } catch (error) {
      counts.refused++;
      if (!ours(error)) {
        wrong.push(`open, ${name} of ${what}: threw ${describe(error)}`);
      }
    }
  }
}
films = await open(file("model.msgpack"));
if (ordinary() !== want) {
  wrong.push("after invalid programs, a model gave another answer");
}

// A stack overflow during a call ends the program, which cannot be prevented; the next open starts another.
const deep = () => {
  try {
    deep();
  } finally {
    films.recommend({ likes: ["1"] });
  }
};
try {
  deep();
} catch {}
try {
  films.close();
} catch (error) {
  wrong.push(`close after a stack overflow: ${describe(error)}`);
}
films = await open(file("model.msgpack"));
if (ordinary() !== want) {
  wrong.push("after a stack overflow, a model gave another answer");
}
films.close();
process.stdout.write(JSON.stringify({ ...counts, wrong }), () => process.exit(0));
