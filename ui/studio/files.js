// The first step: files, by the browser's dialog, by drag and drop, or a sample.

import { button, bytes, h, heading } from "./dom.js";

const samples = {
  shop: ["orders.csv", "products.csv"],
  films: ["ratings.csv", "movies.csv"],
};

/** Takes files that were chosen or dropped: reads them, unless a model exists, which they may bring up to date. */
function take(app, list) {
  const files = [...list];
  if (files.length === 0 || app.state === null) {
    return;
  }
  if (app.running !== null) {
    app.problem = { step: app.step, kind: "", text: app.w.running };
    app.render();
  } else if (files.length > 2) {
    app.problem = { step: "files", kind: "", text: app.w.tooMany(files.length) };
    app.go("files");
    app.render();
  } else if (app.state.model) {
    app.incoming = files;
    app.go("files");
    app.render();
    document.getElementById("newer")?.focus();
  } else {
    app.read(files);
  }
}

async function takeSample(app, name) {
  try {
    const files = await Promise.all(
      samples[name].map(async (file) => {
        const response = await fetch(`samples/${file}`);
        if (!response.ok) {
          throw new Error(response.statusText);
        }
        return new File([await response.blob()], file);
      }),
    );
    take(app, files);
  } catch {
    app.problem = { step: "files", kind: "", text: app.w.notFound };
    app.render();
  }
}

/** Takes files that are dropped anywhere on the page. */
export function takeDrops(app) {
  const root = document.documentElement;
  const files = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (files(event)) {
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      root.dataset.dropping = "";
    }
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) {
      delete root.dataset.dropping;
    }
  });
  addEventListener("drop", (event) => {
    delete root.dataset.dropping;
    if (files(event)) {
      event.preventDefault();
      take(app, event.dataTransfer.files);
    }
  });
}

/** The files of this browser's project, and the actions on them. */
function keptView(app) {
  const { w, state } = app;
  const ask = () => {
    app.asked = true;
    app.render();
    document.getElementById("erase-no").focus();
  };
  const answer = (yes) => {
    app.asked = false;
    app.render();
    if (yes) {
      app.erase();
    }
  };
  return h("section", { class: "part", "aria-labelledby": "chosen" }, [
    h("h2", { id: "chosen", class: "small-heading" }, w.chosen),
    h(
      "ul",
      { class: "plain-list" },
      state.files.map((f) => h("li", {}, `${f.name}, ${bytes(f.size)}`)),
    ),
    app.asked
      ? h("div", { class: "notice", role: "group", "aria-label": w.erase }, [
          h("p", {}, w.eraseQuestion),
          h("p", { class: "choices" }, [
            button("erase-yes", "quiet danger", w.eraseYes, () => answer(true)),
            button("erase-no", "quiet", w.eraseNo, () => answer(false)),
          ]),
        ])
      : h("p", { class: "choices" }, [
          state.reading === null && button("read", "quiet", w.readAgain, () => app.read()),
          button("erase", "quiet danger", w.erase, ask),
        ]),
  ]);
}

/** Asks whether files that came while there is a model are newer or others. */
function newerView(app) {
  const { w, incoming } = app;
  const done = (f) => () => {
    app.incoming = null;
    f();
  };
  return h("section", { class: "notice part", "aria-labelledby": "newer" }, [
    h("h2", { id: "newer", class: "small-heading", tabindex: "-1" }, w.newer),
    h("p", {}, incoming.map((f) => f.name).join(", ")),
    h("p", {}, w.newerText(app.state.files.map((f) => f.name).join(", "))),
    h("p", { class: "choices" }, [
      button(
        "refresh",
        "main-button",
        w.refresh,
        done(() => app.train({ files: incoming })),
      ),
      button(
        "anew",
        "quiet",
        w.anew,
        done(() => app.read(incoming)),
      ),
    ]),
  ]);
}

export function filesView(app, running) {
  const { w, state } = app;
  const busy = app.running !== null;
  const choose = ({ target }) => {
    take(app, target.files);
    target.value = ""; // allows the same file to be chosen again
  };
  const sample = ([name, detail], key) =>
    button(
      `sample-${key}`,
      "sample",
      [h("b", {}, name), " ", h("span", { class: "note" }, detail)],
      () => takeSample(app, key),
      busy,
    );
  return [
    heading(w.filesTitle),
    h("p", { class: "lead" }, w.filesLead),
    running,
    app.incoming !== null && newerView(app),
    h("div", { class: "drop" }, [
      h("p", {}, w.drop),
      h("input", {
        id: "choose",
        class: "visually-hidden",
        type: "file",
        multiple: true,
        disabled: busy,
        onchange: choose,
      }),
      h("label", { class: "main-button", for: "choose" }, w.choose),
      h("p", { class: "note" }, w.private),
    ]),
    state.files.length > 0
      ? keptView(app)
      : h("section", { class: "part", "aria-labelledby": "samples" }, [
          h("h2", { id: "samples", class: "small-heading" }, w.samples),
          h("div", { class: "samples" }, [sample(w.sampleShop, "shop"), sample(w.sampleFilms, "films")]),
        ]),
  ];
}
