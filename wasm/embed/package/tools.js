// Tools for AI agents that the browser brings along (WebMCP). components.js loads this file if there are such agents;
// the program and the model are fetched at the first call. `pmlam mcp` has the same tools, and a test compares them.

import { RecommenderError } from "./error.js";
import { visitor } from "./visitor.js";

const MOST_RESULTS = 100; // k, skip, limit
const MOST_MARKS = 1000; // entries of a list
const MOST_TEXT = 256; // characters of a title or a search
const MOST_CHANGES = 20; // marks in one question to the visitor
const SHOWN = 6; // candidates for a text
const EXACT = 0.94; // below the scores of exact titles, above all others

// --- the definitions ---

const item = {
  type: ["string", "number", "object"],
  description: 'A title, with its year if several have it, or an id as "id:6".',
};
const items = (description) => ({ type: "array", items: item, description, maxItems: MOST_MARKS });
const count = { type: "integer", description: "How many items. Default: 10.", minimum: 1, maximum: MOST_RESULTS };
const share = (description) => ({ type: "number", description, minimum: 0, maximum: 1 });
const whole = (description) => ({ type: "integer", description });
const word = (description, ...all) => ({ type: "string", description, enum: all });
const remembered = {
  type: "boolean",
  description: "Whether the marks that the user let you remember count too. Default: true.",
};

export const tools = [
  {
    name: "recommend",
    title: "Recommend",
    description:
      "Recommends items to a person from titles they like or dislike. The best come first, each with its chance and " +
      "the likes that it follows from.",
    properties: {
      likes: items("Titles that the person likes."),
      dislikes: items("Titles that they dislike."),
      seen: items("Titles that they know; they are not listed."),
      k: count,
      mode: word("Default: for-you.", "for-you", "hidden-gems", "outside-bubble"),
      genres: { type: "array", items: { type: "string" }, description: "Only items of at least one of these genres." },
      fromYear: whole("Only items of this year or later."),
      toYear: whole("Only items of this year or earlier."),
      where: { type: "object", description: "Only items whose columns have these texts." },
      order: word("Default: best.", "best", "known", "new", "title"),
      skip: {
        type: "integer",
        description: "Items to skip at the start of the list.",
        minimum: 0,
        maximum: MOST_RESULTS,
      },
      instead: items("Items of an earlier list to replace."),
      diversity: share("From 0, best first, to 1, varied."),
      exploration: share("From 0, best first, to 1, random."),
      seed: whole("Of the random draws."),
      remembered,
    },
    answer: recommend,
  },
  {
    name: "similar",
    title: "Find similar items",
    description: "Lists the items nearest to one item.",
    properties: {
      item,
      k: count,
      likes: items("Titles not to list."),
      dislikes: items("Titles not to list."),
      seen: items("Titles not to list."),
    },
    required: ["item"],
    answer: similar,
  },
  {
    name: "search",
    title: "Search titles",
    description: "Finds items of the catalogue by title, also with typing mistakes.",
    properties: {
      query: { type: "string", description: "The beginning or words of a title.", maxLength: MOST_TEXT },
      limit: count,
    },
    required: ["query"],
    answer: search,
  },
  {
    name: "explain",
    title: "Explain an item",
    description:
      "Says how an item suits a person: match, chance, and the likes that speak for it. Answers a list of one item.",
    properties: {
      item,
      likes: items("Titles that the person likes."),
      dislikes: items("Titles that they dislike."),
      seen: items("Titles that they know."),
      remembered,
    },
    required: ["item"],
    answer: explain,
  },
  {
    name: "remember",
    title: "Remember marks",
    description:
      "Remembers likes, dislikes and seen titles for later calls, or forgets them. The user is asked, and nothing is " +
      "written without a yes.",
    properties: {
      like: items("Titles that the user likes."),
      dislike: items("Titles that they dislike."),
      seen: items("Titles that they know."),
      forget: items("Titles whose marks to remove."),
    },
    answer: remember,
  },
];

// --- registration ---

let registered = null; // the AbortController of the registration, or null
let model = null; // {address, opening} of the open model, or null
let ownersRules; // returns the page's rules

/** Returns the address of the model that the tools ask, or null for no tools. */
function address() {
  const meta = document.querySelector('meta[name="pmlam-tools"]')?.content.trim() ?? "";
  const named = meta || document.querySelector("pmlam-recommendations[model]")?.getAttribute("model");
  return named && named !== "off" ? new URL(named, document.baseURI).href : null;
}

/** Registers the tools if the page names a model, and takes them away if it no longer does. */
export function offer(rules) {
  ownersRules = rules;
  const wanted = address() !== null;
  if (wanted === (registered !== null)) {
    return;
  }
  registered?.abort();
  registered = null;
  if (!wanted) {
    leave();
    return;
  }
  registered = new AbortController();
  const { signal } = registered;
  const context = document.modelContext ?? navigator.modelContext;
  for (const tool of tools) {
    const { name, title, description } = tool;
    const inputSchema = { type: "object", properties: tool.properties, additionalProperties: false };
    if (tool.required !== undefined) {
      inputSchema.required = tool.required;
    }
    const execute = (input, second) => answered(tool, input, second);
    const definition = { name, title, description, inputSchema, execute };
    definition.annotations = { readOnlyHint: name !== "remember" };
    // Another script can have a tool of this name, and a frame may not be allowed to have any.
    Promise.resolve()
      .then(() => context.registerTool(definition, { signal }))
      .catch((error) => signal.aborted || console.warn(`pmlam: the tool ${name} is not available: ${error.message}`));
  }
}

function leave() {
  model?.opening.then((recommender) => recommender.close()).catch(() => {});
  model = null;
}

/** Opens the model, or returns the one that is open. */
async function opened() {
  const from = address();
  if (from === null) {
    throw new RecommenderError("option", "this page no longer has a model");
  }
  if (model?.address !== from) {
    leave();
    const opening = import("./pmlam.js").then(({ open, openChunked }) =>
      from.endsWith("/") ? openChunked(from) : open(from),
    );
    model = { address: from, opening };
    opening.catch(() => (model = model?.opening === opening ? null : model)); // the next call tries again
  }
  return model.opening;
}

/** Returns the answer to a call, or {error} with a sentence for the agent. */
async function answered(tool, input, second) {
  try {
    const args = { ...input };
    const names = Object.keys(tool.properties).sort();
    for (const name of Object.keys(args)) {
      if (!names.includes(name)) {
        throw wrong(name, `${tool.name} has no option "${brief(name)}"; choose from ${names.join(", ")}`);
      }
    }
    const recommender = await opened();
    await nameItems(recommender, tool, args);
    return await tool.answer(recommender, args, second);
  } catch (error) {
    const { message, code, candidates } = error;
    const option = error.option ?? (code === "unknown-item" && tool.properties.item ? "item" : undefined);
    return { error: message, ...(option && { field: option }), ...(candidates && { candidates }) };
  }
}

const wrong = (option, message) => new RecommenderError("option", message, { option });

const brief = (text) => (String(text).length > 100 ? `${String(text).slice(0, 100)}…` : String(text));

// --- items by title ---

const quoted = ({ title, year }) => `"${title}${year ? ` (${year})` : ""}"`;

/** Replaces the titles in the arguments by ids. */
async function nameItems(recommender, tool, args) {
  const candidates = [];
  let field;
  const named = async (name, text) => {
    const found = await find(recommender, text);
    if (found.id === undefined) {
      field = name;
      candidates.push(found);
    }
    return found.id;
  };
  for (const [name, schema] of Object.entries(tool.properties)) {
    const value = args[name];
    if (schema === item) {
      if (value === undefined || value === null) {
        throw wrong(name, 'item must be a title, or an id as "id:…"');
      }
      args[name] = typeof value === "string" ? await named(name, value) : value;
    } else if (schema.items === item && value !== undefined && value !== null) {
      if (!Array.isArray(value)) {
        throw wrong(name, `${name} must be an array of titles`);
      }
      if (value.length > MOST_MARKS) {
        throw wrong(name, `${name} has more than ${MOST_MARKS} entries; at most ${MOST_MARKS} are allowed`);
      }
      args[name] = [];
      for (const entry of value) {
        args[name].push(typeof entry === "string" ? await named(name, entry) : entry);
        if (candidates.length === MOST_CHANGES) {
          break;
        }
      }
    }
  }
  if (candidates.length > 0) {
    const sentences = candidates.map(({ text, items }) =>
      items.length === 0
        ? `"${text}" names no item, and no title is like it`
        : `"${text}" does not name one item; did you mean ` +
          `${items.map((one) => `id:${one.id} ${quoted(one)}`).join(", ")}?`,
    );
    throw Object.assign(wrong(field, sentences.join("; ")), { candidates });
  }
}

/**
 * Returns {id} of the item that a text names, or {text, items}: the candidates. A text is "id:" with an id, which need
 * not exist; a title; or an id, unless it could be meant as a title: a number, or the title of another item.
 */
async function find(recommender, text) {
  if (text.startsWith("id:")) {
    return { id: text.slice(3) };
  }
  if (text.length > MOST_TEXT) {
    return { text: brief(text), items: [] };
  }
  let { items: found } = await recommender.search(text, SHOWN);
  let best = found.filter(({ score }) => score > EXACT && score === found[0].score);
  const typed = text.toLowerCase();
  const same = best.filter((one) => [one.title, quoted(one).slice(1, -1)].some((t) => t.toLowerCase() === typed));
  if (same.length === 1) {
    best = same;
  }
  const byId = await existing(recommender, text);
  if (best.length === 1 && (byId === null || byId.id === best[0].id)) {
    return { id: best[0].id };
  }
  if (best.length === 0 && byId !== null && !/^[0-9]+$/.test(text)) {
    return { id: text };
  }
  if (best.length === 0) {
    const without = text.replace(/ \(?[0-9]{4}\)?$/, "");
    if (without !== text) {
      found = [...(await recommender.search(without, 2)).items, ...found]; // perhaps only the year is wrong
    }
    best = found;
  }
  const all = new Map(
    [...(byId === null ? [] : [byId]), ...best].map(({ id, title, year }) => [id, { id, title, year }]),
  );
  return { text, items: [...all.values()] };
}

/** Returns the item with an id, or null. */
async function existing(recommender, id) {
  try {
    return await recommender.item(id);
  } catch (error) {
    if (error.code === "unknown-item" || error.code === "option") {
      return null;
    }
    throw error;
  }
}

// --- the answers ---

const within = (name, value, least, most) => {
  if (value !== undefined && value !== null && !(Number.isInteger(value) && value >= least && value <= most)) {
    throw wrong(name, `${name} must be a whole number between ${least} and ${most}`);
  }
};

async function listed(recommender, { items, unknown }) {
  return { model: (await recommender.about()).digest, items, unknown };
}

/**
 * Takes the option remembered out of the arguments and adds the visitor's marks, unless it is false. `only` leaves out
 * of an answer's `unknown` the ids that the agent did not name.
 */
function withMarks({ remembered: count, ...args }) {
  if (typeof (count ?? true) !== "boolean") {
    throw wrong("remembered", "remembered must be true or false");
  }
  const idsOf = (...names) => new Set(names.flatMap((name) => args[name] ?? []).map((one) => String(one?.id ?? one)));
  const said = idsOf("likes", "dislikes", "seen");
  const named = idsOf("likes", "dislikes", "seen", "instead");
  if (count !== false) {
    for (const [name, ids] of Object.entries(visitor.marks)) {
      args[name] = [...(args[name] ?? []), ...ids.filter((id) => !said.has(id))];
    }
  }
  const only = (answer) => ({ ...answer, unknown: answer.unknown.filter((id) => named.has(id)) });
  return { args, only };
}

async function recommend(recommender, given) {
  within("k", given.k, 1, MOST_RESULTS);
  within("skip", given.skip, 0, MOST_RESULTS);
  const { args, only } = withMarks(given);
  if (Array.isArray(args.genres)) {
    const { genres } = await recommender.about();
    args.genres = args.genres.map((genre) => {
      const have = genres.find((one) => one.toLowerCase() === String(genre).toLowerCase());
      if (have === undefined) {
        throw wrong("genres", `the catalogue has no genre "${brief(genre)}"; it has ${genres.join(", ")}`);
      }
      return have;
    });
  }
  return listed(recommender, only(await recommender.recommend({ ...args, rules: ownersRules() })));
}

async function similar(recommender, { item: id, ...args }) {
  within("k", args.k, 1, MOST_RESULTS);
  return listed(recommender, await recommender.similar(id, { ...args, rules: ownersRules() }));
}

async function search(recommender, { query, limit }) {
  if (typeof query !== "string" || query.length > MOST_TEXT) {
    throw wrong("query", `query must be a text of at most ${MOST_TEXT} characters`);
  }
  within("limit", limit, 1, MOST_RESULTS);
  const { items } = await recommender.search(query, limit);
  return { model: (await recommender.about()).digest, items };
}

async function explain(recommender, { item: id, ...given }) {
  const { id: own, title, year } = await recommender.item(id);
  const { args, only } = withMarks(given);
  // A rule puts the item first, so the list of one is this item.
  const answer = await recommender.recommend({ ...args, k: 1, rules: { pinned: [own] } });
  if (answer.items[0]?.id !== own) {
    throw wrong("item", `${quoted({ title, year })} is itself a like, a dislike or seen, so it is not recommended`);
  }
  answer.items[0].pinned = (ownersRules()?.pinned ?? []).some((entry) => String(entry?.id ?? entry) === own);
  return listed(recommender, only(answer));
}

// --- remember ---

const kinds = ["like", "dislike", "seen", "forget"];

const texts = {
  en: {
    ask: "Your assistant would like this site to remember:",
    like: "You like %",
    dislike: "You do not like %",
    seen: "You know %",
    forget: "Forget the mark of %",
    yes: "Remember",
    no: "No",
  },
  de: {
    ask: "Ihr Assistent möchte, dass diese Seite sich merkt:",
    like: "Ihnen gefällt %",
    dislike: "Ihnen gefällt nicht: %",
    seen: "Sie kennen %",
    forget: "Die Markierung von % vergessen",
    yes: "Merken",
    no: "Nein",
  },
};

async function remember(recommender, args, second) {
  const changes = [];
  for (const kind of kinds) {
    for (const entry of args[kind] ?? []) {
      const { id, title, year } = await recommender.item(entry);
      if (changes.some((change) => change.id === id)) {
        throw wrong(kind, `${quoted({ title, year })} appears twice; give it one mark`);
      }
      changes.push({ id, title, year, mark: kind });
    }
  }
  if (changes.length === 0) {
    throw new RecommenderError("option", "remember needs titles in like, dislike, seen or forget");
  }
  if (changes.length > MOST_CHANGES) {
    const why = "so that the user can read them";
    throw new RecommenderError("option", `remember takes at most ${MOST_CHANGES} titles at once, ${why}`);
  }
  const ask = () => confirmed(changes, second?.signal);
  // Earlier browsers want questions to be announced.
  const yes = (await (second?.requestUserInteraction?.(ask) ?? ask())) === true;
  if (!yes) {
    return { yes, changed: [], marks: 0 };
  }
  for (const { id, mark } of changes) {
    if (mark === "forget") {
      visitor.forget(id);
    } else {
      visitor.mark(id, mark);
    }
  }
  const changed = changes.map(({ id, title, mark }) => ({ id, title, mark }));
  return { yes, changed, marks: Object.values(visitor.marks).flat().length };
}

const style = `
  dialog { font: inherit; color: CanvasText; background: Canvas; max-width: min(30rem, 90vw); padding: 1.25rem;
    border: 1px solid; border-radius: 0.5rem; overflow-wrap: anywhere }
  dialog::backdrop { background: rgb(0 0 0 / 50%) }
  p { margin: 0 }
  div { display: flex; flex-wrap: wrap; gap: 0.75rem; justify-content: flex-end }
  button { font: inherit; min-width: 5rem; min-height: 2.75rem; padding: 0.25rem 0.75rem }
`;

let question = null; // the open one: {host, done}

/**
 * Asks the visitor and resolves to whether they said yes themselves: clicks made by scripts do not count, and neither
 * does a question that the browser took back.
 */
function confirmed(changes, signal) {
  if (question?.host.isConnected) {
    throw new RecommenderError("option", "the user is still being asked; wait for that answer");
  }
  question?.done(false); // the page removed it
  const words = texts[document.documentElement.lang.slice(0, 2).toLowerCase()] ?? texts.en;
  const host = document.createElement("pmlam-question");
  const root = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];
  const add = (parent, name, text = "") =>
    parent.appendChild(Object.assign(document.createElement(name), { textContent: text }));
  const dialog = add(root, "dialog");
  const heading = add(dialog, "p", words.ask);
  heading.id = "ask";
  dialog.setAttribute("aria-labelledby", "ask");
  const list = add(dialog, "ul");
  for (const change of changes) {
    add(
      list,
      "li",
      words[change.mark].replace("%", () => quoted(change)),
    );
  }
  const buttons = add(dialog, "div");
  const no = add(buttons, "button", words.no);
  const yes = add(buttons, "button", words.yes);
  no.autofocus = true;
  return new Promise((resolve) => {
    const done = (answer) => {
      question = null;
      host.remove();
      resolve(answer);
    };
    question = { host, done };
    yes.addEventListener("click", (event) => event.isTrusted && done(!signal?.aborted));
    no.addEventListener("click", () => done(false));
    dialog.addEventListener("close", () => done(false)); // Escape
    signal?.addEventListener("abort", () => done(false));
    document.body.append(host);
    dialog.showModal();
  });
}
