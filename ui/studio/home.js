// The last step: what becomes public, and the downloads.

import { download } from "../assets/js/page/device.js";
import { button, bytes, h, heading, say } from "./dom.js";
import { publicView } from "./reading.js";

export function homeView(app, running) {
  const { w } = app;
  const busy = app.running !== null;
  const save = async (what) => {
    const got = await app.act(what === "site" ? "packing" : "saving", "home", (studio) => studio[what]());
    if (got !== undefined) {
      download(got.name, got.blob.type || "application/octet-stream", got.blob);
      app.saved = w.downloaded(got.name, bytes(got.blob.size));
      app.report = got.text ?? app.report;
      say(app.saved);
      app.render();
    }
  };
  const offer = (key, [name, detail], call) =>
    h("li", {}, [
      h("div", {}, h("b", {}, name), h("p", { class: "note" }, detail)),
      button(
        `save-${key}`,
        key === "site" ? "main-button" : "quiet",
        w.download(detail.split(":")[0]),
        () => save(call),
        busy,
      ),
    ]);
  return [
    heading(w.homeTitle),
    h("p", { class: "lead" }, w.homeLead),
    app.state.reading !== null && publicView(app),
    h("ul", { class: "offers" }, [
      offer("site", w.site, "site"),
      offer("model", w.model, "model"),
      offer("project", w.project, "toml"),
    ]),
    running,
    app.saved && h("p", { class: "note" }, app.saved),
    app.report && h("details", {}, h("summary", {}, w.said), h("pre", { lang: "en", tabindex: "0" }, app.report)),
    h("p", { class: "note" }, w.next),
  ];
}
