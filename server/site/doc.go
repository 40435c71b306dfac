// Package site writes the folder for a static host: the page and the files that it refers to, nothing else.
//
// It starts at index.html and follows references: attributes of the page's elements, relative imports of JavaScript
// modules, url() and @import in style sheets, icons of a web manifest. Each file reached is written under a name with a
// hash of its content (fingerprint.Name), after its own references were rewritten to such names; only index.html keeps
// its name. A file's name therefore changes when it or a file below it changes, browsers may cache named files forever,
// and files are processed from the leaves up. All addresses are relative, so the folder works under any path of any
// host.
//
// Some files are not in the tree: the compiled program, wasm_exec.js of the Go installation, the owner's model.
// Config.With maps their addresses to files on disk.
//
// Files that shrink get brotli and gzip forms (.br, .gz) next to them, for hosts that can send these, including ours.
// The same inputs give the same bytes: no times, no random names, no map order.
//
// The builder replaces and deletes only files that an earlier build listed and that still have the listed bytes
// (package publish). It does not touch other files of the folder.
//
// Problems are errors with file and line: a broken reference, an address that begins with "/" and would fail under a
// sub-path, a file loaded from another site, a script that does not parse, inline code that the Content-Security-Policy
// would block.
//
// Building is the last step before publishing. `pmlam site` is the command; package server serves the result.
package site
