// The second step: how the files were understood, as pmlam init shows it, with its questions as forms.

import { button, h, heading, say } from "./dom.js";

const roles = ["user", "item", "rating", "time", "title", "event"];

/** The command's sentence about the files. */
const sentence = (text, name = "p") => h(name, { lang: "en" }, text);

/** A choice of one of the options, [value, text] each. */
const select = (id, label, options, value, onchange) =>
  h(
    "select",
    { id, "aria-label": label, onchange },
    options.map(([v, text]) => h("option", { value: v, selected: v === value }, text)),
  );

function radios(name, type, options) {
  return options.map(([value, text, checked], i) =>
    h(
      "label",
      { class: "option" },
      h("input", { type, name, value, id: `${name}-${i}`, checked }),
      h("span", {}, text),
    ),
  );
}

function questionView(app) {
  const { w, question: q } = app;
  const role = w.roles[q.role] ?? q.role;
  const checked = (form) => [...form.querySelectorAll("input:checked")].map((input) => input.value);
  // The fields of each kind of question, and the answers that they give.
  const kinds = {
    column: [
      w.questionColumn(role),
      radios("answer", "radio", q.columns?.map((c, i) => [c, c, i === 0]) ?? []),
      ([value]) => ({ [q.role]: value }),
    ],
    use: [
      w.questionUse(q.column, role),
      radios("answer", "radio", [
        [q.column, w.yes, true],
        ["-", w.no],
      ]),
      ([value]) => ({ [q.role]: value }),
    ],
    events: [
      w.questionEvents(q.column),
      radios("answer", "checkbox", q.values?.map((v) => [v, v]) ?? []),
      (values) =>
        values.length === 0 || values.length === q.values.length ? { event: "-" } : { event: q.column, events: values },
    ],
    "bad-lines": [
      w.question,
      radios("answer", "checkbox", [["yes", w.badLines, true]]),
      (values) => ({ skipBadLines: values.length > 0 }),
    ],
  };
  const other = [
    w.question,
    q.values?.length > 0
      ? radios(
          "answer",
          "radio",
          q.values.map((v, i) => [v, v, i === 0]),
        )
      : [h("label", { class: "field" }, h("span", {}, q.kind), h("input", { name: "answer", id: "answer-0" }))],
    ([value]) => ({ [q.kind]: value }),
  ];
  const [title, fields, answers] = kinds[q.kind] ?? other;
  const submit = (event) => {
    event.preventDefault();
    const text = event.target.querySelector("input[name=answer]:not([type])");
    Object.assign(app.answers, answers(text ? [text.value] : checked(event.target)));
    app.read();
  };
  return [
    heading(w.question),
    h("form", { class: "part question", onsubmit: submit }, [
      h("fieldset", {}, [h("legend", { class: "small-heading" }, title), sentence(q.why || q.text), ...fields]),
      h("button", { id: "answer", class: "main-button", type: "submit" }, w.answer),
    ]),
  ];
}

/** A file's columns with their roles and first rows. Roles can be changed, and the file read again. */
function fileView(app, file, number) {
  const { w } = app;
  const options = [["", w.unused], ...roles.map((r) => [r, w.roles[r]])];
  const changed = new Map();
  const again = button(`again-${number}`, "main-button", w.change, () => {
    for (const [column, role] of changed) {
      const was = file.columns.find((c) => c.name === column).role;
      if (role !== "") {
        app.answers[role] = column;
      } else if ((app.answers[was] ?? column) === column) {
        app.answers[was] = "-";
      }
    }
    app.read();
  });
  again.hidden = true;
  const row = (column, i) => {
    const own = column.role === "unused" ? "" : column.role;
    const set = ({ target }) => {
      changed.set(column.name, target.value);
      if (again.hidden) {
        again.hidden = false;
        say(w.change);
      }
    };
    const named = options.some(([role]) => role === own);
    return h("tr", {}, [
      h("th", { scope: "row" }, column.name),
      h(
        "td",
        {},
        file.header && number === 0 && named
          ? select(`role-${number}-${i}`, w.roleOf(column.name), options, own, set)
          : (w.roles[own] ?? (own || w.unused)),
      ),
      ...file.rows.map((r) => h("td", { class: "example" }, r[i] ?? "")),
    ]);
  };
  const how = [file.format, file.packed, file.encoding, file.delimiter].filter(Boolean).join(", ");
  return h("section", { class: "part", "aria-labelledby": `file-${number}` }, [
    h("h2", { id: `file-${number}`, class: "small-heading" }, file.file),
    h("p", { class: "note" }, how),
    h("div", { class: "scrolled", tabindex: "0", role: "group", "aria-labelledby": `file-${number}` }, [
      h("table", {}, [
        h(
          "thead",
          {},
          h("tr", {}, [
            h("th", { scope: "col" }, w.column),
            h("th", { scope: "col" }, w.is),
            file.rows.length > 0 && h("th", { scope: "col", colspan: String(file.rows.length) }, w.rows),
          ]),
        ),
        h("tbody", {}, file.columns.map(row)),
      ]),
    ]),
    again,
  ]);
}

/** What becomes public, by the columns of the titles. */
export function publicView(app) {
  const { w } = app;
  const { columns = [], withheld_items: withheld = 0 } = app.state.reading.reading;
  return h("section", { class: "part public", "aria-labelledby": "public" }, [
    h("h2", { id: "public", class: "small-heading" }, w.public),
    h("p", { class: "note" }, w.publicNote),
    columns.length === 0
      ? h("p", {}, w.noColumns)
      : h(
          "ul",
          { class: "public-list" },
          columns.map((c) =>
            h("li", { "data-use": c.use === "not published" ? "private" : "public" }, [
              h("b", {}, c.name),
              h("span", {}, w.uses[c.use] ?? c.use),
              c.why && h("span", { class: "note", lang: "en" }, c.why),
            ]),
          ),
        ),
    withheld > 0 && h("p", {}, w.withheld(withheld)),
  ]);
}

export function readingView(app, running) {
  const { w, state } = app;
  if (running !== null) {
    return [heading(w.readingNow), running];
  }
  if (app.question !== null) {
    return questionView(app);
  }
  const r = state.reading;
  if (r === null) {
    return [heading(w.readingTitle)];
  }
  return [
    heading(w.readingTitle),
    h("p", { class: "lead figures-line" }, w.counts(r)),
    ...r.notes.map((n) => sentence(n)),
    button("next", "main-button", w.toTraining, () => app.go("training")),
    ...r.reading.files.map((f, i) => fileView(app, f, i)),
    h("section", { class: "part", "aria-labelledby": "like" }, [
      h("h2", { id: "like", class: "small-heading" }, w.like),
      sentence(r.reading.like),
    ]),
    publicView(app),
    h("details", {}, h("summary", {}, w.said), h("pre", { lang: "en", tabindex: "0" }, r.text)),
  ];
}
