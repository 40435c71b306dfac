// The fourth step: the site at work in a frame, next to a form for its name, colours, words and links.

import { button, filling, h, heading, say } from "./dom.js";
import { previewCache, worker } from "./offline.js";

const address = "preview/index.html";
const [light, dark] = ["#b23a12", "#ff9d76"]; // the demo's accents

const typeOf = (blob, type) => new Response(blob, { headers: { "Content-Type": type, "Cache-Control": "no-store" } });

/**
 * The frame that shows the site. It stays in the document, because a frame that is moved loses its page.
 * build() builds the site if its settings or model have changed; forget() says that they have.
 */
export function createPreview(app, place) {
  const status = h("p", { class: "note preview-status" });
  const alone = h("a", { class: "link", href: address, target: "_blank" });
  const holder = h("div", { class: "frame" });
  place.append(h("div", { class: "preview-line" }, status, alone), holder);
  let frame = null;
  let fresh = false; // the frame shows the current model and settings

  async function put(files) {
    const cache = await caches.open(previewCache);
    const wanted = new Set();
    for (const { path, type, blob } of files) {
      const url = new URL(`preview/${path}`, location.href).href;
      wanted.add(url);
      // The site's own service worker would keep the preview; it has no place under this page's.
      const content = path === "index.html" ? (await blob.text()).replace(/ data-version="[^"]*"/, "") : blob;
      await cache.put(url, typeOf(content, type));
    }
    for (const { url } of await cache.keys()) {
      if (!wanted.has(url)) {
        await cache.delete(url);
      }
    }
  }

  async function build() {
    if (fresh || app.running !== null || app.state.model === null) {
      return;
    }
    fresh = true;
    if ((await worker()) === null) {
      fresh = false;
      status.textContent = app.w.noFrame;
      return;
    }
    const made = await app.act("building", "site", async (studio) => {
      const built = await studio.preview();
      await put(built.files);
      app.settings = await studio.settings();
      return built;
    });
    if (made === undefined) {
      fresh = false;
      return;
    }
    app.render();
    if (frame === null) {
      frame = h("iframe", { id: "frame", src: address, title: app.w.frame });
      holder.append(frame);
      alone.hidden = false;
    } else {
      frame.contentWindow.location.reload();
    }
    say(app.w.saved);
    if (app.changes) {
      change(app, {}); // that came meanwhile
    }
  }

  return {
    build,
    forget: () => (fresh = false),
    /** Shows the state of the build, in the page's language. */
    paint() {
      const building = app.running?.what === "building";
      status.textContent = building ? app.w.building : (app.w.frame ?? "");
      alone.textContent = app.w.alone;
      alone.hidden = frame === null;
      holder.toggleAttribute("data-busy", building);
      if (frame !== null) {
        frame.title = app.w.frame;
      }
    },
    /** Shows the colours at once, before they are saved. */
    tint(light, dark) {
      frame?.contentDocument?.documentElement.style.setProperty("--brand", `light-dark(${light}, ${dark})`);
    },
    async erase() {
      fresh = false;
      frame?.remove();
      frame = null;
      await caches.delete(previewCache).catch(() => {});
    },
  };
}

/** Saves changes of the settings and shows the site with them. Changes that come while it is built follow after it. */
async function change(app, changes) {
  app.changes = { ...app.changes, ...changes };
  app.settings = { ...app.settings, ...changes };
  while (app.running === null && app.changes !== null) {
    const { toml, ...now } = app.changes;
    app.changes = null;
    const settings = await app.act("saving", "site", (studio) =>
      toml === undefined ? studio.settings(now) : studio.setToml(toml),
    );
    if (settings === undefined) {
      if (toml !== undefined) {
        app.drafts.toml = toml; // to be corrected
      }
      if (app.problem !== null) {
        app.problem.field = toml === undefined ? Object.keys(now)[0] : "toml"; // it is shown there
        app.render();
      }
      return;
    }
    app.settings = settings;
    app.preview.forget();
    await app.preview.build();
  }
}

/** The failure that a change of this setting has caused, at its place. */
function refusal(app, setting) {
  const wrong = app.problem?.field === setting;
  return wrong && h("span", { class: "refusal", role: "alert", lang: "en" }, app.problem.text);
}

/** A labelled field. Text that is not yet saved stays in drafts when the form is made anew. */
function field(app, key, label, value, save, options = {}) {
  const { drafts } = app;
  // A field that was made anew while somebody typed in it has no "change" of its own. The focus moves on first.
  const commit = () => {
    if (drafts[key] !== undefined && !filling()) {
      const text = drafts[key].trim();
      delete drafts[key];
      setTimeout(save, 0, text);
    }
  };
  return h("label", { class: "field" }, [
    h("span", {}, label),
    h("input", {
      id: `field-${key}`,
      value: drafts[key] ?? value ?? "",
      oninput: ({ target }) => {
        drafts[key] = target.value;
        options.live?.();
      },
      onchange: commit,
      onblur: commit,
      type: options.type ?? "text",
      autocomplete: "off",
      spellcheck: "false",
    }),
    refusal(app, key),
  ]);
}

function wordsView(app, tag) {
  const { w } = app;
  const one = (key) =>
    field(app, `${tag}-${key}`, w[key], app.settings.words?.[tag]?.[key], (value) => {
      const words = { ...app.settings.words, [tag]: { ...app.settings.words?.[tag], [key]: value } };
      if (words[tag].thing && !words[tag].things) {
        app.settings = { ...app.settings, words }; // the plural is still missing
      } else {
        change(app, { words });
      }
    });
  return h("fieldset", {}, [
    h("legend", { class: "list-label" }, w.wordsIn[tag]),
    one("thing"),
    one("things"),
    one("known"),
  ]);
}

function linksView(app) {
  const { w } = app;
  const links = app.settings.links ?? [];
  const rows = app.newLink ? [...links, app.newLink] : links;
  const save = (i, part) => {
    const link = { ...(links[i] ?? app.newLink), ...part };
    const others = links.filter((_, k) => k !== i);
    if (link.name !== "" && link.address !== "") {
      app.newLink = i < links.length ? app.newLink : null;
      change(app, { links: others.toSpliced(i, 0, link) });
    } else if (i === links.length) {
      app.newLink = link; // its other half is still missing
    }
  };
  const add = () => {
    app.newLink = { name: "", address: "" };
    app.render();
    document.getElementById(`field-link-name-${links.length}`).focus();
  };
  return h("fieldset", {}, [
    h("legend", { class: "list-label" }, w.links),
    h("p", { class: "note" }, w.linksNote),
    ...rows.map((link, i) =>
      h("div", { class: "link-row" }, [
        field(app, `link-name-${i}`, w.linkName(i + 1), link.name, (name) => save(i, { name })),
        field(app, `link-address-${i}`, w.linkAddress(i + 1), link.address, (to) => save(i, { address: to })),
        i < links.length &&
          button(`link-remove-${i}`, "link", w.linkRemove(i + 1), () =>
            change(app, { links: links.filter((_, k) => k !== i) }),
          ),
      ]),
    ),
    !app.newLink && button("link-add", "link", w.linkAdd, add),
  ]);
}

function tomlView(app) {
  const { w } = app;
  const text = h("textarea", {
    id: "toml",
    rows: "16",
    spellcheck: "false",
    "aria-label": w.tomlLabel,
    oninput: ({ target }) => (app.drafts.toml = target.value),
  });
  text.value = app.drafts.toml ?? app.settings.toml;
  return h("details", { open: app.tomlOpen, ontoggle: ({ target }) => (app.tomlOpen = target.open) }, [
    h("summary", {}, w.toml),
    text,
    refusal(app, "toml"),
    button("toml-save", "quiet", w.save, () => {
      delete app.drafts.toml;
      change(app, { toml: text.value });
    }),
  ]);
}

/** What stands before the preview. */
export function siteView(app, running) {
  const { w } = app;
  return [
    heading(w.siteTitle),
    h("p", { class: "lead" }, w.siteLead),
    app.state.model.quick &&
      h("div", { class: "notice" }, [
        h("p", {}, w.quickNote),
        button("full-now", "quiet", w.fullNow, () => app.train({ quick: false }), app.running !== null),
      ]),
    button("next", "main-button", w.toHome, () => app.go("home")),
    running,
  ];
}

/** The form, which stands after the preview. */
export function settingsView(app) {
  const { w, settings } = app;
  const { accent, accentDark } = settings;
  const colour = (key, value, other) =>
    field(app, key, w[key], value || other, (to) => change(app, { [key]: to }), {
      type: "color",
      live: () =>
        app.preview.tint(app.drafts.accent ?? (accent || light), app.drafts.accentDark ?? (accentDark || dark)),
    });
  const text = (key) => field(app, key, w[key], settings[key], (value) => change(app, { [key]: value }));
  return h("form", { class: "settings", onsubmit: (event) => event.preventDefault() }, [
    field(app, "title", w.name, settings.title, (title) => change(app, { title })),
    h("div", { class: "pair-of-fields" }, colour("accent", accent, light), colour("accentDark", accentDark, dark)),
    ...(document.documentElement.lang === "de" ? ["de", "en"] : ["en", "de"]).map((tag) => wordsView(app, tag)),
    refusal(app, "words"),
    linksView(app),
    refusal(app, "links"),
    h("div", { class: "pair-of-fields" }, text("pictures"), text("price")),
    h("p", { class: "note" }, w.placeHint),
    tomlView(app),
  ]);
}
