// Runs before the first paint, so it is not a module: the visitor's colours, and the list of the last visit instead of
// the invitation, until the program has its own. page.js stores both.
try {
  const theme = ["", "light", "dark"][Number(localStorage.getItem("theme"))];
  if (theme) {
    document.documentElement.dataset.theme = theme;
  }
  const last = localStorage.getItem("list");
  if (last) {
    document.documentElement.dataset.list = "";
    const { version, folder, html } = JSON.parse(last);
    const show = () => {
      const now = document.querySelector("script[data-worker]")?.dataset.version;
      if (html && version === now && folder === new URL("./", location.href).pathname && location.hash === "") {
        document.querySelector("#loading .next").outerHTML = html;
      }
    };
    // once the page's HTML is complete, before its modules run
    document.addEventListener("readystatechange", show, { once: true });
  }
} catch {
  // no storage
}
