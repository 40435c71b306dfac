export default {
  title: "Notes",
  url: "https://example.org",
  baseUrl: "/",
  markdown: { format: "detect" },
  onBrokenLinks: "ignore",
  presets: [["classic", { docs: { path: "notes", routeBasePath: "/" }, blog: false }]],
};
