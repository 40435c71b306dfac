// Finding a title on the map: a button that opens a search field over the picture. The field is a combobox as in ARIA's
// authoring practices: it keeps the focus, arrow keys choose, Enter flies to the title, Escape closes.

export class Find {
  #items = [];
  #at = -1; // the selected result

  constructor(map) {
    this.map = map;
    this.element = make("div", { class: "map-find map-over" });
    this.button = make("button", { class: "plain map-button", type: "button", "aria-expanded": "false" });
    this.button.append(icon("M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7L14 14"));
    this.field = make("input", {
      class: "map-find-field",
      type: "text",
      dir: "auto",
      role: "combobox",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      enterkeyhint: "go",
      "aria-autocomplete": "list",
      "aria-controls": "map-found",
      "aria-expanded": "false",
    });
    this.list = make("ul", { class: "map-found", id: "map-found", role: "listbox" });
    this.none = make("p", { class: "map-found-none" });
    this.field.hidden = this.list.hidden = this.none.hidden = true;
    this.element.append(this.button, this.field, this.list, this.none);

    this.button.addEventListener("click", () => (this.field.hidden ? this.open() : this.close(true)));
    this.field.addEventListener("input", () => this.#ask());
    this.field.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // keep the focus in the field
    this.list.addEventListener("click", (event) =>
      this.#choose([...this.list.children].indexOf(event.target.closest("li"))),
    );
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(event.relatedTarget)) {
        this.close(false);
      }
    });
  }

  /** Labels itself in the map's language. */
  speak() {
    const { find, found } = this.map.o;
    this.button.title = this.field.placeholder = this.button.ariaLabel = this.field.ariaLabel = find;
    this.list.ariaLabel = found;
  }

  open() {
    this.field.hidden = false;
    this.field.value = "";
    this.button.setAttribute("aria-expanded", "true");
    this.field.focus();
    this.#covered();
  }

  close(back) {
    if (this.field.hidden) {
      return;
    }
    if (back) {
      this.button.focus();
    }
    this.field.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.#show([], "");
  }

  #ask() {
    const query = this.field.value.trim();
    if (query === "") {
      this.#show([], "");
      return;
    }
    this.map.o.search(query, ({ items, told }) => {
      if (query === this.field.value.trim() && !this.field.hidden) {
        this.map.o.say(told);
        this.#show(items, items.length === 0 ? told : "");
      }
    });
  }

  #show(items, none) {
    this.#items = items;
    this.list.replaceChildren(
      ...items.map((item, i) => {
        const e = make("li", { role: "option", id: `map-found-${i}` });
        e.append(make("bdi", {}));
        e.firstChild.textContent = this.map.titles[item];
        return e;
      }),
    );
    this.list.hidden = items.length === 0;
    this.none.textContent = none;
    this.none.hidden = none === "";
    this.field.setAttribute("aria-expanded", String(items.length > 0));
    this.#point(items.length > 0 ? 0 : -1);
    this.#covered();
  }

  #point(at) {
    this.#at = at;
    [...this.list.children].forEach((e, i) => e.setAttribute("aria-selected", String(i === at)));
    if (at < 0) {
      this.field.removeAttribute("aria-activedescendant");
    } else {
      this.field.setAttribute("aria-activedescendant", `map-found-${at}`);
      this.list.children[at].scrollIntoView({ block: "nearest" });
    }
  }

  #key(event) {
    const n = this.#items.length;
    if (event.key === "Escape") {
      this.close(true);
    } else if (event.key === "Enter") {
      this.#choose(this.#at);
    } else if (event.key === "ArrowDown" && n > 0) {
      this.#point((this.#at + 1) % n);
    } else if (event.key === "ArrowUp" && n > 0) {
      this.#point((this.#at + n - 1) % n);
    } else {
      return;
    }
    event.preventDefault();
  }

  #choose(at) {
    const item = this.#items[at];
    if (item !== undefined) {
      this.close(false);
      this.map.canvas.focus();
      this.map.show(item);
    }
  }

  /** Keeps names on the map clear of the field and its results. */
  #covered() {
    this.map.names.stale();
    this.map.schedule();
  }
}

function make(name, attributes) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    e.setAttribute(key, value);
  }
  return e;
}

function icon(d) {
  const [svg, path] = ["svg", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", d);
  svg.append(path);
  return svg;
}
