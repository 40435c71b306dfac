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

/** A column's name without the quotes that the command's sentences have. */
const plainColumn = (name) => (/^".*"$/s.test(name) ? name.slice(1, -1).replaceAll('\\"', '"') : name);

/**
 * The form of a question of studio.read(): its title, the type of its inputs, their options [value, text, checked,
 * other type], and the answers that the chosen values give. Without options it asks for a text.
 */
function formOf(w, q) {
  const role = w.roles[q.role] ?? q.role;
  const first = (values) => values.map((v, i) => [v, v, i === 0]);
  const { values = [], columns = [] } = q;
  switch (q.kind) {
    case "column": {
      const options = columns.map((c, i) => [String(i), plainColumn(c), i === 0]);
      const numbered = columns.map((c) => /^(\d+) \((.*)\)$/s.exec(c)); // "2 (who)": the first line may be data
      if (numbered.every(Boolean)) {
        options.push(["header", w.header, !numbered.some(([, , text]) => /\d/.test(text)), "checkbox"]);
      }
      return [
        w.questionColumn(role),
        "radio",
        options,
        ([i, header]) => ({ [q.role]: numbered[i]?.[header ? 2 : 1] ?? plainColumn(columns[i]) }),
      ];
    }
    case "use": {
      const options = [
        [q.column, w.yes, true],
        ["-", w.no],
      ];
      return [w.questionUse(q.column, role), "radio", options, ([value]) => ({ [q.role]: value })];
    }
    case "events": {
      const all = (chosen) => chosen.length === 0 || chosen.length === values.length;
      const options = values.map((v) => [v, v]);
      return [
        w.questionEvents(q.column),
        "checkbox",
        options,
        (chosen) => (all(chosen) ? { event: "-" } : { event: q.column, events: chosen }),
      ];
    }
    case "bad-lines":
      return [w.question, "checkbox", [["yes", w.badLines, true]], (chosen) => ({ skipBadLines: chosen.length > 0 })];
    case "delimiter":
      return [w.questionDelimiter, "radio", w.delimiters, ([value]) => ({ delimiter: value })];
    case "format":
      return [w.questionFormat, "radio", first(["adjacency", "adjacency-counts"]), ([value]) => ({ format: value })];
    case "ratings":
      return [w.questionRatings, "text", [], ([value]) => ({ ratings: value.trim() || "-" })];
    default:
      return [w.question, "text", [], ([value]) => ({ [q.kind]: value })];
  }
}

function questionView(app) {
  const { w, question: q } = app;
  const [title, type, options, answers] = formOf(w, q);
  const fields = options.map(([value, text, checked, other], i) =>
    h(
      "label",
      { class: "option" },
      h("input", { type: other ?? type, name: "answer", value, id: `answer-${i}`, checked }),
      text,
    ),
  );
  const submit = (event) => {
    event.preventDefault();
    const chosen = [...event.target.querySelectorAll("input:checked, input[type=text]")].map((input) => input.value);
    Object.assign(app.answers, answers(chosen));
    app.read();
  };
  return [
    heading(w.question),
    h("form", { class: "part question", onsubmit: submit }, [
      h("fieldset", {}, [
        h("legend", { class: "small-heading" }, title),
        sentence(q.text || q.why),
        ...fields,
        type === "text" && h("input", { type, id: "answer-0", "aria-label": title, autocomplete: "off" }),
      ]),
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
