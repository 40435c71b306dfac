// Package server serves a site folder: the page, its program, its model.
//
// It handles no visitor data. The program runs in the visitor's browser and requests only the page's own files, so this
// package is just a careful static file server, and any static host can replace it (docs/deploy.md).
//
// A [Handler] reads the folder once, when it is created, and answers from that snapshot. This has three consequences:
//
//   - Addresses are looked up in a table of the names that were read and never converted to paths. Path traversal is
//     impossible, directories are not listed, and symbolic links are not followed.
//   - A page and its files always belong to the same build. A new build is served after a restart.
//   - Compressed forms (.br, .gz) are compared with their originals before the first answer.
//
// [Serve] bounds the connections of clients: see [Limits]. Addresses are kept only while a connection is open, and
// never written.
//
// server/site writes the folder, this package serves it, and `pmlam serve` is the command.
package server
