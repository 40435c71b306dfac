// Runs before the first paint, so it is not a module: the visitor's colours, and whether to expect a list instead of
// the invitation. page.js stores both.
try {
  const theme = ["", "light", "dark"][Number(localStorage.getItem("theme"))];
  if (theme) {
    document.documentElement.dataset.theme = theme;
  }
  if (localStorage.getItem("list")) {
    document.documentElement.dataset.list = "";
  }
} catch {
  // no storage
}
