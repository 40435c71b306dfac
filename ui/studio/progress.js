// The third step: the training, with its progress as a bar, a curve and a map that forms.

import { button, count, h, heading, say } from "./dom.js";
import { drawCurve, drawMap } from "./picture.js";

/** The latest events of the running call. */
export const newProgress = () => ({
  bar: null, // the latest "progress"
  memory: null,
  curves: [], // one for each training: {label, values: [{number, ndcg, loss}]}
  trials: [],
  map: null,
  notes: [],
  view: null, // the elements that follow
});

/** Notes an event of the program, and shows it. */
export function hear(app, event) {
  const p = app.progress;
  const said = p.bar?.what;
  switch (event.type) {
    case "progress":
      p.bar = event;
      break;
    case "memory":
      p.memory = event;
      break;
    case "curve":
      if (p.curves.at(-1)?.label !== event.training || event.number <= p.curves.at(-1).values.at(-1).number) {
        p.curves.push({ label: event.training, values: [] });
      }
      p.curves.at(-1).values.push(event);
      break;
    case "trial":
      p.trials[event.number] = event;
      break;
    case "map":
      p.map = event;
      break;
    case "note":
      p.notes.push(event.text);
      break;
  }
  if (event.type === "progress" && said !== event.what && app.running !== null) {
    say(named(app.w, event.what));
  }
  p.view?.(event.type);
}

const named = (w, what) => w.whats[what] ?? what;

/** A figure with a caption, hidden until it has something to show. */
const figure = (caption, picture, text) =>
  h("figure", { class: "progress-figure", hidden: true }, h("figcaption", {}, caption), picture, text);

/** The progress of the running call. It follows the events, and fits its place anew whenever it is made. */
export function progressView(app) {
  const { w, progress: p } = app;
  const label = h("span", { id: "progress-label" });
  const bar = h("progress", { "aria-labelledby": "progress-label" });
  const rest = h("span", { class: "figures-line" });
  const memory = h("p", { class: "note figures-line", hidden: true });
  const short = h("p", { class: "notice", hidden: true }, w.memoryShort);
  const curve = h("div", { class: "curve" });
  const curveText = h("p", { class: "note figures-line" });
  const curveFigure = figure(w.curve, curve, curveText);
  const map = h("canvas", { class: "forming", role: "img" });
  const mapFigure = figure(w.map, map, null);
  const trials = h("ol", { class: "trials" });
  const trialsFigure = figure(w.trials, trials, null);

  const show = {
    progress({ what, done, all, seconds }) {
      label.textContent = named(w, what);
      if (all > 0) {
        bar.max = all;
        bar.value = Math.min(done, all);
        const time = seconds === null || seconds === undefined ? "" : w.left(seconds);
        rest.textContent = w.soFar(count(Math.floor((100 * done) / all)), time);
      } else {
        bar.removeAttribute("value");
        rest.textContent = "";
      }
    },
    memory({ bytes, limit }) {
      memory.textContent = w.memory(bytes, limit);
      memory.hidden = false;
      if (short.hidden && bytes > 0.85 * limit) {
        short.hidden = false;
        say(w.memoryShort);
      }
    },
    curve() {
      curveFigure.hidden = false;
      const { measured, last } = drawCurve(curve, p.curves);
      curveFigure.firstChild.textContent = measured ? w.curve : w.curveLoss;
      curveText.textContent = w.curveNow(last.number, last.value);
    },
    trial() {
      trialsFigure.hidden = false;
      const best = p.trials.filter((t) => t.taken).at(-1);
      trials.replaceChildren(
        ...p.trials
          .filter(Boolean)
          .map((t) =>
            h("li", { class: t === best ? "taken" : null }, [
              h("span", { lang: "en" }, t.text),
              t === best && h("b", {}, ` ${w.taken}`),
            ]),
          ),
      );
    },
    map({ points }) {
      mapFigure.hidden = false;
      map.setAttribute("aria-label", w.mapText(points.length / 2));
      drawMap(map, p.map);
    },
  };
  label.textContent = app.running === null ? "" : (w[app.running.what] ?? w.readingNow);
  p.view = (type) => {
    const latest = { progress: p.bar, memory: p.memory, curve: p.curves.at(-1), trial: p.trials.at(-1), map: p.map }[
      type
    ];
    if (latest) {
      show[type](latest);
    }
  };
  const element = h("div", { class: "progress" }, [
    h("p", { class: "progress-line" }, label, rest),
    bar,
    memory,
    short,
    h("div", { class: "figures-row" }, curveFigure, mapFigure, trialsFigure),
  ]);
  Object.keys(show).forEach(p.view);
  requestAnimationFrame(() => p.view?.("map")); // now it has a size
  return element;
}

export function trainingView(app, running) {
  const { w, state } = app;
  if (running !== null) {
    return [
      heading(app.running.what === "refreshing" ? w.refreshing : w.training),
      h("p", { class: "note" }, w.wait),
      running,
    ];
  }
  const busy = app.running !== null;
  const start = (id, text, first, quick) =>
    button(id, first ? "main-button" : "quiet", text, () => app.train({ quick }), busy);
  const { model, unfinished } = state;
  return [
    heading(model === null ? w.trainingTitle : w.trained),
    h("p", { class: "lead" }, w.trainingLead),
    h("p", { class: "choices" }, [
      unfinished !== null && start("go-on", w.goOn, true, unfinished.quick),
      unfinished === null && model === null && start("quick", w.quick, true, true),
      start("full", model?.quick === false ? w.again2 : w.full, model?.quick && unfinished === null, false),
      model !== null && button("to-site-button", "quiet", w.toSite, () => app.go("site")),
    ]),
  ];
}
