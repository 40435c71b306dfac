package site

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// A bundle contains each imported module once, before the modules that import it, as a function that returns its
// exports. Workers are bundled too, and named as seen from the bundle.
func TestBundle(t *testing.T) {
	c := tree(t)
	put(t, c.Tree, "index.html", `<!doctype html><meta charset="utf-8">
<script type="module" src="assets/js/all.js" data-bundle></script>`)
	put(t, c.Tree, "assets/js/all.js", "import \"./lib/a.js\";\nimport { b, Two as Three } from './lib/b.js';\nuse(b, Three);\n")
	put(t, c.Tree, "assets/js/lib/a.js", "import * as all from \"./b.js\";\nall.run();\n")
	put(t, c.Tree, "assets/js/lib/b.js", `// Copyright of its author.
// All rights reserved.

// What b is.
export const b = 1, // one
  d = 2;
/**
 * Two, not //three.
 */
export class Two {}
export async function run() {
  return new Worker(new URL("../w.js", import.meta.url));
}
`)
	put(t, c.Tree, "assets/js/w.js", "import { d } from \"./lib/c.js\";\npostMessage(d);\n")
	put(t, c.Tree, "assets/js/lib/c.js", "// A string keeps its lines.\nexport const d = `\n  // 3\n`;\n")
	report := mustBuild(t, c)
	site := contents(t, c.Out)
	want := map[string]string{
		"assets/js/all.js": `const $1 = (() => {
// Copyright of its author.
// All rights reserved.

const b = 1, // one
  d = 2;
class Two {}
async function run() {
  return new Worker(new URL("./w.js", import.meta.url));
}
return { b, d, Two, run };
})();
const $2 = (() => {
const all = $1;
all.run();
return {  };
})();
const $3 = (() => {
;
const { b, Two: Three } = $1;
use(b, Three);
return {  };
})();
`,
		"assets/js/w.js": `const $1 = (() => {
// A string keeps its lines.
const d = ` + "`\n  // 3\n`" + `;
return { d };
})();
const $2 = (() => {
const { d } = $1;
postMessage(d);
return {  };
})();
`,
	}
	for name, text := range site {
		if path.Ext(name) != ".js" {
			continue
		}
		if plain(text) != want[plain(name)] {
			t.Errorf("%s is\n%s\nwant\n%s", name, text, want[plain(name)])
		}
		delete(want, plain(name))
	}
	for name := range want {
		t.Errorf("the site has no %s", name)
	}
	if slices.Contains(report.Unused, "assets/js/lib/a.js") {
		t.Error("a part of the bundle is reported as unused")
	}
}

// Scripts that a bundle would change in meaning are errors with their place.
func TestBundleRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"\nexport let a = 1;\n":                                   "part.js:2: a bundle can only export declarations by const, function or class",
		"export default function f() {}\n":                        "part.js:1: a bundle can only export declarations by const, function or class",
		"const a = 1;\nexport { a };\n":                           "part.js:2: a bundle can only export declarations by const, function or class",
		"export * from './other.js';\n":                           "part.js:1: a bundle can only export declarations by const, function or class",
		"export const { a } = f();\n":                             "part.js:1: a bundle can only export plain names",
		"import a from './other.js';\n":                           "part.js:1: a bundle cannot contain default imports",
		"  import './other.js';\n":                                "part.js:1: an import or export does not begin its line",
		"const a = `\nimport of goods`;\n":                        "part.js:2: a line begins like an import or export but is none",
		"import './none.js';\n":                                   "part.js:1: ./none.js does not exist",
		"import './all.js';\n":                                    "assets/js/all.js → assets/js/part.js → assets/js/all.js import one another",
		"export const a = new URL('none.js', import.meta.url);\n": "none.js does not exist",
	} {
		c := tree(t)
		put(t, c.Tree, "index.html", `<!doctype html><meta charset="utf-8"><script type="module" src="assets/js/all.js" data-bundle></script>`)
		put(t, c.Tree, "assets/js/all.js", "import \"./part.js\";\n")
		put(t, c.Tree, "assets/js/other.js", "export const b = 1;\n")
		put(t, c.Tree, "assets/js/part.js", text)
		if _, err := Build(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
