// Package studio is the program of the page ui/studio: the commands that make a site of files, in a worker of the
// browser.
//
// The program is core/cmd/pmlam itself, compiled for js/wasm with the commands init, train, site and two for the page
// (root_js.go), and with a page instead of the terminal (host_js.go). So a file downloaded from the studio has the
// bytes that the command would have written. The page's calls (studio.js) are commands (commands.js), each a fresh
// instance of the program, like a process, with 1 GiB of memory at most. The operating system is fs.js: dropped files
// are read where they lie, and the project's folder is kept in IndexedDB (store.js), so a closed tab loses as much as a
// killed command, and the next training goes on from its checkpoint.
//
//	page → studio.js → worker.js → commands.js → pmlam (studio.wasm) → fs.js → store.js → IndexedDB
//
// .ci/studio builds the program. Folder protobuf stands for a module that parquet-go links without need.
package studio
