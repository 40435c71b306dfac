// The page's scripts, in the order in which they run. A site has them in one file (server/site/bundle.go).

import "./loader/ahead.js"; // the downloads first
import "./page/picks.js";
import "./page/offline.js";
import "./loader/loader.js";
import "./page/page.js";
