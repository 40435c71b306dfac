// The studio's calls, as commands of the product: each runs one or two programs, on the files of fs.js, like processes.

import { project } from "./fs.js";
import { instantiateTraining } from "./training.js";

/** An error for the page: its kind, and the sentence to show. */
export class StudioError extends Error {
  constructor(kind, message, detail) {
    super(message);
    this.name = "StudioError";
    this.kind = kind;
    this.detail = detail;
  }
}

/** The largest file that is read, and the most memory that a command gets, in bytes. */
const limits = { file: 1e9, memory: 2 ** 30 };

const metaFile = `${project}/.studio/state.json`;
const model = `${project}/model.msgpack`;
const toml = `${project}/pmlam.toml`;
const archive = "/pmlam/page.zip";
const exit = { ok: 0, cancelled: 130 };

const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;
const quoted = (name) => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

/** What to do on the person's own machine, where a tab does not suffice. */
const instead = (names) =>
  `install pmlam and run: pmlam init ${names.map(quoted).join(" ")} && pmlam train && pmlam site`;

/** The flags of pmlam init for the answers of the page's forms. */
function flagsOf(answers) {
  const flags = [];
  const put = (name, value) => value !== undefined && value !== "" && flags.push(`--${name}=${value}`);
  for (const role of ["user", "item", "rating", "time", "title", "event"]) {
    // A column without a name is a number with an example.
    put(`${role}-column`, answers[role]?.replace(/^(\d+) \(.*\)$/s, "$1"));
  }
  put("events", answers.events?.map((v) => (/[",\n]/.test(v) ? `"${v.replaceAll('"', '""')}"` : v)).join(","));
  put("encoding", answers.encoding);
  put("delimiter", answers.delimiter);
  put("format", answers.format);
  put("min-rating", answers.minRating);
  if (answers.ratings === "-") {
    flags.push("--no-ratings");
  } else {
    put("min-rating", answers.ratings);
  }
  for (const [name, key] of [
    ["no-ratings", "noRatings"],
    ["header", "header"],
    ["no-header", "noHeader"],
    ["skip-bad-lines", "skipBadLines"],
  ]) {
    if (answers[key]) {
      flags.push(`--${name}`);
    }
  }
  return flags;
}

/** A file's name as one that a folder may have and no command writes. */
function safeName(name, taken) {
  let safe = name.replace(/[\p{Cc}/\\:]/gu, "_").replace(/^[.-]+/, "") || "data";
  if (["pmlam.toml", "model.msgpack", "public"].includes(safe)) {
    safe = `data-${safe}`;
  }
  while (taken.has(safe)) {
    safe = safe.replace(/(?=\.[^.]*$|$)/, "-2");
  }
  taken.add(safe);
  return safe;
}

/** Splits bytes into lines of text. */
function lineReader(onLine) {
  const decoder = new TextDecoder();
  let rest = "";
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop();
    lines.forEach(onLine);
  };
}

/**
 * The calls on a project.
 *
 * @param {object} given
 * @param {ReturnType<import("./fs.js").createFiles>} given.files loaded
 * @param {() => Promise<WebAssembly.Module>} given.program
 * @param {() => Promise<{fused: BufferSource, plain: BufferSource}>} given.kernels
 * @param {() => Promise<Blob>} given.page the archive of the owner's page
 * @param {(event: object) => void} given.tell takes events
 * @param {number} [given.memory] the most memory that a command gets, in bytes
 */
export function createCommands({ files, program, kernels, page, tell, memory: room = limits.memory }) {
  let meta = { use: [], answers: {}, reading: null, quick: false, finished: null, unfinished: null, site: null };
  let cancel = null; // of the running program
  let cancelled = false;
  let memoryTold = 0;

  /**
   * Runs one command to its end.
   * @returns {Promise<{text: string, notes: string[], result: any}>}
   */
  async function run(args, { notes: tellNotes = false } = {}) {
    const [module, modules] = await Promise.all([program(), kernels()]);
    const go = new globalThis.Go();
    go.argv = ["pmlam", ...args];
    // The collector works harder before the memory ends.
    go.env = { TMPDIR: "/tmp", HOME: "/tmp", GOMEMLIMIT: String(Math.round(0.86 * room)) };
    const out = [];
    const err = [];
    const note = (text) => tellNotes && text !== "" && tell({ type: "note", text });
    files.setOutputs(
      lineReader((line) => {
        out.push(line);
        note(line);
      }),
      lineReader((line) => {
        err.push(line);
        if (err.length < 1000) {
          note(line.replace(/^pmlam: /, ""));
        }
      }),
    );
    let result;
    let failed = {};
    let memory = null;
    const told = (text) => {
      const { type, ...event } = JSON.parse(text);
      if (type === "result") {
        result = event.result;
      } else if (type === "failed") {
        failed = event;
      } else {
        tell({ type, ...event });
      }
      tellMemory(memory);
    };
    globalThis.pmlam = { tell: told, cancel: null };
    cancel = () => globalThis.pmlam.cancel?.();
    let code = exit.ok;
    go.exit = (n) => (code = n);
    let crash = null;
    try {
      const linked = await instantiateTraining(go, module, modules, room / 65536);
      memory = linked.memory;
      if (cancelled) {
        throw new StudioError("cancelled", "stopped");
      }
      await go.run(linked.instance);
    } catch (error) {
      crash = error;
    } finally {
      cancel = null;
      go._scheduledTimeouts.forEach(clearTimeout); // they would wake a program that has ended
      files.closeAll();
      files.clear("/tmp");
    }
    if (crash === null && code === exit.ok) {
      return { text: out.join("\n"), notes: err, result };
    }
    throw problem({ code, crash, err, failed });
  }

  function tellMemory(memory) {
    const now = Date.now();
    if (memory !== null && now - memoryTold >= 500) {
      memoryTold = now;
      tell({ type: "memory", bytes: memory.buffer.byteLength, limit: room });
    }
  }

  /** The error of a command that failed. */
  function problem({ code, crash, err, failed }) {
    if (crash instanceof StudioError) {
      return crash;
    }
    if (code === exit.cancelled || cancelled) {
      return new StudioError("cancelled", "stopped");
    }
    const last = err.findLastIndex((line) => /^pmlam: /.test(line) && !/ --help$/.test(line));
    const text = err
      .slice(Math.max(last, 0))
      .filter((line) => !/^pmlam: see .* --help$/.test(line))
      .join("\n")
      .replace(/^pmlam: /, "")
      .trim();
    if (/out of memory|cannot allocate memory|memory access out of bounds/.test(`${err.join("\n")} ${crash ?? ""}`)) {
      return new StudioError(
        "memory",
        `these data need more memory than the ${Math.round(room / 2 ** 20)} MB that a tab gets; ` +
          instead(meta.use.map(({ name }) => name)),
      );
    }
    if (crash !== null || last < 0) {
      return new StudioError("program", String(crash ?? err.slice(0, 5).join("\n")));
    }
    return new StudioError("data", text, failed.question && { question: failed.question });
  }

  const readMeta = async () => {
    const blob = files.blob(metaFile);
    if (blob !== null) {
      meta = { ...meta, ...JSON.parse(await blob.text()) };
    }
  };

  async function writeMeta(changes) {
    Object.assign(meta, changes);
    files.put(metaFile, new Blob([JSON.stringify(meta)]));
    await files.keep(metaFile);
  }

  const textOf = async (path) => (await files.blob(path)?.text()) ?? null;

  async function state() {
    const size = files.blob(model)?.size;
    return {
      kept: files.keeps(),
      files: meta.use.map(({ name, size, use }) => ({ name, size, use })),
      reading: meta.reading,
      toml: await textOf(toml),
      model: size === undefined || meta.finished === null ? null : { size, finished: meta.finished, quick: meta.quick },
      unfinished: meta.unfinished,
      site: meta.site,
    };
  }

  const checkSizes = (dropped) => {
    const large = dropped.find(({ size }) => size > limits.file);
    if (large !== undefined) {
      throw new StudioError(
        "large",
        `${large.name} has ${gigabytes(large.size)}, and a tab reads files up to ${gigabytes(limits.file)}; ` +
          instead(dropped.map(({ name }) => name)),
      );
    }
  };

  /** Runs pmlam init on these names. */
  const init = (names, answers) => run(["init", ...names, "--replace", "--json", ...flagsOf(answers)]);

  /** Runs pmlam init; the interactions are the first file or the second one. */
  async function initEither(names, answers) {
    try {
      return { names, ...(await init(names, answers)) };
    } catch (error) {
      const role = error.detail?.question?.role;
      if (names.length !== 2 || (role !== "user" && role !== "item") || answers[role] !== undefined) {
        throw error;
      }
      const swapped = [names[1], names[0]];
      try {
        return { names: swapped, ...(await init(swapped, answers)) };
      } catch {
        throw error; // the first question is as good
      }
    }
  }

  async function read({ files: dropped, answers = {} }) {
    const before = meta;
    let use = meta.use;
    if (dropped !== undefined) {
      checkSizes(dropped);
      const taken = new Set();
      const folder = dropped.length > 2 ? "data/" : "";
      // A catalogue has fewer lines than there are interactions.
      use = [...dropped]
        .sort((a, b) => b.size - a.size)
        .map((file) => ({ name: folder + safeName(file.name, taken), size: file.size, use: null, file }));
    } else if (use.length === 0) {
      throw new StudioError("usage", "no file is given");
    }
    const older = meta.use.map(({ name }) => [name, files.blob(`${project}/${name}`)]);
    for (const { name, file } of use) {
      if (file !== undefined) {
        files.put(`${project}/${name}`, file);
      }
    }
    const names = use.length > 2 ? ["data"] : use.map(({ name }) => name);
    meta = { ...meta, use };
    let got;
    try {
      got = await initEither(names, answers);
    } catch (error) {
      const question = error.detail?.question;
      if (question === undefined) {
        // The older files are still stored.
        for (const { name } of use.filter((one) => !older.some(([name]) => name === one.name))) {
          await files.remove(`${project}/${name}`);
        }
        older.forEach(([name, blob]) => files.put(`${project}/${name}`, blob));
        meta = before;
        throw error;
      }
      await keepFiles(use, before, { answers, reading: null });
      return { question: { text: error.message, ...question } };
    }
    const uses = got.names.length === 1 && got.result.users === undefined ? ["items"] : ["ratings", "items"];
    const now = use.map((one) => ({
      ...one,
      use: use.length > 2 ? null : uses[got.names.indexOf(one.name)],
    }));
    const { reading, notes, min_user: minUser, min_item: minItem, users = 0, items, interactions = 0 } = got.result;
    const result = {
      text: got.text.replace(/\n?.*Next: pmlam train$/, "").trimEnd(),
      summary: got.text.split("\n").findLast((line) => /^[^ ].*: \d/.test(line)) ?? "",
      notes: notes ?? [],
      users,
      items,
      likes: interactions,
      minUser,
      minItem,
      reading,
    };
    await files.remove(`${project}/.studio/quick`);
    await files.remove(`${project}/.studio/full`);
    await keepFiles(now, before, { answers, reading: result, unfinished: null });
    return { ...result, toml: await textOf(toml) };
  }

  /** Stores new files, and forgets those that they replace. */
  async function keepFiles(use, before, changes) {
    const fresh = use.some(({ file }) => file !== undefined);
    for (const { name } of fresh ? before.use : []) {
      if (!use.some((one) => one.name === name)) {
        await files.remove(`${project}/${name}`);
      }
    }
    for (const { name, file } of use) {
      if (file !== undefined) {
        await files.keep(`${project}/${name}`);
      }
    }
    if (fresh) {
      await files.remove(model); // of other data
      await files.remove(`${project}/public`);
      Object.assign(changes, { finished: null, site: null });
    }
    await writeMeta({ use: use.map(({ name, size, use }) => ({ name, size, use })), ...changes });
  }

  async function train({ quick = false }) {
    const alone = meta.reading?.users === 0; // a catalogue only: nothing is trained
    const folder = `.studio/${quick ? "quick" : "full"}`;
    const args = ["train", "--json"];
    if (!alone) {
      args.push("--checkpoint", folder, "--checkpoint-every", "15s");
      if (quick) {
        args.push("--auto=false", "--calibrate=false");
      }
    }
    await writeMeta({ unfinished: { quick, at: new Date().toISOString() } });
    const had = meta.finished !== null;
    let got;
    try {
      got = await run(args, { notes: true });
    } catch (error) {
      // The command leaves an unfinished model; the checkpoint has more.
      await files.remove(`${model}.stopped`);
      if (!had) {
        await files.remove(model);
      }
      if (error.kind === "data") {
        await files.remove(`${project}/${folder}`);
        await writeMeta({ unfinished: null });
      }
      throw error;
    }
    await writeMeta({ unfinished: null, quick, finished: new Date().toISOString() });
    await files.remove(`${project}/${folder}`);
    return { text: got.text, outcome: got.result, model: { size: files.blob(model).size } };
  }

  async function refresh({ files: dropped }) {
    checkSizes(dropped);
    const { use } = meta;
    if (use.length === 0 || meta.finished === null) {
      throw new StudioError("usage", "there is no model to bring up to date");
    }
    const left = [...use];
    const take = (find) => left.splice(Math.max(left.findIndex(find), 0), 1)[0];
    const placed = [...dropped]
      .sort((a, b) => b.size - a.size)
      .filter(() => left.length > 0)
      .map((file) => ({ file, old: take(({ name }) => name.split("/").pop() === file.name) }));
    const before = placed.map(({ old }) => files.blob(`${project}/${old.name}`));
    for (const { file, old } of placed) {
      files.put(`${project}/${old.name}`, file);
    }
    let got;
    try {
      got = await run(["train", "--refresh", "--json"], { notes: true });
    } catch (error) {
      placed.forEach(({ old }, i) => files.put(`${project}/${old.name}`, before[i]));
      throw error;
    }
    for (const { old } of placed) {
      await files.keep(`${project}/${old.name}`);
    }
    const sizes = new Map(placed.map(({ file, old }) => [old.name, file.size]));
    await writeMeta({
      use: use.map((one) => ({ ...one, size: sizes.get(one.name) ?? one.size })),
      finished: new Date().toISOString(),
    });
    return { text: got.text, outcome: got.result, model: { size: files.blob(model).size } };
  }

  async function settings(changes) {
    const got = await run(["settings", "--json", ...(changes === undefined ? [] : [JSON.stringify(changes)])]);
    return { ...got.result, toml: await textOf(toml) };
  }

  const needArchive = async () => files.blob(archive) ?? files.put(archive, await page());

  async function preview() {
    await needArchive();
    const got = await run(["site", "--json", "--quality=0", "--previous=", "--out=/site/preview"]);
    const listed = files.list("/site/preview").filter(({ path }) => !/\.(br|gz)$|(^|\/)\./.test(path));
    return {
      text: got.text,
      files: listed.map(({ path }) => ({ path, type: typeOf(path), blob: files.blob(`/site/preview/${path}`) })),
    };
  }

  async function site() {
    await needArchive();
    const built = await run(["site", "--json"], { notes: true });
    const zipped = await run(["zip", "--json", built.result.out, "/site/site.zip"]);
    await writeMeta({ site: { size: zipped.result.size, files: zipped.result.files } });
    return { blob: files.blob("/site/site.zip"), name: "site.zip", text: built.text, ...zipped.result };
  }

  const download = async (path, name, type) => {
    const blob = files.blob(path);
    if (blob === null) {
      throw new StudioError("usage", `there is no ${name} yet`);
    }
    return { blob: blob.slice(0, blob.size, type), name };
  };

  async function erase() {
    await files.erase();
    meta = { use: [], answers: {}, reading: null, quick: false, finished: null, unfinished: null, site: null };
  }

  const calls = {
    state,
    read,
    train,
    refresh,
    settings: ({ changes }) => settings(changes),
    setToml: ({ text }) => settings({ toml: text }),
    preview,
    site,
    model: () => download(model, "model.msgpack", "application/vnd.msgpack"),
    toml: () => download(toml, "pmlam.toml", "application/toml"),
    erase,
  };

  return {
    start: readMeta,
    /** Makes one call by its name. */
    async call(name, argument = {}) {
      cancelled = false;
      return calls[name](argument);
    },
    cancel() {
      cancelled = true;
      cancel?.();
    },
  };
}

/** The media types of a site's files, as the server sends them (server/mime.go). */
const types = {
  css: "text/css; charset=utf-8",
  gif: "image/gif",
  html: "text/html; charset=utf-8",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  mjs: "text/javascript; charset=utf-8",
  msgpack: "application/vnd.msgpack",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "text/xml; charset=utf-8",
};

const typeOf = (path) => types[path.split("/").pop().split(".").pop()] ?? "application/octet-stream";
