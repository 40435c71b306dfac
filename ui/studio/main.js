// The studio: from a file to a finished site in one tab. This module has the state, the steps and the calls of the
// program (studio.js, from wasm/studio); the views of the steps are modules of their own.

import { chosen, setLanguage } from "../assets/js/page/words.js";
import { button, fill, h, heading, moment, say } from "./dom.js";
import { filesView, takeDrops } from "./files.js";
import { homeView } from "./home.js";
import { keepOffline } from "./offline.js";
import { readingView } from "./reading.js";
import { freed, openStudio } from "./studio.js";
import { createPreview, settingsView, siteView } from "./site.js";
import { hear, newProgress, progressView, trainingView } from "./progress.js";
import { languages, words } from "./words.js";

/**
 * The state that the views read, and the calls that they make.
 * @typedef {object} App
 * @property {import("./words.js").words} w the words
 * @property {object} studio the program
 * @property {object} state its state, as studio.state() gave it last
 * @property {string} step the step that is shown
 * @property {{what: string, step: string, stopping: boolean} | null} running the current call, and the step that
 *   shows it
 * @property {{step: string, kind: string, text: string} | null} problem the latest failure
 * @property {string} notice a sentence above everything, such as the work that was kept
 */
const app = {
  w: words(),
  studio: null,
  state: null,
  step: "files",
  running: null,
  problem: null,
  notice: "",
  question: null, // of read()
  answers: {}, // to read()'s questions
  incoming: null, // files that came while there is a model
  progress: newProgress(),
  settings: null, // of pmlam.toml
  drafts: {}, // texts of its form that are not saved yet
  preview: null,
  act,
  go,
  render,
  train,
  read,
  erase,
};

const stepNames = ["files", "reading", "training", "site", "home"];
const views = { files: filesView, reading: readingView, training: trainingView, site: siteView, home: homeView };
const main = document.getElementById("studio");

// --- steps ---------------------------------------------------------------------------------------------------------

/** Whether the step can be shown. */
function reached(step) {
  const { reading, model, unfinished } = app.state;
  return {
    files: true,
    reading: reading !== null || app.question !== null || app.running?.step === "reading",
    training: reading !== null || unfinished !== null,
    site: model !== null,
    home: model !== null,
  }[step];
}

/** Shows a step, from its heading. It becomes a step of the tab's history. */
function go(step) {
  if (location.hash !== `#${step}`) {
    location.hash = step; // hashchange goes on
  } else {
    show(step);
  }
}

function show(step) {
  if (app.state === null || !Object.hasOwn(views, step) || !reached(step)) {
    return;
  }
  const other = app.step !== step;
  app.step = step;
  render();
  if (other) {
    document.getElementById("step-heading")?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
  }
  if (step === "site") {
    app.preview.build();
  }
}

addEventListener("hashchange", () => show(location.hash.slice(1)));

// --- calls ---------------------------------------------------------------------------------------------------------

/**
 * Makes one call of the program, shown at this step, and returns its result; undefined if it failed, which is then
 * shown there. A call while another one runs does nothing.
 */
async function act(what, step, call) {
  if (app.running !== null) {
    return undefined;
  }
  app.running = { what, step, stopping: false };
  app.problem = null;
  app.progress = newProgress();
  render();
  let result;
  try {
    result = await call(app.studio);
  } catch (error) {
    if (error.kind === "cancelled") {
      say(app.w.cancelled);
    } else {
      if (["program", "internal", undefined].includes(error.kind)) {
        console.error(error);
      }
      app.problem = { step, kind: error.kind ?? "internal", text: error.message };
    }
  }
  try {
    app.state = await app.studio.state();
  } catch (error) {
    app.problem ??= { step, kind: error.kind ?? "internal", text: error.message };
  }
  app.running = null;
  render();
  return result;
}

async function stop() {
  app.running.stopping = true;
  localNote("1");
  render();
  await app.studio.cancel();
}

/** Reads the files, or the previous ones with the answers. A question is shown as a form. */
async function read(files) {
  if (files !== undefined) {
    app.answers = {};
  }
  app.question = null;
  app.notice = "";
  const job = act("reading", "reading", (studio) => studio.read({ files, answers: app.answers }));
  go("reading");
  const got = await job;
  if (got?.question !== undefined) {
    app.question = got.question;
    render();
    document.getElementById("step-heading")?.focus();
  } else if (got !== undefined) {
    app.settings = null;
    say(app.w.counts(got));
  } else if (app.problem !== null && app.state.reading === null) {
    app.problem.step = "files"; // where other files can be chosen
    go("files");
  }
}

/** Trains, or refreshes with newer files, and shows the page. */
async function train({ quick = false, files }) {
  localNote("");
  app.notice = app.state.unfinished === null ? "" : app.notice;
  const job = act(files === undefined ? "training" : "refreshing", "training", (studio) =>
    files === undefined ? studio.train({ quick }) : studio.refresh({ files }),
  );
  go("training");
  if ((await job) !== undefined) {
    say(app.w.trained);
    app.notice = "";
    app.preview.forget();
    if (app.step === "training") {
      go("site");
    }
  }
}

async function erase() {
  await act("erase", "files", (studio) => studio.erase());
  Object.assign(app, { question: null, answers: {}, incoming: null, settings: null, drafts: {}, notice: "" });
  await app.preview.erase();
  say(app.w.erased);
  go("files");
}

/** Notes that a training was cancelled, so that the next visit does not go on with it by itself. */
function localNote(value) {
  try {
    localStorage.setItem("studio cancelled", value);
  } catch {
    // no storage: nothing is kept anyway
  }
}

// --- the page ------------------------------------------------------------------------------------------------------

function problemView({ kind, text }) {
  const said = app.w.kinds[kind];
  return h("div", { class: "notice", role: "alert" }, [
    said && h("p", {}, said),
    text && text !== said && h("p", { lang: kind === "" ? null : "en" }, text),
  ]);
}

function showSteps() {
  const { w } = app;
  const one = (step, i) =>
    h(
      "li",
      {},
      h(
        "a",
        {
          id: `to-${step}`,
          href: reached(step) ? `#${step}` : null,
          role: reached(step) ? null : "link",
          "aria-disabled": reached(step) ? null : "true",
          "aria-current": step === app.step ? "step" : null,
        },
        h("span", { class: "step-number", "aria-hidden": "true" }, String(i + 1)),
        h("span", { class: "step-name" }, w.steps[step]),
      ),
    );
  steps.setAttribute("aria-label", w.stepsLabel);
  fill(steps, h("ol", {}, stepNames.map(one)));
}

/** The progress of the running call, and the button that cancels it. */
function runningView() {
  const { w, running } = app;
  const label = running.stopping ? w.stopping : w.stop;
  return h("div", { class: "running" }, progressView(app), button("stop", "quiet", label, stop, running.stopping));
}

const steps = h("nav", { class: "steps" });
const view = h("div", { class: "view" });
const side = h("div", { class: "preview", hidden: true });
const below = h("div", { class: "view below" });

function render() {
  const { w, step } = app;
  if (app.state === null) {
    fill(view, heading(w.filesTitle), h("p", {}, w.open));
    return;
  }
  main.dataset.step = step;
  main.dataset.running = app.running?.what ?? "";
  side.hidden = step !== "site";
  const here = app.running?.step === step;
  showSteps();
  fill(
    view,
    !app.state.kept && h("p", { class: "notice", role: "alert" }, w.notKept),
    app.notice !== "" && h("p", { class: "notice", role: "status" }, app.notice),
    app.problem?.step === step && !app.problem.field && problemView(app.problem),
    ...views[step](app, here ? runningView() : null),
  );
  fill(below, step === "site" && app.settings !== null && settingsView(app));
  app.preview.paint();
}

const themes = ["", "light", "dark"];

function footView() {
  const { w } = app;
  const theme = Math.max(themes.indexOf(document.documentElement.dataset.theme ?? ""), 0);
  const languageButton = ([tag, { own }]) => {
    const one = button(`language-${tag}`, "chip", own, () => speak(setLanguage(tag)));
    one.lang = tag;
    one.setAttribute("aria-pressed", String(tag === document.documentElement.lang));
    return one;
  };
  fill(
    document.getElementById("foot"),
    h(
      "div",
      { class: "chips", role: "group", "aria-label": w.language },
      Object.entries(languages).map(languageButton),
    ),
    button("theme", "link", w.theme[theme], () => paint((theme + 1) % 3)),
    h("a", { class: "link", href: "../" }, w.demo),
  );
}

/** Sets the colours, for the demo too. */
function paint(theme) {
  if (theme === 0) {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = themes[theme];
  }
  try {
    localStorage.setItem("theme", String(theme));
  } catch {
    // they last until the page is closed
  }
  footView();
}

/** Shows everything in the page's language. */
function speak() {
  app.w = words();
  document.title = `Ellipsis: ${app.w.title}`;
  for (const id of ["tagline", "private", "skip"]) {
    document.getElementById(id).textContent = app.w[id];
  }
  document.getElementById("skip").hidden = false;
  footView();
  render();
}

// --- the start -----------------------------------------------------------------------------------------------------

/** Says why the studio cannot start. It starts by itself when another tab has left it, else on request. */
function startFailed({ kind, message }) {
  const { w } = app;
  const busy = kind === "busy";
  const again = button("again", "quiet", w.again, start);
  again.hidden = busy;
  fill(view, heading(w.filesTitle), problemView({ kind: kind ?? "program", text: busy ? "" : message }), again);
  if (busy) {
    freed().then(start);
  }
}

/** What an earlier visit has left, in words. */
function leftover() {
  const { w, state } = app;
  const [what, when] = state.unfinished
    ? [w.foundPart, state.unfinished.at]
    : state.model
      ? [w.foundModel, state.model.finished]
      : state.reading
        ? [w.foundReading]
        : [w.foundFiles];
  return state.files.length > 0 || state.model ? w.found(what, when ? moment(when) : "") : "";
}

async function start() {
  try {
    app.studio ??= await openStudio({
      onEvent: (event) => {
        if (event.type === "kept" && app.state !== null) {
          app.state.kept = event.kept;
          render();
        } else {
          hear(app, event);
        }
      },
    });
    app.state = await app.studio.state();
  } catch (error) {
    startFailed(error);
    return;
  }
  const { reading, model, unfinished } = app.state;
  app.notice = leftover();
  const asked = location.hash.slice(1);
  const best = unfinished ? "training" : model ? "site" : reading ? "reading" : "files";
  render();
  go(stepNames.includes(asked) && reached(asked) && unfinished === null ? asked : best);
  if (unfinished !== null && !wasCancelled()) {
    train({ quick: unfinished.quick });
  } else if (app.state.files.length > 0 && reading === null && app.step === "files") {
    read();
  }
}

function wasCancelled() {
  try {
    return localStorage.getItem("studio cancelled") === "1";
  } catch {
    return false;
  }
}

// Without storage, closing the tab loses everything.
addEventListener("beforeunload", (event) => {
  if (app.state?.kept === false && app.state.reading !== null) {
    event.preventDefault();
  }
});

app.preview = createPreview(app, side);
main.append(steps, view, side, below);
takeDrops(app);
setLanguage(chosen());
speak();
if (typeof WebAssembly === "object" && typeof Worker === "function") {
  await start();
  keepOffline();
} else {
  startFailed({ kind: "", message: app.w.noProgram });
}
