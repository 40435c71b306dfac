// Package site writes the folder that a static host serves: the page, and whatever the page names, and nothing else.
//
// It starts at index.html and follows references: the attributes of the page's elements, the relative imports of
// JavaScript modules, url() and @import in style sheets, the icons of a web manifest. Each file that is reached is
// copied under a name that carries the hash of its content (fingerprint.Name), after the references within it were
// rewritten to such names; index.html alone keeps its name. So a file's name changes when anything beneath it changes,
// a browser may keep every named file for ever, and the order of work is from the leaves up. All addresses stay
// relative: the folder works under any path of any host.
//
// Some files do not lie in the tree where the page names them: the compiled program, wasm_exec.js of the Go
// installation, a model of one's own. Config.With says where they really are.
//
// Beside each file that shrinks lie its brotli and gzip forms (.br, .gz) for hosts that send them, ours among them.
// Same inputs, same bytes: there are no times, no random names, and nothing is written in the order of a map.
//
// The builder replaces and deletes only files that an earlier build listed and that still have the listed bytes
// (package publish). It leaves all other files of the folder alone.
//
// What cannot work is an error that names file and line: a reference to nothing, an address that begins with "/" and
// so would break under a sub-path, a file loaded from another site, a script that does not parse, inline code that the
// Content-Security-Policy would block.
//
// In the flow: the last step before publishing. server/cmd/mksite is the command; package server serves the result.
package site
